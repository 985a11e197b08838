//! Program graphs that are written in their own language inside of Rust: what the macro `ult::graph!` makes.

use ult_core::control::Control;
use ult_core::formula::Terms;
use ult_core::reason::Reason;
use ult_driver::{Language, Progress, Report, Settings, Source, check};
use ult_lower::{LoweredUnit, graph::lower_graphs};

/// Program graphs as a text without mistakes. The macro `ult::graph!` (feature `macros`) makes them, and sees to it that a
/// program with mistakes in them does not compile.
#[derive(Clone, Debug)]
pub struct Graphs {
    source: Source,
}

impl Graphs {
    /// For the macro, which has read the text with the same front end.
    #[doc(hidden)]
    pub fn of_checked_text(file: &str, text: &str) -> Graphs {
        Graphs {
            source: Source::new(file, text),
        }
    }

    /// The text; its name is that of the Rust file, and its places are those there.
    pub fn source(&self) -> &Source {
        &self.source
    }

    /// Whether runs get to error locations: what [`check`] says about the text.
    pub fn check(&self, settings: &Settings, control: &Control) -> Report {
        let progress = Progress::default();
        check(&self.source, Language::Graph, settings, control, &progress).unwrap_or_else(|error| {
            let mut report = Report::new(self.source.clone(), Language::Graph);
            report.stopped = Some(Reason::Unsupported(error.to_string(), None));
            report
        })
    }

    /// The graphs themselves, with what is asked about them.
    pub fn graphs(&self, terms: &Terms) -> Vec<LoweredUnit> {
        lower_graphs(terms, &ult_lang::analyze_graph(&self.source.text).0)
    }
}
