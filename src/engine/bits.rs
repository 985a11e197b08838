//! Engines that ask SAT solvers about circuits (crate `ult_bits`).
//!
//! The graph as it was before the reductions becomes a circuit with latches; integers take as many
//! as the ranges need that intervals prove. Bounded model checking unrolls the circuit. IC3 finds
//! clauses over single bits of the state that exclude the errors; they are claimed, together with
//! the ranges, as formulas about the bits of variables.

use std::collections::{BTreeMap, BTreeSet};
use std::num::NonZeroU32;
use std::rc::Rc;
use std::time::Instant;

use num_bigint::BigInt;

use crate::circuit::{Part, Settings};
use crate::intervals;
use crate::task::{Claims, Engine, Outcome, Task, all_undecided};
use ult_bits::bmc;
use ult_bits::ic3::{self, Cube};
use ult_bits::sat::Counts;
use ult_bits::system::{Content, System};
use ult_bits::words;
use ult_core::control::Control;
use ult_core::formula::{Op, Sort, Term, Terms, Version};
use ult_core::graph::analysis::reverse_postorder;
use ult_core::graph::evidence::{Argument, Invariants, Run};
use ult_core::graph::{LocationId, ProgramGraph};
use ult_core::reason::Reason;
use ult_core::stats::{Statistics, Unrolled};
use ult_reduce::cells::{self, Cells, Elsewhere, Reads};
use ult_reduce::constants::constants;
use ult_reduce::{Reduced, WayBack as _};

/// Bounded model checking of the circuit.
#[derive(Clone, Debug, Default)]
pub struct BitsBmc {
    /// Choices about the circuit.
    pub circuit: Vec<Part>,
}

/// IC3 on the circuit.
#[derive(Clone, Debug, Default)]
pub struct Ic3 {
    /// Choices about the circuit.
    pub circuit: Vec<Part>,
}

impl Engine for BitsBmc {
    fn run(&self, task: &Task<'_>, stats: &mut Statistics) -> Outcome {
        let graph = task.original;
        let model = match Model::new(task, Elsewhere::Blocks, &self.circuit) {
            Ok(model) => model,
            Err(reason) => return nothing(task, &reason),
        };
        model.count(stats);
        let start = Instant::now();
        let told = |depth: usize, counts: Counts| {
            if depth > EVERY_DEPTH && !depth.is_power_of_two() {
                return;
            }
            stats.unrolled.push(Unrolled {
                depth: depth as u64,
                time: start.elapsed(),
                clauses: counts.clauses,
                conflicts: counts.conflicts,
            });
        };
        let search = Settings::of(&self.circuit).search;
        let found = bmc::search(
            &model.system,
            model.graph(graph),
            &search,
            task.control,
            told,
        );
        model.follow(found.depth, &found.opaque, stats);
        let mut outcome = model.reached(task, found.runs, found.opaque, &found.open);
        let open = open(graph, &outcome);
        if found.open.is_empty() {
            // Runs may go on: the circuit has no step into the others.
            outcome.invariants = Some(Invariants {
                at: model.claim(task, &[]),
                exempt: exempt(&outcome),
                ..Invariants::default()
            });
        } else if found.is_over {
            let depth = u32::try_from(found.depth).ok().and_then(NonZeroU32::new);
            let argument = Argument::Bounded(depth.unwrap_or(NonZeroU32::MIN));
            let arguments = open.iter().map(|&error| (error, argument)).collect();
            let at = model.cuts(graph).into_iter();
            outcome.invariants = Some(Invariants {
                at: at.map(|(cut, _)| (cut, task.terms.tt())).collect(),
                exempt: exempt(&outcome),
                arguments,
            });
        } else {
            let most = search
                .most
                .filter(|most| most.get() as usize <= found.depth);
            give_up(&mut outcome, task, &open, most);
        }
        model.doubt(&mut outcome, &open);
        outcome.into()
    }
}

impl Engine for Ic3 {
    fn run(&self, task: &Task<'_>, stats: &mut Statistics) -> Outcome {
        let graph = task.original;
        let model = match Model::new(task, Elsewhere::Anything, &self.circuit) {
            Ok(model) => model,
            Err(reason) => return nothing(task, &reason),
        };
        model.count(stats);
        let found = ic3::search(
            &model.system,
            model.graph(graph),
            &Settings::of(&self.circuit).proving(),
            task.control,
            |_, _| (),
        );
        model.follow(found.frames, &found.opaque, stats);
        let mut outcome = model.reached(task, found.runs, found.opaque, &found.open);
        let open = open(graph, &outcome);
        match (found.invariant, found.open.is_empty()) {
            (Some(cubes), _) => {
                outcome.invariants = Some(Invariants {
                    at: model.claim(task, &cubes),
                    exempt: exempt(&outcome),
                    ..Invariants::default()
                });
            }
            // The circuit has no step into the others.
            (None, true) => {
                outcome.invariants = Some(Invariants {
                    at: model.claim(task, &[]),
                    exempt: exempt(&outcome),
                    ..Invariants::default()
                });
            }
            (None, false) => give_up(&mut outcome, task, &open, None),
        }
        model.doubt(&mut outcome, &open);
        outcome.into()
    }
}

/// The circuit of a graph, with the ranges of integers that intervals find, and cells in place of
/// maps, and with one bad for all copies of an obligation; and the graph whose variables
/// its latches hold. Where an index may have no cell there is one bad more ([`cells::ELSEWHERE`]).
///
/// # Errors
/// If it would be too large, or `control` says stop.
pub fn circuit(
    terms: &Terms,
    graph: &ProgramGraph,
    control: &Control,
) -> Result<(System, ProgramGraph), Reason> {
    let cells = cells_of(terms, graph, Elsewhere::Fails, Reads::Chosen, control)?;
    let cells = cells.filter(|cells| cells.exact);
    let model = Model::of(
        terms,
        graph,
        cells.map(|cells| Derived::of(terms, cells)),
        &[],
        control,
    )?;
    let graph = model.graph(graph).clone();
    Ok((model.system.with_copies_as_one(&graph), graph))
}

/// The graph with a variable for each cell of its maps, if there are few.
fn cells_of(
    terms: &Terms,
    graph: &ProgramGraph,
    elsewhere: Elsewhere,
    reads: Reads,
    control: &Control,
) -> Result<Option<Cells>, Reason> {
    let is_map = |sort: &Sort| matches!(sort, Sort::Map(_));
    if !graph.variables.values().any(is_map) {
        return Ok(None);
    }
    let ranges = intervals::ranges_everywhere(terms, graph, control).unwrap_or_default();
    let ranges = numbers(ranges);
    cells::cells(terms, graph, &ranges, elsewhere, reads, control)
}

fn numbers(ranges: intervals::Ranges) -> cells::Ranges {
    let ranges = ranges.into_iter();
    ranges
        .map(|(name, (low, high))| (name, (low.into(), high.into())))
        .collect()
}

/// A graph without the maps of another, and without the cells that are constants: tables.
struct Derived {
    cells: Cells,
    constants: Reduced,
}

impl Derived {
    fn of(terms: &Terms, cells: Cells) -> Derived {
        Derived {
            constants: constants(terms, &cells.graph),
            cells,
        }
    }
}

/// The circuit of a graph, and what its widths rest on.
struct Model {
    /// The graph that the circuit is made of, if it is another one.
    derived: Option<Derived>,
    system: System,
    /// The ranges of integers, as formulas.
    ranges: BTreeMap<LocationId, Term>,
    /// Whether the circuit has less runs than the graph, since integers may be larger than those that it has.
    is_limited: bool,
}

impl Model {
    fn new(task: &Task<'_>, elsewhere: Elsewhere, parts: &[Part]) -> Result<Model, Reason> {
        let (terms, graph, control) = (task.terms, task.original, task.control);
        let reads = Settings::of(parts).reads;
        let cells = cells_of(terms, graph, elsewhere, reads, control)?;
        let derived = cells.map(|cells| Derived::of(terms, cells));
        let is_derived = derived.is_some();
        match Model::of(terms, graph, derived, parts, control) {
            // Much can be said without knowing what is in maps.
            Err(Reason::Incomplete(_)) if is_derived => {
                Model::of(terms, graph, None, parts, control)
            }
            other => other,
        }
    }

    fn of(
        terms: &Terms,
        graph: &ProgramGraph,
        derived: Option<Derived>,
        parts: &[Part],
        control: &Control,
    ) -> Result<Model, Reason> {
        let graph = (derived.as_ref()).map_or(graph, |derived| &derived.constants.graph);
        let mut settings = Settings::of(parts).system;
        settings.integers = width_of_integers(terms, graph);
        let mut ranges = BTreeMap::new();
        let has_integers = graph.variables.values().any(|sort| *sort == Sort::Int);
        if has_integers && let Ok((bounds, claim)) = intervals::ranges(terms, graph, control) {
            ranges = claim.at;
            settings.ranges = numbers(bounds);
        }
        let system = System::new(terms, graph, settings, control)?;
        Ok(Model {
            is_limited: system.is_limited(graph),
            derived,
            system,
            ranges,
        })
    }

    /// Notes how many steps all runs were followed, if they were: what the circuit has no run for was not looked at, and what
    /// it has too many for may be a violation.
    fn follow(&self, depth: usize, opaque: &BTreeMap<LocationId, Rc<str>>, stats: &mut Statistics) {
        if !self.is_limited && opaque.is_empty() {
            stats.depth = stats.depth.max(depth as u64);
        }
    }

    /// What is claimed of a circuit with less runs than the graph is a guess: says why the guess may be wrong, for where the
    /// checker refuses it.
    fn doubt(&self, outcome: &mut Claims, open: &BTreeSet<LocationId>) {
        if self.is_limited && outcome.invariants.is_some() {
            let bits = self.system.settings().integers;
            let reason = Reason::Incomplete(format!(
                "no execution violates it in which integers have up to {bits} bits, and larger ones were not looked at"
            ));
            let open = open.iter().map(|&error| (error, reason.clone()));
            outcome.undecided.extend(open);
        }
    }

    /// How large the part of it is that the error locations depend on.
    fn count(&self, stats: &mut Statistics) {
        let size = self.system.size();
        stats.latches = stats.latches.max(size.latches as u64);
        stats.gates = stats.gates.max(size.gates as u64);
        stats.inputs = stats.inputs.max(size.inputs as u64);
    }

    /// The graph that the circuit is made of.
    fn graph<'a>(&'a self, given: &'a ProgramGraph) -> &'a ProgramGraph {
        let derived = self.derived.as_ref();
        derived.map_or(given, |derived| &derived.constants.graph)
    }

    /// What is claimed of the graph that the circuit is made of, as a claim about the given one.
    fn claimed(&self, terms: &Terms, invariants: Invariants) -> Invariants {
        let Some(Derived { cells, constants }) = &self.derived else {
            return invariants;
        };
        let invariants = constants.back.invariants(terms, &invariants);
        cells.invariants(terms, &invariants)
    }

    /// Runs, and errors about which nothing more will be said.
    fn reached(
        &self,
        task: &Task<'_>,
        mut runs: BTreeMap<LocationId, Run>,
        opaque: BTreeMap<LocationId, Rc<str>>,
        open: &BTreeSet<LocationId>,
    ) -> Claims {
        let graph = task.original;
        let mut undecided: BTreeMap<LocationId, Reason> = BTreeMap::new();
        if let Some(Derived { cells, .. }) = &self.derived {
            runs = (runs.into_iter())
                .filter_map(|(error, run)| match cells.run(task.terms, run) {
                    Ok(run) => Some((error, run)),
                    Err(why) => {
                        undecided.insert(error, Reason::Incomplete(why));
                        None
                    }
                })
                .collect();
        }
        for bad in &self.system.bads {
            let reason = match opaque.get(&bad.error) {
                Some(why) => Reason::Unsupported(format!("no circuit for {why}"), None),
                None if undecided.contains_key(&bad.error) => continue,
                None if runs.contains_key(&bad.error) || open.contains(&bad.error) => continue,
                None => Reason::Incomplete("its obligation is violated elsewhere".into()),
            };
            undecided.insert(bad.error, reason);
        }
        // Where a run starts it has not taken a step.
        if graph.graph[graph.initial].error.is_some() {
            let what = "the initial location is an error location";
            undecided.insert(graph.initial, Reason::Incomplete(what.into()));
        }
        Claims {
            runs,
            undecided,
            invariants: None,
        }
    }

    /// Locations that cut every cycle: those where steps of the circuit begin, with their numbers,
    /// and loop heads elsewhere.
    fn cuts(&self, graph: &ProgramGraph) -> BTreeMap<LocationId, Option<usize>> {
        let (_, heads) = reverse_postorder(graph);
        let mut cuts: BTreeMap<LocationId, Option<usize>> =
            heads.into_iter().map(|head| (head, None)).collect();
        let places = self.system.locations.iter().enumerate();
        cuts.extend(places.map(|(number, &location)| (location, Some(number))));
        cuts.retain(|&location, _| {
            location != graph.initial && graph.graph[location].error.is_none()
        });
        cuts
    }

    /// That no run gets to the cubes, as formulas at locations.
    fn claim(&self, task: &Task<'_>, cubes: &[Cube]) -> BTreeMap<LocationId, Term> {
        let terms = task.terms;
        let cuts = self.cuts(task.original).into_iter();
        let at = cuts.map(|(location, number)| {
            let clauses = number.map(|number| self.clauses(task, number, cubes));
            let clauses = clauses.unwrap_or_default().into_iter();
            let range = self.ranges.get(&location).copied();
            (location, terms.and(clauses.chain(range)))
        });
        let claim = Invariants {
            at: at.collect(),
            ..Invariants::default()
        };
        self.claimed(terms, claim).at
    }

    /// What cubes exclude at a location.
    fn clauses(&self, task: &Task<'_>, location: usize, cubes: &[Cube]) -> Vec<Term> {
        let code: BTreeMap<usize, bool> = self.system.code(location).collect();
        let mut clauses = Vec::new();
        for cube in cubes {
            let is_elsewhere = cube
                .iter()
                .any(|bit| code.get(&bit.latch()) == Some(&!bit.value()));
            if is_elsewhere {
                continue;
            }
            let mut bits: BTreeMap<(Thing, u32), bool> = BTreeMap::new();
            for bit in cube {
                match &self.system.latches[bit.latch()].content {
                    Content::Location => {}
                    Content::Variable(number, position) => {
                        bits.insert((Thing::Variable(*number), *position), bit.value());
                    }
                    Content::Symbol(name, position) => {
                        let symbol = self.graph(task.original).functions.iter();
                        let number = symbol.clone().position(|symbol| symbol.name == *name);
                        let Some(number) = number else { continue };
                        bits.insert((Thing::Symbol(number), *position), bit.value());
                    }
                }
            }
            let conjuncts = self.conjuncts(task, &bits);
            clauses.push(task.terms.not(task.terms.and(conjuncts)));
        }
        clauses
    }

    /// Bits side by side as equations.
    fn conjuncts(&self, task: &Task<'_>, bits: &BTreeMap<(Thing, u32), bool>) -> Vec<Term> {
        let mut rest = bits.iter().peekable();
        let mut conjuncts = Vec::new();
        while let Some((&(thing, low), &first)) = rest.next() {
            let mut values = vec![first];
            while let Some((_, &value)) = rest.next_if(|((other, position), _)| {
                *other == thing && *position as usize == low as usize + values.len()
            }) {
                values.push(value);
            }
            conjuncts.extend(self.equation(task, thing, low, &values));
        }
        conjuncts
    }

    /// That the bits of a thing from `low` on are these.
    fn equation(&self, task: &Task<'_>, thing: Thing, low: u32, bits: &[bool]) -> Option<Term> {
        let (terms, graph) = (task.terms, self.graph(task.original));
        let (term, count) = match thing {
            Thing::Variable(number) => {
                let (name, _) = graph.variables.get_index(number)?;
                let term = graph.variable(terms, name, Version::Current)?;
                (term, self.system.latches_of(number)?.len())
            }
            Thing::Symbol(number) => {
                let symbol = &graph.functions[number];
                (terms.apply(symbol, &[]), usize::MAX)
            }
        };
        let high = low + u32::try_from(bits.len()).ok()?;
        Some(match terms.sort(term) {
            Sort::Bool if bits[0] => term,
            Sort::Bool => terms.not(term),
            Sort::BitVec(_) => {
                let value = words::number(bits.iter().copied());
                let part = terms.extract(term, high, low);
                terms.eq(part, terms.bitvec(value, high - low))
            }
            Sort::Int => integer_bits(terms, term, low, bits, high as usize == count),
            _ => return None,
        })
    }
}

/// That an integer has these bits from `low` on, in two's complement; the last one may be its sign.
fn integer_bits(terms: &Terms, term: Term, low: u32, bits: &[bool], signed: bool) -> Term {
    let power = |bits: u32| terms.int(BigInt::from(1u32) << bits);
    // Division rounds down, as a shift does.
    let shifted = match low {
        0 => term,
        _ => terms.div(term, power(low)),
    };
    if signed {
        return terms.eq(shifted, terms.int(words::signed_number(bits)));
    }
    let value = BigInt::from(words::number(bits.iter().copied()));
    let rest = terms.modulo(shifted, power(bits.len() as u32));
    terms.eq(rest, terms.int(value))
}

/// So many depths are noted one by one; later, those that are powers of two.
const EVERY_DEPTH: usize = 500;

/// How many bits integers get whose range is not known: enough for all numbers that the program names,
/// and for those of machines.
fn width_of_integers(terms: &Terms, graph: &ProgramGraph) -> usize {
    let formulas: Vec<Term> = (graph.graph.edge_weights())
        .map(|edge| edge.transition.formula)
        .collect();
    let bits = terms.post_order(&formulas).into_iter();
    let bits = bits.filter_map(|term| match terms.op(term) {
        Op::Int(value) => Some(value.bits() as usize + 2),
        _ => None,
    });
    bits.max().unwrap_or(0).clamp(LEAST_WIDTH, GREATEST_WIDTH)
}

/// Two numbers of 32 bits can be added, with a sign.
const LEAST_WIDTH: usize = 34;

/// Two numbers of 64 bits can be multiplied.
const GREATEST_WIDTH: usize = 130;

/// What a latch holds a bit of, by number.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Thing {
    Variable(usize),
    Symbol(usize),
}

/// The error locations about which nothing is said yet.
fn open(graph: &ProgramGraph, outcome: &Claims) -> BTreeSet<LocationId> {
    let errors = graph.errors();
    errors
        .filter(|error| !outcome.runs.contains_key(error) && !outcome.undecided.contains_key(error))
        .collect()
}

/// The error locations that a claim leaves out.
fn exempt(claims: &Claims) -> BTreeSet<LocationId> {
    let exempt = claims.runs.keys().chain(claims.undecided.keys());
    exempt.copied().collect()
}

/// Says of errors why the search ended before they were decided: there may have been a bound on runs.
fn give_up(
    claims: &mut Claims,
    task: &Task<'_>,
    open: &BTreeSet<LocationId>,
    most: Option<NonZeroU32>,
) {
    let reason = match (task.control.check(), most) {
        (_, Some(most)) => Reason::Incomplete(format!(
            "no trace of up to {most} steps of the circuit violates it, and others were not looked for"
        )),
        (Err(stop), None) => Reason::from(stop),
        (Ok(()), None) => Reason::Incomplete("the unrolled circuit has become too large".into()),
    };
    let open = open.iter().map(|&error| (error, reason.clone()));
    claims.undecided.extend(open);
}

/// There is no circuit.
fn nothing(task: &Task<'_>, reason: &Reason) -> Outcome {
    Claims {
        undecided: all_undecided(task.original, reason),
        ..Claims::default()
    }
    .into()
}

impl From<Claims> for Outcome {
    fn from(original: Claims) -> Outcome {
        Outcome {
            original,
            ..Outcome::default()
        }
    }
}
