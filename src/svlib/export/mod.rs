//! Program graphs as programs in SV-LIB.
//!
//! Each graph becomes a procedure without parameters, and a `verify-call` of it. Locations are labels, edges the alternatives
//! of a `choice`. What an edge defines is assigned at once. Where it only relates the values before and after it, those after
//! it are guessed, assumed to fit, and assigned:
//!
//! ```text
//! (havoc x!new) (assume (< x x!new)) (assign (x x!new))
//! ```
//!
//! Error locations are labels at which `false` is to be true. Nothing is left out and nothing added, so that the program has
//! the runs of the graphs; what SV-LIB has no words for is refused.

mod declarations;
pub(crate) mod symbols;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::sync::Arc;

use indexmap::IndexSet;
use petgraph::visit::{Dfs, EdgeRef as _};
use ult_core::formula::{BinderKind, Op, Term, Terms, Version};
use ult_core::graph::{Edge, LocationId, Origin, ProgramGraph};
use ult_smtlib::Unsupported;
use ult_smtlib::print::{expression, sort_text, symbol, variable};

use self::declarations::Declarations;
use self::symbols::Symbols;

/// A graph to be written.
#[derive(Debug)]
pub struct Task<'a> {
    /// The graph.
    pub graph: &'a ProgramGraph,
    /// What there is to say about locations, one line each.
    pub remarks: BTreeMap<LocationId, String>,
}

/// Why a graph cannot be written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refused {
    /// What SV-LIB has no words for.
    pub what: String,
    /// The number of the graph.
    pub task: usize,
    /// The edge or location that it is about, if it is one.
    pub origin: Option<Origin>,
}

/// The program that has the runs of the graphs. The terms are those of one store.
///
/// # Errors
/// [`Refused`] if there is something that SV-LIB has no words for, or if axioms of one graph are none of another: in a
/// program, axioms are about all of it.
pub fn text(terms: &Terms, tasks: &[Task<'_>]) -> Result<String, Refused> {
    let mut symbols = Symbols::default();
    let mut out = String::from("(set-logic ALL)\n");
    let mut declarations = Declarations::new(terms);
    for (task, Task { graph, .. }) in tasks.iter().enumerate() {
        let refuse = |what: String, origin| Refused { what, task, origin };
        declarations
            .add(graph, &mut symbols)
            .map_err(|(what, origin)| refuse(what, origin))?;
        let axioms = |graph: &ProgramGraph| graph.axioms.iter().copied().collect::<BTreeSet<_>>();
        if tasks
            .first()
            .is_some_and(|first| axioms(first.graph) != axioms(graph))
        {
            let what = "axioms that are not about all procedures; `--entry` names one".to_owned();
            return Err(refuse(what, None));
        }
    }
    declarations.write(&mut out).map_err(|failure| Refused {
        what: words(&failure),
        task: 0,
        origin: None,
    })?;
    for (number, task) in tasks.iter().enumerate() {
        let mut writer = Writer {
            terms,
            task,
            number,
            symbols: &mut symbols,
            guessed: BTreeMap::new(),
        };
        let procedure = writer.procedure().map_err(|(what, origin)| Refused {
            what,
            task: number,
            origin,
        })?;
        out.push_str(&procedure);
    }
    for (number, task) in tasks.iter().enumerate() {
        let name = symbol(&format!("p.{number}"), &task.graph.name);
        let _ = writeln!(out, "(verify-call {name} ())");
    }
    Ok(symbols.spelled(&out))
}

/// What cannot be written, with the place that it is at.
type Obstacle = (String, Option<Origin>);

/// Why a term cannot be written, in words.
fn words(failure: &Unsupported) -> String {
    failure.0.clone()
}

/// A formula as text.
fn formula(terms: &Terms, term: Term) -> Result<String, String> {
    let is_lambda = |part: &Term| matches!(terms.op(*part), Op::Bind(binder) if binder.kind == BinderKind::Lambda);
    if terms.post_order(&[term]).iter().any(is_lambda) {
        return Err("a map that is given by an expression (`lambda`)".to_owned());
    }
    expression(terms, term).map_err(|failure| words(&failure))
}

/// Writes one graph.
struct Writer<'a> {
    terms: &'a Terms,
    task: &'a Task<'a>,
    number: usize,
    symbols: &'a mut Symbols,
    /// Variables for values after a step, and for auxiliaries, with their sorts.
    guessed: BTreeMap<String, String>,
}

impl Writer<'_> {
    fn procedure(&mut self) -> Result<String, Obstacle> {
        let graph = self.task.graph;
        for name in graph.variables.keys() {
            self.symbols.wish(&symbol("c", name), name);
        }
        // Control begins at the first label.
        let mut order = IndexSet::new();
        let mut walk = Dfs::new(&graph.graph, graph.initial);
        while let Some(location) = walk.next(&graph.graph) {
            order.insert(location);
        }
        order.extend(graph.graph.node_indices());
        let mut body = String::new();
        for (position, &location) in order.iter().enumerate() {
            self.location(location, order.get_index(position + 1).copied(), &mut body)?;
        }
        let name = symbol(&format!("p.{}", self.number), &graph.name);
        self.symbols.wish(&name, &graph.name);
        let mut text = String::new();
        let _ = write!(text, "\n(define-proc {name} () ()\n  (");
        let mut locals: Vec<String> = Vec::new();
        for (variable, sort) in &graph.variables {
            let name = symbol("c", variable);
            let sort = sort_text(sort).map_err(|failure| (words(&failure), None))?;
            locals.push(format!("({name} {sort})"));
        }
        let guessed = self.guessed.iter();
        locals.extend(guessed.map(|(name, sort)| format!("({name} {sort})")));
        let _ = write!(text, "{})\n  (sequence{body}))\n", locals.join("\n   "));
        Ok(text)
    }

    fn label(&mut self, location: LocationId) -> String {
        let name = &self.task.graph.graph[location].name;
        let label = symbol(&format!("l.{}", self.number), name);
        self.symbols.wish(&label, name);
        label
    }

    /// A location with what leaves it; `next` is the one that is written behind it.
    fn location(
        &mut self,
        location: LocationId,
        next: Option<LocationId>,
        body: &mut String,
    ) -> Result<(), Obstacle> {
        let graph = self.task.graph;
        let node = &graph.graph[location];
        let label = self.label(location);
        if let Some(remark) = self.task.remarks.get(&location) {
            let _ = write!(body, "\n    ; {}", remark.replace(['\n', '\r'], " "));
        }
        let _ = match (&node.error, node.loop_head) {
            (Some(_), _) => write!(
                body,
                "\n    (! (label {label}) :tag {label} :check-true false)"
            ),
            (None, true) => write!(body, "\n    (! (label {label}) :tag {label})"),
            (None, false) => write!(body, "\n    (label {label})"),
        };
        let mut edges: Vec<_> = graph.graph.edges(location).collect();
        edges.sort_by_key(|edge| edge.id());
        let mut steps = Vec::with_capacity(edges.len());
        let falls_through = matches!(edges.as_slice(), [only] if Some(only.target()) == next);
        for edge in edges {
            let origin = edge.weight().origin;
            let mut step = self
                .step(edge.weight())
                .map_err(|what| (what, origin.or(node.origin)))?;
            if !falls_through {
                step.push(format!("(goto {})", self.label(edge.target())));
            }
            steps.push(step);
        }
        match steps.as_slice() {
            [] => body.push_str("\n    (return)"),
            [only] => {
                for statement in only {
                    let _ = write!(body, "\n    {statement}");
                }
            }
            several => {
                let all: Vec<String> = several
                    .iter()
                    .map(|step| match step.as_slice() {
                        [only] => only.clone(),
                        several => format!("(sequence {})", several.join(" ")),
                    })
                    .collect();
                let _ = write!(body, "\n    (choice ({}))", all.join("\n             "));
            }
        }
        Ok(())
    }

    /// The statements of a step.
    fn step(&mut self, edge: &Edge) -> Result<Vec<String>, String> {
        let terms = self.terms;
        let transition = &edge.transition;
        let (definitions, mut conditions) = transition.definitions(terms);
        let mut related: BTreeMap<Arc<str>, Term> = terms.names_of(&conditions, Version::Next);
        let mut assigned = Vec::new();
        for definition in definitions {
            match related.contains_key(&definition.variable) {
                true => conditions.push(definition.conjunct),
                false => assigned.push(definition),
            }
        }
        let mut guessed = Vec::new();
        let mut done: BTreeSet<Arc<str>> = BTreeSet::new();
        let mut pairs = Vec::new();
        for definition in &assigned {
            done.insert(definition.variable.clone());
            let target = symbol("c", &definition.variable);
            pairs.push(format!("({target} {})", formula(terms, definition.value)?));
        }
        for (name, term) in std::mem::take(&mut related) {
            guessed.push(self.guess(term, &format!("{name}!new"))?);
            let (target, value) = (symbol("c", &name), symbol("n", &name));
            pairs.push(format!("({target} {value})"));
            done.insert(name);
        }
        let all: Vec<Term> = conditions
            .iter()
            .copied()
            .chain(assigned.iter().map(|definition| definition.value))
            .collect();
        for term in terms.free_vars(&all) {
            if let Some(var) = terms.as_var(term)
                && matches!(var.version, Version::Aux(_))
            {
                guessed.push(self.guess(term, &var.name)?);
            }
        }
        let mut statements = Vec::new();
        let havoc = |names: &[String]| match names {
            [] => None,
            names => Some(format!("(havoc {})", names.join(" "))),
        };
        statements.extend(havoc(&guessed));
        let condition = terms.and(conditions);
        if condition != terms.tt() {
            statements.push(format!("(assume {})", formula(terms, condition)?));
        }
        if !pairs.is_empty() {
            statements.push(format!("(assign {})", pairs.join(" ")));
        }
        let free = transition
            .changed
            .iter()
            .filter(|name| !done.contains(*name));
        let free: Vec<String> = free.map(|name| symbol("c", name)).collect();
        statements.extend(havoc(&free));
        Ok(statements)
    }

    /// A variable that holds what is guessed.
    fn guess(&mut self, term: Term, wish: &str) -> Result<String, String> {
        let terms = self.terms;
        let name = variable(terms, term).ok_or("an ill-formed term")?;
        let sort = sort_text(terms.sort(term)).map_err(|failure| words(&failure))?;
        self.symbols.wish(&name, wish);
        self.guessed.insert(name.clone(), sort);
        Ok(name)
    }
}
