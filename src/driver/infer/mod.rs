//! Loop invariants and contracts that are missing, as text of the program that other verifiers accept.
//!
//! Procedures are looked at one by one, with calls by their contracts, as in the modular reading, but loops are
//! searched for proofs. What a confirmed proof says at the head of a loop is a candidate there, conjunct by conjunct. Those that
//! are inductive together are found as in Houdini (Flanagan, Leino: "Houdini, an annotation assistant for ESC/Java", FME 2001): all
//! are written to the program, the program is checked in the modular reading, and what is not proved is taken out, until
//! all that is left is proved. If that does not prove the program, engines are asked one by one for other invariants, and all
//! candidates count together: an engine's proof may need more than one round of a loop, or others' invariants. Where that does not
//! suffice, and there are calls, Spacer is asked for postconditions of all procedures. They are written down as candidates, too, and
//! loops are searched once more, as if they held. At last, what the proof does without is taken out.
//!
//! Nothing is believed of where a candidate came from: the text that is handed out was checked as anybody's.

pub(super) mod calls;
mod contracts;
pub mod places;
mod words;

use std::time::Duration;

use indexmap::IndexSet;

use ult_lang::parse::parse_boogie;
use ult_lang::span::Span;

use self::contracts::contracts;
use self::places::{Edit, Head, conjuncts, edited, heads};
use self::words::Words;
use super::language::Language;
use super::load::{Content, load};
use super::progress::Progress;
use super::result::{Conclusion, Report};
use super::settings::Settings;
use super::verify::verify;
use ult_check::Verdict;
use ult_core::control::Control;
use ult_core::formula::Terms;
use ult_core::guard::guarded;
use ult_engine::EngineKind;
use ult_engine::verify::Method;
use ult_explain::Source;
use ult_explain::invariants::InvariantReport;
use ult_lower::plan::EntryError;
use ult_lower::{CallPolicy, Options as Reading};

/// What was found.
#[derive(Debug)]
pub struct Inferred {
    /// The program with what was added. All of that is proved.
    pub text: String,
    /// What was added, in the order of the text.
    pub added: Vec<Added>,
    /// What became of it.
    pub outcome: Outcome,
}

/// What became of a program.
#[derive(Debug)]
pub enum Outcome {
    /// With what was added, all of it is proved in the modular reading.
    Proved,
    /// There is nothing to prove.
    Nothing,
    /// There is a run to a violation, in the program as it was.
    Violated(Box<Report>),
    /// Not all of it is proved.
    Open,
    /// The program has mistakes.
    Rejected(Box<Report>),
}

/// A clause that was added.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Added {
    /// The line of the loop, or the procedure, in the program as it was.
    pub line: u32,
    /// The clause, as it is written there.
    pub clause: String,
}

/// Who is asked for invariants, in this order.
const METHODS: [Method; 8] = [
    Method::Portfolio,
    Method::Engine(EngineKind::Slicing),
    Method::Engine(EngineKind::Horn),
    Method::Engine(EngineKind::Intervals),
    Method::Engine(EngineKind::Polynomials),
    Method::Engine(EngineKind::Predicate),
    Method::Engine(EngineKind::Arrays),
    Method::Engine(EngineKind::KInduction),
];

/// The longest search of one engine.
const SEARCH: Duration = Duration::from_secs(30);

/// The longest check of one text, and of a smaller one that would do as well.
const CHECK: Duration = Duration::from_secs(20);
const SMALLER: Duration = Duration::from_secs(3);

/// More clauses than this are not tried one by one.
const MOST: usize = 24;

/// Adds loop invariants, and where they do not suffice postconditions, to a Boogie program until it is proved in the modular reading. With a line, only the loop that begins
/// there, or the last one before it, gets any in the result; the proof may need those of others.
///
/// # Errors
/// If the settings name an entry that the program does not have.
pub fn infer(
    source: &Source,
    line: Option<u32>,
    settings: &Settings,
    control: &Control,
) -> Result<Inferred, EntryError> {
    let (tree, _) = parse_boogie(&source.text);
    let mut search = Search {
        source,
        heads: heads(&tree, &source.text),
        words: Words::of(&tree),
        known: errors(&source.text),
        settings,
        control,
        pool: IndexSet::new(),
        assumed: Vec::new(),
    };
    let plain = search.checked(&[], CHECK)?;
    match plain.conclusion() {
        Conclusion::Rejected => {
            return Ok(search.result(&[], line, Outcome::Rejected(Box::new(plain))));
        }
        Conclusion::Nothing => return Ok(search.result(&[], line, Outcome::Nothing)),
        Conclusion::Safe => return Ok(search.result(&[], line, Outcome::Proved)),
        Conclusion::Unsafe | Conclusion::Conditional(_) | Conclusion::Unknown(_) => {}
    }
    let mut kept: Vec<Clause> = Vec::new();
    for contracts in [false, true] {
        if contracts && !search.assume_contracts() {
            break;
        }
        for (number, method) in METHODS.into_iter().enumerate() {
            if control.check().is_err() {
                break;
            }
            let report = search.searched(method, METHODS.len() - number)?;
            if !contracts && report.conclusion() == Conclusion::Unsafe {
                let outcome = Outcome::Violated(Box::new(report));
                return Ok(search.result(&[], line, outcome));
            }
            if !search.collect(&report) {
                continue;
            }
            let (found, is_proved) = search.inductive()?;
            // What was not proved because the time was over may hold; what was proved before does.
            if is_proved || control.check().is_ok() {
                kept = found;
            }
            if is_proved {
                kept = search.smallest(kept)?;
                return Ok(search.result(&kept, line, Outcome::Proved));
            }
        }
    }
    Ok(search.result(&kept, line, Outcome::Open))
}

/// A candidate: at which head, and what.
type Clause = (usize, String);

struct Search<'s> {
    source: &'s Source,
    heads: Vec<Head>,
    words: Words,
    /// How many mistakes the program has.
    known: usize,
    settings: &'s Settings,
    control: &'s Control,
    /// All candidates that the front end accepts where they would stand.
    pool: IndexSet<Clause>,
    /// Clauses of contracts that searches may use, whether they hold or not.
    assumed: Vec<Clause>,
}

impl Search<'_> {
    /// The text with clauses, and where each is, in the order of the heads.
    fn written(&self, clauses: &[Clause]) -> (String, Vec<Span>) {
        let edits: Vec<Edit> = (self.heads.iter().enumerate())
            .filter_map(|(number, head)| {
                let own = clauses.iter().filter(|(at, _)| *at == number);
                let own: Vec<&str> = own.map(|(_, text)| text.as_str()).collect();
                (!own.is_empty()).then(|| head.edit(own))
            })
            .collect();
        edited(&self.source.text, edits)
    }

    /// A look for proofs of the program as it is.
    fn searched(&self, method: Method, left: usize) -> Result<Report, EntryError> {
        let mut settings = self.settings.clone();
        settings.verify.method = method;
        settings.reading = Reading {
            calls: CallPolicy::Contract,
            modular: false,
            ..settings.reading
        };
        let left = u32::try_from(left).unwrap_or(u32::MAX).max(1);
        let share = self.control.remaining().map(|time| time / left);
        let share = share.map_or(SEARCH, |share| share.min(SEARCH));
        let (text, _) = self.written(&self.assumed);
        let source = Source::new(self.source.name.clone(), text);
        self.check(&source, &settings, share)
    }

    /// Makes candidates of postconditions with which the program would be proved. Tells whether there are any.
    fn assume_contracts(&mut self) -> bool {
        let terms = Terms::new();
        let loaded = load(&terms, self.source, Language::Boogie, self.settings);
        let Ok(Content::Program(program)) = loaded.map(|loaded| loaded.content) else {
            return false;
        };
        let share = self.control.remaining().map_or(SEARCH, |left| left / 3);
        let control = self.control.within(Some(share.min(SEARCH)));
        let found = guarded(|| Ok(contracts(&program, self.settings, &control)));
        for (span, contract) in found.unwrap_or_default() {
            let is_there = |head: &Head| {
                head.is_contract()
                    && head.procedure.start <= span.start
                    && span.end <= head.procedure.end
            };
            let Some(number) = self.heads.iter().position(is_there) else {
                continue;
            };
            for formula in conjuncts(&contract.ensures) {
                if formula != "true"
                    && let Some(clause) = self.accepted((number, formula))
                {
                    self.assumed.push(clause.clone());
                    self.pool.insert(clause);
                }
            }
        }
        !self.assumed.is_empty()
    }

    /// A way to write a clause that the front end accepts.
    fn accepted(&self, (head, formula): Clause) -> Option<Clause> {
        let ways = self.words.ways(&formula).into_iter();
        let mut ways = ways.map(|way| (head, way));
        ways.find(|way| {
            self.pool.contains(way)
                || errors(&self.written(std::slice::from_ref(way)).0) <= self.known
        })
    }

    /// The program with clauses, in the modular reading.
    fn checked(&self, clauses: &[Clause], time: Duration) -> Result<Report, EntryError> {
        let mut settings = self.settings.clone();
        settings.reading.modular = true;
        settings.verify.after_deduction = Some(Duration::from_secs(1));
        let (text, _) = self.written(clauses);
        let source = Source::new(self.source.name.clone(), text);
        self.check(&source, &settings, time)
    }

    fn check(
        &self,
        source: &Source,
        settings: &Settings,
        time: Duration,
    ) -> Result<Report, EntryError> {
        let left = self.control.remaining().map_or(time, |left| left / 4);
        let control = self.control.within(Some(time.min(left)));
        verify(
            source,
            Language::Boogie,
            settings,
            &control,
            &Progress::default(),
        )
    }

    /// Takes in what proofs say at loops. Tells whether something of it is new.
    fn collect(&mut self, report: &Report) -> bool {
        // The same heads, where they are in the text that was searched.
        let searched = match self.assumed.is_empty() {
            true => self.heads.clone(),
            false => heads(&parse_boogie(&report.source.text).0, &report.source.text),
        };
        let before = self.pool.len();
        let mut found: Vec<Clause> = Vec::new();
        for (number, head) in self.heads.iter().enumerate() {
            let suggested = head.suggested.iter();
            found.extend(suggested.map(|clause| (number, clause.clone())));
        }
        for invariant in report.units.iter().flat_map(|unit| &unit.invariants) {
            // A loop whose head is no label, but a `goto` to several: all labels are candidates.
            let heads: Vec<usize> = match (head_of(&searched, invariant), invariant.span) {
                (Some(head), _) => vec![head],
                (None, Some(span)) if !invariant.is_trivial() => {
                    labels_beside(&searched, span).collect()
                }
                (None, _) => continue,
            };
            let clauses = conjuncts(&invariant.formula);
            let pairs = heads
                .iter()
                .flat_map(|&head| clauses.iter().map(move |clause| (head, clause.clone())));
            found.extend(pairs);
        }
        for clause in found {
            let accepted = self.accepted(clause);
            self.pool.extend(accepted);
        }
        self.pool.sort_by(|a, b| a.0.cmp(&b.0));
        self.pool.len() > before
    }

    /// The largest set of candidates that are inductive together, and whether the program is proved with them.
    fn inductive(&self) -> Result<(Vec<Clause>, bool), EntryError> {
        let mut kept: Vec<Clause> = self.pool.iter().cloned().collect();
        loop {
            let report = self.checked(&kept, CHECK)?;
            let (_, spans) = self.written(&kept);
            let proved: Vec<bool> = spans.iter().map(|&span| is_proved(&report, span)).collect();
            if proved.iter().all(|&proved| proved) {
                return Ok((kept, report.conclusion() == Conclusion::Safe));
            }
            let mut proved = proved.into_iter();
            kept.retain(|_| proved.next().unwrap_or(false));
        }
    }

    /// Fewer clauses that do as well.
    fn smallest(&self, mut kept: Vec<Clause>) -> Result<Vec<Clause>, EntryError> {
        if kept.len() > MOST {
            return Ok(kept);
        }
        for number in (0..kept.len()).rev() {
            if self.control.check().is_err() {
                break;
            }
            let mut fewer = kept.clone();
            fewer.remove(number);
            if self.checked(&fewer, SMALLER)?.conclusion() == Conclusion::Safe {
                kept = fewer;
            }
        }
        Ok(kept)
    }

    fn result(&self, kept: &[Clause], line: Option<u32>, outcome: Outcome) -> Inferred {
        let line_of = |head: &Head| self.source.place(head.start).line;
        let chosen = line.map(|line| {
            let lines = self.heads.iter().map(line_of).enumerate();
            let loops = lines.filter(|(number, _)| !self.heads[*number].is_contract());
            loops.rev().find(|(_, start)| *start <= line)
        });
        let wanted: Vec<Clause> = kept
            .iter()
            .filter(|(head, _)| chosen.is_none_or(|chosen| chosen.map(|c| c.0) == Some(*head)))
            .cloned()
            .collect();
        let added = wanted.iter().filter_map(|(head, formula)| {
            let head = self.heads.get(*head)?;
            Some(Added {
                line: line_of(head),
                clause: head.clause(formula),
            })
        });
        Inferred {
            text: self.written(&wanted).0,
            added: added.collect(),
            outcome,
        }
    }
}

/// The head that an invariant belongs to. It says something there.
pub fn head_of(heads: &[Head], invariant: &InvariantReport) -> Option<usize> {
    let span = invariant.span.filter(|_| !invariant.is_trivial())?;
    heads.iter().position(|head| head.start == span.start)
}

/// The labels of the procedure in which a place is, if these are few.
fn labels_beside(heads: &[Head], place: Span) -> impl Iterator<Item = usize> {
    let is_beside = |head: &Head| {
        head.is_label() && head.procedure.start <= place.start && place.end <= head.procedure.end
    };
    let labels: Vec<usize> = (heads.iter().enumerate())
        .filter(|(_, head)| is_beside(head))
        .map(|(number, _)| number)
        .collect();
    let few = labels.len() <= MOST;
    labels.into_iter().filter(move |_| few)
}

/// How many mistakes the front end finds in a text. A formula may speak of what has no name where it would stand.
pub fn errors(text: &str) -> usize {
    let (_, messages) = ult_lang::analyze_boogie(text);
    messages.iter().filter(|message| message.is_error()).count()
}

/// Whether all that a clause obliges to is proved.
fn is_proved(report: &Report, clause: Span) -> bool {
    let is_about = |span: Span| clause.start <= span.start && span.end <= clause.end;
    let units = report.units.iter();
    let own = units
        .flat_map(|unit| &unit.obligations)
        .filter(|obligation| is_about(obligation.span) || obligation.clause.is_some_and(is_about));
    let mut any = false;
    own.fold(true, |all, obligation| {
        any = true;
        all && matches!(obligation.verdict, Verdict::Safe(_))
    }) && any
}
