//! Polymorphic maps, by the instances that a program uses.
//!
//! A map of type `<a>[ref, Field a]a` is a map for each choice of `a`. A program selects from it
//! and stores into it at finitely many choices, those that its expressions name; this module lists
//! them. The map is then a record of as many ordinary maps, and of something opaque that stands for
//! all choices which do not occur.

use std::collections::{HashMap, HashSet};

use indexmap::{IndexMap, IndexSet};
use ult_lang::hir::visit::statements;
use ult_lang::hir::{
    Background, Expr, ExprKind, FunctionId, GraphProgram, MapType, ProcedureId, Program, Stmt,
    StmtKind, Type, TypeParameter, TypeVarId,
};
use ult_lang::resolve::types::{free_vars, substitute};

/// The instances of polymorphic maps in a program.
#[derive(Clone, Debug, Default)]
pub struct Instances {
    /// For each polymorphic map type what its type parameters stand for, in the order of the text.
    pub maps: IndexMap<MapType, IndexSet<Vec<Type>>>,
    /// The type parameters of procedures, with names for the types about which nothing is known
    /// that they stand for.
    pub opaque: Vec<(TypeVarId, String)>,
    /// The types at which polymorphic functions are used.
    functions: IndexSet<Type>,
    /// The *other types* of quantifiers over types (see [`super::quantified_types`]): the type parameters
    /// of one of them, which stand for those of all.
    others: Vec<TypeVarId>,
}

impl Instances {
    /// The types that quantifiers over types are said of, if there are such quantifiers.
    pub fn universe(&self) -> IndexSet<Type> {
        if self.others.is_empty() {
            return IndexSet::new();
        }
        let of_maps = self.maps.values().flatten().flatten().cloned();
        let mut universe: IndexSet<Type> = of_maps.collect();
        if universe.is_empty() {
            universe.extend(self.functions.iter().cloned());
        }
        // Quantifiers over types are said of no maps that are polymorphic themselves: they would be too many.
        universe.retain(|ty| !is_polymorphic(ty));
        universe.extend(self.others.iter().map(|&id| Type::Var(id)));
        universe
    }

    /// Gives the maps that quantifiers over types speak about a place for each type that these
    /// are said of. (Those with several type parameters would need too many.)
    fn saturate(&mut self) {
        let universe = self.universe();
        let others = self.others.clone();
        let is_other = |ty: &Type| matches!(ty, Type::Var(id) if others.contains(id));
        for (map, choices) in &mut self.maps {
            if map.type_params.len() == 1 && choices.iter().flatten().any(is_other) {
                choices.extend(universe.iter().map(|ty| vec![ty.clone()]));
            }
        }
    }
}

/// So many uses of polymorphic functions and procedures are followed.
const LIMIT: usize = 2000;

/// The instances in a program.
pub fn instances(program: &Program) -> Instances {
    let mut search = Search::new(&program.background);
    for procedure in &program.procedures {
        for param in &procedure.type_params {
            let name = format!("{}.{}", procedure.name, param.name);
            search.found.opaque.push((param.id, name));
            search.opaque.insert(param.id);
        }
    }
    for procedure in &program.procedures {
        for clause in procedure.requires.iter().chain(&procedure.ensures) {
            search.quantified(&clause.expr, &HashMap::new());
        }
        for variable in procedure.ins.iter().chain(&procedure.outs) {
            variable
                .where_clause
                .iter()
                .for_each(|clause| search.quantified(clause, &HashMap::new()));
        }
    }
    for global in &program.globals {
        global
            .where_clause
            .iter()
            .for_each(|clause| search.quantified(clause, &HashMap::new()));
    }
    for implementation in &program.implementations {
        for variable in &implementation.locals {
            variable
                .where_clause
                .iter()
                .for_each(|clause| search.quantified(clause, &HashMap::new()));
        }
        search.body(&implementation.body, &HashMap::new());
    }
    for axiom in &program.background.axioms {
        search.axiom(&axiom.formula);
    }
    search.follow(Some(program));
    search.found.saturate();
    search.found
}

/// The instances in the graphs of a text.
pub fn of_graphs(program: &GraphProgram) -> Instances {
    let mut search = Search::new(&program.background);
    for edge in program.graphs.iter().flat_map(|graph| &graph.edges) {
        for value in edge.lets.iter().map(|binding| &binding.value) {
            search.quantified(value, &HashMap::new());
        }
        search.quantified(&edge.formula, &HashMap::new());
    }
    for axiom in &program.background.axioms {
        search.axiom(&axiom.formula);
    }
    search.follow(None);
    search.found.saturate();
    search.found
}

/// Whether two types may be the same, whatever the type parameters in them stand for.
pub fn unify(a: &Type, b: &Type) -> bool {
    ult_lang::stack::ensure_stack(|| match (a, b) {
        (Type::Var(_), _) | (_, Type::Var(_)) => true,
        (Type::Constructor(a, left), Type::Constructor(b, right)) => {
            a == b && left.iter().zip(right).all(|(a, b)| unify(a, b))
        }
        (Type::Datatype(a, left), Type::Datatype(b, right)) => {
            a == b && left.iter().zip(right).all(|(a, b)| unify(a, b))
        }
        (Type::Map(a), Type::Map(b)) => {
            a.domain.len() == b.domain.len()
                && a.domain.iter().zip(&b.domain).all(|(a, b)| unify(a, b))
                && unify(&a.range, &b.range)
        }
        (a, b) => a == b,
    })
}

/// What type parameters stand for.
type Choice = HashMap<TypeVarId, Type>;

struct Search<'p> {
    background: &'p Background,
    found: Instances,
    opaque: HashSet<TypeVarId>,
    /// Uses of polymorphic functions and procedures that were not followed yet.
    open: Vec<(Used, Vec<Type>)>,
    seen: HashSet<(Used, Vec<Type>)>,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Used {
    Function(FunctionId),
    Procedure(ProcedureId),
}

impl<'p> Search<'p> {
    fn new(background: &'p Background) -> Search<'p> {
        Search {
            background,
            found: Instances::default(),
            opaque: HashSet::new(),
            open: Vec::new(),
            seen: HashSet::new(),
        }
    }

    /// Goes through the bodies of what is used, at the types at which it is used.
    fn follow(&mut self, program: Option<&Program>) {
        // Bodies that are used at no types in particular.
        for function in &self.background.functions {
            if let Some(body) = &function.body {
                self.expr(body, &Choice::new());
            }
        }
        while let Some((used, types)) = self.open.pop() {
            if self.seen.len() > LIMIT {
                return;
            }
            match used {
                Used::Function(id) => {
                    let Some(function) = self.background.functions.get(id.index()) else {
                        continue;
                    };
                    let choice = choice(&function.type_params, types);
                    if let Some(body) = &function.body {
                        self.expr(body, &choice);
                    }
                }
                Used::Procedure(id) => {
                    let Some((program, procedure)) =
                        program.and_then(|p| Some((p, p.procedures.get(id.index())?)))
                    else {
                        continue;
                    };
                    let choice = choice(&procedure.type_params, types);
                    for clause in procedure.requires.iter().chain(&procedure.ensures) {
                        self.quantified(&clause.expr, &choice);
                    }
                    for id in &procedure.implementations {
                        let body = program.implementations.get(id.index());
                        self.body(body.map_or(&[], |body| &body.body), &choice);
                    }
                }
            }
        }
    }

    fn body(&mut self, body: &[Stmt], choice: &Choice) {
        statements(body, &mut |statement| match &statement.kind {
            StmtKind::Assert { condition, .. } | StmtKind::Assume { condition, .. } => {
                self.quantified(condition, choice);
            }
            StmtKind::Assign { pairs } => {
                pairs.iter().for_each(|(_, e)| self.quantified(e, choice))
            }
            StmtKind::Call {
                callee,
                type_args,
                args,
                ..
            } => {
                args.iter().for_each(|e| self.quantified(e, choice));
                self.used(Used::Procedure(*callee), type_args, choice);
            }
            StmtKind::If { condition, .. } => {
                condition.iter().for_each(|e| self.quantified(e, choice));
            }
            StmtKind::While {
                condition,
                invariants,
                ..
            } => {
                condition.iter().for_each(|e| self.quantified(e, choice));
                invariants
                    .iter()
                    .for_each(|i| self.quantified(&i.expr, choice));
            }
            _ => {}
        });
    }

    /// A condition or value of a statement or a contract: its quantifiers over types are said of
    /// other types, too.
    fn quantified(&mut self, root: &Expr, choice: &Choice) {
        let choice = self.with_others(root, choice, &[]);
        self.expr(root, &choice);
    }

    /// An axiom. One that is a quantifier over types is lowered for each choice of types.
    fn axiom(&mut self, formula: &Expr) {
        let own: &[TypeParameter] = match &formula.kind {
            ExprKind::Quantifier { type_params, .. } => type_params,
            _ => &[],
        };
        let choice = self.with_others(formula, &Choice::new(), own);
        self.expr(formula, &choice);
    }

    /// Other types for the type parameters of quantifiers and lambdas, but for some.
    fn with_others(&mut self, root: &Expr, choice: &Choice, but: &[TypeParameter]) -> Choice {
        let mut choice = choice.clone();
        let but: Vec<TypeVarId> = but.iter().map(|param| param.id).collect();
        root.visit(&mut |e| {
            let (ExprKind::Quantifier { type_params, .. } | ExprKind::Lambda { type_params, .. }) =
                &e.kind
            else {
                return;
            };
            for (number, param) in type_params.iter().enumerate() {
                if but.contains(&param.id) {
                    continue;
                }
                if self.found.others.len() <= number {
                    self.found.others.push(param.id);
                    self.found.opaque.push((param.id, "other".into()));
                    self.opaque.insert(param.id);
                }
                choice.insert(param.id, Type::Var(self.found.others[number]));
            }
        });
        choice
    }

    fn expr(&mut self, root: &Expr, choice: &Choice) {
        root.visit(&mut |e| match &e.kind {
            ExprKind::Select { map, type_args, .. } | ExprKind::Store { map, type_args, .. }
                if !type_args.is_empty() =>
            {
                let Type::Map(map) = chosen(&map.ty, choice) else {
                    return;
                };
                let types: Vec<Type> = type_args.iter().map(|ty| chosen(ty, choice)).collect();
                if types.iter().all(|ty| self.is_closed(ty)) {
                    self.found.maps.entry(*map).or_default().insert(types);
                }
            }
            ExprKind::Call {
                function,
                type_args,
                ..
            } => self.used(Used::Function(*function), type_args, choice),
            _ => {}
        });
    }

    /// Whether no type parameter is left in a type but those of procedures, and those of map types inside of these.
    fn is_closed(&self, ty: &Type) -> bool {
        let mut free = Vec::new();
        free_vars(ty, &mut free);
        free.iter().all(|var| self.opaque.contains(var))
    }

    fn used(&mut self, used: Used, type_args: &[Type], choice: &Choice) {
        if type_args.is_empty() {
            return;
        }
        let types: Vec<Type> = type_args.iter().map(|ty| chosen(ty, choice)).collect();
        if types.iter().all(|ty| self.is_closed(ty)) && self.seen.insert((used, types.clone())) {
            self.found.functions.extend(types.iter().cloned());
            self.open.push((used, types));
        }
    }
}

fn is_polymorphic(ty: &Type) -> bool {
    matches!(ty, Type::Map(map) if !map.type_params.is_empty())
}

fn choice(params: &[TypeParameter], types: Vec<Type>) -> Choice {
    params.iter().map(|param| param.id).zip(types).collect()
}

fn chosen(ty: &Type, choice: &Choice) -> Type {
    match choice.is_empty() {
        true => ty.clone(),
        false => substitute(ty, &|var| choice.get(&var).cloned()),
    }
}
