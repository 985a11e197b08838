//! Numbers of seconds.

use std::time::Duration;

/// A positive number of seconds, possibly fractional.
pub(super) fn seconds(text: &str) -> Result<Duration, String> {
    let number: f64 = text
        .parse()
        .map_err(|_| "not a number of seconds".to_string())?;
    match Duration::try_from_secs_f64(number) {
        Ok(time) if !time.is_zero() => Ok(time),
        _ => Err("not a positive number of seconds".into()),
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn seconds_are_positive_numbers() {
        assert_eq!(super::seconds("0.2").unwrap().as_millis(), 200);
        for wrong in ["0", "-1", "nan", "inf", "1s", "", "1e300"] {
            assert!(super::seconds(wrong).is_err(), "{wrong}");
        }
    }
}
