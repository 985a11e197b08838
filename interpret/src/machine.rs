//! Statements, one after the other.

use std::rc::Rc;

use num_bigint::BigInt;
use ult_lang::hir::Type;
use ult_lang::span::Span;

use crate::choice::Random;
use crate::code::{Body, Code, Havoc, Hint, Instr, Named, Obligation, Relation, Variable, Write};
use crate::eval::State;
use crate::trouble::{Result, Trouble};
use crate::value::Value;

/// An activation of a procedure.
struct Frame {
    /// Index of the body.
    body: usize,
    /// The instruction at hand.
    at: usize,
    /// Where its locals begin.
    base: usize,
}

/// Activations may be nested so deeply.
const MOST_FRAMES: usize = 1_000_000;

/// So many instructions are carried out between two questions whether to go on.
const STRIDE: u64 = 4096;

/// So often values are chosen anew that the assumptions behind do not allow.
const TRIES: usize = 100;

/// How a run ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum End {
    /// The entry procedure returned.
    Finished,
    /// Something that has to hold does not.
    Violated {
        /// What it is.
        obligation: Obligation,
        /// The user's message.
        message: Option<String>,
    },
    /// An assumption does not hold: no run goes on from here.
    Blocked,
    /// Something is not covered.
    Unsupported(String),
    /// The limit on the number of statements was reached.
    Steps,
    /// The run was stopped from outside.
    Stopped,
}

/// A run.
pub(crate) struct Machine<'c> {
    state: State<'c>,
    frames: Vec<Frame>,
    steps: u64,
    /// Axioms that were passed over.
    skipped: Vec<Span>,
    /// The results of the procedure that is called `watched`, when it last returned.
    watched: Option<(Rc<str>, Vec<Value>)>,
    /// The entry procedure's body and locals, when it has returned.
    last: Option<(usize, Vec<Value>)>,
}

enum Next {
    Step,
    Jump(usize),
    End(End),
}

impl<'c> Machine<'c> {
    /// A run that begins with the last body of the program.
    ///
    /// # Errors
    /// If a variable of it has a type that is not covered.
    pub(crate) fn new(mut state: State<'c>) -> Result<Self> {
        let mut frames = Vec::new();
        if let Some(body) = state.code.bodies.len().checked_sub(1) {
            enter(&mut state, &mut frames, body, Vec::new(), false)?;
        }
        Ok(Machine {
            state,
            frames,
            steps: 0,
            skipped: Vec::new(),
            watched: None,
            last: None,
        })
    }

    /// The results of the procedure with this name are kept when it returns.
    pub(crate) fn watch(&mut self, name: &str) {
        self.watched = Some((name.into(), Vec::new()));
    }

    /// What the watched procedure returned last.
    pub(crate) fn results(&self) -> Option<&[Value]> {
        self.watched
            .as_ref()
            .map(|(_, values)| &values[..])
            .filter(|values| !values.is_empty())
    }

    /// How many statements were carried out.
    pub(crate) fn steps(&self) -> u64 {
        self.steps
    }

    /// The state.
    pub(crate) fn state(&self) -> &State<'c> {
        &self.state
    }

    /// Axioms that could not be evaluated.
    pub(crate) fn skipped(&self) -> &[Span] {
        &self.skipped
    }

    fn code(&self) -> &'c Code {
        self.state.code
    }

    /// The activations, innermost first: the name of the procedure, and where it is.
    pub(crate) fn activations(&self) -> impl Iterator<Item = (&'c Body, Span, usize)> {
        let code = self.code();
        self.frames.iter().rev().filter_map(|frame| {
            let body = code.bodies.get(frame.body)?;
            let span = body.spans.get(frame.at).copied().unwrap_or_default();
            Some((body, span, frame.base))
        })
    }

    /// Runs to the end, for so many statements at most, as long as `go_on` says so.
    pub(crate) fn run(&mut self, limit: Option<u64>, go_on: &dyn Fn() -> bool) -> End {
        let code = self.code();
        let limit = limit.unwrap_or(u64::MAX);
        loop {
            let Some(frame) = self.frames.last() else {
                return End::Finished;
            };
            let body = &code.bodies[frame.body];
            let Some(instr) = body.instrs.get(frame.at) else {
                return End::Unsupported("a body without an end".into());
            };
            if self.steps >= limit {
                return End::Steps;
            }
            if self.steps.is_multiple_of(STRIDE) && !go_on() {
                return End::Stopped;
            }
            self.steps += 1;
            match self.step(code, body, instr) {
                Ok(Next::Step) => {
                    if let Some(frame) = self.frames.last_mut() {
                        frame.at += 1;
                    }
                }
                Ok(Next::Jump(to)) => {
                    if let Some(frame) = self.frames.last_mut() {
                        frame.at = to;
                    }
                }
                Ok(Next::End(end)) => return end,
                Err(trouble) => return End::Unsupported(trouble.what.to_string()),
            }
        }
    }

    fn step(&mut self, code: &'c Code, body: &'c Body, instr: &'c Instr) -> Result<Next> {
        match instr {
            Instr::Write(write) => self.state.write(write)?,
            Instr::Writes(writes) => self.state.writes(writes)?,
            Instr::Assume(condition) => {
                if !self.state.truth(condition)? {
                    return Ok(Next::End(End::Blocked));
                }
            }
            Instr::Axiom(condition) => match self.state.truth(condition) {
                Ok(true) => {}
                Ok(false) => return Ok(Next::End(End::Blocked)),
                Err(_) => {
                    let at = self.frames.last().map_or(0, |frame| frame.at);
                    self.skipped.push(body.spans[at]);
                }
            },
            Instr::Assert {
                condition,
                obligation,
                message,
            } => {
                if !self.state.truth(condition)? {
                    return Ok(Next::End(End::Violated {
                        obligation: *obligation,
                        message: message.as_deref().map(str::to_owned),
                    }));
                }
            }
            Instr::Supported { condition, what } => {
                if !self.state.truth(condition)? {
                    return Err(Trouble::new(what.clone()));
                }
            }
            Instr::Havoc(havoc) => self.havoc(havoc, body)?,
            Instr::Jump(to) => return Ok(Next::Jump(*to)),
            Instr::Unless(condition, to) => {
                if !self.state.truth(condition)? {
                    return Ok(Next::Jump(*to));
                }
            }
            Instr::Choose(ways) => return self.choose(ways, body),
            Instr::Call {
                bodies, args, free, ..
            } => {
                let mut values = Vec::with_capacity(args.len());
                for arg in args {
                    values.push(self.state.eval(arg)?);
                }
                let way = match bodies.len() {
                    1 => 0,
                    ways => self.state.chooser.way(ways),
                };
                let Some(callee) = bodies.get(way) else {
                    return Err(Trouble::new("a procedure without a body"));
                };
                if self.frames.len() >= MOST_FRAMES {
                    return Err(Trouble::new("procedures nested this deeply"));
                }
                let (state, frames) = (&mut self.state, &mut self.frames);
                enter(state, frames, *callee as usize, values, *free)?;
                let start = self.frames.last().map_or(0, |frame| frame.at);
                return Ok(Next::Jump(start));
            }
            Instr::Leave => {
                self.leave(code, body);
                if self.frames.is_empty() {
                    return Ok(Next::End(End::Finished));
                }
            }
            Instr::Unsupported(what) => return Err(Trouble::new(what.clone())),
        }
        Ok(Next::Step)
    }

    /// Back to the caller, whose call is then done.
    fn leave(&mut self, code: &'c Code, body: &Body) {
        let Some(frame) = self.frames.pop() else {
            return;
        };
        let first = frame.base + body.ins;
        let outs = self.state.stack[first..first + body.outs].to_vec();
        if let Some((name, values)) = &mut self.watched
            && *name == body.name
        {
            values.clone_from(&outs);
        }
        let Some(caller) = self.frames.last() else {
            return;
        };
        if self.frames.len() == 1 {
            self.last = Some((frame.body, self.state.stack[frame.base..].to_vec()));
        }
        self.state.stack.truncate(frame.base);
        self.state.base = caller.base;
        if let Some(Instr::Call { results, .. }) = code.bodies[caller.body].instrs.get(caller.at) {
            for (result, value) in results.iter().zip(outs) {
                *self.state.place(*result) = value;
            }
        }
    }

    // --- choices ------------------------------------------------------------------------------

    fn choose(&mut self, ways: &'c [usize], body: &'c Body) -> Result<Next> {
        let mut open = Vec::new();
        for way in ways {
            if self.is_open(*way, body, usize::MAX) {
                open.push(*way);
            }
        }
        let way = match open.len() {
            // It does not matter.
            0 => ways.first().copied(),
            1 => open.first().copied(),
            count => {
                let way = match self.state.chooser.input_way(count) {
                    Some(way) => way,
                    None => self.state.chooser.way(count),
                };
                open.get(way).copied()
            }
        };
        match way {
            Some(way) => Ok(Next::Jump(way)),
            None => Ok(Next::End(End::Blocked)),
        }
    }

    /// Whether the assumptions that follow at once, within so many instructions, hold; also if that cannot be told.
    /// The state is the same afterwards.
    fn is_open(&mut self, mut at: usize, body: &'c Body, far: usize) -> bool {
        let mut before: Vec<(Variable, Value)> = Vec::new();
        let mut open = true;
        for _ in 0..far.min(200) {
            match body.instrs.get(at) {
                Some(Instr::Jump(to)) => {
                    at = *to;
                    continue;
                }
                Some(Instr::Assume(condition) | Instr::Axiom(condition)) => {
                    if let Ok(false) = self.state.truth(condition) {
                        open = false;
                        break;
                    }
                }
                Some(Instr::Write(write)) => {
                    if !self.try_writes(std::slice::from_ref(write), &mut before) {
                        break;
                    }
                }
                Some(Instr::Writes(writes)) => {
                    if !self.try_writes(writes, &mut before) {
                        break;
                    }
                }
                _ => break,
            }
            at += 1;
        }
        for (variable, value) in before.into_iter().rev() {
            *self.state.place(variable) = value;
        }
        open
    }

    /// Carries out assignments to whole variables, and keeps the values that were there.
    fn try_writes(&mut self, writes: &'c [Write], before: &mut Vec<(Variable, Value)>) -> bool {
        if writes.iter().any(|write| !write.path.is_empty()) {
            return false;
        }
        let saved = before.len();
        for write in writes {
            before.push((write.variable, self.state.get(write.variable).clone()));
        }
        if self.state.writes(writes).is_err() {
            before.truncate(saved);
            return false;
        }
        true
    }

    fn havoc(&mut self, havoc: &'c Havoc, body: &'c Body) -> Result<()> {
        let mut given = vec![false; havoc.variables.len()];
        for (number, (variable, ty)) in havoc.variables.iter().enumerate() {
            let input = match havoc.input {
                true => self.state.chooser.input(ty),
                false => None,
            };
            given[number] = input.is_some();
            let value = match input {
                Some(value) => value,
                None => self.state.chooser.any(ty)?,
            };
            *self.state.place(*variable) = value;
        }
        if havoc.look == 0 || given.iter().all(|given| *given) {
            return Ok(());
        }
        let next = self.frames.last().map_or(0, |frame| frame.at) + 1;
        if !self.state.chooser.is_random() && self.is_open(next, body, havoc.look) {
            return Ok(());
        }
        let mut dice = self.state.chooser.dice(0);
        for round in 0..TRIES {
            for (number, (variable, ty)) in havoc.variables.iter().enumerate() {
                if given[number] {
                    continue;
                }
                if let Some(value) = self.candidate(havoc, number, ty, round, &mut dice)? {
                    *self.state.place(*variable) = value;
                }
            }
            if self.is_open(next, body, havoc.look) {
                break;
            }
        }
        Ok(())
    }

    /// A value for a variable that the assumptions behind may allow.
    fn candidate(
        &mut self,
        havoc: &'c Havoc,
        number: usize,
        ty: &Rc<Type>,
        round: usize,
        dice: &mut Random,
    ) -> Result<Option<Value>> {
        let hints: Vec<&Hint> = havoc
            .hints
            .iter()
            .filter(|hint| hint.number == number)
            .collect();
        let random =
            |state: &State<'_>, dice: &mut Random| state.chooser.determined(ty, dice.next());
        if hints.is_empty() {
            // Zero has been tried.
            return match round {
                0 if !self.state.chooser.is_random() => Ok(None),
                _ => random(&self.state, dice).map(Some),
            };
        }
        if let Some(hint) = hints.iter().find(|hint| hint.relation == Relation::Equal) {
            return Ok(self.state.eval(&hint.with).ok());
        }
        match **ty {
            Type::Int => self.between(&hints, round, dice).map(Some),
            Type::BitVec(width) => {
                let pick = usize::try_from(dice.below(hints.len() as u64)).unwrap_or(0);
                let near = match self.state.eval(&hints[pick].with) {
                    Ok(Value::Bits(bits)) => bits,
                    _ => 0,
                };
                let bits = match dice.below(4) {
                    0 => near,
                    1 => near.wrapping_add(1),
                    2 => near.wrapping_sub(1),
                    _ => return random(&self.state, dice).map(Some),
                };
                Ok(Some(Value::Bits(crate::ops::mask(bits, width))))
            }
            _ => random(&self.state, dice).map(Some),
        }
    }

    /// An integer that the hints allow.
    fn between(&mut self, hints: &[&Hint], round: usize, dice: &mut Random) -> Result<Value> {
        let (mut low, mut high): (Option<BigInt>, Option<BigInt>) = (None, None);
        for hint in hints {
            let Some(limit) = self.state.eval(&hint.with).ok().and_then(|v| v.as_big()) else {
                continue;
            };
            match hint.relation {
                Relation::AtLeast | Relation::Above => {
                    let limit = limit + i32::from(hint.relation == Relation::Above);
                    low = Some(low.map_or(limit.clone(), |low| low.max(limit)));
                }
                Relation::AtMost | Relation::Below => {
                    let limit = limit - i32::from(hint.relation == Relation::Below);
                    high = Some(high.map_or(limit.clone(), |high| high.min(limit)));
                }
                Relation::Equal => {}
            }
        }
        let zero = BigInt::ZERO;
        // First what is nearest to zero, then anything; often something small.
        let nearest = match (&low, &high) {
            (Some(low), _) if *low > zero => low.clone(),
            (_, Some(high)) if *high < zero => high.clone(),
            _ => zero,
        };
        if round == 0 && !self.state.chooser.is_random() {
            return Ok(Value::int(nearest));
        }
        let spread = match dice.below(3) {
            0 => BigInt::from(dice.below(11)) - 5,
            1 => BigInt::from(dice.below(2001)) - 1000,
            _ => match (&low, &high) {
                (Some(low), Some(high)) if low <= high => {
                    let count = high - low + 1;
                    return Ok(Value::int(low + BigInt::from(dice.next()) % count));
                }
                _ => BigInt::from(dice.below(1 << 32)) - (1i64 << 31),
            },
        };
        let mut value = nearest + spread;
        if let Some(low) = &low
            && value < *low
        {
            value = low.clone() + (low - value);
        }
        if let Some(high) = &high
            && value > *high
        {
            value = high.clone() - (value - high);
        }
        Ok(Value::int(value))
    }

    /// The variable with this name, or the parts of one that was taken apart: of the innermost activation that has it,
    /// of the entry procedure, or of the program.
    pub(crate) fn named(&self, name: &str) -> Vec<(Rc<str>, Value, Rc<Type>)> {
        let code = self.code();
        let locals = |body: &Body, values: &[Value]| parts(name, &body.variables, values);
        for (body, _, base) in self.activations() {
            let found = locals(body, &self.state.stack[base..]);
            if !found.is_empty() {
                return found;
            }
        }
        if let Some((body, values)) = &self.last {
            let found = locals(&code.bodies[*body], values);
            if !found.is_empty() {
                return found;
            }
        }
        parts(name, &code.globals, &self.state.globals)
    }
}

/// The variables that are called `name` or `name.…`.
fn parts(name: &str, variables: &[Named], values: &[Value]) -> Vec<(Rc<str>, Value, Rc<Type>)> {
    let is_part = |found: &str| {
        let rest = found.strip_prefix(name);
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
    };
    let found = variables.iter().zip(values);
    found
        .filter(|(variable, _)| is_part(&variable.name))
        .map(|(variable, value)| (variable.name.clone(), value.clone(), variable.ty.clone()))
        .collect()
}

/// Opens an activation.
fn enter(
    state: &mut State<'_>,
    frames: &mut Vec<Frame>,
    number: usize,
    args: Vec<Value>,
    free: bool,
) -> Result<()> {
    let body = &state.code.bodies[number];
    let base = state.stack.len();
    state.stack.extend(args);
    for variable in body.variables.iter().skip(state.stack.len() - base) {
        let value = state.chooser.any(&variable.ty)?;
        state.stack.push(value);
    }
    state.stack.resize(base + body.locals, Value::Bool(false));
    for (global, local) in &body.olds {
        state.stack[base + *local as usize] = state.globals[*global as usize].clone();
    }
    state.base = base;
    frames.push(Frame {
        body: number,
        at: if free { body.free_start } else { 0 },
        base,
    });
    Ok(())
}
