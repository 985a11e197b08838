//! Traces of translated programs, without the translator's own variables and steps.

use num_bigint::BigInt;

use super::folded;
use super::names::{is_users, users_name, within};
use super::pointers;
use super::run_step::RunStep;
use super::source::Source;
use super::values::GOES_ON;
use ult_lower::plan::ULTIMATE_START;

/// What an assignment of C writes, as it says that: `p->x` of `p->x += 1`.
pub(crate) fn assigned(text: &str) -> Option<&str> {
    let bytes = text.as_bytes();
    let mut depth = 0usize;
    let at = bytes.iter().enumerate().position(|(at, &byte)| {
        match byte {
            b'[' => depth += 1,
            b']' => depth = depth.saturating_sub(1),
            _ => {}
        }
        byte == b'=' && depth == 0 && bytes.get(at + 1) != Some(&b'=')
    })?;
    let written = text[..at].trim_end_matches(|c: char| "+-*/%&|^<> ".contains(c));
    let is_plain = !written.contains(['(', '"', '\'', '!', '='])
        && !written.contains("++")
        && !written.contains("--");
    (is_plain && !written.is_empty()).then_some(written)
}

/// A number without its width.
pub(crate) fn number(value: &str) -> &str {
    value.split_once("bv").map_or(value, |(digits, _)| digits)
}

/// A value as C writes it. Bits do not show whether a number is signed: where that matters, both readings are given.
pub(crate) fn as_c(value: &str) -> String {
    let bits = value.split_once("bv");
    let bits = bits.and_then(|(digits, width)| Some((digits.parse().ok()?, width.parse().ok()?)));
    let Some((bits, width)): Option<(BigInt, u64)> = bits else {
        return value.to_owned();
    };
    match width > 1 && bits.bit(width - 1) {
        true => format!("{} (unsigned: {bits})", &bits - (BigInt::from(1) << width)),
        false => bits.to_string(),
    }
}

/// Whether a value is the number zero.
pub(crate) fn is_zero(value: &str) -> bool {
    number(value) == "0"
}

/// Whether a character may stand in a name.
pub(crate) fn is_word(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_'
}

/// Whether a text is a call, `f(...)`.
pub(crate) fn is_call(text: &str) -> bool {
    let rest = text.trim_start_matches(is_word);
    rest.len() < text.len() && rest.trim_start().starts_with('(') && rest.ends_with(')')
}

/// Whether people do not want to see a step: what a string literal consists of, and the call of `main`.
fn is_made_up(step: &RunStep) -> bool {
    let is_literal = step.statement.starts_with('"');
    let is_start =
        &*step.procedure == ULTIMATE_START && step.statement == "main" && step.changes.is_empty();
    !step.violation && (is_literal || is_start)
}

/// The run of a translated program without the translator's own variables; steps that belong to one expression of the
/// source are one step.
pub(crate) fn translated(steps: Vec<RunStep>, source: &Source) -> Vec<RunStep> {
    let mut merged: Vec<RunStep> = Vec::new();
    for mut step in steps {
        step.changes.retain(|(name, _)| is_users(name));
        let goes_on = !step.changes.is_empty()
            && step.changes.iter().all(|(name, _)| name.ends_with(GOES_ON));
        for (name, _) in &mut step.changes {
            let users = users_name(name.strip_suffix(GOES_ON).unwrap_or(name));
            *name = within(&step.procedure, &users).to_owned();
        }
        let again = |name: &String, last: &RunStep| {
            !goes_on && last.changes.iter().any(|(old, _)| old == name)
        };
        match merged.last_mut() {
            Some(last)
                if last.span == step.span
                    && last.depth == step.depth
                    && last.procedure == step.procedure
                    && last.statement == step.statement
                    && !last.violation
                    && step.left_out == 0
                    && last.remark.is_none()
                    && (last.input.is_none() || step.input.is_none())
                    && !step.changes.iter().any(|(name, _)| again(name, last)) =>
            {
                last.changes
                    .retain(|(old, _)| step.changes.iter().all(|(new, _)| new != old));
                last.changes.append(&mut step.changes);
                last.unset.append(&mut step.unset);
                last.remark = step.remark;
                last.input = last.input.take().or(step.input);
                last.minor &= step.minor;
                last.abstracted |= step.abstracted;
                last.violation = step.violation;
            }
            _ => merged.push(step),
        }
    }
    for step in &mut merged {
        if let (Some((_, value)), true, None) = (&step.input, step.changes.is_empty(), &step.remark)
        {
            step.remark = Some(format!("returns {}", as_c(value)));
        }
        // That something holds is no news about what the step does besides.
        if step.remark.as_deref() == Some("holds") && !step.changes.is_empty() {
            step.remark = None;
        }
        step.minor |= is_made_up(step);
    }
    pointers::tell(&mut merged, source);
    for (_, value) in merged.iter_mut().flat_map(|step| &mut step.changes) {
        *value = as_c(value);
    }
    folded::fold(&mut merged, source);
    merged
}

#[cfg(test)]
mod tests {
    use super::as_c;

    #[test]
    fn bits_are_told_as_numbers() {
        assert_eq!(as_c("7bv32"), "7");
        assert_eq!(as_c("4294967293bv32"), "-3 (unsigned: 4294967293)");
        assert_eq!(as_c("-3"), "-3");
        assert_eq!(as_c("object bv3"), "object bv3");
    }
}
