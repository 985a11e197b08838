//! How long things may take here, in one table.
//!
//! Everything ends with the run, whatever its limit. Below that, a limit keeps one question, one
//! part of a search or one helper from taking what others could use better. Limits on the generators of invariants are
//! processor time of their threads ([`Budget`](crate::budget::Budget)), so that what is tried does not depend on what
//! else the machine does.
//!
//! | limit | of what | why so much | at the limit |
//! |---|---|---|---|
//! | [`PATH`] | the formula of an error path | everything waits for it, but with quantifiers a solver may search for ever | the error location is given up |
//! | [`DERIVED_PATH`] | the formula of a path that a derivation describes, or of its prefixes | there may be many | the derivation counts for nothing |
//! | [`EDGE`] | whether there is a step between two labels (slicing) | an edge that stays costs paths | the edge stays |
//! | [`POST`], [`POST_LEAST`] | one question of an abstraction; each that was left open quarters it for its edge, down to the least | one edge has many | the abstraction says less |
//! | [`COVERING`] | whether a node is covered, or can be by force | it is asked for many nodes | it is not |
//! | [`UNROLLING`] | a question about an unrolling, at first; a quarter of the time used is added | shallow questions are quick, and invariants may arrive | it is asked again later, deeper |
//! | [`HORN_TOGETHER`] | the query for all errors, without a limit of the run | shared work is worth waiting for | the other tuning, then each error alone |
//! | [`AT_START`] | the generators before an engine starts | most programs need no more | what there is until then |
//! | [`DOMAIN`] | one abstract domain, beside an engine | widening ends sooner | the next domain |
//! | [`DOMAIN_QUESTION`] | one question of an abstract domain | products: other domains ask smaller ones | as if the domain's time were over |
//! | [`IMPLIED`] | whether an invariant says nothing new | it does no harm | it is published |
//! | [`GROUP`] | a question about a group of claims over cells | quantifiers | the group is divided |
//! | [`QUANTIFIED`] | one attempt with claims over cells | Houdini asks many questions | the attempt fails |
//! | [`UNDER_CLAIMS`] | invariants without quantifiers, given claims over cells | another attempt waits for them | what there is until then |
//! | [`UNDER_OBJECTS`] | the same, given none, before claims about objects are tried again | they come from another thread, which others may slow down | what there is until then |
//! | [`NEEDED`] | which invariants k-induction's proof needs | it must not take longer than it saves | all are claimed |
//! | [`NEEDED_CELLS`] | which claims over cells a proof needs | the same, with quantifiers | all are claimed |
//! | [`SECOND_LOOK`] | the graph with its loops split; and a fifth of what is left | phases help at once or not at all | the first search goes on |
//! | [`AXIOMS`] | a meaning of the symbols for execution | with quantifiers a solver may search for ever | nothing is executed |
//! | [`DETERMINISTIC`] | steps of the deterministic run, before anything else | some milliseconds; in numbers, so that what is found does not depend on the machine | it is executed beside the engines from the start |
//! | [`DETERMINISTIC_FAR`] | steps of that run beside other engines | some seconds; the edges are kept | it is executed as others are |
//! | [`ACCELERATED`], [`ALIKE`] | accelerated paths of that run that are taken at once because numbers grow in them; the solver's time for one | a question each, here and for the checker | its steps are executed |
//! | [`SHORT`] | steps of that run, if it ends | the states on the way are an invariant that people may read | it is executed beside the engines from the start |
//! | [`MOST_STEPS`], [`BORING_RUNS`], [`DETERMINED_RUNS`], [`DETERMINED_STEPS`] | execution: steps in all, runs in a row that take no new edge, runs without a choice | in numbers, so that what is found does not depend on the machine | no more runs |
//! | [`INPUTS`], [`QUESTIONS`] | inputs for the beginning of an execution, and how often they are asked for | random inputs are cheaper | the next question, or no more |
//! | [`SHORT_RUNS`], [`SHORT_RUN`], [`LONG_RUN`] | runs whose states contradict guesses, and the steps of each | a guess that is wrong costs questions | more guesses are left for the solver |
//! | [`SAMPLED_RUNS`], [`SAMPLED_STEPS`] | runs, and steps of each, for guessing what holds | in numbers, so that what is guessed does not depend on the machine | what was seen until then |
//! | [`POLYNOMIAL_CASE`], [`POLYNOMIAL`], [`POLYNOMIALS`] | a question about a polynomial equality in one case of a step, in the whole step, and all of one attempt | nonlinear arithmetic may take for ever | the equality is left out, or the attempt fails |
//! | [`MINIMIZE`], [`MINIMIZE_QUESTION`], [`MINIMIZE_WALL`] | a proof in few words and a question about it, by the solver's steps, and the whole on the wall | it is for people only | what was found is shown |
//! | [`GLANCE`] | between two looks whether an engine is due to join | nobody notices | it is looked again |
//! | [`ROOM`] | between two engines of a portfolio that are ended where memory is short | memory goes back to the system some time after it is let go of | the next one ends |
//! | [`NAP_BOUNDED`] | between two looks at the pool, while k-induction waits | its next question may be quick | it is looked again |
//! | [`NAP_CELLS`] | the same for claims over cells | its next attempt takes long | it is looked again |
//! | [`CANDIDATE`] | whether what an obligation demands of a loop is inductive | it is a hint for people | there is no hint |
//! | [`COUNTED`], [`LAST_COUNTED`] | for the statistics of a generator, and of the last engine, that was told to end | they are only numbers | they are left out |
//! | [`EXPLICIT_STEPS`], [`EXPLICIT_VALUES`], [`EXPLICIT_MEMORY`] | explicit values: steps, values in all states, steps that are remembered | time and memory; in numbers, so that the answer does not depend on the machine | nothing is proved |
//! | [`NUMBER`] | bits of a number in execution | squares of squares: soon one step takes for ever, and nobody can stop it | the run ends there |
//! | [`EXPLICIT_PATH`], [`EXPLICIT_WAYS`] | explicit values: the inputs for a way to an error location, and how many ways are tried | what values do not exclude others may | the error location is given up |
//! | [`EXPLICIT_CORE`] | explicit values: a smaller core of such a way; whether conditions that are kept are possible | it is a help, no need | the larger core; they are taken to be |
//! | [`ALONE`] | how long the first engine is alone, if the run is not shorter than [`FULL_PLAN`] | most programs need no other, and what one finds alone is the same each time | others join |
//! | [`PLANNED`] | one second of a sprint or a budget in a plan (`portfolio/plan.rs`), likewise | plans are measured with runs of [`FULL_PLAN`] | others go first |
//! | [`LARGE_STEPS`] | formulas of a graph, in different subterms | state machines have large steps; small ones have loops to be summed up | other engines get more of the machine |
//! | [`SOLVERS`] | solvers that are kept for single edges | each takes about a megabyte | the one made first is made anew when it is needed again |
//! | [`RUNS_TOGETHER`] | runs of one engine that are taken back and confirmed before what they decide is told | so that much is known soon, and memory is let go of | the next ones follow |
//! | [`LARGE`] | graphs that need no look with intervals and polyhedra first | others are as fast | these come first |
//! | [`ROUNDS`] | steps with intervals | loops end sooner, by widening | intervals say nothing |
//! | [`STRAIGHT`] | steps between two locations with intervals of their own | the checker's questions stay small | a formula more in the claim |
//! | [`CLAIMED`] | formulas that a claim says at a location, for each step since it said something last | so the claim is as long as the graph, however many variables there are | nothing is said there |
//! | [`DEMAND_LOOKS`] | how often conditions of steps are put before what assertions demand, for each assertion | many demands times many conditions are too many formulas | it is demanded without the condition |
//! | [`DEMANDS`], [`DEMAND_CHANGES`], [`DEMAND_SIZE`] | what assertions demand of the states before them: formulas for each assertion, steps that change one, nodes of one | what is far away is for other engines | the assertion is not proved |
//! | [`POLYHEDRA_EDGES`], [`POLYHEDRA`] | graphs that are looked at with polyhedra before engines search, and how long | most need a tenth of a second | polyhedra say nothing |
//! | [`RELATED`] | variables of one polyhedron | their number of corners may double with each | bounds of single variables stay |
//! | [`LANDMARKS`] | numbers at which a widened bound halts | each may cost a round | it halts at 0 only |

use std::time::Duration;

/// For the formula of an error path.
pub(crate) const PATH: Duration = Duration::from_secs(120);

/// For the formula of a path behind a derivation of Horn clauses.
pub(crate) const DERIVED_PATH: Duration = Duration::from_secs(10);

/// For a step between two labels.
pub(crate) const EDGE: Duration = Duration::from_secs(5);

/// For one question of an abstraction, at most.
pub(crate) const POST: Duration = Duration::from_secs(2);

/// For one question of an abstraction, at least.
pub(crate) const POST_LEAST: Duration = Duration::from_millis(50);

/// For one question after covering.
pub(crate) const COVERING: Duration = Duration::from_secs(1);

/// For a question about an unrolling that is asked first.
pub(crate) const UNROLLING: Duration = Duration::from_secs(1);

/// For the query for all errors at once, if the run has no limit.
pub(crate) const HORN_TOGETHER: Duration = Duration::from_secs(60);

/// For the generators of invariants before an engine starts.
pub(crate) const AT_START: Duration = Duration::from_secs(2);

/// For one domain of the generator beside an engine.
pub(crate) const DOMAIN: Duration = Duration::from_secs(20);

/// For one question of an abstract domain.
pub(crate) const DOMAIN_QUESTION: Duration = Duration::from_secs(3);

/// For a question about a candidate that is a hint for people.
pub(crate) const CANDIDATE: Duration = Duration::from_millis(300);

/// For whether a found invariant is implied by others.
pub(crate) const IMPLIED: Duration = Duration::from_millis(50);

/// For a question about a group of claims over cells.
pub(crate) const GROUP: Duration = Duration::from_millis(1500);

/// For one attempt with claims over cells.
pub(crate) const QUANTIFIED: Duration = Duration::from_secs(30);

/// For invariants without quantifiers, given claims over cells.
pub(crate) const UNDER_CLAIMS: Duration = Duration::from_secs(5);

/// For invariants without quantifiers, before claims about objects are tried with them.
pub(crate) const UNDER_OBJECTS: Duration = Duration::from_secs(20);

/// For which invariants a proof needs.
pub(crate) const NEEDED: Duration = Duration::from_secs(1);

/// For which claims over cells a proof needs.
pub(crate) const NEEDED_CELLS: Duration = Duration::from_secs(3);

/// For a second look.
pub(crate) const SECOND_LOOK: Duration = Duration::from_secs(10);

/// For a proof in few words, by the solver's steps.
pub(crate) const MINIMIZE: Duration = Duration::from_secs(3);

/// For one question about it, by the solver's steps.
pub(crate) const MINIMIZE_QUESTION: Duration = Duration::from_millis(200);

/// For it on the wall, whatever the steps say. It is far away, so that what is found does not depend on the machine.
pub(crate) const MINIMIZE_WALL: Duration = Duration::from_secs(120);

/// Until memory that an engine lets go of can be seen.
pub(crate) const ROOM: Duration = Duration::from_secs(3);

/// Between two looks whether an engine is due.
pub(crate) const GLANCE: Duration = Duration::from_millis(20);

/// Between two looks at the pool, while k-induction has nothing else to do.
pub(crate) const NAP_BOUNDED: Duration = Duration::from_millis(5);

/// Between two looks at the pool, while the engine for arrays has nothing else to do.
pub(crate) const NAP_CELLS: Duration = Duration::from_millis(20);

/// For a generator's statistics, when it is ended.
pub(crate) const COUNTED: Duration = Duration::from_millis(50);

/// For the statistics of an engine whose trace decided the last obligation.
pub(crate) const LAST_COUNTED: Duration = Duration::from_millis(200);

/// For a meaning of the rigid symbols that the axioms allow.
pub(crate) const AXIOMS: Duration = Duration::from_secs(5);

/// From so many edges on, a graph is looked at with intervals first: smaller ones are decided as fast by others, whose
/// invariants say more.
pub(crate) const LARGE: usize = 100;

/// So many steps with intervals for each edge of the graph.
pub(crate) const ROUNDS: u64 = 60;

/// Up to so many edges, a graph is looked at with polyhedra.
pub(crate) const POLYHEDRA_EDGES: usize = 5000;

/// For polyhedra, before others begin.
pub(crate) const POLYHEDRA: Duration = Duration::from_secs(2);

/// So many variables a polyhedron may relate.
pub(crate) const RELATED: usize = 10;

/// So many landmarks for the widening of intervals.
pub(crate) const LANDMARKS: usize = 200;

/// How many steps lie between two locations with intervals of their own.
pub(crate) const STRAIGHT: u32 = 64;

/// So many formulas a claim says at a location for each step since it said something.
pub(crate) const CLAIMED: usize = 16;

/// So many formulas an assertion may demand of the states before it, on the average.
pub(crate) const DEMANDS: usize = 16;

/// So often the conditions of steps are put before what an assertion demands, on the average.
pub(crate) const DEMAND_LOOKS: usize = 64;

/// So many steps may change what an assertion demands.
pub(crate) const DEMAND_CHANGES: u32 = 12;

/// So many nodes it may have.
pub(crate) const DEMAND_SIZE: usize = 30;

/// For inputs that lead an execution along a path.
pub(crate) const INPUTS: Duration = Duration::from_millis(300);

/// So often such inputs are asked for.
pub(crate) const QUESTIONS: u64 = 300;

/// So many steps of the deterministic run are executed before anything else.
pub(crate) const DETERMINISTIC: usize = 100_000;

/// So many steps of it are executed beside other engines. Which edges they take is kept.
pub(crate) const DETERMINISTIC_FAR: usize = 20_000_000;

/// So many accelerated paths of it are taken at once, in each of which numbers grow.
pub(crate) const ACCELERATED: usize = 500;

/// Whether all rounds of such an accelerated path are alike is asked for so long.
pub(crate) const ALIKE: Duration = Duration::from_secs(2);

/// A run of fewer steps is short: the states on the way are invariants that people may read.
pub(crate) const SHORT: usize = 5_000;

/// So many steps are executed.
pub(crate) const MOST_STEPS: u64 = 60_000_000;

/// So many runs are made without a new edge.
pub(crate) const BORING_RUNS: u64 = 4000;

/// So many runs are made if nothing is left open but the state at the start, or fewer with so many
/// steps.
pub(crate) const DETERMINED_RUNS: u64 = 100;
pub(crate) const DETERMINED_STEPS: u64 = 500_000;

/// So many steps are taken with explicit values.
pub(crate) const EXPLICIT_STEPS: u64 = 9_000_000;

/// So many values are held in all states together.
pub(crate) const EXPLICIT_VALUES: usize = 30_000_000;

/// For the inputs of a run along a way to an error location.
pub(crate) const EXPLICIT_PATH: Duration = Duration::from_secs(5);

/// How long the first engine is alone.
pub(crate) const ALONE: Duration = Duration::from_millis(400);

/// What the numbers of a portfolio's plan mean, if the run is not shorter than [`FULL_PLAN`].
pub(crate) const PLANNED: Duration = Duration::from_secs(1);

/// For runs that are shorter than that, the engines' times are shortened alike.
pub(crate) const FULL_PLAN: Duration = Duration::from_secs(50);

/// Formulas of so many different subterms make large steps.
pub(crate) const LARGE_STEPS: usize = 400;

/// So many ways to an error location are tried.
pub(crate) const EXPLICIT_WAYS: usize = 3;

/// For a smaller core of a way that no run takes, and whether kept conditions are possible.
pub(crate) const EXPLICIT_CORE: Duration = Duration::from_millis(200);

/// A number in execution has at most so many bits.
pub(crate) const NUMBER: u64 = 16_384;

/// So many steps with explicit values are remembered at a time.
pub(crate) const EXPLICIT_MEMORY: usize = 1_000_000;

/// So many short runs are observed, of so many steps each.
pub(crate) const SHORT_RUNS: u64 = 30;
pub(crate) const SHORT_RUN: u64 = 4000;

/// So many steps are taken in a long run that is observed.
pub(crate) const LONG_RUN: u64 = 3_000_000;

/// So many runs are made to guess what holds, with so many steps each.
pub(crate) const SAMPLED_RUNS: u64 = 120;
pub(crate) const SAMPLED_STEPS: u64 = 3000;

/// For a question about a polynomial equality in one case of a step.
pub(crate) const POLYNOMIAL_CASE: Duration = Duration::from_millis(200);

/// For a question about a polynomial equality.
pub(crate) const POLYNOMIAL: Duration = Duration::from_secs(1);

/// For one attempt with polynomial equalities.
pub(crate) const POLYNOMIALS: Duration = Duration::from_secs(20);

/// Solvers that are kept for single edges, of a megabyte each.
pub(crate) const SOLVERS: usize = 1000;

/// Runs that are taken back to the graph before reductions together.
pub(crate) const RUNS_TOGETHER: usize = 64;
