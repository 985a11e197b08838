//! One run, step by step.

use std::collections::BTreeMap;

use num_bigint::BigInt;
use ult_core::control::{Control, Stop};
use ult_core::formula::{Relation, Sort};
use ult_core::graph::evidence::{Footprint, RigidMeaning, Run, State, Step};
use ult_core::graph::{EdgeId, LocationId, ProgramGraph};

use super::concolic::{Inputs, Values};
use super::deterministic::Leap;
use super::expr::{Code, Evaluation, Expr, Table, Unknown};
use super::inputs::Random;
use super::lookahead::Wanted;
use super::plan::{Action, Plan};
use super::program::Program;
use super::value::Val;

/// So often values are chosen anew that conditions do not allow.
const TRIES: usize = 40;

/// So many steps are taken between two questions whether to go on.
const STRIDE: u64 = 4096;

/// So often another way is tried from the last choice, when a run got stuck behind it...
const RETREATS: u32 = 8;

/// ...after so many steps at most.
const RETREAT_STEPS: usize = 2000;

/// For each step, so many slots are copied at most, to be able to go back.
const SLOTS_PER_STEP: usize = 8;

/// So many good values are kept for each place where values are chosen.
const GOOD_VALUES: usize = 16;

/// How a run ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum End {
    /// At an error location.
    Violated(LocationId),
    /// No edge leads on.
    Stuck,
    /// It goes round for ever without changing anything.
    Circles,
    /// The limit on the number of steps was reached.
    Limit,
    /// It was stopped from outside.
    Stopped(Stop),
}

/// What is known about all runs together.
#[derive(Debug)]
pub(super) struct Experience {
    /// The edges that some run took, by index.
    pub covered: Vec<bool>,
    /// How many edges were covered.
    pub count: usize,
    /// The error locations that are not of interest any more, by index.
    closed: Vec<bool>,
    /// Where values were chosen behind which runs got stuck: values with which they did not.
    good: BTreeMap<Site, Vec<Val>>,
}

/// Where a value is chosen: the edge, and the slot.
type Site = (EdgeId, usize);

impl Experience {
    /// Nothing is known yet.
    pub(super) fn new(graph: &ProgramGraph) -> Experience {
        Experience {
            covered: vec![false; graph.graph.edge_count()],
            count: 0,
            closed: vec![false; graph.graph.node_count()],
            good: BTreeMap::new(),
        }
    }

    /// Whether nobody wants another run to a location.
    pub(super) fn is_closed(&self, location: LocationId) -> bool {
        self.closed[location.index()]
    }

    /// Nobody wants another run to an error location.
    pub(super) fn close(&mut self, error: LocationId) {
        self.closed[error.index()] = true;
    }

    /// Runs did not get stuck with these values, right behind where they were chosen.
    fn is_good(&mut self, choice: &[(Site, Val)]) {
        for (site, value) in choice {
            if let Some(good) = self.good.get_mut(site)
                && good.len() < GOOD_VALUES
                && matches!(value, Val::Int(_) | Val::Bits(_) | Val::Bool(_))
                && !good.contains(value)
            {
                good.push(value.clone());
            }
        }
    }
}

/// A choice that may be made anew.
#[derive(Debug)]
struct Choice {
    /// The state before.
    at: LocationId,
    slots: Vec<Val>,
    /// How long the run was.
    edges: usize,
    said: usize,
    /// How often it was made anew.
    retreats: u32,
    /// What was chosen.
    values: Vec<(Site, Val)>,
}

/// A run.
pub(super) struct Machine<'p, 'g> {
    program: &'p Program<'g>,
    functions: &'p [Table],
    random: Random,
    at: LocationId,
    slots: Vec<Val>,
    known: Vec<Option<Val>>,
    start: Vec<Val>,
    /// The indices of the edges taken.
    edges: Vec<u32>,
    /// Values that the run has to say: of which step, in which slot.
    said: Vec<(u32, u32, Val)>,
    /// How many choices were made after the start.
    choices: u64,
    /// What to do first: edges, with the values to choose there, the last one first.
    script: Vec<(EdgeId, Values)>,
    /// The last choice.
    last: Option<Choice>,
    /// How many steps were taken back.
    wasted: u64,
    /// What was chosen where, if each place is to keep its value.
    kept: Option<BTreeMap<Site, Val>>,
    /// A state some time ago, to notice that the run goes in circles.
    landmark: Option<(LocationId, Vec<Val>, u64)>,
}

impl<'p, 'g> Machine<'p, 'g> {
    /// At the initial location, with a state chosen by `random`; `None` if there are variables
    /// without values that could be written down.
    pub(super) fn new(
        program: &'p Program<'g>,
        functions: &'p [Table],
        mut random: Random,
    ) -> Option<Machine<'p, 'g>> {
        let count = program.slots.variables();
        let mut slots = vec![Val::Bool(false); program.slots.len()];
        for (variable, slot) in slots.iter_mut().enumerate().take(count) {
            *slot = random.value(program.slots.sort(variable))?;
        }
        let mut machine = Machine {
            program,
            functions,
            random,
            at: program.graph.initial,
            slots,
            known: Vec::new(),
            start: Vec::new(),
            edges: Vec::new(),
            said: Vec::new(),
            choices: 0,
            script: Vec::new(),
            last: None,
            wasted: 0,
            kept: None,
            landmark: None,
        };
        if let Some(wanted) = &program.start {
            for _ in 0..TRIES {
                if machine.is_granted(wanted) {
                    break;
                }
                machine.better(wanted);
            }
        }
        machine.start = machine.slots[..count].to_vec();
        Some(machine)
    }

    /// Makes the run, which has not begun, begin with these inputs as far as it can.
    pub(super) fn begin_with(&mut self, inputs: &Inputs) {
        for (slot, value) in &inputs.start {
            self.slots[*slot] = value.clone();
        }
        let count = self.program.slots.variables();
        self.start = self.slots[..count].to_vec();
        self.script = inputs.steps.iter().rev().cloned().collect();
    }

    /// Makes the run, which has begun, choose values at random, and not the simplest ones.
    pub(super) fn choose_freely(&mut self) {
        self.random.choose_freely();
    }

    /// Makes the run choose the same value wherever it chooses again at one place.
    pub(super) fn keep_values(&mut self) {
        self.kept = Some(BTreeMap::new());
    }

    /// Makes the run, which has not begun, take these edges as far as it can.
    pub(super) fn follow(&mut self, edges: &[u32]) {
        let edges = edges.iter().rev().map(|&edge| EdgeId::new(edge as usize));
        self.script = edges.map(|edge| (edge, Values::new())).collect();
    }

    /// Goes on behind many edges that the deterministic run took at once where this one is. Tells whether it can: not if
    /// they gave a variable a value that is open there.
    pub(super) fn leap(&mut self, leap: &Leap) -> bool {
        let Program { terms, graph, .. } = *self.program;
        let edges = leap.accelerated.edges();
        for variable in Footprint::along(terms, graph, &edges).writes {
            match &leap.state[variable] {
                Val::Open => return false,
                value => self.slots[variable] = value.clone(),
            }
        }
        self.landmark = None;
        true
    }

    /// Where it is.
    pub(super) fn at(&self) -> LocationId {
        self.at
    }

    /// The values of the variables.
    pub(super) fn state(&self) -> &[Val] {
        &self.slots[..self.program.slots.variables()]
    }

    /// The indices of the edges taken.
    pub(super) fn edges(&self) -> &[u32] {
        &self.edges
    }

    /// How many steps were taken, those included that were taken back.
    pub(super) fn steps(&self) -> u64 {
        self.edges.len() as u64 + self.wasted
    }

    /// Whether nothing was left open on the way, but for the state at the start.
    pub(super) fn is_determined(&self) -> bool {
        self.choices == 0
    }

    /// As [`run`](Machine::run), and shows where it is and the variables' values after each step.
    pub(super) fn visit(
        &mut self,
        limit: u64,
        experience: &mut Experience,
        control: &Control,
        see: &mut dyn FnMut(LocationId, &[Val]),
    ) -> End {
        loop {
            see(self.at(), self.state());
            let steps = self.steps();
            if steps >= limit {
                return End::Limit;
            }
            match self.run(steps + 1, experience, control) {
                End::Limit => {}
                end => return end,
            }
        }
    }

    /// Goes on until the run ends or has so many steps.
    pub(super) fn run(
        &mut self,
        limit: u64,
        experience: &mut Experience,
        control: &Control,
    ) -> End {
        loop {
            if self.program.is_error(self.at) {
                return End::Violated(self.at);
            }
            let steps = self.steps();
            if steps >= limit {
                return End::Limit;
            }
            if steps.is_multiple_of(STRIDE)
                && let Err(stop) = control.check()
            {
                return End::Stopped(stop);
            }
            let (edge, values) = match self.script.pop() {
                Some((edge, values)) if self.is_open(edge) => (Some(edge), values),
                Some(_) => {
                    // The model left the way, by what it said about symbols.
                    self.script.clear();
                    (self.way(experience), Values::new())
                }
                None => (self.way(experience), Values::new()),
            };
            let took = edge.filter(|&edge| self.take(edge, values, experience));
            let Some(edge) = took else {
                if self.retreat(experience) {
                    continue;
                }
                return End::Stuck;
            };
            if !std::mem::replace(&mut experience.covered[edge.index()], true) {
                experience.count += 1;
            }
            if self.goes_in_circles() {
                return End::Circles;
            }
        }
    }

    /// An edge whose conditions on the state hold.
    fn way(&mut self, experience: &mut Experience) -> Option<EdgeId> {
        let program = self.program;
        let ways = program.ways(self.at);
        if let [only] = ways {
            return self.is_open(*only).then_some(*only);
        }
        let is_closed = |edge: EdgeId| experience.is_closed(program.target(edge));
        let mut first = None;
        // Mostly there is one.
        let mut open: Vec<EdgeId> = Vec::new();
        for &edge in ways {
            if !is_closed(edge) && self.is_open(edge) {
                if program.is_error(program.target(edge)) {
                    return Some(edge);
                }
                match first {
                    None => first = Some(edge),
                    Some(first) if open.is_empty() => open.extend([first, edge]),
                    Some(_) => open.push(edge),
                }
            }
        }
        if open.is_empty() {
            return first;
        }
        self.choose(experience);
        let is_new = |edge: &EdgeId| !experience.covered[edge.index()];
        let new: Vec<EdgeId> = open.iter().copied().filter(is_new).collect();
        let among = match new.is_empty() || self.random.below(8) == 0 {
            true => &open,
            false => &new,
        };
        Some(among[self.random.below(among.len())])
    }

    /// Notes that a choice is made here.
    fn choose(&mut self, experience: &mut Experience) {
        self.choices += 1;
        if let Some(last) = &self.last {
            // Copies of the state must not cost more than the steps.
            if (self.edges.len() - last.edges) * SLOTS_PER_STEP < self.slots.len()
                || last.edges == self.edges.len()
            {
                return;
            }
            experience.is_good(&last.values);
        }
        let mut slots = self.last.take().map_or(Vec::new(), |last| last.slots);
        slots.clone_from(&self.slots);
        self.last = Some(Choice {
            at: self.at,
            slots,
            edges: self.edges.len(),
            said: self.said.len(),
            retreats: 0,
            values: Vec::new(),
        });
    }

    /// Goes back to the last choice, if the run got stuck soon behind it: perhaps it was a bad one.
    fn retreat(&mut self, experience: &mut Experience) -> bool {
        let Some(last) = &mut self.last else {
            return false;
        };
        let steps = self.edges.len() - last.edges;
        if last.retreats >= RETREATS || steps > RETREAT_STEPS || self.random.is_plain() {
            return false;
        }
        last.retreats += 1;
        for (site, _) in std::mem::take(&mut last.values) {
            experience.good.entry(site).or_default();
        }
        self.at = last.at;
        self.slots.clone_from(&last.slots);
        self.edges.truncate(last.edges);
        self.said.truncate(last.said);
        self.script.clear();
        self.landmark = None;
        self.wasted += steps as u64;
        true
    }

    /// A value for a slot that an edge leaves open.
    fn chosen(&mut self, edge: EdgeId, slot: usize, experience: &Experience) -> Option<Val> {
        if self.random.is_plain() {
            return self.random.value(self.program.slots.sort(slot));
        }
        let site = (edge, slot);
        if let Some(value) = self.kept.as_ref().and_then(|kept| kept.get(&site)) {
            return Some(value.clone());
        }
        match experience.good.get(&site) {
            Some(good) if !good.is_empty() && self.random.below(8) > 0 => {
                Some(good[self.random.below(good.len())].clone())
            }
            _ => self.random.value(self.program.slots.sort(slot)),
        }
    }

    /// Whether the conditions of an edge on the state before hold.
    fn is_open(&mut self, edge: EdgeId) -> bool {
        let program = self.program;
        let Some(plan) = program.plan(edge) else {
            return false;
        };
        self.known.clear();
        (plan.actions[..plan.guards].iter()).all(|action| match action {
            Action::Guard(number) => self.holds(plan, *number),
            Action::Set(..) | Action::Choose(_) | Action::Put(_) => false,
        })
    }

    fn holds(&mut self, plan: &Plan, number: usize) -> bool {
        match self.evaluation(&plan.code).truth(&plan.exprs[number]) {
            Ok(value) => value,
            // The checker will know.
            Err(Unknown::NoRule | Unknown::Open) => true,
            Err(Unknown::Undefined | Unknown::Long) => false,
        }
    }

    fn evaluation<'a>(&'a mut self, code: &'a Code) -> Evaluation<'a> {
        Evaluation {
            terms: self.program.terms,
            slots: &self.slots,
            functions: self.functions,
            code,
            known: &mut self.known,
        }
    }

    /// Takes an edge whose conditions on the state before hold, if the others can be met. Values may
    /// be given for what it leaves open.
    fn take(&mut self, edge: EdgeId, given: Values, experience: &mut Experience) -> bool {
        let program = self.program;
        let Some(plan) = program.plan(edge) else {
            return false;
        };
        let is_given = !given.is_empty();
        let mut forced = given;
        let mut done = false;
        if plan.chosen.is_empty() || is_given {
            if !self.act(edge, plan, &forced, experience) {
                return false;
            }
            self.exchange(plan);
        } else {
            self.choose(experience);
            let count = program.slots.variables();
            for _ in 0..TRIES {
                if !self.act(edge, plan, &forced, experience) {
                    forced = self.better(&plan.inside);
                    continue;
                }
                done = true;
                self.exchange(plan);
                if self.is_granted(&plan.behind) {
                    break;
                }
                let better = self.better(&plan.behind);
                forced = (better.into_iter())
                    .map(|(slot, value)| (slot + count, value))
                    .collect();
                self.exchange(plan);
                done = false;
            }
            if !done {
                // Without what comes behind: perhaps it was read too strictly.
                if !self.act(edge, plan, &forced, experience) {
                    return false;
                }
                self.exchange(plan);
            }
            for &slot in &plan.chosen {
                let now = slot.checked_sub(count).filter(|&variable| variable < count);
                let value = self.slots[now.unwrap_or(slot)].clone();
                if let Some(kept) = &mut self.kept {
                    kept.insert((edge, slot), value.clone());
                }
                if let Some(last) = &mut self.last {
                    last.values.push(((edge, slot), value));
                }
            }
        }
        let step = u32::try_from(self.edges.len()).unwrap_or(u32::MAX);
        let count = program.slots.variables();
        for &slot in &plan.said {
            // What was behind the step is the state now.
            let now = slot.checked_sub(count).filter(|&variable| variable < count);
            let value = self.slots[now.unwrap_or(slot)].clone();
            let slot = u32::try_from(slot).unwrap_or(u32::MAX);
            self.said.push((step, slot, value));
        }
        self.edges
            .push(u32::try_from(edge.index()).unwrap_or(u32::MAX));
        self.at = program.target(edge);
        true
    }

    /// Carries out what an edge says after its conditions on the state before.
    fn act(&mut self, edge: EdgeId, plan: &Plan, forced: &Values, experience: &Experience) -> bool {
        self.known.clear();
        for action in &plan.actions[plan.guards..] {
            match *action {
                Action::Guard(number) => {
                    if !self.holds(plan, number) {
                        return false;
                    }
                }
                Action::Set(slot, number) => {
                    match self.evaluation(&plan.code).result(&plan.exprs[number]) {
                        Ok(value) => self.slots[slot] = value,
                        Err(_) => return false,
                    }
                }
                Action::Put(number) => {
                    let put = &plan.puts[number];
                    let change = self.evaluation(&plan.code).change(put, &plan.exprs);
                    let Ok((path, value)) = change else {
                        return false;
                    };
                    if self.slots[put.slot].put(&path, value).is_none() {
                        return false;
                    }
                }
                Action::Choose(slot) => {
                    let value = match forced.get(&slot) {
                        Some(value) => Some(value.clone()),
                        None => self.chosen(edge, slot, experience),
                    };
                    match value {
                        Some(value) => self.slots[slot] = value,
                        None => return false,
                    }
                }
            }
        }
        true
    }

    /// What is behind the step becomes the state, and the other way round.
    fn exchange(&mut self, plan: &Plan) {
        let count = self.program.slots.variables();
        for &variable in &plan.changed {
            self.slots.swap(variable, count + variable);
        }
    }

    /// Whether all that is wanted holds, as far as it can be told.
    fn is_granted(&mut self, wanted: &Wanted) -> bool {
        self.known.clear();
        (wanted.conditions.iter())
            .all(|condition| self.evaluation(&wanted.code).truth(condition) != Ok(false))
    }

    /// Puts other values into the slots that something is wanted of.
    fn better(&mut self, wanted: &Wanted) -> Values {
        let mut values = Values::new();
        for &slot in &wanted.slots {
            let sort = self.program.slots.sort(slot);
            let hinted = match sort {
                Sort::Int => self.within(wanted, slot).map(Val::int),
                _ => None,
            };
            let Some(value) = hinted.or_else(|| self.random.any(sort)) else {
                continue;
            };
            self.slots[slot] = value.clone();
            values.insert(slot, value);
        }
        values
    }

    /// An integer that hints allow.
    fn within(&mut self, wanted: &Wanted, slot: usize) -> Option<BigInt> {
        let (mut low, mut high): (Option<BigInt>, Option<BigInt>) = (None, None);
        let mut found = false;
        for hint in wanted.hints.iter().filter(|hint| hint.slot == slot) {
            self.known.clear();
            let expr: &Expr = &wanted.values[hint.value];
            let value = self.evaluation(&wanted.code).value(expr).ok();
            let Some(value) = value.and_then(|value| value.to_int()) else {
                continue;
            };
            found = true;
            match hint.relation {
                Relation::Equal => return Some(value),
                Relation::AtLeast => low = low.max(Some(value)),
                Relation::Above => low = low.max(Some(value + 1)),
                Relation::AtMost => high = Some(high.map_or(value.clone(), |h| h.min(value))),
                Relation::Below => {
                    let value: BigInt = value - 1;
                    high = Some(high.map_or(value.clone(), |h| h.min(value)));
                }
                Relation::Different => {}
            }
        }
        found.then(|| self.random.between(low.as_ref(), high.as_ref()))
    }

    /// Whether the state is one that was there before, with nothing chosen since.
    fn goes_in_circles(&mut self) -> bool {
        let steps = self.steps();
        let count = self.program.slots.variables();
        if let Some((at, state, choices)) = &self.landmark
            && *at == self.at
            && *choices == self.choices
        {
            let same = |(old, new): (&Val, &Val)| old.is_obviously(new);
            if state.iter().zip(&self.slots[..count]).all(same) {
                return true;
            }
        }
        if steps >= 64 && steps.is_power_of_two() {
            let state = self.slots[..count].to_vec();
            self.landmark = Some((self.at, state, self.choices));
        }
        false
    }

    /// What the run chose.
    pub(super) fn recorded(&self, rigid: &RigidMeaning) -> Inputs {
        let edges = self.edges.iter();
        let mut steps: Vec<(EdgeId, Values)> = edges
            .map(|&edge| (EdgeId::new(edge as usize), Values::new()))
            .collect();
        for (step, slot, value) in &self.said {
            if let Some((_, values)) = steps.get_mut(*step as usize) {
                values.insert(*slot as usize, value.clone());
            }
        }
        Inputs {
            start: self.start.iter().cloned().enumerate().collect(),
            steps,
            rigid: rigid.clone(),
        }
    }

    /// The run as evidence; `None` if some value cannot be written down.
    pub(super) fn claim(&self, rigid: &RigidMeaning) -> Option<Run> {
        let slots = &self.program.slots;
        let variables = self.program.graph.variables.iter();
        let start: Option<State> = variables
            .zip(&self.start)
            .map(|((name, sort), value)| Some((name.clone(), value.to_value(sort)?)))
            .collect();
        let edges = self.edges.iter();
        let mut steps: Vec<Step> = edges
            .map(|&edge| Step::determined(EdgeId::new(edge as usize)))
            .collect();
        for (step, slot, value) in &self.said {
            let slot = *slot as usize;
            let step = steps.get_mut(*step as usize)?;
            let value = value.to_value(slots.sort(slot))?;
            match slot.checked_sub(slots.variables()) {
                Some(variable) if variable < slots.variables() => {
                    let (name, _) = self.program.graph.variables.get_index(variable)?;
                    step.values_mut().insert(name.clone(), value);
                }
                _ => {
                    step.aux_mut().insert(slots.aux_in(slot)?, value);
                }
            }
        }
        Some(Run::new(start?, steps, rigid.clone()))
    }
}
