//! Numbers as they are shown.

/// A number with three significant digits: what is behind them is noise.
pub(crate) fn significant(number: f64) -> String {
    if number == 0.0 || !number.is_finite() {
        return number.to_string();
    }
    // Rounded first, since 9.996 has one digit more than it seems.
    let rounded: f64 = format!("{number:.2e}").parse().unwrap_or(number);
    let place = rounded.abs().log10().floor();
    let decimals = (2.0 - place).clamp(0.0, 12.0) as usize;
    format!("{rounded:.decimals$}")
}

#[cfg(test)]
mod tests {
    use super::significant;

    #[test]
    fn three_digits_count() {
        for (number, text) in [
            (0.0, "0"),
            (0.012345, "0.0123"),
            (0.1, "0.100"),
            (1.0, "1.00"),
            (9.996, "10.0"),
            (99.95, "100"),
            (1234.5, "1230"),
            (-2.345, "-2.35"),
        ] {
            assert_eq!(significant(number), text, "{number}");
        }
    }
}
