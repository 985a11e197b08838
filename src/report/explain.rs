//! The pages of `ult explain`: on messages, and on reasons for UNKNOWN.

use ult_lang::diagnostic::TABLE;

/// Something that has a page.
#[derive(Clone, Copy, Debug)]
pub struct Topic {
    /// `E0101`, `timeout`.
    pub id: &'static str,
    /// One line.
    pub title: &'static str,
    /// The page, in Markdown.
    pub page: &'static str,
}

macro_rules! topics {
    ($($id:literal, $title:literal;)*) => {
        &[$(Topic { id: $id, title: $title, page: include_str!(concat!("pages/", $id, ".md")) },)*]
    };
}

/// Reasons for UNKNOWN.
const REASONS: &[Topic] = topics! {
    "timeout", "the time limit was reached";
    "memory", "the memory limit was reached";
    "cancelled", "the run was interrupted";
    "unsupported", "something that the verifier cannot decide";
    "solver-unknown", "the solver gave up on a question";
    "solver-failed", "the solver died, or gave no answer";
    "interpolation-failed", "no strategy found interpolants";
    "incomplete", "an engine with one kind of answer had none";
    "proof-rejected", "the checker could not confirm the proof";
    "run-rejected", "the checker could not confirm the trace";
    "translation", "the compiled program contradicts the counterexample";
    "not-confirmed", "the compiled program did not confirm the counterexample";
    "not-proved", "it does not follow from what the program says";
    "contract-too-weak", "a violation by way of a contract";
    "contract-unproved", "a proof by way of a contract that is not proved";
    "internal", "a bug in ult";
};

/// Everything that has a page: messages by id, then reasons.
pub fn topics() -> Vec<Topic> {
    let mut all: Vec<Topic> = TABLE
        .iter()
        .map(|info| Topic {
            id: info.id.as_str(),
            title: info.title,
            page: info.page,
        })
        .collect();
    all.extend(REASONS);
    all
}

/// The topic with this id; letter case does not matter, and `UNKNOWN(timeout)` is fine too.
pub fn find(id: &str) -> Option<Topic> {
    let id = id
        .strip_prefix("UNKNOWN(")
        .and_then(|rest| rest.strip_suffix(')'))
        .unwrap_or(id);
    topics()
        .into_iter()
        .find(|topic| topic.id.eq_ignore_ascii_case(id))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use ult_core::reason::Reason;

    #[test]
    fn ids_are_unique_and_pages_are_there() {
        let topics = topics();
        let ids: BTreeSet<&str> = topics.iter().map(|topic| topic.id).collect();
        assert_eq!(ids.len(), topics.len());
        for topic in topics {
            assert!(topic.page.trim().len() > 20, "{}", topic.id);
        }
    }

    /// The match makes a new reason an error here until it has a page.
    #[test]
    fn every_reason_has_a_page() {
        let text = || String::from("x");
        let all = [
            Reason::Timeout,
            Reason::Memory,
            Reason::Cancelled,
            Reason::Unsupported(text(), None),
            Reason::SolverUnknown(text()),
            Reason::SolverFailed(text()),
            Reason::Interpolation(text()),
            Reason::Incomplete(text()),
            Reason::ProofRejected(text()),
            Reason::RunRejected(text()),
            Reason::Translation(text()),
            Reason::NotConfirmed(text()),
            Reason::NotProved(text()),
            Reason::ContractTooWeak(text()),
            Reason::ContractUnproved(text()),
            Reason::Internal(text()),
        ];
        for reason in &all {
            match reason {
                Reason::Timeout
                | Reason::Memory
                | Reason::Cancelled
                | Reason::Unsupported(..)
                | Reason::SolverUnknown(_)
                | Reason::SolverFailed(_)
                | Reason::Interpolation(_)
                | Reason::Incomplete(_)
                | Reason::ProofRejected(_)
                | Reason::RunRejected(_)
                | Reason::Translation(_)
                | Reason::NotConfirmed(_)
                | Reason::NotProved(_)
                | Reason::ContractTooWeak(_)
                | Reason::ContractUnproved(_)
                | Reason::Internal(_) => {}
            }
            assert!(find(reason.code()).is_some(), "{}", reason.code());
        }
        assert_eq!(REASONS.len(), all.len());
        assert!(find("UNKNOWN(Timeout)").is_some());
        assert!(find("no-such-thing").is_none());
    }
}
