//! Whether a submission is the program that was handed out, up to what students may change.
//!
//! Tokens are compared, declaration by declaration, without the parts that are open. What must neither come nor go (assumptions,
//! assertions, contracts) is looked at first, also inside of what is open, so that the reason can be named.

use std::collections::BTreeSet;
use std::ops::Range;

use super::change::Change;
use super::fault::{Fault, Objection};
use super::shape::{Declaration, Kind, Part, Shape, short};
use super::{boogie, c, clauses};
use ult_driver::Language;

/// The shape of a text, which may have errors.
pub(super) fn shape(text: &str, language: Language) -> Shape {
    match language {
        Language::Graph => boogie::graph(text),
        Language::Horn => clauses::shape(text),
        Language::C => c::shape(text),
        _ => boogie::program(text),
    }
}

/// What is changed that has to stay. The first is the one to tell.
pub(super) fn objections(given: &Shape, made: &Shape, changes: &[Change]) -> Vec<Objection> {
    let comparison = Comparison {
        given,
        made,
        changes,
    };
    let mut found = Vec::new();
    comparison.added(&mut found);
    comparison.declared(&mut found);
    for declaration in &made.declarations {
        comparison.inside(declaration, &mut found);
    }
    found
}

/// Lines for the preprocessor that are not the given ones. They are looked at before the preprocessor reads any.
pub(super) fn directives(given: &Shape, made: &Shape) -> Vec<Objection> {
    let comparison = Comparison {
        given,
        made,
        changes: &[],
    };
    let mut found = Vec::new();
    comparison.guarded(Kind::Directive, Fault::DirectiveAdded, &mut found);
    if given.all(Kind::Directive).count() > made.all(Kind::Directive).count() && found.is_empty() {
        found.push(Objection::new(
            Fault::ProgramChanged,
            None,
            "a line for the preprocessor is missing",
        ));
    }
    found
}

struct Comparison<'a> {
    given: &'a Shape,
    made: &'a Shape,
    changes: &'a [Change],
}

impl Comparison<'_> {
    fn is_open(&self, part: &Part) -> bool {
        self.changes.iter().any(|change| change.opens(part))
    }

    fn opens(&self, kind: Kind, owner: &str) -> bool {
        let mut changes = self.changes.iter();
        changes.any(|change| change.kind == kind && change.is_about(owner))
    }

    /// What must not be added anywhere, also not inside of what is open.
    fn added(&self, found: &mut Vec<Objection>) {
        self.guarded(Kind::Assumption, Fault::AssumptionAdded, found);
        self.guarded(Kind::Axiom, Fault::AxiomAdded, found);
        self.guarded(Kind::Attribute, Fault::AttributeAdded, found);
        self.late(found);
        self.recursive(found);
        self.forbidden(found);
        self.shadowing(found);
    }

    fn guarded(&self, kind: Kind, fault: Fault, found: &mut Vec<Objection>) {
        let mut left: Vec<(&str, String)> = (self.given.all(kind))
            .map(|part| (part.owner.as_str(), self.given.words(&part.range)))
            .collect();
        // Of comments and lines for the preprocessor every blank counts.
        if kind == Kind::Directive {
            let text = |part: &Part| self.given.text[part.range.clone()].trim_end().to_owned();
            left = self.given.all(kind).map(|part| ("", text(part))).collect();
        }
        for part in self.made.all(kind) {
            if self.is_open(part) {
                continue;
            }
            let words = match kind {
                Kind::Directive => self.made.text[part.range.clone()].trim_end().to_owned(),
                _ => self.made.words(&part.range),
            };
            let known = left
                .iter()
                .position(|(owner, text)| *owner == part.owner && *text == words);
            match known {
                Some(known) => {
                    left.remove(known);
                }
                None => {
                    let what = match kind {
                        Kind::Axiom => "this axiom is not part of the exercise",
                        Kind::Attribute => "this attribute is not part of the exercise",
                        Kind::Directive => {
                            "this line for the preprocessor is not part of the exercise"
                        }
                        _ => "this is assumed without proof, and is not part of the exercise",
                    };
                    let line = Some(self.made.line(part.range.start));
                    found.push(Objection::new(
                        fault,
                        line,
                        format!("{what}: `{}`", self.made.excerpt(&part.range)),
                    ));
                }
            }
        }
    }

    /// Assumptions are open at the beginning of a procedure: behind a statement they would assume what is to be proved.
    fn late(&self, found: &mut Vec<Objection>) {
        let body = |part: &Part| self.made.parts_of(Kind::Body, &part.owner).next();
        for part in self.made.all(Kind::Assumption) {
            let words = self.made.words(&part.range);
            let mut given = self.given.parts_of(Kind::Assumption, &part.owner);
            let was_there = given.any(|own| self.given.words(&own.range) == words);
            let Some(body) = body(part).filter(|_| self.is_open(part) && !was_there) else {
                continue;
            };
            let kinds = [
                Kind::Statement,
                Kind::Assignment,
                Kind::Assertion,
                Kind::Return,
            ];
            let is_late = kinds.iter().any(|kind| {
                let mut before = self.made.parts_of(*kind, &part.owner);
                before.any(|b| body.range.start < b.range.start && b.range.start < part.range.start)
            });
            if is_late {
                let words = format!(
                    "only the beginning of `{}` is open for assumptions: `{}`",
                    part.owner,
                    self.made.excerpt(&part.range)
                );
                let line = Some(self.made.line(part.range.start));
                found.push(Objection::new(Fault::AssumptionAdded, line, words));
            }
        }
    }

    /// Definitions that depend on themselves and are not the given ones. `f(x) == !f(x)` has no model, so it would prove everything.
    fn recursive(&self, found: &mut Vec<Objection>) {
        let uses = |part: &Part| -> BTreeSet<&str> {
            let tokens = self.made.tokens_in(&part.range);
            // `\f` is another way to write `f`.
            let name =
                |token: &Range<usize>| self.made.text[token.clone()].trim_start_matches('\\');
            tokens.map(name).collect()
        };
        let definitions: Vec<(&Part, BTreeSet<&str>)> = (self.made.all(Kind::Definition))
            .map(|part| (part, uses(part)))
            .collect();
        for (part, direct) in &definitions {
            let given = self.given.parts_of(Kind::Definition, &part.owner).next();
            let words = given.map(|given| self.given.words(&given.range));
            if words.is_some_and(|words| words == self.made.words(&part.range)) {
                continue;
            }
            let mut reached = direct.clone();
            loop {
                let further: BTreeSet<&str> = (definitions.iter())
                    .filter(|(other, _)| reached.contains(other.owner.as_str()))
                    .flat_map(|(_, uses)| uses.iter().copied())
                    .collect();
                let before = reached.len();
                reached.extend(further);
                if reached.len() == before {
                    break;
                }
            }
            if reached.contains(part.owner.as_str()) {
                let words = format!("`{}` is defined by itself", part.owner);
                let line = Some(self.made.line(part.range.start));
                found.push(Objection::new(Fault::Recursive, line, words));
            }
        }
    }

    /// In C, names that end the program or are known to the verifier.
    fn forbidden(&self, found: &mut Vec<Objection>) {
        if !self.given.is_c {
            return;
        }
        let given: BTreeSet<&str> = texts(self.given).map(|(text, _)| text).collect();
        for (text, at) in texts(self.made) {
            if c::is_forbidden(text) && !given.contains(text) {
                let words = format!("`{text}` must not be used in this exercise");
                found.push(Objection::new(
                    Fault::ForbiddenName,
                    Some(self.made.line(at)),
                    words,
                ));
            }
        }
    }

    /// Local variables that hide what the exercise speaks of.
    fn shadowing(&self, found: &mut Vec<Objection>) {
        let is_global = |name: &str| {
            self.given.declarations.iter().any(|declaration| {
                let kind = declaration.key.split(' ').next().unwrap_or_default();
                matches!(kind, "variable" | "constant")
                    && declaration.name.split(", ").any(|own| own == name)
            })
        };
        let globals: BTreeSet<usize> = self
            .made
            .declarations
            .iter()
            .map(|d| d.range.start)
            .collect();
        for part in self.made.all(Kind::Local) {
            if globals.contains(&part.range.start) {
                continue;
            }
            let was_there = |name: &str| {
                let mut own = self.given.parts_of(Kind::Local, &part.owner);
                own.any(|given| given.names.iter().any(|given| given == name))
            };
            for name in part
                .names
                .iter()
                .filter(|name| is_global(name) && !was_there(name))
            {
                let words = format!("the local variable `{name}` hides the global one");
                let line = Some(self.made.line(part.range.start));
                found.push(Objection::new(Fault::Hidden, line, words));
            }
        }
    }

    /// Declarations that came or went.
    fn declared(&self, found: &mut Vec<Objection>) {
        let keys = |shape: &Shape| -> Vec<String> {
            shape.declarations.iter().map(|d| d.key.clone()).collect()
        };
        let (mut left, given) = (keys(self.given), keys(self.given));
        for declaration in &self.made.declarations {
            if let Some(at) = left.iter().position(|key| *key == declaration.key) {
                left.remove(at);
                continue;
            }
            if declaration.key == "axiom" {
                // That is told already.
                continue;
            }
            let line = Some(self.made.line(declaration.range.start));
            let what = match given.contains(&declaration.key) {
                true => "is declared twice",
                false => "is not part of the exercise",
            };
            let words = format!("{} {what}", short(&declaration.key));
            found.push(Objection::new(Fault::DeclarationAdded, line, words));
        }
        for key in left {
            let words = format!("{} is missing", short(&key));
            // What is missing matters more than what came instead.
            found.insert(0, Objection::new(Fault::DeclarationDropped, None, words));
        }
    }

    /// What is changed inside of a declaration.
    fn inside(&self, made: &Declaration, found: &mut Vec<Objection>) {
        let given = self.given.declarations.iter().find(|d| d.key == made.key);
        let Some(given) = given else { return };
        let line = self.made.line(made.range.start);
        let owner = made.name.as_str();
        if owner.is_empty() {
            // Those are compared as a whole, by their key.
            if self.given.words(&given.range) != self.made.words(&made.range) && made.key != "axiom"
            {
                found.push(Objection::new(
                    Fault::ProgramChanged,
                    Some(line),
                    format!("{} was changed", short(&made.key)),
                ));
            }
            return;
        }
        let before = found.len();
        self.bodies(owner, line, found);
        let extra = self.assertions(owner, line, found);
        for kind in [Kind::Requires, Kind::Ensures, Kind::Modifies] {
            self.contract(kind, owner, line, found);
        }
        if found.len() > before {
            return;
        }
        let kept_before = self.erased(self.given, owner, &[], &BTreeSet::new());
        let ghosts = self.ghosts(owner);
        let kept_after = self.erased(self.made, owner, &extra, &ghosts);
        self.tokens(given, made, &kept_before, &kept_after, found);
    }

    /// Every assertion has to stay, in this order. Others may be added, since they are proved: their places.
    fn assertions(&self, owner: &str, line: u32, found: &mut Vec<Objection>) -> Vec<Range<usize>> {
        let mut wanted = self.given.parts_of(Kind::Assertion, owner).peekable();
        let mut extra = Vec::new();
        for part in self.made.parts_of(Kind::Assertion, owner) {
            let is_next = wanted
                .peek()
                .is_some_and(|next| self.given.words(&next.range) == self.made.words(&part.range));
            match is_next {
                true => {
                    wanted.next();
                }
                false => extra.push(part.range.clone()),
            }
        }
        if let Some(missing) = wanted.next() {
            let text = self.given.excerpt(&missing.range);
            let words = format!("an assertion is missing or was changed: `{text}`");
            let place = extra
                .first()
                .map_or(line, |range| self.made.line(range.start));
            found.push(Objection::new(Fault::AssertionDropped, Some(place), words));
        }
        extra
    }

    /// Clauses of a contract that have to stay.
    fn contract(&self, kind: Kind, owner: &str, line: u32, found: &mut Vec<Objection>) {
        if self.opens(kind, owner) {
            return;
        }
        let given: Vec<&Part> = self.given.parts_of(kind, owner).collect();
        let made: Vec<&Part> = self.made.parts_of(kind, owner).collect();
        for (at, part) in made.iter().enumerate() {
            let words = self.made.words(&part.range);
            if given.get(at).map(|given| self.given.words(&given.range)) != Some(words) {
                let text = self.made.excerpt(&part.range);
                let told = format!("the contract of `{owner}` was changed: `{text}`");
                let line = Some(self.made.line(part.range.start));
                found.push(Objection::new(Fault::ContractChanged, line, told));
                return;
            }
        }
        if let Some(missing) = given.get(made.len()) {
            let text = self.given.excerpt(&missing.range);
            let told = format!("the contract of `{owner}` lacks `{text}`");
            found.push(Objection::new(Fault::ContractChanged, Some(line), told));
        }
    }

    fn bodies(&self, owner: &str, line: u32, found: &mut Vec<Objection>) {
        for kind in [Kind::Body, Kind::Definition] {
            let given = self.given.parts_of(kind, owner).next();
            if given.is_some() && self.made.parts_of(kind, owner).next().is_none() {
                let words = format!("`{owner}` has no body any more");
                found.push(Objection::new(Fault::BodyDeleted, Some(line), words));
            }
        }
        let work = |shape: &Shape| {
            let kinds = [Kind::Statement, Kind::Assignment, Kind::Return];
            kinds
                .iter()
                .any(|kind| shape.parts_of(*kind, owner).next().is_some())
        };
        let has_body = self.made.parts_of(Kind::Body, owner).next().is_some();
        if self.opens(Kind::Body, owner) && has_body && work(self.given) && !work(self.made) {
            let words = format!("the body of `{owner}` does nothing any more");
            found.push(Objection::new(Fault::BodyEmptied, Some(line), words));
        }
    }

    /// Names of ghost variables: those that were added, and that the exercise does not use for anything.
    fn ghosts(&self, owner: &str) -> BTreeSet<String> {
        if !self.opens(Kind::Ghost, owner) {
            return BTreeSet::new();
        }
        let used: BTreeSet<&str> = texts(self.given).map(|(text, _)| text).collect();
        let locals = self.made.parts_of(Kind::Local, owner);
        let names = locals.flat_map(|part| part.names.iter());
        names
            .filter(|name| !used.contains(name.as_str()))
            .cloned()
            .collect()
    }

    /// The places that are not compared, in a declaration.
    fn erased(
        &self,
        shape: &Shape,
        owner: &str,
        extra: &[Range<usize>],
        ghosts: &BTreeSet<String>,
    ) -> Vec<Range<usize>> {
        let is_ghost = |part: &Part| {
            matches!(part.kind, Kind::Local | Kind::Assignment)
                && !part.names.is_empty()
                && part.names.iter().all(|name| ghosts.contains(name))
        };
        let mut erased: Vec<Range<usize>> = (shape.parts.iter())
            .filter(|part| part.owner == owner && (self.is_open(part) || is_ghost(part)))
            .map(|part| part.range.clone())
            .collect();
        erased.extend_from_slice(extra);
        erased
    }

    /// The first difference of the tokens that have to stay.
    fn tokens(
        &self,
        given: &Declaration,
        made: &Declaration,
        erased_given: &[Range<usize>],
        erased_made: &[Range<usize>],
        found: &mut Vec<Objection>,
    ) {
        let kept =
            |shape: &Shape, range: &Range<usize>, erased: &[Range<usize>]| -> Vec<Range<usize>> {
                let inside = |token: &&Range<usize>| {
                    !erased
                        .iter()
                        .any(|e| e.start <= token.start && token.end <= e.end)
                };
                shape.tokens_in(range).filter(inside).cloned().collect()
            };
        let before = kept(self.given, &given.range, erased_given);
        let after = kept(self.made, &made.range, erased_made);
        let text = |shape: &Shape, token: Option<&Range<usize>>| {
            token.map(|token| shape.text[token.clone()].to_owned())
        };
        let length = before.len().max(after.len());
        let differs = (0..length)
            .find(|&at| text(self.given, before.get(at)) != text(self.made, after.get(at)));
        let Some(at) = differs else { return };
        let place = after
            .get(at)
            .or(after.last())
            .map_or(made.range.start, |token| token.start);
        let line = Some(self.made.line(place));
        let is_head = before
            .get(at)
            .is_some_and(|token| token.end <= given.head.end);
        let wanted = match text(self.given, before.get(at)) {
            Some(wanted) => format!("`{wanted}` stood here"),
            None => "nothing stood here".to_owned(),
        };
        let (fault, what) = match is_head {
            true => (Fault::SignatureChanged, "the head of"),
            false => (Fault::ProgramChanged, "a part that has to stay of"),
        };
        let words = format!("{what} {} was changed: {wanted}", short(&made.key));
        found.push(Objection::new(fault, line, words));
    }
}

fn texts(shape: &Shape) -> impl Iterator<Item = (&str, usize)> {
    let tokens = shape.tokens.iter();
    tokens.map(|token| (&shape.text[token.clone()], token.start))
}
