//! Certificates: invariants, and a proof of each question about them that a small program checks.
//!
//! A certificate is made by verifying a program once more, with nothing but the evidence that was found, and with a prover that writes down
//! its proofs. It is checked in the same way, with the proofs that it holds. So the questions are made by the same code both times, from the
//! program, and what is not in the certificate is open. No solver is asked when a certificate is checked.
//!
//! ```text
//! # ult certificate 1
//! evidence 5f3a...    (the digest of a program graph)
//!  sort int           (as in the proof cache, each line after a space)
//! end
//! question            (src/proof/FORMAT.md says what these two are)
//! ...
//! proof
//! ...
//! end
//! ```

use std::borrow::Cow;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use ult_check::{Proofs, Question};
use ult_core::control::Control;
use ult_core::formula::lines::Lines;
use ult_engine::verify::Method;
use ult_explain::Source;
use ult_interpolate::proof_based::refutation;
use ult_lower::plan::EntryError;
use ult_proof_cache::{Key, Store};
use ult_smt::Session;

use super::check::check;
use super::language::Language;
use super::progress::Progress;
use super::result::{Certified, Report};
use super::settings::Settings;

/// The first line of a certificate.
const FIRST: &str = "# ult certificate 1";

/// The evidence for one program is no longer than this.
const MOST_BYTES: u64 = 1 << 30;

/// A place for the evidence that a certificate is made of: what [`Settings::kept`] is to be while the program is verified.
pub fn store() -> Store {
    Store::in_memory(MOST_BYTES)
}

/// Adds a certificate to a report on what was verified with these settings, whose store holds the evidence.
///
/// # Errors
/// If the settings name an entry that the program does not have.
pub fn add_certificate(
    report: &mut Report,
    settings: &Settings,
    control: &Control,
) -> Result<(), EntryError> {
    if report.is_rejected() {
        return Ok(());
    }
    let (source, language) = (&report.source, report.language);
    let finder = Arc::new(Finder::default());
    let settings = by_proofs(settings, settings.kept.clone(), finder.clone());
    // What cannot be proved without a solver is dropped from the store.
    let kept: Vec<_> = settings.kept.iter().flat_map(Store::entries).collect();
    check(source, language, &settings, control, &Progress::default())?;
    let mut text = format!("{FIRST}\n");
    for (key, evidence) in kept {
        text += &format!("evidence {key}\n");
        for line in evidence.lines() {
            text += &format!(" {line}\n");
        }
        text += "end\n";
    }
    let found = locked(&finder.0);
    text += &found.text;
    report.certified = Some(found.answers.count());
    report.certificate = Some(Ok(text));
    Ok(())
}

/// Verifies a program by a certificate alone.
///
/// # Errors
/// In words, if the text is no certificate, or if the settings name an entry that the program does not have.
pub fn certified(
    certificate: &str,
    source: &Source,
    language: Language,
    settings: &Settings,
    control: &Control,
    progress: &Progress,
) -> Result<Report, String> {
    let certificate = Arc::new(Certificate::new(certificate)?);
    let kept = Some(certificate.kept.clone());
    let settings = by_proofs(settings, kept, certificate.clone());
    let report = check(source, language, &settings, control, progress);
    let mut report = report.map_err(|error| error.to_string())?;
    report.certified = Some(locked(&certificate.answers).count());
    Ok(report)
}

/// The settings with which evidence is checked by proofs, and nothing is looked for.
fn by_proofs(settings: &Settings, kept: Option<Store>, proofs: Arc<dyn Proofs>) -> Settings {
    let mut settings = settings.clone();
    settings.kept = kept;
    settings.certificate = false;
    settings.minimize = false;
    settings.observer = None;
    settings.tells_induction = false;
    settings.verify.method = Method::Kept;
    settings.verify.common.record = false;
    settings.verify.check.second_solver = None;
    settings.verify.check.no_warnings = true;
    settings.verify.check.proofs = Some(proofs);
    settings
}

/// What became of the questions: whether each was proved.
#[derive(Default)]
struct Answers(HashMap<String, bool>);

impl Answers {
    /// Adds an answer. Tells whether the question is proved for the first time.
    fn add(&mut self, question: &str, is_proved: bool) -> bool {
        let known = self.0.entry(question.into()).or_default();
        let is_new = is_proved && !*known;
        *known |= is_proved;
        is_new
    }

    fn count(&self) -> Certified {
        Certified {
            proved: self.0.values().filter(|proved| **proved).count(),
            asked: self.0.len(),
        }
    }
}

/// Who looks for proofs, and keeps them.
#[derive(Default)]
struct Finder(Mutex<Found>);

#[derive(Default)]
struct Found {
    answers: Answers,
    /// The questions with their proofs, in the order in which they were asked.
    text: String,
}

impl Proofs for Finder {
    fn proof(&self, question: &Question<'_>, lines: &Lines<'_>) -> Option<Cow<'_, str>> {
        // In a copy, so that later questions have the same terms as where nothing is looked for.
        let terms = question.terms.clone();
        let session = Session::new(&terms, &[], question.control);
        let mut lines = lines.of_copy(&terms);
        refutation(&session, &mut lines, question.assertions, question.limit).map(Cow::Owned)
    }

    fn judged(&self, question: &str, proof: Option<&str>) {
        let mut found = locked(&self.0);
        let is_new = found.answers.add(question, proof.is_some());
        if let Some(proof) = proof.filter(|_| is_new) {
            found.text += &format!("question\n{question}proof\n{proof}end\n");
        }
    }
}

fn locked<T>(known: &Mutex<T>) -> MutexGuard<'_, T> {
    known.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The lines before this one, which is passed over.
fn up_to<'t>(lines: &mut impl Iterator<Item = &'t str>, last: &str) -> Result<String, String> {
    let mut part = String::new();
    for line in lines {
        if line == last {
            return Ok(part);
        }
        part += line;
        part.push('\n');
    }
    Err("the certificate is cut off".into())
}

/// What a certificate says.
struct Certificate {
    kept: Store,
    /// Proofs by their questions.
    proofs: HashMap<String, String>,
    answers: Mutex<Answers>,
}

impl Certificate {
    fn new(text: &str) -> Result<Certificate, String> {
        let mut lines = text.lines();
        if lines.next() != Some(FIRST) {
            return Err(format!("no certificate: the first line is not `{FIRST}`"));
        }
        let (kept, mut proofs) = (store(), HashMap::new());
        while let Some(first) = lines.next() {
            if let Some(key) = first.strip_prefix("evidence ") {
                let key: Key = key.parse().map_err(|()| format!("no digest: {key}"))?;
                // Each line is indented.
                let indented = format!("\n{}", up_to(&mut lines, "end")?);
                let evidence = indented.replace("\n ", "\n");
                kept.save(&key, evidence.strip_prefix('\n').unwrap_or(&evidence));
            } else if first == "question" {
                let question = up_to(&mut lines, "proof")?;
                proofs.insert(question, up_to(&mut lines, "end")?);
            } else {
                return Err(format!("no line of a certificate: {first}"));
            }
        }
        Ok(Certificate {
            kept,
            proofs,
            answers: Mutex::default(),
        })
    }
}

impl Proofs for Certificate {
    fn proof(&self, question: &Question<'_>, _: &Lines<'_>) -> Option<Cow<'_, str>> {
        let proof = self.proofs.get(question.text)?;
        Some(Cow::Borrowed(proof))
    }

    fn judged(&self, question: &str, proof: Option<&str>) {
        locked(&self.answers).add(question, proof.is_some());
    }
}
