//! The one load stage: from a text in any language to what is verified, with the messages about it.
//!
//! Whoever needs to know what a text says comes this way (checks, graphs, exports, runs, editors), so that all of them
//! ask about the same program.

use std::borrow::Cow;
#[cfg(feature = "c")]
use std::sync::Arc;

use ult_core::formula::Terms;
use ult_core::reason::Reason;
use ult_lang::diagnostic::Diagnostic;
use ult_lang::hir;
use ult_lower::graph::lower_graphs;
use ult_lower::{EntryError, LoweredUnit, Lowering, Options as Reading};

use super::language::Language;
use super::result::{Basis, Report};
use super::settings::Settings;
use ult_explain::Source;

/// What a text says.
#[derive(Debug)]
pub enum Content {
    /// A program in Boogie, or in C and translated to Boogie. Its places are those of the text.
    Program(hir::Program),
    /// Program graphs, as they were written.
    Graphs(hir::GraphProgram),
    /// The program graph of Horn clauses or of a circuit, its terms in the store that [`load`] was given.
    Unit(Box<LoweredUnit>),
}

/// A text that was read.
#[derive(Debug)]
pub struct Loaded {
    /// The text that places are in: for C with what it needs of the library.
    pub source: Source,
    /// The language that it is in.
    pub language: Language,
    /// What it says. Without meaning if [`Loaded::is_rejected`].
    pub content: Content,
    /// Errors and warnings.
    pub diagnostics: Vec<Diagnostic>,
    /// What a verdict rests on besides the program.
    pub basis: Basis,
    /// How the program is to be lowered: what the settings say, and what only the text can tell (where libraries begin,
    /// whether the entries are called by somebody whom the translator made up).
    pub reading: Reading,
    /// Whether the translation does not cover something in the program.
    pub has_gaps: bool,
    /// Whether it is claimed of a C program somewhere that an access does not leave its array.
    pub has_claims: bool,
    /// For a circuit: how its graph hangs together with it.
    #[cfg(feature = "circuits")]
    pub interface: Option<ult_circuits::Interface>,
}

/// Reads a text. Terms, if there are any yet, are made in the store.
///
/// # Errors
/// [`Reason::Internal`] for a bug of a translator; [`Reason::Unsupported`] for a language that this build does not read.
pub fn load(
    terms: &Terms,
    source: &Source,
    language: Language,
    settings: &Settings,
) -> Result<Loaded, Reason> {
    let mut loaded = match language {
        Language::Boogie => {
            let (program, diagnostics) = ult_lang::analyze_boogie(&chosen(source));
            Loaded::plain(source, language, Content::Program(program), diagnostics)
        }
        Language::Graph => {
            let (program, diagnostics) = ult_lang::analyze_graph(&source.text);
            Loaded::plain(source, language, Content::Graphs(program), diagnostics)
        }
        Language::Horn => horn(terms, source)?,
        Language::C => c(source, settings)?,
        Language::Aiger | Language::Btor2 | Language::DimSpec => circuit(terms, source, language)?,
        Language::SvLib => svlib(source)?,
    };
    let entries = std::mem::take(&mut loaded.reading.entries);
    loaded.reading = Reading {
        library_from: loaded.source.library_from,
        ..settings.reading.clone()
    };
    if language == Language::SvLib {
        // What is verified is what the text asks for, and annotations are what it makes of them.
        loaded.reading.entries = entries;
        loaded.reading.selection = None;
        loaded.reading.modular = false;
    }
    if language == Language::C {
        // They were for the translator: functions that somebody outside calls.
        loaded.reading.entries.clear();
    }
    Ok(loaded)
}

/// The text of a Boogie program as the first file of a program, where its preprocessor has a say.
pub(super) fn chosen(source: &Source) -> Cow<'_, str> {
    ult_lang::conditional::chosen(&source.text, &|name| name == "FILE_0")
}

#[cfg(feature = "horn")]
fn horn(terms: &Terms, source: &Source) -> Result<Loaded, Reason> {
    let (unit, diagnostics) = ult_chc::lower(terms, &source.text);
    let content = Content::Unit(Box::new(unit));
    Ok(Loaded::plain(source, Language::Horn, content, diagnostics))
}

#[cfg(not(feature = "horn"))]
fn horn(_: &Terms, _: &Source) -> Result<Loaded, Reason> {
    Err(not_built(Language::Horn, "horn"))
}

#[cfg(feature = "c")]
fn c(source: &Source, settings: &Settings) -> Result<Loaded, Reason> {
    let mut source = match ult_c::library::completed(&source.text) {
        std::borrow::Cow::Owned(text) => Source::completed_c(source.name.clone(), &text),
        std::borrow::Cow::Borrowed(_) => source.clone(),
    };
    let mut options = settings.c.clone();
    options
        .entries
        .extend(settings.reading.entries.iter().cloned());
    let translated = ult_c::translate_completed(&source.text, &options);
    if let Ok(translation) = &translated {
        source.elements = Arc::new(translation.elements.clone());
    }
    let has_claims = translated.as_ref().is_ok_and(|told| told.has_claims);
    let has_gaps = translated.as_ref().is_ok_and(|told| told.has_gaps);
    let (program, diagnostics, basis) = match translated {
        Ok(translation) => (
            translation.program,
            translation.diagnostics,
            Basis {
                assumptions: translation.assumptions,
                inferred: Vec::new(),
                unknown_functions: translation.unknown_functions,
                checked: None,
                linked: ult_c::source::unit::files(&source.text),
                overapprox: false,
            },
        ),
        Err(ult_c::Refusal::Rejected(diagnostics)) => {
            (hir::Program::default(), diagnostics, Basis::default())
        }
        Err(ult_c::Refusal::Internal(mistake)) => {
            return Err(Reason::Internal(format!(
                "the translation from C is no Boogie program: {mistake}"
            )));
        }
    };
    Ok(Loaded {
        basis,
        has_gaps,
        has_claims,
        ..Loaded::plain(&source, Language::C, Content::Program(program), diagnostics)
    })
}

#[cfg(not(feature = "c"))]
fn c(_: &Source, _: &Settings) -> Result<Loaded, Reason> {
    Err(not_built(Language::C, "c"))
}

#[cfg(feature = "circuits")]
fn circuit(terms: &Terms, source: &Source, language: Language) -> Result<Loaded, Reason> {
    use ult_circuits::Form;
    let form = match language {
        Language::Btor2 => Form::Btor2,
        Language::DimSpec => Form::DimSpec,
        _ => Form::Aiger,
    };
    let (unit, interface, diagnostics) = ult_circuits::lower(terms, &source.text, form);
    let content = Content::Unit(Box::new(unit));
    Ok(Loaded {
        interface: Some(interface),
        ..Loaded::plain(source, language, content, diagnostics)
    })
}

#[cfg(not(feature = "circuits"))]
fn circuit(_: &Terms, _: &Source, language: Language) -> Result<Loaded, Reason> {
    Err(not_built(language, "circuits"))
}

#[cfg(feature = "svlib")]
fn svlib(source: &Source) -> Result<Loaded, Reason> {
    let translation = ult_svlib::translate(&source.text);
    let content = Content::Program(translation.program);
    let mut loaded = Loaded::plain(source, Language::SvLib, content, translation.diagnostics);
    loaded.reading.entries = translation.entries;
    Ok(loaded)
}

#[cfg(not(feature = "svlib"))]
fn svlib(_: &Source) -> Result<Loaded, Reason> {
    Err(not_built(Language::SvLib, "svlib"))
}

#[cfg(not(all(
    feature = "c",
    feature = "circuits",
    feature = "horn",
    feature = "svlib"
)))]
fn not_built(language: Language, feature: &str) -> Reason {
    let what = format!("{language}: this program was built without the feature `{feature}`");
    Reason::Unsupported(what, None)
}

impl Loaded {
    fn plain(
        source: &Source,
        language: Language,
        content: Content,
        diagnostics: Vec<Diagnostic>,
    ) -> Loaded {
        Loaded {
            source: source.clone(),
            language,
            content,
            diagnostics,
            basis: Basis::default(),
            reading: Reading::default(),
            has_gaps: false,
            has_claims: false,
            #[cfg(feature = "circuits")]
            interface: None,
        }
    }

    /// Whether the text has errors, so that nothing may be said about what it says.
    pub fn is_rejected(&self) -> bool {
        self.diagnostics.iter().any(Diagnostic::is_error)
    }

    /// What is known after reading alone.
    pub fn report(&self) -> Report {
        Report {
            diagnostics: self.diagnostics.clone(),
            basis: self.basis.clone(),
            ..Report::new(self.source.clone(), self.language)
        }
    }

    /// All program graphs of the text, in the order in which they are verified. The store is the one of [`load`].
    ///
    /// # Errors
    /// If the settings name an entry that the program does not have.
    pub fn units(self, terms: &Terms) -> Result<Vec<LoweredUnit>, EntryError> {
        match self.content {
            Content::Graphs(program) => Ok(lower_graphs(terms, &program)),
            Content::Unit(unit) => Ok(vec![*unit]),
            Content::Program(program) => {
                let lowering = Lowering::new(terms, &program, self.reading)?;
                let mut queue = lowering.queue();
                let mut units = Vec::new();
                while let Some(plan) = queue.next() {
                    let unit = lowering.lower(plan);
                    queue.add(&unit);
                    units.push(unit);
                }
                Ok(units)
            }
        }
    }
}
