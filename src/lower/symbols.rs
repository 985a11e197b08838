//! Rigid symbols: the constants and functions of a program, and the axioms about them.

mod axioms;

use std::cell::RefCell;
use std::collections::{BTreeSet, HashMap, HashSet};
use std::sync::Arc;

use petgraph::graph::{DiGraph, NodeIndex};
use ult_lang::hir::{
    Background, BoundId, ConstantId, FunctionId, MapType, Type, TypeVarId, VarRef,
};
use ult_lang::span::Span;
use ult_lang::stack::ensure_stack;

use super::bounded_datatypes::Level;
use super::definitions::{Definition, Definitions};
use super::division::TotalDivision;
use super::expr::{ExprLowering, Scope};
use super::names::{Names, mangle};
use super::polymaps::{self, Instances};
use super::recursive::Recursive;
use super::sorts::{Record, Sorts, TypeEnv, indices, string_argument};
use super::unsupported::UnsupportedExpr;
use super::walk::calls_in;
use super::{builtin, expr};
use ult_core::formula::{BinderKind, Function, Sort, Term, Terms};
use ult_core::graph::ProgramGraph;

/// So many different applications of defined functions are expanded; those beyond get a symbol
/// with a defining axiom instead, which bounds the size of what chains of definitions expand to.
const MAX_EXPANSIONS: usize = 20_000;

/// An instance of a function: the id and what its type parameters stand for.
type Instance = (FunctionId, Vec<Sort>);

/// An application of an instance.
type Application = (Instance, Vec<Term>);

/// A store at one place of a record, seen at another place, with arguments of these sorts.
type Blur = (u32, u32, Vec<Sort>);

/// A polymorphic lambda, by its first bound variable, and the sorts of what it depends on.
type Elsewhere = (BoundId, Vec<Sort>);

/// The background of a program as formulas.
pub struct Symbols<'a> {
    /// Where terms are made.
    pub terms: &'a Terms,
    /// What the program declares.
    pub background: &'a Background,
    /// Division.
    pub division: TotalDivision,
    names: RefCell<Names>,
    sorts: RefCell<Sorts>,
    constants: RefCell<HashMap<ConstantId, Result<Term, UnsupportedExpr>>>,
    functions: RefCell<HashMap<Instance, Arc<Function>>>,
    definitions: Definitions<'a>,
    /// Functions whose definition depends on itself.
    recursive: HashSet<FunctionId>,
    expansions: RefCell<HashMap<Application, Result<Term, UnsupportedExpr>>>,
    binders: RefCell<HashMap<(BoundId, Sort), Term>>,
    /// What the fields of datatypes are where there are none.
    absent: RefCell<HashMap<(Sort, usize), Arc<Function>>>,
    /// The functions of recursive datatypes, by their sorts.
    datatypes: RefCell<HashMap<Sort, Arc<Recursive>>>,
    /// Of what axioms do not say all: recursive datatypes, and quantifiers over types.
    approximated: RefCell<Vec<UnsupportedExpr>>,
    /// How many polymorphic recursive definitions are being expanded, one inside of the other.
    depth: std::cell::Cell<u32>,
    axioms: RefCell<Vec<(Term, Span)>>,
    dropped: RefCell<Vec<UnsupportedExpr>>,
    /// Axioms that quantify over types, by their numbers, and for which types they are there.
    instances: RefCell<BTreeSet<(usize, Vec<Sort>)>>,
    /// Whether the unit at hand has type parameters.
    generic: std::cell::Cell<bool>,
    blurs: RefCell<HashMap<Blur, Arc<Function>>>,
    blurred: RefCell<Vec<UnsupportedExpr>>,
    elsewhere: RefCell<HashMap<Elsewhere, Arc<Function>>>,
    /// Whether there are types for which they are not there.
    truncated: std::cell::Cell<bool>,
}

/// What is said where no record has a place for the elements of a polymorphic map.
const NO_PLACE: &str = "a polymorphic map at a type that is a parameter";

/// So many polymorphic recursive definitions are expanded, one inside of the other.
const MAX_DEFINITIONS: u32 = 6;

impl<'a> Symbols<'a> {
    /// The background with all its axioms. `reserved` are the names of variables, which symbols
    /// made up here must not take; `polymaps` are the instances of polymorphic maps; `height` is how high values of recursive
    /// datatypes may be, if there are to be no axioms about them.
    pub fn new(
        terms: &'a Terms,
        background: &'a Background,
        reserved: impl IntoIterator<Item = &'a str>,
        polymaps: Instances,
        height: Option<u32>,
    ) -> Symbols<'a> {
        let mut names = Names::default();
        let declared = background
            .constants
            .iter()
            .map(|c| &*c.name)
            .chain(background.functions.iter().map(|f| &*f.name))
            .chain(background.types.iter().map(|t| &*t.name))
            .chain(background.datatypes.iter().flat_map(|datatype| {
                let constructors = datatype.constructors.iter().map(|c| &*c.name);
                constructors.chain([&*datatype.name])
            }));
        for name in declared.chain(reserved) {
            names.reserve(name);
        }
        let definitions = Definitions::new(background);
        let symbols = Symbols {
            terms,
            background,
            division: TotalDivision::new(&mut names),
            sorts: RefCell::new(Sorts::new(polymaps, height, &mut names)),
            names: RefCell::new(names),
            constants: RefCell::default(),
            functions: RefCell::default(),
            recursive: recursive_functions(background, &definitions),
            definitions,
            expansions: RefCell::default(),
            binders: RefCell::default(),
            absent: RefCell::default(),
            datatypes: RefCell::default(),
            approximated: RefCell::default(),
            depth: std::cell::Cell::new(0),
            axioms: RefCell::default(),
            dropped: RefCell::default(),
            instances: RefCell::default(),
            generic: std::cell::Cell::new(false),
            blurs: RefCell::default(),
            blurred: RefCell::default(),
            elsewhere: RefCell::default(),
            truncated: std::cell::Cell::new(false),
        };
        symbols.collect_axioms();
        symbols
    }

    /// A copy of the names in use, for the variables of one graph.
    pub fn names(&self) -> Names {
        self.names.borrow().clone()
    }

    /// The sort of a type; the error says what is not supported about it.
    pub fn sort(&self, ty: &Type, env: &TypeEnv) -> Result<Sort, String> {
        let sort =
            self.sorts
                .borrow_mut()
                .sort(self.background, &mut self.names.borrow_mut(), ty, env);
        self.settle();
        sort
    }

    /// Whether a sort may be the same as another one, see [`Sorts::is_open`].
    pub fn is_open(&self, sort: &Sort) -> bool {
        self.sorts.borrow().is_open(sort)
    }

    /// What a sort of values up to a height stands for.
    pub fn level(&self, sort: &Sort) -> Option<Arc<Level>> {
        self.sorts.borrow().bounds().level(sort).cloned()
    }

    /// The highest values of the instance that a level belongs to.
    pub fn highest(&self, level: &Level) -> Result<Arc<Level>, String> {
        let mut names = self.names.borrow_mut();
        let mut sorts = self.sorts.borrow_mut();
        sorts.highest(self.background, &mut names, level)
    }

    /// Keeps the runs of a graph within the bounds of recursive datatypes, see [`Bounds::keep`](super::bounded_datatypes::Bounds::keep).
    pub fn keep_bounds(&self, graph: &mut ProgramGraph) -> bool {
        self.sorts.borrow().bounds().keep(self.terms, graph)
    }

    /// The functions of a recursive datatype.
    pub fn recursive_datatype(&self, sort: &Sort) -> Option<Arc<Recursive>> {
        self.datatypes.borrow().get(sort).cloned()
    }

    /// Of what axioms do not say all: recursive datatypes, and quantifiers over types.
    pub fn approximated(&self) -> Vec<UnsupportedExpr> {
        self.approximated.borrow().clone()
    }

    /// Says what there is to say of recursive datatypes that came up: first which functions they have, then the axioms,
    /// since those of one may speak of another.
    fn settle(&self) {
        let mut new = Vec::new();
        loop {
            let pending = self.sorts.borrow_mut().take_pending();
            if pending.is_empty() {
                break;
            }
            for instance in pending {
                let Some(datatype) = self.background.datatypes.get(instance.datatype.index())
                else {
                    continue;
                };
                let mut sorts = self.sorts.borrow_mut();
                let mut names = self.names.borrow_mut();
                let params = datatype.type_params.iter().map(|p| p.id);
                let env: TypeEnv = params.zip(instance.args.iter().cloned()).collect();
                let fields = datatype
                    .fields
                    .iter()
                    .map(|field| sorts.sort(self.background, &mut names, &field.ty, &env))
                    .collect::<Result<Vec<Sort>, String>>();
                let what = format!("the recursive datatype `{}`", datatype.name);
                let noted = UnsupportedExpr::new(what, datatype.span);
                match fields {
                    Ok(fields) => {
                        let first = sorts.is_first(instance.datatype);
                        let made =
                            Recursive::new(&mut names, datatype, &instance.sort, &fields, first);
                        let made = Arc::new(made);
                        let known = (instance.sort.clone(), made.clone());
                        self.datatypes.borrow_mut().insert(known.0, known.1);
                        self.approximated.borrow_mut().push(noted);
                        new.push((instance.sort, made, datatype.span));
                    }
                    // Nothing can be done with its values; each use is refused.
                    Err(_) => self.dropped.borrow_mut().push(noted),
                }
            }
        }
        let height = |sort: &Sort| self.recursive_datatype(sort).map(|d| d.height.clone());
        for (sort, datatype, span) in new {
            for axiom in datatype.axioms(self.terms, &sort, &height) {
                self.add_axiom(Ok(axiom), span);
            }
        }
    }

    /// The place of an instance in a polymorphic map type's record: the number of the field, and
    /// those of other fields for types that may be the same ones.
    pub fn place_in_record(
        &self,
        ty: &Type,
        type_args: &[Type],
        env: &TypeEnv,
    ) -> Result<(u32, Vec<u32>), String> {
        let Type::Map(map) = ty else {
            return Err("this use of a map".into());
        };
        let sorts: Result<Vec<Sort>, String> =
            type_args.iter().map(|ty| self.sort(ty, env)).collect();
        let sorts = sorts?;
        let record = self.record(map)?;
        let place = record.choices.iter().position(|choice| *choice == sorts);
        let place = place.ok_or(NO_PLACE)?;
        let here = &record.types[place];
        // A type parameter of the procedure at hand may stand for any of the other types.
        let aliases = (1u32..).zip(&record.types).filter(|(number, types)| {
            let other = *number as usize != place + 1;
            let unify = || here.iter().zip(*types).all(|(a, b)| polymaps::unify(a, b));
            self.generic.get() && other && unify()
        });
        let aliases = aliases.map(|(number, _)| number).collect();
        let place = u32::try_from(place + 1).map_err(|_| "a large record")?;
        Ok((place, aliases))
    }

    /// A polymorphic map type as a record.
    pub fn record(&self, map: &MapType) -> Result<Record, String> {
        let record =
            self.sorts
                .borrow_mut()
                .record(self.background, &mut self.names.borrow_mut(), map);
        self.settle();
        record
    }

    /// The types that quantifiers over types are said of: see [`quantified_types`].
    pub fn universe(&self) -> Vec<Sort> {
        let universe = self
            .sorts
            .borrow_mut()
            .universe(self.background, &mut self.names.borrow_mut());
        self.settle();
        universe
    }

    /// What the polymorphic lambda with this bound variable is at types for which its record has no place.
    pub fn elsewhere(&self, lambda: BoundId, args: &[Term], rest: &Sort, span: Span) -> Term {
        let params: Vec<Sort> = args.iter().map(|&t| self.terms.sort(t).clone()).collect();
        let mut elsewhere = self.elsewhere.borrow_mut();
        let function = elsewhere
            .entry((lambda, params.clone()))
            .or_insert_with(|| {
                Arc::new(Function {
                    name: self.names.borrow_mut().fresh("elsewhere"),
                    params,
                    result: rest.clone(),
                })
            });
        self.blurred
            .borrow_mut()
            .push(UnsupportedExpr::new("a polymorphic lambda", span));
        self.terms.apply(function, args)
    }

    /// Says whether the unit at hand has type parameters, each of which stands for every type.
    pub fn enter(&self, generic: bool) {
        self.generic.set(generic);
        self.blurred.borrow_mut().clear();
    }

    /// What a store into a polymorphic map may do at a type that may be the same one: something.
    pub fn blur(&self, place: u32, alias: u32, args: &[Term], result: &Sort, span: Span) -> Term {
        let params: Vec<Sort> = args.iter().map(|&t| self.terms.sort(t).clone()).collect();
        let mut blurs = self.blurs.borrow_mut();
        let function = blurs
            .entry((place, alias, params.clone()))
            .or_insert_with(|| {
                Arc::new(Function {
                    name: self.names.borrow_mut().fresh("stored_at_another_type"),
                    params,
                    result: result.clone(),
                })
            });
        let what = "types that may be the same";
        self.blurred
            .borrow_mut()
            .push(UnsupportedExpr::new(what, span));
        self.terms.apply(function, args)
    }

    /// Where the unit at hand allows more than the program does, in no particular step.
    pub fn blurred(&self) -> Vec<UnsupportedExpr> {
        self.blurred.borrow().clone()
    }

    /// An uninterpreted sort of its own, for a type parameter about which nothing is known.
    pub fn opaque_sort(&self, id: TypeVarId, name: &str) -> Sort {
        match self.sorts.borrow().opaque(id) {
            Some(sort) => sort.clone(),
            None => Sort::Uninterpreted(self.names.borrow_mut().fresh(name)),
        }
    }

    /// The bound variable of a binder in the source: the same each time the binder is lowered, so
    /// that equal formulas stay equal.
    pub fn binder(&self, id: BoundId, name: &str, sort: Sort) -> Term {
        *self
            .binders
            .borrow_mut()
            .entry((id, sort.clone()))
            .or_insert_with(|| self.terms.fresh_bound(name, sort))
    }

    /// What a field of a datatype is for values of the sort that have none: arbitrary but fixed.
    pub fn absent(&self, sort: &Sort, field: usize, name: &str, result: &Sort) -> Arc<Function> {
        let mut absent = self.absent.borrow_mut();
        let function = absent.entry((sort.clone(), field)).or_insert_with(|| {
            Arc::new(Function {
                name: self.names.borrow_mut().fresh(&format!("no_{name}")),
                params: vec![sort.clone()],
                result: result.clone(),
            })
        });
        function.clone()
    }

    /// The value of a constant.
    pub fn constant(&self, id: ConstantId, span: Span) -> Result<Term, UnsupportedExpr> {
        if let Some(known) = self.constants.borrow().get(&id) {
            return known.clone();
        }
        let result = self.new_constant(id, span);
        self.constants.borrow_mut().insert(id, result.clone());
        result
    }

    fn new_constant(&self, id: ConstantId, span: Span) -> Result<Term, UnsupportedExpr> {
        let Some(constant) = self.background.constants.get(id.index()) else {
            return Err(UnsupportedExpr::new("an unknown constant", span));
        };
        let unsupported = |what| UnsupportedExpr::new(what, constant.span);
        let sort = self
            .sort(&constant.ty, &TypeEnv::new())
            .map_err(unsupported)?;
        for attribute in ["builtin", "bvbuiltin"] {
            if let Some(text) = string_argument(&constant.attributes, attribute) {
                let indices = indices(&constant.attributes)
                    .ok_or_else(|| unsupported(format!("the indices of `{}`", constant.name)))?;
                return builtin::apply(self.terms, &self.division, &text, &indices, &[], &sort)
                    .map_err(unsupported);
            }
        }
        let symbol = Arc::new(Function {
            name: (&*constant.name).into(),
            params: Vec::new(),
            result: sort,
        });
        Ok(self.terms.apply(&symbol, &[]))
    }

    /// A function applied to arguments: what it is defined as, a function of the solver, or a
    /// rigid symbol.
    pub fn call(
        &self,
        id: FunctionId,
        type_args: &[Sort],
        args: &[Term],
        span: Span,
    ) -> Result<Term, UnsupportedExpr> {
        let Some(function) = self.background.functions.get(id.index()) else {
            return Err(UnsupportedExpr::new("an unknown function", span));
        };
        let unsupported = |what| UnsupportedExpr::new(what, span);
        let instance = (id, type_args.to_vec());
        for attribute in ["builtin", "bvbuiltin"] {
            if let Some(text) = string_argument(&function.attributes, attribute) {
                let indices = indices(&function.attributes)
                    .ok_or_else(|| unsupported(format!("the indices of `{}`", function.name)))?;
                let result = self
                    .sort(&function.result, &self.env(&instance))
                    .map_err(unsupported)?;
                return builtin::apply(self.terms, &self.division, &text, &indices, args, &result)
                    .map_err(unsupported);
            }
        }
        match self.definitions.of(id) {
            Some(definition) if !self.recursive.contains(&id) => {
                let key = (instance, args.to_vec());
                if let Some(known) = self.expansions.borrow().get(&key) {
                    return known.clone();
                }
                if self.expansions.borrow().len() >= MAX_EXPANSIONS {
                    let (instance, args) = key;
                    let fresh = !self.functions.borrow().contains_key(&instance);
                    let symbol = self.symbol(&instance).map_err(unsupported)?;
                    if fresh {
                        self.define(&instance);
                    }
                    return Ok(self.terms.apply(&symbol, &args));
                }
                let result = self.expand(&key.0, definition, args);
                self.expansions.borrow_mut().insert(key, result.clone());
                result
            }
            _ => {
                let is_new = !self.functions.borrow().contains_key(&instance);
                let symbol = self.symbol(&instance).map_err(unsupported)?;
                // What nobody applies needs no value, and may well have none.
                if is_new && self.recursive.contains(&id) {
                    match type_args.is_empty() {
                        true => self.define(&instance),
                        false => self.define_instance(&instance),
                    }
                }
                let sorts: Vec<&Sort> = args.iter().map(|&t| self.terms.sort(t)).collect();
                if !sorts.into_iter().eq(&symbol.params) {
                    return Err(unsupported(format!(
                        "the arguments of the polymorphic function `{}`",
                        function.name
                    )));
                }
                Ok(self.terms.apply(&symbol, args))
            }
        }
    }

    /// What the type parameters of an instance stand for.
    fn env(&self, (id, type_args): &Instance) -> TypeEnv {
        let params = &self.background.functions[id.index()].type_params;
        params
            .iter()
            .map(|p| p.id)
            .zip(type_args.iter().cloned())
            .collect()
    }

    /// The rigid symbol of an instance.
    fn symbol(&self, instance: &Instance) -> Result<Arc<Function>, String> {
        if let Some(symbol) = self.functions.borrow().get(instance) {
            return Ok(symbol.clone());
        }
        let function = &self.background.functions[instance.0.index()];
        let env = self.env(instance);
        let params = function
            .params
            .iter()
            .map(|p| self.sort(&p.ty, &env))
            .collect::<Result<_, _>>()?;
        let result = self.sort(&function.result, &env)?;
        let constants = &self.background.constants;
        let name: Arc<str> = if function.type_params.is_empty() {
            // Constants have names of their own kind; without parameters, symbols have not.
            match function.params.is_empty() && constants.iter().any(|c| c.name == function.name) {
                true => self.names.borrow_mut().fresh(&function.name),
                false => (&*function.name).into(),
            }
        } else {
            let mut name = function.name.clone();
            for sort in &instance.1 {
                name += "#";
                name += &mangle(sort);
            }
            self.names.borrow_mut().fresh(&name)
        };
        let symbol = Arc::new(Function {
            name,
            params,
            result,
        });
        self.functions
            .borrow_mut()
            .insert(instance.clone(), symbol.clone());
        Ok(symbol)
    }

    /// The body of a function with arguments for its parameters.
    fn expand(
        &self,
        instance: &Instance,
        definition: &Definition<'_>,
        args: &[Term],
    ) -> Result<Term, UnsupportedExpr> {
        let env = self.env(instance);
        let mut lowering = ExprLowering::new(self, &NoVariables, &env);
        // The arguments may contain this very binder, so each expansion has binders of its own.
        lowering.fresh_binders = true;
        for (&param, &arg) in definition.params.iter().zip(args) {
            lowering.bind(param, arg);
        }
        ensure_stack(|| lowering.lower(definition.body))
    }

    /// Adds the axiom `forall x :: {f(x)} f(x) == body` for an instance.
    fn define(&self, instance: &Instance) {
        let function = &self.background.functions[instance.0.index()];
        let Some(definition) = self.definitions.of(instance.0) else {
            return;
        };
        let axiom = self.definition(instance, definition);
        self.add_axiom(axiom, function.span);
    }

    /// The same for a polymorphic function. Its definition may call it at ever larger types: it is followed so far.
    fn define_instance(&self, instance: &Instance) {
        let function = &self.background.functions[instance.0.index()];
        let depth = self.depth.get();
        if depth >= MAX_DEFINITIONS {
            let what = format!(
                "the definition of `{}` for ever larger types",
                function.name
            );
            let unsupported = UnsupportedExpr::new(what, function.span);
            self.dropped.borrow_mut().push(unsupported);
            return;
        }
        self.depth.set(depth + 1);
        self.define(instance);
        self.depth.set(depth);
    }

    fn definition(
        &self,
        instance: &Instance,
        definition: &Definition<'_>,
    ) -> Result<Term, UnsupportedExpr> {
        let function = &self.background.functions[instance.0.index()];
        let symbol = self
            .symbol(instance)
            .map_err(|what| UnsupportedExpr::new(what, function.span))?;
        let vars: Vec<Term> = function
            .params
            .iter()
            .zip(&symbol.params)
            .map(|(p, sort)| self.binder(p.id, expr::binder_name(&p.name), sort.clone()))
            .collect();
        let body = self.expand(instance, definition, &vars)?;
        let application = self.terms.apply(&symbol, &vars);
        let equation = self.terms.eq(application, body);
        Ok(self
            .terms
            .bind(BinderKind::Forall, &vars, equation, &[vec![application]]))
    }
}

/// Functions whose definition reaches itself.
fn recursive_functions(
    background: &Background,
    definitions: &Definitions<'_>,
) -> HashSet<FunctionId> {
    let mut graph: DiGraph<(), ()> = DiGraph::new();
    for _ in &background.functions {
        graph.add_node(());
    }
    let mut found = HashSet::new();
    for i in 0..background.functions.len() {
        let definition = definitions.of(FunctionId::new(i));
        for callee in definition.into_iter().flat_map(|d| calls_in(d.body)) {
            if callee.index() == i {
                found.insert(callee);
            } else if callee.index() < background.functions.len() {
                graph.add_edge(NodeIndex::new(i), NodeIndex::new(callee.index()), ());
            }
        }
    }
    for component in petgraph::algo::kosaraju_scc(&graph) {
        if component.len() > 1 {
            found.extend(component.iter().map(|n| FunctionId::new(n.index())));
        }
    }
    found
}

/// The scope of axioms and function bodies.
pub struct NoVariables;

impl Scope for NoVariables {
    fn variable(&self, _: VarRef, _: bool) -> Result<Term, String> {
        Err("a variable where none is in scope".into())
    }
}
