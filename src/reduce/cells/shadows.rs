//! A variable for what a pointer points to: its *shadow*.
//!
//! A read `m[p]` is a choice among all cells of `m` wherever it stands. With a shadow it is a variable, which every step that
//! changes `p` or `m` keeps equal to the read: `p := q` makes it `m[q]`, and `m[q] := v` makes it `v` if `q` is `p`
//! (Ivančić et al., section 3.2: *inferred assignments*, implied ones and those due to aliasing). So there are more variables,
//! of which fewer matter at a time. What indices have no cell means the same with shadows and without.
//!
//! An index may be such a read itself: `**p` is `n[m[p]]`, and has the shadow of `m[p]` as its index.

use std::collections::{BTreeSet, HashMap};
use std::rc::Rc;
use std::sync::Arc;

use indexmap::IndexMap;

use super::Layout;
use super::classes::Classes;
use super::expand::{Edge, Expansion};
use ult_core::formula::{Op, Sort, Term, Terms, Version};
use ult_core::graph::ProgramGraph;

/// So many there are at most; what else is read is a choice.
const MOST: usize = 256;

/// So many writes and choices a shadow looks through in one step.
const DEEPEST: usize = 64;

/// Indices on the way into a map, the outermost map's first.
type Path = Vec<Vec<Term>>;

/// A read that has a variable.
pub(super) struct Shadow {
    /// The read.
    pub(super) read: Term,
    /// The sort of what is read.
    pub(super) sort: Sort,
    /// The map's variable.
    map: Term,
    /// Where it is read: variables and literals.
    path: Path,
    /// The variables that it depends on.
    depends: BTreeSet<Arc<str>>,
}

/// The shadows of a graph, by their names.
#[derive(Default)]
pub(super) struct Shadows {
    pub(super) all: IndexMap<Arc<str>, Shadow>,
    by_read: HashMap<Term, Term>,
    by_place: HashMap<(Term, Path), Term>,
}

impl Shadows {
    /// The reads in a graph of maps that have cells, at indices that are variables.
    pub(super) fn of(
        terms: &Terms,
        graph: &ProgramGraph,
        classes: &Classes,
        taken: &IndexMap<Arc<str>, Sort>,
    ) -> Shadows {
        let formulas: Vec<Term> = (graph.graph.edge_weights())
            .map(|edge| edge.transition.formula)
            .collect();
        let mut shadows = Shadows::default();
        for read in terms.post_order(&formulas) {
            if shadows.all.len() == MOST {
                break;
            }
            if let Some(shadow) = shadows.shadow(terms, graph, classes, read) {
                shadows.add(terms, taken, graph, shadow);
            }
        }
        shadows
    }

    fn shadow(
        &self,
        terms: &Terms,
        graph: &ProgramGraph,
        classes: &Classes,
        read: Term,
    ) -> Option<Shadow> {
        let sort = terms.sort(read).clone();
        if matches!(sort, Sort::Map(_)) {
            return None;
        }
        let mut path = Path::new();
        let mut map = read;
        while matches!(terms.op(map), Op::Select) {
            let [inner, indices @ ..] = terms.args(map) else {
                return None;
            };
            let indices = indices.iter().map(|&index| self.index(terms, index));
            path.push(indices.collect::<Option<Vec<_>>>()?);
            map = *inner;
        }
        path.reverse();
        let is_variable = |&index: &Term| terms.as_var(index).is_some();
        if !path.iter().flatten().any(is_variable) {
            return None;
        }
        let name = &terms
            .as_var(map)
            .filter(|var| var.version == Version::Current)?
            .name;
        let sort_of_map = graph.variables.get(name)?;
        let has_cells = matches!(
            &*classes.of_variable(name, sort_of_map),
            Layout::Cells { .. }
        );
        let depends = terms.names_of(&[read], Version::Current);
        has_cells.then(|| Shadow {
            read,
            sort,
            map,
            path,
            depends: depends.into_keys().collect(),
        })
    }

    /// An index as a variable or a literal, if it is one.
    fn index(&self, terms: &Terms, index: Term) -> Option<Term> {
        match terms.op(index) {
            Op::Int(_) | Op::BitVec(_) => Some(index),
            Op::Var(var) => (var.version == Version::Current).then_some(index),
            _ if index == terms.tt() || index == terms.ff() => Some(index),
            _ => self.by_read.get(&index).copied(),
        }
    }

    fn add(
        &mut self,
        terms: &Terms,
        taken: &IndexMap<Arc<str>, Sort>,
        graph: &ProgramGraph,
        shadow: Shadow,
    ) {
        let mut name = terms.display(shadow.read).to_string();
        while [&graph.variables, taken]
            .iter()
            .any(|taken| taken.contains_key(name.as_str()))
            || self.all.contains_key(name.as_str())
        {
            name.push('~');
        }
        let name: Arc<str> = name.into();
        let variable = terms.current(name.clone(), shadow.sort.clone());
        self.by_read.insert(shadow.read, variable);
        let place = (shadow.map, shadow.path.clone());
        self.by_place.insert(place, variable);
        self.all.insert(name, shadow);
    }

    /// The variable that is equal to a term.
    pub(super) fn of_read(&self, read: Term) -> Option<Term> {
        self.by_read.get(&read).copied()
    }
}

impl Expansion<'_> {
    /// What a step says of the shadows: equations, and which of them it changes. `None` if this is too much work.
    pub(super) fn follow(&mut self, edge: &mut Edge<'_>) -> Option<Vec<(Arc<str>, Term)>> {
        let terms = self.terms;
        let shadows = self.shadows;
        // What those are behind the step that came before.
        let mut after: HashMap<Term, Term> = HashMap::new();
        let mut equations = Vec::new();
        for (name, shadow) in &shadows.all {
            let stays = edge.is_followed && shadow.depends.is_disjoint(edge.changed);
            if stays {
                continue;
            }
            let mut path = Path::new();
            for indices in &shadow.path {
                let mut level = Vec::new();
                for &index in indices {
                    level.push(match after.get(&index) {
                        Some(&value) => value,
                        None => self.index_after(edge, index)?,
                    });
                }
                path.push(level);
            }
            let map = match terms.as_var(shadow.map) {
                Some(var) => edge.after(terms, &var.name, shadow.map),
                None => shadow.map,
            };
            let value = self.read(edge, map, &path, DEEPEST)?;
            after.insert(terms.current(name.clone(), shadow.sort.clone()), value);
            equations.push((name.clone(), value));
        }
        Some(equations)
    }

    /// The value of an index behind the step.
    fn index_after(&mut self, edge: &mut Edge<'_>, index: Term) -> Option<Term> {
        let Some(var) = self.terms.as_var(index) else {
            return Some(index);
        };
        if self.shadows.all.contains_key(&var.name) {
            return Some(index);
        }
        let after = edge.after(self.terms, &var.name, index);
        Some(self.cells(edge, after)?[0])
    }

    /// What a map has at indices that are made of cells already: through what was written, as far as it can be seen.
    fn read(
        &mut self,
        edge: &mut Edge<'_>,
        map: Term,
        path: &[Vec<Term>],
        depth: usize,
    ) -> Option<Term> {
        let terms = self.terms;
        let Some((indices, deeper)) = path.split_first() else {
            return Some(self.cells(edge, map)?[0]);
        };
        let depth = depth.checked_sub(1);
        match (terms.op(map), terms.args(map), depth) {
            (Op::Store, [before, at @ .., value], Some(depth)) => {
                let mut same = Vec::new();
                for (&at, &index) in at.iter().zip(indices) {
                    let at = self.cells(edge, at)?[0];
                    same.push(terms.eq(at, index));
                }
                let same = terms.and(same);
                if same == terms.ff() {
                    return self.read(edge, *before, path, depth);
                }
                let written = self.read(edge, *value, deeper, depth)?;
                if same == terms.tt() {
                    return Some(written);
                }
                let kept = self.read(edge, *before, path, depth)?;
                Some(terms.ite(same, written, kept))
            }
            _ => self.choice(edge, map, path),
        }
    }

    /// The same, as a choice of one of its cells, or as the shadow that says it.
    fn choice(&mut self, edge: &mut Edge<'_>, map: Term, path: &[Vec<Term>]) -> Option<Term> {
        let terms = self.terms;
        let place = (map, path.to_vec());
        if edge.is_followed
            && let Some(&shadow) = self.shadows.by_place.get(&place)
        {
            return Some(shadow);
        }
        let mut row: Vec<Term> = self.cells(edge, map)?.to_vec();
        let mut layout: Rc<Layout> = self.classes.of_term(terms, map);
        for indices in path {
            let (tuples, element, open) = match &*layout {
                Layout::Cells {
                    indices,
                    element,
                    open,
                    ..
                } => (indices, element.clone(), *open),
                Layout::Whole(_) => {
                    row = vec![terms.select(row[0], indices)];
                    continue;
                }
            };
            let conditions = self.conditions_of(tuples, indices);
            row = self.chosen(edge, None, &conditions, &element, open, &row);
            layout = element;
        }
        row.first().copied()
    }
}
