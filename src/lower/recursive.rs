//! Recursive datatypes, by axioms.
//!
//! The sorts of formulas are finite trees, so a datatype that contains itself is a sort of its own with functions: one for
//! each constructor, one for each field, one that says which constructor made a value, and the height of a value. What is
//! said of them:
//!
//! * a value that a constructor made has its arguments as fields, and says so (so constructors are injective and distinct);
//! * each value is made by one of the constructors, from its fields;
//! * a value is higher than the values of recursive datatypes that are its fields (so none contains itself).
//!
//! All of it is true of the values that constructors make in finitely many steps, and there are some
//! ([`ult_lang::hir::well_founded`]): a proof counts. It is not all that is true of them (there is no induction), so what is
//! found to be violated need not be.
//!
//! A datatype that is an index of a map in itself has no such values: there are more maps than indices. It is refused, and
//! so is one that contains itself at ever larger types.

use std::collections::BTreeSet;
use std::sync::Arc;

use petgraph::algo::kosaraju_scc;
use petgraph::graph::{DiGraph, NodeIndex};
use ult_lang::hir::{Background, Datatype, DatatypeId, MapType, Type};
use ult_lang::stack::ensure_stack;

use super::names::Names;
use ult_core::formula::{BinderKind, Function, Sort, Term, Terms};

/// The functions of an instance of a recursive datatype.
#[derive(Debug)]
pub struct Recursive {
    /// What makes values, one for each constructor.
    pub constructors: Vec<Arc<Function>>,
    /// The fields, as they are numbered in the datatype.
    pub fields: Vec<Arc<Function>>,
    /// The number of the constructor that made a value.
    pub made_by: Arc<Function>,
    /// The height of a value.
    pub height: Arc<Function>,
    /// For each constructor the numbers of its fields.
    pub parts: Vec<Vec<usize>>,
}

/// An instance that has no functions yet.
#[derive(Clone, Debug)]
pub struct Pending {
    /// The datatype.
    pub datatype: DatatypeId,
    /// What its type parameters stand for.
    pub args: Vec<Sort>,
    /// Its sort.
    pub sort: Sort,
}

/// What is known about the datatypes of a program.
#[derive(Clone, Debug, Default)]
pub struct Kinds {
    /// Those that contain themselves.
    recursive: BTreeSet<usize>,
    /// Those of them about which axioms cannot be made.
    refused: BTreeSet<usize>,
}

impl Kinds {
    /// Looks at all datatypes.
    pub fn of(background: &Background) -> Kinds {
        let mut graph: DiGraph<(), ()> = DiGraph::new();
        let datatypes = &background.datatypes;
        for _ in datatypes {
            graph.add_node(());
        }
        let mut kinds = Kinds::default();
        let indexing = indexing(datatypes);
        for (number, datatype) in datatypes.iter().enumerate() {
            for field in &datatype.fields {
                let mut found = Vec::new();
                mentioned(&field.ty, false, &indexing, &mut found);
                for mention in found {
                    let (from, to) = (NodeIndex::new(number), NodeIndex::new(mention.datatype));
                    graph.update_edge(from, to, ());
                }
            }
        }
        for component in kosaraju_scc(&graph) {
            let members: BTreeSet<usize> = component.iter().map(|node| node.index()).collect();
            let is_cycle = members.len() > 1
                || members
                    .iter()
                    .any(|&n| graph.contains_edge(NodeIndex::new(n), NodeIndex::new(n)));
            if !is_cycle {
                continue;
            }
            let is_regular = |n: &usize| is_regular(&datatypes[*n], &members, &indexing);
            if !members.iter().all(is_regular) {
                kinds.refused.extend(&members);
            }
            kinds.recursive.extend(members);
        }
        kinds
    }

    /// Whether a datatype contains itself.
    pub fn is_recursive(&self, id: DatatypeId) -> bool {
        self.recursive.contains(&id.index())
    }

    /// Whether there are axioms about it, if it does.
    pub fn has_axioms(&self, id: DatatypeId) -> bool {
        !self.refused.contains(&id.index())
    }
}

/// A datatype in a type.
struct Mention<'t> {
    datatype: usize,
    args: &'t [Type],
    /// Whether it is (part of) an index of a map.
    is_index: bool,
}

/// All datatypes in a type. `indexing` says which datatypes may have their parameters as indices of maps.
fn mentioned<'t>(ty: &'t Type, is_index: bool, indexing: &[bool], found: &mut Vec<Mention<'t>>) {
    let mut inside = |ty: &'t Type, is_index: bool| {
        ensure_stack(|| mentioned(ty, is_index, indexing, found));
    };
    match ty {
        Type::Datatype(id, args) => {
            let is_indexing = indexing.get(id.index()).is_none_or(|&is| is);
            for arg in args {
                inside(arg, is_index || is_indexing);
            }
            found.push(Mention {
                datatype: id.index(),
                args,
                is_index,
            });
        }
        Type::Map(map) => {
            for index in &map.domain {
                inside(index, true);
            }
            inside(&map.range, is_index);
        }
        _ => {
            for part in ty.parts() {
                inside(part, is_index);
            }
        }
    }
}

/// Which datatypes may have a parameter of theirs as (part of) an index of a map, also by way of others.
fn indexing(datatypes: &[Datatype]) -> Vec<bool> {
    fn has_open_index(ty: &Type) -> bool {
        let is_open = |map: &MapType| map.domain.iter().any(has_parameters);
        matches!(ty, Type::Map(map) if is_open(map))
            || ty.parts().any(|part| ensure_stack(|| has_open_index(part)))
    }
    let mut indexing: Vec<bool> = datatypes
        .iter()
        .map(|datatype| datatype.fields.iter().any(|f| has_open_index(&f.ty)))
        .collect();
    loop {
        let before = indexing.clone();
        for (number, datatype) in datatypes.iter().enumerate() {
            let mut found = Vec::new();
            for field in &datatype.fields {
                mentioned(&field.ty, false, &before, &mut found);
            }
            indexing[number] |= found.iter().any(|mention| before[mention.datatype]);
        }
        if indexing == before {
            return indexing;
        }
    }
}

/// Whether a datatype mentions those of its cycle as no index, and at its own parameters or at types without any.
fn is_regular(datatype: &Datatype, members: &BTreeSet<usize>, indexing: &[bool]) -> bool {
    datatype.fields.iter().all(|field| {
        let mut found = Vec::new();
        mentioned(&field.ty, false, indexing, &mut found);
        found.iter().all(|mention| {
            let is_plain = |ty: &Type| matches!(ty, Type::Var(_)) || !has_parameters(ty);
            !members.contains(&mention.datatype)
                || (!mention.is_index && mention.args.iter().all(is_plain))
        })
    })
}

fn has_parameters(ty: &Type) -> bool {
    matches!(ty, Type::Var(_)) || ty.parts().any(|part| ensure_stack(|| has_parameters(part)))
}

impl Recursive {
    /// The functions of an instance. `fields` are the sorts of the fields, `first` says that no other instance has the names
    /// that were declared.
    pub fn new(
        names: &mut Names,
        datatype: &Datatype,
        sort: &Sort,
        fields: &[Sort],
        first: bool,
    ) -> Recursive {
        let function = |name: Arc<str>, params: Vec<Sort>, result: Sort| {
            Arc::new(Function {
                name,
                params,
                result,
            })
        };
        let constructors = datatype.constructors.iter().map(|constructor| {
            let name = match first {
                true => (&*constructor.name).into(),
                false => names.fresh(&constructor.name),
            };
            let params = constructor.fields.iter().map(|&f| fields[f].clone());
            function(name, params.collect(), sort.clone())
        });
        let constructors = constructors.collect();
        let named = datatype.fields.iter().zip(fields);
        let of = || vec![sort.clone()];
        Recursive {
            constructors,
            fields: named
                .map(|(field, result)| function(names.fresh(&field.name), of(), result.clone()))
                .collect(),
            made_by: function(
                names.fresh(&format!("{}.made_by", datatype.name)),
                of(),
                Sort::Int,
            ),
            height: function(
                names.fresh(&format!("{}.height", datatype.name)),
                of(),
                Sort::Int,
            ),
            parts: datatype
                .constructors
                .iter()
                .map(|constructor| constructor.fields.clone())
                .collect(),
        }
    }

    /// `value is Constructor`
    pub fn is(&self, terms: &Terms, value: Term, constructor: usize) -> Term {
        let number = terms.int(constructor);
        terms.eq(terms.apply(&self.made_by, &[value]), number)
    }

    /// The value that a constructor makes of the fields of another one.
    fn made_again(&self, terms: &Terms, value: Term, constructor: usize) -> Term {
        let parts = self.parts[constructor].iter();
        let fields: Vec<Term> = parts
            .map(|&field| terms.apply(&self.fields[field], &[value]))
            .collect();
        terms.apply(&self.constructors[constructor], &fields)
    }

    /// The axioms. `height_of` is the height of values of a sort, if that is a recursive datatype, too.
    pub fn axioms(
        &self,
        terms: &Terms,
        sort: &Sort,
        height_of: &dyn Fn(&Sort) -> Option<Arc<Function>>,
    ) -> Vec<Term> {
        let mut axioms = Vec::new();
        for (number, constructor) in self.constructors.iter().enumerate() {
            let args: Vec<Term> = constructor
                .params
                .iter()
                .zip(&self.parts[number])
                .map(|(sort, &field)| terms.fresh_bound(&*self.fields[field].name, sort.clone()))
                .collect();
            let made = terms.apply(constructor, &args);
            let mut said = vec![self.is(terms, made, number)];
            for (&arg, &field) in args.iter().zip(&self.parts[number]) {
                let found = terms.apply(&self.fields[field], &[made]);
                said.push(terms.eq(found, arg));
                if let Some(height) = height_of(terms.sort(arg)) {
                    let (inner, outer) = (
                        terms.apply(&height, &[arg]),
                        terms.apply(&self.height, &[made]),
                    );
                    said.push(terms.lt(inner, outer));
                }
            }
            let said = terms.and(said);
            axioms.push(match args.is_empty() {
                true => said,
                false => terms.bind(BinderKind::Forall, &args, said, &[vec![made]]),
            });
        }
        let value = terms.fresh_bound("value", sort.clone());
        let ways = (0..self.constructors.len()).map(|number| {
            let again = self.made_again(terms, value, number);
            terms.and([self.is(terms, value, number), terms.eq(value, again)])
        });
        let ways = terms.or(ways.collect::<Vec<_>>());
        let functions = self.fields.iter().chain([&self.made_by]);
        let triggers: Vec<Vec<Term>> = functions
            .map(|function| vec![terms.apply(function, &[value])])
            .collect();
        axioms.push(terms.bind(BinderKind::Forall, &[value], ways, &triggers));
        let height = terms.apply(&self.height, &[value]);
        let positive = terms.ge(height, terms.int(0));
        axioms.push(terms.bind(BinderKind::Forall, &[value], positive, &[vec![height]]));
        axioms
    }
}
