//! What has to be declared before procedures: sorts, datatypes, functions, and what is assumed of them.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::sync::Arc;

use indexmap::IndexMap;
use ult_core::formula::{DatatypeSort, Function, Op, Sort, Term, Terms};
use ult_core::graph::{Origin, ProgramGraph};
use ult_smtlib::Unsupported;
use ult_smtlib::print::{constructor, selector, sort_names, sort_text, symbol};

use super::symbols::Symbols;
use super::{Obstacle, formula};

/// What is declared.
pub(super) struct Declarations<'a> {
    terms: &'a Terms,
    sorts: BTreeMap<String, Sort>,
    /// Each before those that have it in a field.
    datatypes: IndexMap<String, DatatypeSort>,
    functions: IndexMap<Arc<str>, Arc<Function>>,
    axioms: IndexMap<Term, String>,
}

impl<'a> Declarations<'a> {
    pub(super) fn new(terms: &'a Terms) -> Declarations<'a> {
        Declarations {
            terms,
            sorts: BTreeMap::new(),
            datatypes: IndexMap::new(),
            functions: IndexMap::new(),
            axioms: IndexMap::new(),
        }
    }

    /// All that a graph mentions.
    pub(super) fn add(
        &mut self,
        graph: &ProgramGraph,
        symbols: &mut Symbols,
    ) -> Result<(), Obstacle> {
        for sort in graph.variables.values() {
            self.sort(sort, symbols).map_err(|what| (what, None))?;
        }
        for &axiom in &graph.axioms {
            self.term(axiom, symbols).map_err(|what| (what, None))?;
            let text = formula(self.terms, axiom).map_err(|what| (what, None))?;
            self.axioms.insert(axiom, text);
        }
        for edge in graph.graph.edge_weights() {
            let origin: Option<Origin> = edge.origin;
            self.term(edge.transition.formula, symbols)
                .map_err(|what| (what, origin))?;
        }
        Ok(())
    }

    fn term(&mut self, term: Term, symbols: &mut Symbols) -> Result<(), String> {
        let terms = self.terms;
        for part in terms.post_order(&[term]) {
            self.sort(terms.sort(part), symbols)?;
            match terms.op(part) {
                Op::Apply(function) => self.function(function, symbols)?,
                Op::Bind(binder) => {
                    for &bound in &binder.vars {
                        self.sort(terms.sort(bound), symbols)?;
                    }
                }
                _ => {}
            }
        }
        Ok(())
    }

    fn function(&mut self, function: &Arc<Function>, symbols: &mut Symbols) -> Result<(), String> {
        let known = self.functions.get(&function.name);
        if known.is_some_and(|known| known == function) {
            return Ok(());
        }
        if known.is_some() {
            return Err(format!("two functions named `{}`", function.name));
        }
        for sort in function.params.iter().chain([&function.result]) {
            self.sort(sort, symbols)?;
        }
        symbols.wish(&symbol("f", &function.name), &function.name);
        self.functions
            .insert(function.name.clone(), function.clone());
        Ok(())
    }

    fn sort(&mut self, sort: &Sort, symbols: &mut Symbols) -> Result<(), String> {
        let mut names = BTreeMap::new();
        sort_names(sort, &mut names);
        for (name, sort) in names {
            let known = match &sort {
                Sort::Datatype(datatype) => {
                    self.datatypes.get(&name).map(|known| known == datatype)
                }
                sort => self.sorts.get(&name).map(|known| known == sort),
            };
            match known {
                Some(true) => continue,
                Some(false) => return Err(format!("two sorts named `{sort}`")),
                None => symbols.wish(&name, &sort.to_string()),
            }
            let Sort::Datatype(datatype) = sort else {
                self.sorts.insert(name, sort);
                continue;
            };
            if datatype.is_recursive() {
                return Err(format!(
                    "the datatype `{}`, which contains itself",
                    datatype.name()
                ));
            }
            for (number, made) in (0..).zip(datatype.constructors()) {
                symbols.wish(&constructor(&datatype, number), made.name());
                for (field, (field_name, sort)) in (0..).zip(made.fields()) {
                    symbols.wish(&selector(&datatype, number, field), field_name);
                    self.sort(&sort, symbols)?;
                }
            }
            self.datatypes.insert(name, datatype);
        }
        Ok(())
    }

    /// Writes them down.
    pub(super) fn write(&self, out: &mut String) -> Result<(), Unsupported> {
        for name in self.sorts.keys() {
            let _ = writeln!(out, "(declare-sort {name} 0)");
        }
        for (name, datatype) in &self.datatypes {
            let mut all = Vec::new();
            for (number, made) in (0..).zip(datatype.constructors()) {
                let mut text = format!("({}", constructor(datatype, number));
                for (field, sort) in (0..).zip(made.sorts()) {
                    let selector = selector(datatype, number, field);
                    let _ = write!(text, " ({selector} {})", sort_text(&sort)?);
                }
                all.push(text + ")");
            }
            let _ = writeln!(out, "(declare-datatype {name} ({}))", all.join(" "));
        }
        for function in self.functions.values() {
            let name = symbol("f", &function.name);
            let params: Result<Vec<String>, Unsupported> =
                function.params.iter().map(sort_text).collect();
            let (params, result) = (params?, sort_text(&function.result)?);
            let _ = match params.as_slice() {
                [] => writeln!(out, "(declare-const {name} {result})"),
                params => writeln!(out, "(declare-fun {name} ({}) {result})", params.join(" ")),
            };
        }
        for axiom in self.axioms.values() {
            let _ = writeln!(out, "(assert {axiom})");
        }
        Ok(())
    }
}
