//! Lowering: a typed program in, one program graph per verification unit out.
//!
//! A procedure becomes a graph whose edges are its statements, with its callees inlined or replaced
//! by their contracts, and with an error location for each obligation. What formulas cannot express
//! is replaced by something that allows more (and marked, see [`LoweredUnit::abstracted`]), or, in
//! an assertion, by an obligation not to be reachable: a unit never disappears, and everything else
//! in it can still be decided.
//!
//! * [`expr`], [`sorts`], [`symbols`], [`builtin`], `sequences`, [`division`], [`datatypes`], [`recursive`], [`bounded_datatypes`],
//!   [`polymaps`]: expressions, types, constants and
//!   functions.
//! * [`builder`], [`statements`], [`calls`], [`shared_bodies`], `checking`, [`frame`]: bodies.
//! * [`summaries`]: contracts that nobody wrote.
//! * [`cut`], [`unroll`]: the modular reading of loops, and loops followed for some rounds.
//! * [`quantified_types`], `definitions`: quantifiers over types; functions that are unfolded.
//! * `obligations`: procedures about which nothing can be asked.
//! * [`pools`]: terms with which quantifiers are to be instantiated.
//! * [`plan`], [`selection`], [`options`]: which procedures, and how.
//! * [`unit`], [`origin`]: the result.
//! * [`graph`]: program-graph texts.

pub mod activation;
pub mod bounded_datatypes;
pub mod builder;
pub mod builtin;
pub mod calls;
mod checking;
pub mod cut;
pub mod datatypes;
mod definitions;
pub mod division;
pub mod expr;
pub mod frame;
pub mod graph;
pub mod names;
mod obligations;
pub mod options;
pub mod origin;
pub mod plan;
pub mod polymaps;
pub mod pools;
pub mod quantified_types;
mod reach;
pub mod recursive;
pub mod selection;
mod sequences;
pub mod shared_bodies;
pub mod sorts;
pub mod statements;
pub mod summaries;
pub mod symbols;
pub mod unit;
pub mod unroll;
pub mod unsupported;
pub mod walk;

#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use petgraph::graph::{DiGraph, NodeIndex};
use ult_lang::hir::{ProcedureId, Program, VarRef};

use ult_lang::span::Span;

use builder::{Builder, NewObligation};
use origin::Step;
use sorts::TypeEnv;
use summaries::Summaries;
use symbols::Symbols;
use ult_core::formula::{Function, Term, Terms};
use ult_core::graph::{Edge, LocationId, ProgramGraph, Transition};
use unit::ObligationKind;
use unsupported::UnsupportedExpr;

pub use options::{CallPolicy, Options};
pub use origin::{FrameId, FrameInfo, OriginInfo, Origins, Step as OriginStep};
pub use plan::{EntryError, Queue};
pub use selection::Selection;
pub use unit::{Abstraction, Displayed, LoweredUnit, Obligation, Role, UnitPlan, Unsupported};

/// What there is to know about a program as a whole. It costs a look at all of the program, so that those who lower
/// unit after unit, each into a store of terms of its own, share it.
#[derive(Clone, Debug)]
pub struct Overview {
    entries: Vec<ProcedureId>,
    is_entry: BTreeSet<ProcedureId>,
    recursive: BTreeSet<ProcedureId>,
    /// The procedures whose graphs may have error locations.
    with_obligations: BTreeSet<ProcedureId>,
    /// Whether some statement is not understood and may change any global.
    unknown_effects: bool,
    /// Whether something is assumed of a global at the start of each entry.
    has_where: bool,
    instances: polymaps::Instances,
}

impl Overview {
    /// Looks at a program that is to be read as the options say (however deep they inline recursive procedures).
    ///
    /// # Errors
    /// If one of the entries in the options cannot be one.
    pub fn new(program: &Program, options: &Options) -> Result<Overview, EntryError> {
        let entries = plan::entries(program, options)?;
        let bodies = &program.implementations;
        Ok(Overview {
            is_entry: entries.iter().copied().collect(),
            entries,
            recursive: recursive_procedures(program),
            with_obligations: obligations::with_obligations(program),
            unknown_effects: bodies.iter().any(|i| walk::has_unsupported(&i.body)),
            has_where: program.globals.iter().any(|g| g.where_clause.is_some()),
            instances: polymaps::instances(program),
        })
    }

    /// Whether the graph of a unit has no error location, which its text shows, where programs are read as a whole.
    pub fn owes_nothing(&self, plan: UnitPlan) -> bool {
        !self.with_obligations.contains(&plan.procedure)
    }

    /// The units to be verified; feed every lowered unit back to it.
    pub fn queue(&self) -> Queue {
        Queue::new(&self.entries)
    }

    /// Whether some procedure may reach itself by calls.
    pub fn has_recursion(&self) -> bool {
        !self.recursive.is_empty()
    }
}

/// A program on its way to graphs.
///
/// ```text
/// let lowering = Lowering::new(&terms, &program, options)?;
/// let mut queue = lowering.queue();
/// while let Some(plan) = queue.next() {
///     let unit = lowering.lower(plan);
///     queue.add(&unit);
/// }
/// ```
pub struct Lowering<'a> {
    /// The program.
    pub program: &'a Program,
    /// How it is read.
    pub options: Options,
    /// Its constants, functions and axioms.
    pub symbols: Symbols<'a>,
    overview: Arc<Overview>,
    /// What calls mean beyond contracts.
    summaries: Summaries,
}

impl<'a> Lowering<'a> {
    /// Prepares a program. Nobody may draw a verdict from a program with error diagnostics.
    ///
    /// # Errors
    /// If one of the entries in the options cannot be one.
    pub fn new(
        terms: &'a Terms,
        program: &'a Program,
        options: Options,
    ) -> Result<Lowering<'a>, EntryError> {
        let overview = Overview::new(program, &options)?;
        Ok(Lowering::of(terms, program, options, Arc::new(overview)))
    }

    /// Prepares a program that was looked at before, with the same options.
    pub fn of(
        terms: &'a Terms,
        program: &'a Program,
        options: Options,
        overview: Arc<Overview>,
    ) -> Lowering<'a> {
        let globals = program.globals.iter().map(|g| &*g.name);
        let instances = overview.instances.clone();
        Lowering {
            symbols: Symbols::new(
                terms,
                &program.background,
                globals,
                instances,
                options.height,
            ),
            program,
            options,
            overview,
            summaries: Summaries::None,
        }
    }

    /// The same program with another meaning of calls that are not inlined.
    pub fn with_summaries(mut self, summaries: Summaries) -> Lowering<'a> {
        self.summaries = summaries;
        self
    }

    /// The units to be verified; feed every lowered unit back to it.
    pub fn queue(&self) -> Queue {
        self.overview.queue()
    }

    /// Whether a procedure may reach itself by calls.
    pub fn is_recursive(&self, id: ProcedureId) -> bool {
        self.overview.recursive.contains(&id)
    }

    fn is_entry(&self, id: ProcedureId) -> bool {
        self.overview.is_entry.contains(&id)
    }

    /// Whether the procedure is verified on its own for all states in which an inlined call may
    /// start it, so that its obligations need not be proved again for each call.
    ///
    /// That is so for entries, unless something is assumed at the start of the entry that is not
    /// checked at the call: `free requires` and `where` clauses.
    pub fn is_verified_for_all_calls(&self, id: ProcedureId) -> bool {
        let procedure = &self.program.procedures[id.index()];
        self.is_entry(id)
            && procedure.requires.iter().all(|c| !c.free)
            && procedure.ins.iter().all(|v| v.where_clause.is_none())
            && !self.overview.has_where
    }

    /// The graph of a unit.
    pub fn lower(&self, plan: UnitPlan) -> LoweredUnit {
        let program = self.program;
        let procedure = &program.procedures[plan.procedure.index()];
        self.symbols.enter(!procedure.type_params.is_empty());
        let mut b = Builder::new(self, &procedure.name, self.symbols.names());
        for global in &program.globals {
            let slot = self.symbols.sort(&global.ty, &TypeEnv::new()).map(|sort| {
                let displayed = Displayed {
                    name: (&*global.name).into(),
                    procedure: None,
                    old: false,
                };
                // The names of globals are reserved for them.
                let name = Arc::from(&*global.name);
                (b.declare_as(name, sort.clone(), displayed), sort)
            });
            b.globals.push(slot);
        }
        let name: Arc<str> = (&*procedure.name).into();
        let id = b.origins.add_frame(Some(plan.procedure), name, None);
        let mut types = TypeEnv::new();
        for param in &procedure.type_params {
            // A procedure that works for all types works for one about which nothing is known.
            let name = format!("{}.{}", procedure.name, param.name);
            types.insert(param.id, self.symbols.opaque_sort(param.id, &name));
        }
        let frame = b.open_frame(plan.procedure, id, String::new(), types, true);
        b.chain.push(plan.procedure);
        let initial = b.graph.initial;
        b.graph.graph[initial].procedure = b.procedure();

        let origin = b.origins.add(procedure.span, Step::Start, id);
        let entry = b.step(Transition::assume(self.symbols.terms.tt()), origin);
        for (i, global) in program.globals.iter().enumerate() {
            let variable = VarRef::Global(ult_lang::hir::GlobalId::new(i));
            if let Some(clause) = b.where_clause(&frame, variable) {
                b.assume_expr(&frame, clause, global.span, Step::Where);
            }
        }
        b.assume_parameters(&frame, 0, &procedure.ins);
        b.assume_parameters(&frame, procedure.ins.len(), &procedure.outs);
        for clause in &procedure.requires {
            b.assume_expr(&frame, &clause.expr, clause.span, Step::Precondition);
        }
        if let Some(granted) = b.granted(&frame, plan.role) {
            b.assume(Ok(granted), procedure.span, Step::Precondition, id);
        }
        let asked = b.asked(plan.procedure).cloned();
        if let Some(signature) = asked.as_ref().filter(|s| !s.entry) {
            let (inputs, _) = b.own_values(&frame, signature);
            let failed = self.symbols.terms.apply(&signature.failed, &inputs);
            b.mark_failures(Some(failed));
        }
        let frames: Vec<_> = procedure
            .implementations
            .iter()
            .map(|&i| (b.frame_of_body(&frame, i), i))
            .collect();
        let mut bodies: Vec<_> = frames.iter().map(|(f, _)| f.clone()).collect();
        let end = match procedure.implementations[..] {
            [only] => program.implementations[only.index()].end,
            _ => procedure.span,
        };
        b.bodies(frames, procedure.span);
        if !self.options.modular {
            for clause in &procedure.ensures {
                b.at_end(&frame, clause, end);
            }
        }
        if let Some(owed) = b.owed(&frame) {
            let obligation = NewObligation {
                kind: ObligationKind::Inferred {
                    callee: (&*procedure.name).into(),
                },
                span: end,
                clause: Some(procedure.span),
                message: None,
            };
            b.oblige(&frame, Ok(owed.into()), obligation);
        }
        let returned = asked.map(|signature| {
            let (_, values) = b.own_values(&frame, &signature);
            let returned = self.symbols.terms.apply(&signature.returned, &values);
            let location = b.numbered_location("returned");
            b.graph.graph[location].error = Some("returned".into());
            let origin = b.origins.add(end, Step::ReturnStatement, id);
            b.edge_to(location, Transition::assume(returned), origin);
            location
        });
        b.remember_olds(&frame, entry);
        b.return_to_callers(entry);
        if self.options.modular {
            b.select(&procedure.attributes);
            bodies.append(&mut b.inlined);
            let rounds = self.options.unroll;
            if !rounds.is_some_and(|rounds| unroll::unroll_loops(&mut b, rounds)) {
                cut::cut_loops(&mut b, &bodies);
            }
        } else {
            cut::mark_loop_heads(&mut b.graph);
        }
        self.finish(b, plan, returned)
    }

    fn finish(
        &self,
        mut b: Builder<'_, 'a>,
        plan: UnitPlan,
        returned: Option<LocationId>,
    ) -> LoweredUnit {
        let root = FrameId(0);
        self.symbols.instantiate();
        let edges = b.graph.graph.edge_weights();
        let formulas: Vec<Term> = edges.map(|edge| edge.transition.formula).collect();
        let applied = self.symbols.terms.functions(&formulas);
        let (missed, out_of_reach) = self.symbols.dropped_for(&applied);
        let mut noted = |unsupported: UnsupportedExpr| Unsupported {
            origin: b.origins.add(unsupported.span, Step::Declaration, root),
            what: unsupported.what.into(),
        };
        let mut axioms_dropped: Vec<Unsupported> = missed.into_iter().map(&mut noted).collect();
        let approximated = self.symbols.approximated().into_iter();
        let others = out_of_reach.into_iter().chain(self.symbols.blurred());
        let approximated = approximated.chain(others).map(&mut noted).collect();
        b.graph.axioms = self.symbols.axioms().into_iter().map(|(a, _)| a).collect();
        self.keep_bounds(&mut b, &mut axioms_dropped);
        b.graph.functions = functions_of(self.symbols.terms, &b.graph);
        b.number_obligations();
        LoweredUnit {
            plan: Some(plan),
            graph: b.graph,
            obligations: b.obligations,
            origins: b.origins,
            displayed: b.displayed,
            abstracted: b.abstracted,
            relies_on: b.relies_on,
            axioms_dropped,
            approximated,
            returned,
            unsupported: b.unsupported,
        }
    }
}

impl<'a> Lowering<'a> {
    /// Where values of recursive datatypes are of limited height, ends runs that go beyond. If an axiom does, no run counts.
    fn keep_bounds(&self, b: &mut Builder<'_, 'a>, dropped: &mut Vec<Unsupported>) {
        if self.options.height.is_none() || self.symbols.keep_bounds(&mut b.graph) {
            return;
        }
        let everywhere = Span::new(0, 0);
        dropped.push(Unsupported {
            what: "a quantifier over a recursive datatype".into(),
            origin: b.origins.add(everywhere, Step::Declaration, FrameId(0)),
        });
    }
}

/// The rigid symbols in the formulas of a graph, in the order of their first use.
pub fn functions_of(terms: &Terms, graph: &ProgramGraph) -> Vec<Arc<Function>> {
    let edges = graph.graph.edge_weights().flat_map(Edge::terms);
    let roots: Vec<Term> = graph.axioms.iter().copied().chain(edges).collect();
    terms.functions(&roots).into_iter().collect()
}

/// Procedures that may reach themselves by calls.
fn recursive_procedures(program: &Program) -> BTreeSet<ProcedureId> {
    let mut calls: DiGraph<(), ()> = DiGraph::new();
    for _ in &program.procedures {
        calls.add_node(());
    }
    let mut found = BTreeSet::new();
    let mut edges: BTreeMap<usize, BTreeSet<usize>> = BTreeMap::new();
    for implementation in &program.implementations {
        let caller = implementation.procedure;
        for callee in walk::callees(&implementation.body) {
            if callee == caller {
                found.insert(callee);
            } else if callee.index() < program.procedures.len() {
                edges
                    .entry(caller.index())
                    .or_default()
                    .insert(callee.index());
            }
        }
    }
    for (from, targets) in edges {
        for to in targets {
            calls.add_edge(NodeIndex::new(from), NodeIndex::new(to), ());
        }
    }
    for component in petgraph::algo::kosaraju_scc(&calls) {
        if component.len() > 1 {
            found.extend(component.iter().map(|n| ProcedureId::new(n.index())));
        }
    }
    found
}
