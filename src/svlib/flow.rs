//! What statements change, and where control flows in circles.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use ult_lang::hir::{GlobalId, VarRef};
use ult_lang::stack::ensure_stack;

use crate::program::{Procedure, Statement, StatementKind};

/// The global variables that each procedure changes, also through calls.
pub(crate) fn effects(procedures: &[Procedure]) -> Vec<BTreeSet<GlobalId>> {
    let mut effects = vec![BTreeSet::new(); procedures.len()];
    loop {
        let mut changed = false;
        for (index, procedure) in procedures.iter().enumerate() {
            let Some(body) = &procedure.body else {
                continue;
            };
            let found = modified(body, &effects)
                .into_iter()
                .filter_map(|v| match v {
                    VarRef::Global(id) => Some(id),
                    _ => None,
                });
            let found: BTreeSet<GlobalId> = found.collect();
            if let Some(known) = effects.get_mut(index)
                && *known != found
            {
                *known = found;
                changed = true;
            }
        }
        if !changed {
            return effects;
        }
    }
}

/// The variables that a statement changes: a syntactic matter.
pub(crate) fn modified(statement: &Statement, effects: &[BTreeSet<GlobalId>]) -> BTreeSet<VarRef> {
    let mut found = BTreeSet::new();
    statement.visit(&mut |statement| written(statement, effects, &mut found));
    found
}

/// The variables that a statement changes by itself.
fn written(statement: &Statement, effects: &[BTreeSet<GlobalId>], found: &mut BTreeSet<VarRef>) {
    match &statement.kind {
        StatementKind::Assign(pairs) => found.extend(pairs.iter().map(|(variable, _)| *variable)),
        StatementKind::Havoc(variables) => found.extend(variables),
        StatementKind::Call {
            callee, results, ..
        } => {
            found.extend(results);
            let globals = effects.get(*callee).into_iter().flatten();
            found.extend(globals.map(|&id| VarRef::Global(id)));
        }
        _ => {}
    }
}

/// Whether control goes into a statement or out of it at other places than its start and its end.
pub(crate) fn has_jumps(statement: &Statement) -> bool {
    let mut found = false;
    statement.visit(&mut |s| {
        found |= matches!(
            s.kind,
            StatementKind::Return | StatementKind::Goto(_) | StatementKind::Label(_)
        );
    });
    found || leaves_loop(statement)
}

/// Whether a `break` or `continue` belongs to a loop around the statement.
fn leaves_loop(statement: &Statement) -> bool {
    ensure_stack(|| match statement.kind {
        StatementKind::Break | StatementKind::Continue => true,
        StatementKind::While { .. } => false,
        _ => statement.parts().into_iter().any(leaves_loop),
    })
}

/// Whether there is a `continue` of the loop whose body this is.
pub(crate) fn continues(body: &Statement) -> bool {
    ensure_stack(|| match body.kind {
        StatementKind::Continue => true,
        StatementKind::While { .. } => false,
        _ => body.parts().into_iter().any(continues),
    })
}

/// Whether a jump from outside leads into a loop.
pub(crate) fn is_entered(whole: &Statement, inside: &Statement) -> bool {
    let mut labels = BTreeSet::new();
    let mut jumps: HashMap<&str, isize> = HashMap::new();
    inside.visit(&mut |s| match &s.kind {
        StatementKind::Label(label) => {
            labels.insert(label.as_str());
        }
        StatementKind::Goto(label) => *jumps.entry(label).or_default() -= 1,
        _ => {}
    });
    if labels.is_empty() {
        return false;
    }
    whole.visit(&mut |s| {
        if let StatementKind::Goto(label) = &s.kind {
            *jumps.entry(label).or_default() += 1;
        }
    });
    labels
        .into_iter()
        .any(|label| jumps.get(label).is_some_and(|&more| more != 0))
}

/// For each label of a body the variables that can change before control comes back to it; labels that it never comes
/// back to are left out.
pub(crate) fn circles(
    body: &Statement,
    effects: &[BTreeSet<GlobalId>],
) -> HashMap<String, BTreeSet<VarRef>> {
    let mut graph = Graph {
        effects,
        nodes: Vec::new(),
        labels: BTreeMap::new(),
    };
    let exit = graph.node(BTreeSet::new());
    let _: usize = graph.add(body, exit, None);
    let forward: Vec<Vec<usize>> = graph
        .nodes
        .iter()
        .map(|node| {
            let jump = node.jump.as_ref().and_then(|label| graph.labels.get(label));
            node.next.iter().chain(jump).copied().collect()
        })
        .collect();
    let mut backward = vec![Vec::new(); forward.len()];
    for (from, next) in forward.iter().enumerate() {
        for &to in next {
            if let Some(list) = backward.get_mut(to) {
                list.push(from);
            }
        }
    }
    let mut found = HashMap::new();
    for (label, &node) in &graph.labels {
        let ahead = reached(&forward, node);
        if !ahead.contains(&node) {
            continue;
        }
        let behind = reached(&backward, node);
        let mut changed = BTreeSet::new();
        for &index in ahead.intersection(&behind) {
            changed.extend(graph.nodes.get(index).into_iter().flat_map(|n| &n.writes));
        }
        found.insert(label.clone(), changed);
    }
    found
}

/// What is reached from a node in one step or more.
fn reached(next: &[Vec<usize>], from: usize) -> BTreeSet<usize> {
    let mut found = BTreeSet::new();
    let mut open = vec![from];
    while let Some(node) = open.pop() {
        for &to in next.get(node).into_iter().flatten() {
            if found.insert(to) {
                open.push(to);
            }
        }
    }
    found
}

struct Node {
    next: Vec<usize>,
    jump: Option<String>,
    writes: BTreeSet<VarRef>,
}

/// The flow of control of a body, made from its end to its start.
struct Graph<'a> {
    effects: &'a [BTreeSet<GlobalId>],
    nodes: Vec<Node>,
    labels: BTreeMap<String, usize>,
}

/// Where `break` and `continue` lead.
#[derive(Clone, Copy)]
struct Around {
    behind: usize,
    head: usize,
}

impl Graph<'_> {
    fn node(&mut self, writes: BTreeSet<VarRef>) -> usize {
        self.nodes.push(Node {
            next: Vec::new(),
            jump: None,
            writes,
        });
        self.nodes.len() - 1
    }

    fn edge(&mut self, from: usize, to: usize) {
        if let Some(node) = self.nodes.get_mut(from) {
            node.next.push(to);
        }
    }

    /// Adds a statement before `next`, and tells where it starts.
    fn add(&mut self, statement: &Statement, next: usize, around: Option<Around>) -> usize {
        ensure_stack(|| self.add_here(statement, next, around))
    }

    fn add_here(&mut self, statement: &Statement, next: usize, around: Option<Around>) -> usize {
        let mut writes = BTreeSet::new();
        written(statement, self.effects, &mut writes);
        match &statement.kind {
            StatementKind::Sequence(parts) => parts
                .iter()
                .rev()
                .fold(next, |next, part| self.add(part, next, around)),
            StatementKind::If {
                then, otherwise, ..
            } => {
                let yes = self.add(then, next, around);
                let no = match otherwise {
                    Some(otherwise) => self.add(otherwise, next, around),
                    None => next,
                };
                let node = self.node(writes);
                self.edge(node, yes);
                self.edge(node, no);
                node
            }
            StatementKind::Choice(parts) => {
                let starts: Vec<usize> = parts
                    .iter()
                    .map(|part| self.add(part, next, around))
                    .collect();
                let node = self.node(writes);
                for start in starts {
                    self.edge(node, start);
                }
                node
            }
            StatementKind::While { body, .. } => {
                let head = self.node(writes);
                let inside = Around { behind: next, head };
                let start = self.add(body, head, Some(inside));
                self.edge(head, start);
                self.edge(head, next);
                head
            }
            StatementKind::Break => around.map_or(next, |around| around.behind),
            StatementKind::Continue => around.map_or(next, |around| around.head),
            // The first node is the end of the body.
            StatementKind::Return => 0,
            StatementKind::Goto(label) => {
                let node = self.node(writes);
                if let Some(node) = self.nodes.get_mut(node) {
                    node.jump = Some(label.clone());
                }
                node
            }
            StatementKind::Label(label) => {
                let node = self.node(writes);
                self.edge(node, next);
                self.labels.insert(label.clone(), node);
                node
            }
            StatementKind::Assume(_)
            | StatementKind::Assign(_)
            | StatementKind::Havoc(_)
            | StatementKind::Call { .. } => {
                let node = self.node(writes);
                self.edge(node, next);
                node
            }
        }
    }
}
