//! What is kept about one graph, as text and back.
//!
//! ```text
//! sort int
//! term 0 now 'n
//! ...
//! proof
//! at 3 17             (location, term)
//! exempt 9
//! inductive 7 2       (error location, segments)
//! explored 8          (error location)
//! run 9 5f3a...       (error location, digest of all axioms)
//! start 'n int 5
//! symbol 'f int 0 1 int 3 int 4     (default, number of entries, arguments and value of each)
//! steps 0 4 5         (edges)
//! step 6 1 'n int 4 1 0 int 7       (edge, values, auxiliaries by rank)
//! ```
//!
//! Where steps have premises, the traces to these come before the run's own, each after `branch`, and `trace` begins its own; after
//! such a step stands `after 0 2`, the numbers of the branches.
//!
//! Locations and edges are numbered as in the graph, auxiliaries of an edge by the order in which they were made: neither
//! depends on anything outside of the unit.

use std::collections::{BTreeMap, BTreeSet};

use ult_core::control::Control;
use ult_core::formula::{FunctionValue, Term, Terms, Value, Version};
use ult_core::graph::evidence::{Argument, Branch, Invariants, RigidMeaning, Run, State, Step};
use ult_core::graph::{EdgeId, LocationId, ProgramGraph};

use super::digest::of_axioms;
use super::read::{Reader, Words};
use super::scope::Scope;
use super::write::{NotKept, Writer, name};
use super::{Corrupt, MAX_ENTRY, values};

/// Claims about one graph.
#[derive(Clone, Debug, Default)]
pub struct Evidence {
    /// Invariants, each with the error locations that it does not exclude.
    pub proofs: Vec<Invariants>,
    /// For error locations: a run that ends there.
    pub runs: BTreeMap<LocationId, Run>,
}

impl Evidence {
    /// Whether nothing is claimed.
    pub fn is_empty(&self) -> bool {
        self.proofs.is_empty() && self.runs.is_empty()
    }

    /// As a text; `None` if there is something that the text does not have, or if it would be too long.
    pub fn write(&self, terms: &Terms, graph: &ProgramGraph) -> Option<String> {
        self.written(terms, graph).ok()
    }

    fn written(&self, terms: &Terms, graph: &ProgramGraph) -> Result<String, NotKept> {
        let mut writer = Writer::new(terms);
        for proof in &self.proofs {
            let at = proof.at.iter();
            let at: Vec<(String, String)> = at
                .map(|(location, &formula)| {
                    Ok((number(*location), writer.term(formula)?.to_string()))
                })
                .collect::<Result<_, NotKept>>()?;
            writer.line(&["proof"])?;
            for (location, formula) in &at {
                writer.line(&["at", location, formula])?;
            }
            for &location in &proof.exempt {
                writer.line(&["exempt", &number(location)])?;
            }
            for (&location, argument) in &proof.arguments {
                let (word, segments) = match argument {
                    Argument::Inductive(segments) => ("inductive", Some(segments.to_string())),
                    Argument::Bounded(segments) => ("bounded", Some(segments.to_string())),
                    Argument::Explored => ("explored", None),
                };
                let location = number(location);
                let words = [Some(word), Some(&location), segments.as_deref()];
                writer.line(&words.into_iter().flatten().collect::<Vec<_>>())?;
            }
        }
        let axioms = of_axioms(terms, graph).to_string();
        for (&location, run) in &self.runs {
            writer.line(&["run", &number(location), &axioms])?;
            write_run(&mut writer, terms, graph, run)?;
        }
        writer.finish()
    }

    /// What a text says about a graph. That it is so is for the checker to see.
    ///
    /// # Errors
    /// If the text is none that could be about the graph.
    pub fn read(
        terms: &Terms,
        graph: &ProgramGraph,
        text: &str,
        control: &Control,
    ) -> Result<Evidence, Corrupt> {
        if text.len() > MAX_ENTRY {
            return Err(Corrupt::new("it is too long"));
        }
        let scope = Scope::of_graph(terms, graph);
        let mut reading = Reading {
            reader: Reader::new(terms, &scope, control, text.len()),
            terms,
            graph,
            evidence: Evidence::default(),
            run: None,
            is_branch: false,
            outdated: BTreeSet::new(),
        };
        for line in text.split_terminator('\n') {
            reading.line(line)?;
        }
        let outdated = &reading.outdated;
        reading
            .evidence
            .runs
            .retain(|end, _| !outdated.contains(end));
        Ok(reading.evidence)
    }
}

fn number(location: LocationId) -> String {
    location.index().to_string()
}

/// The numbers of the auxiliaries of an edge, in the order in which they were made.
fn auxiliaries(terms: &Terms, graph: &ProgramGraph, edge: EdgeId) -> Vec<u32> {
    let Some(edge) = graph.graph.edge_weight(edge) else {
        return Vec::new();
    };
    let found: BTreeSet<u32> = terms
        .free_vars(&edge.terms())
        .into_iter()
        .filter_map(|term| match terms.as_var(term)?.version {
            Version::Aux(number) => Some(number),
            _ => None,
        })
        .collect();
    found.into_iter().collect()
}

fn write_run(
    writer: &mut Writer<'_>,
    terms: &Terms,
    graph: &ProgramGraph,
    run: &Run,
) -> Result<(), NotKept> {
    if !run.is_plain() {
        return Err(NotKept);
    }
    let mut lines: Vec<Vec<String>> = Vec::new();
    let mut length = 0;
    for branch in &run.branches {
        lines.push(vec!["branch".into()]);
        let trace = (&branch.start, &branch.steps[..]);
        write_trace(terms, graph, trace, &mut length, writer, &mut lines)?;
    }
    if !run.branches.is_empty() {
        lines.push(vec!["trace".into()]);
    }
    for (symbol, table) in &run.rigid.functions {
        let mut words = vec!["symbol".into(), name(symbol)];
        values::write(writer, &table.default, &mut words)?;
        words.push(table.entries.len().to_string());
        for (arguments, value) in &table.entries {
            words.push(arguments.len().to_string());
            for value in arguments.iter().chain([value]) {
                values::write(writer, value, &mut words)?;
            }
        }
        lines.push(words);
    }
    let trace = (&run.start, &run.steps[..]);
    write_trace(terms, graph, trace, &mut length, writer, &mut lines)?;
    for words in lines {
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        writer.line(&words)?;
    }
    Ok(())
}

/// The lines of a trace: where it starts, and its steps.
fn write_trace(
    terms: &Terms,
    graph: &ProgramGraph,
    (start, steps): (&State, &[Step]),
    length: &mut usize,
    writer: &mut Writer<'_>,
    lines: &mut Vec<Vec<String>>,
) -> Result<(), NotKept> {
    for (variable, value) in start {
        let mut words = vec!["start".into(), name(variable)];
        values::write(writer, value, &mut words)?;
        lines.push(words);
    }
    let mut plain: Vec<String> = Vec::new();
    for step in steps {
        let edge = step.edge.index().to_string();
        *length += edge.len() + 1;
        if *length > MAX_ENTRY {
            return Err(NotKept);
        }
        if step.says_nothing() {
            plain.push(edge);
            continue;
        }
        if !plain.is_empty() {
            plain.insert(0, "steps".into());
            lines.push(std::mem::take(&mut plain));
        }
        let mut words = vec!["step".into(), edge, step.values().len().to_string()];
        for (variable, value) in step.values() {
            words.push(name(variable));
            values::write(writer, value, &mut words)?;
        }
        let ranks = auxiliaries(terms, graph, step.edge);
        let said: Vec<(usize, &Value)> = ranks
            .iter()
            .enumerate()
            .filter_map(|(rank, number)| Some((rank, step.aux().get(number)?)))
            .collect();
        words.push(said.len().to_string());
        for (rank, value) in said {
            words.push(rank.to_string());
            values::write(writer, value, &mut words)?;
        }
        *length += words.iter().map(|word| word.len() + 1).sum::<usize>();
        lines.push(words);
        if !step.premises().is_empty() {
            let numbers = step.premises().iter().map(usize::to_string);
            lines.push(std::iter::once("after".into()).chain(numbers).collect());
        }
    }
    if !plain.is_empty() {
        plain.insert(0, "steps".into());
        lines.push(plain);
    }
    Ok(())
}

/// What a proof says about a location.
enum Said {
    Formula(Term),
    Argument(Argument),
    Exempt,
}

/// A text that is being read.
struct Reading<'a> {
    reader: Reader<'a>,
    terms: &'a Terms,
    graph: &'a ProgramGraph,
    evidence: Evidence,
    /// Where the run ends that the next lines are about.
    run: Option<LocationId>,
    /// Whether they are about its last branch.
    is_branch: bool,
    /// The ends of runs that were found under other axioms: nobody's fault, and nothing worth.
    outdated: BTreeSet<LocationId>,
}

impl Reading<'_> {
    fn line(&mut self, line: &str) -> Result<(), Corrupt> {
        let Some((word, mut words)) = self.reader.line(line)? else {
            return Ok(());
        };
        match word {
            "proof" => {
                self.run = None;
                self.evidence.proofs.push(Invariants::default());
            }
            "run" => {
                let end = self.location(&mut words)?;
                if words.next()? != of_axioms(self.terms, self.graph).to_string() {
                    self.outdated.insert(end);
                }
                let run = Run::new(self.any_start(), Vec::new(), RigidMeaning::default());
                if self.evidence.runs.insert(end, run).is_some() {
                    return Err(Corrupt::new("two runs to one place"));
                }
                self.run = Some(end);
                self.is_branch = false;
            }
            "branch" | "trace" => self.part(word == "branch")?,
            "at" | "exempt" | "inductive" | "bounded" | "explored" => {
                self.proof(word, &mut words)?
            }
            "start" | "symbol" | "steps" | "step" | "after" => self.step(word, &mut words)?,
            _ => return Err(Corrupt::new("an unknown kind of line")),
        }
        words.end()
    }

    /// A start that says something about all variables, also those that are in the program since.
    fn any_start(&self) -> State {
        let variables = self.graph.variables.iter();
        variables
            .filter_map(|(name, sort)| Some((name.clone(), Value::any_of(sort)?)))
            .collect()
    }

    fn location(&self, words: &mut Words<'_>) -> Result<LocationId, Corrupt> {
        let number: u32 = words.number()?;
        let location = LocationId::from(number);
        match self.graph.graph.node_weight(location) {
            Some(_) => Ok(location),
            None => Err(Corrupt::new("a location that the program does not have")),
        }
    }

    fn edge(&self, words: &mut Words<'_>) -> Result<EdgeId, Corrupt> {
        let number: u32 = words.number()?;
        let edge = EdgeId::from(number);
        match self.graph.graph.edge_weight(edge) {
            Some(_) => Ok(edge),
            None => Err(Corrupt::new("an edge that the program does not have")),
        }
    }

    fn proof(&mut self, word: &str, words: &mut Words<'_>) -> Result<(), Corrupt> {
        let location = self.location(words)?;
        let said = match word {
            "at" => Said::Formula(self.reader.term(words.number()?)?),
            "inductive" => Said::Argument(Argument::Inductive(words.number()?)),
            "bounded" => Said::Argument(Argument::Bounded(words.number()?)),
            "explored" => Said::Argument(Argument::Explored),
            _ => Said::Exempt,
        };
        let proofs = &mut self.evidence.proofs;
        let proof = match (self.run, proofs.last_mut()) {
            (None, Some(proof)) => proof,
            _ => return Err(Corrupt::new("a part of a proof outside of one")),
        };
        let is_new = match said {
            Said::Formula(formula) => proof.at.insert(location, formula).is_none(),
            Said::Argument(argument) => proof.arguments.insert(location, argument).is_none(),
            Said::Exempt => proof.exempt.insert(location),
        };
        if !is_new {
            return Err(Corrupt::new("one thing said twice"));
        }
        Ok(())
    }

    fn step(&mut self, word: &str, words: &mut Words<'_>) -> Result<(), Corrupt> {
        let end = self
            .run
            .ok_or_else(|| Corrupt::new("a part of a run outside of one"))?;
        match word {
            "start" => {
                let name = words.name()?;
                let value = values::read(&self.reader, words)?;
                // Nothing happens to a variable that is not there any more.
                if self.graph.variables.contains_key(&name) {
                    self.trace_to(end)?.0.insert(name, value);
                }
            }
            "symbol" => {
                let name = words.name()?;
                let table = self.table(words)?;
                self.run_to(end)?.rigid.functions.insert(name, table);
            }
            "steps" => {
                while let Some(word) = words.more() {
                    let edge = self.edge(&mut Words::of(word))?;
                    self.trace_to(end)?.1.push(Step::determined(edge));
                }
            }
            "after" => {
                let mut branches = Vec::new();
                while let Some(word) = words.more() {
                    branches.push(Words::of(word).number()?);
                }
                let steps = self.trace_to(end)?.1;
                let step = steps.pop();
                let step = step.ok_or_else(|| Corrupt::new("branches of no step"))?;
                steps.push(step.after(branches));
            }
            _ => {
                let edge = self.edge(words)?;
                let mut said = State::default();
                for _ in 0..words.count()? {
                    let name = words.name()?;
                    said.insert(name, values::read(&self.reader, words)?);
                }
                let numbers = auxiliaries(self.terms, self.graph, edge);
                let mut aux = BTreeMap::new();
                for _ in 0..words.count()? {
                    let rank: usize = words.number()?;
                    let number = numbers.get(rank).copied();
                    let number = number.ok_or_else(|| Corrupt::new("an unknown auxiliary"))?;
                    aux.insert(number, values::read(&self.reader, words)?);
                }
                self.trace_to(end)?.1.push(Step::new(edge, aux, said));
            }
        }
        Ok(())
    }

    fn run_to(&mut self, end: LocationId) -> Result<&mut Run, Corrupt> {
        let run = self.evidence.runs.get_mut(&end);
        run.ok_or_else(|| Corrupt::new("a part of a run outside of one"))
    }

    /// The part of a run that the next lines are about.
    fn trace_to(&mut self, end: LocationId) -> Result<(&mut State, &mut Vec<Step>), Corrupt> {
        let is_branch = self.is_branch;
        let run = self.run_to(end)?;
        match run.branches.last_mut().filter(|_| is_branch) {
            Some(branch) => Ok((&mut branch.start, &mut branch.steps)),
            None => Ok((&mut run.start, &mut run.steps)),
        }
    }

    fn part(&mut self, is_branch: bool) -> Result<(), Corrupt> {
        let start = self.any_start();
        let outside = || Corrupt::new("a part of a run outside of one");
        let run = self.run_to(self.run.ok_or_else(outside)?)?;
        if is_branch {
            let steps = Vec::new();
            run.branches.push(Branch { start, steps });
        }
        self.is_branch = is_branch;
        Ok(())
    }

    fn table(&self, words: &mut Words<'_>) -> Result<FunctionValue, Corrupt> {
        let default = values::read(&self.reader, words)?;
        let mut entries = BTreeMap::new();
        for _ in 0..words.count()? {
            let arguments = (0..words.count()?)
                .map(|_| values::read(&self.reader, words))
                .collect::<Result<Vec<Value>, Corrupt>>()?;
            entries.insert(arguments, values::read(&self.reader, words)?);
        }
        Ok(FunctionValue { default, entries })
    }
}
