//! Colours.

/// How words are emphasised.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tone {
    /// Proved.
    Good,
    /// Violated or rejected.
    Bad,
    /// Open, or a warning.
    Unclear,
    /// Less important.
    Faint,
    /// A heading.
    Strong,
}

/// The text in a tone, or plain.
pub fn paint(color: bool, tone: Tone, text: &str) -> String {
    if !color {
        return text.to_owned();
    }
    let code = match tone {
        Tone::Good => "32",
        Tone::Bad => "31",
        Tone::Unclear => "33",
        Tone::Faint => "2",
        Tone::Strong => "1",
    };
    format!("\x1b[{code}m{text}\x1b[0m")
}
