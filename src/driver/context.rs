//! What all steps of one check share.

use ult_core::control::Control;

use super::progress::Progress;
use super::settings::Settings;

/// What is asked, how long it may take, and where what is known goes.
#[derive(Clone, Copy)]
pub(crate) struct Context<'a> {
    pub(crate) settings: &'a Settings,
    pub(crate) control: &'a Control,
    pub(crate) progress: &'a Progress,
}

impl<'a> Context<'a> {
    /// The same question under another limit.
    pub(crate) fn under(self, control: &'a Control) -> Context<'a> {
        Context { control, ..self }
    }

    /// Another question under the same limit.
    pub(crate) fn with(self, settings: &'a Settings) -> Context<'a> {
        Context { settings, ..self }
    }
}
