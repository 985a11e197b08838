//! The binary form of AIGER, as the one in letters.
//!
//! Both say the same, in the same order: in the binary form inputs have the first numbers, then come
//! latches, then conjunctions, whose arguments are written as differences, seven bits a byte.

use std::fmt::Write as _;

use super::aiger::MOST;

/// More inputs are not read.
const MOST_INPUTS: u64 = 4_000_000;

/// Why a file is not the binary form of AIGER.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Broken {
    /// In words.
    pub message: String,
    /// The byte that shows it; the length of the file if it ends too early.
    pub offset: usize,
}

struct Bytes<'b> {
    bytes: &'b [u8],
    offset: usize,
}

impl<'b> Bytes<'b> {
    fn wrong<T>(&self, message: impl Into<String>) -> Result<T, Broken> {
        Err(Broken {
            message: message.into(),
            offset: self.offset,
        })
    }

    /// The next line, as words of which each is a number.
    fn line(&mut self, what: &str) -> Result<Vec<u64>, Broken> {
        let rest = &self.bytes[self.offset..];
        let Some(end) = rest.iter().position(|&byte| byte == b'\n') else {
            self.offset = self.bytes.len();
            return self.wrong(format!("the file ends where {what} is needed"));
        };
        let line = std::str::from_utf8(&rest[..end]).ok();
        let numbers = line.and_then(|line| {
            let words = line.split_ascii_whitespace();
            words.map(number).collect::<Option<Vec<u64>>>()
        });
        match numbers {
            Some(numbers) => {
                self.offset += end + 1;
                Ok(numbers)
            }
            None => self.wrong(format!("{what} is needed here: numbers below 2^32")),
        }
    }

    /// A difference between two literals.
    fn difference(&mut self) -> Result<u64, Broken> {
        let mut value = 0u64;
        for shift in (0..).step_by(7) {
            let Some(&byte) = self.bytes.get(self.offset) else {
                return self.wrong("the file ends within a conjunction");
            };
            let part = u64::from(byte & 0x7f);
            if shift > 28 || shift == 28 && part > 0xf {
                return self.wrong("a difference of literals has more than 32 bits");
            }
            self.offset += 1;
            value |= part << shift;
            if byte & 0x80 == 0 {
                break;
            }
        }
        Ok(value)
    }
}

/// A number of decimal digits with at most 32 bits.
fn number(word: &str) -> Option<u64> {
    let is_number = word.bytes().all(|byte| byte.is_ascii_digit());
    let number = is_number.then(|| word.parse::<u64>().ok())??;
    (number <= 2 * MOST + 1).then_some(number)
}

/// The form in letters of a file in the binary form; `None` if it does not begin as one. A file with
/// justice properties or fairness constraints, which nobody reads here, becomes its header alone.
///
/// # Errors
/// If it is not AIGER.
pub fn in_letters(bytes: &[u8]) -> Option<Result<String, Broken>> {
    bytes.starts_with(b"aig ").then(|| converted(bytes))
}

fn converted(bytes: &[u8]) -> Result<String, Broken> {
    let mut bytes = Bytes { bytes, offset: 4 };
    let header = bytes.line("a header of AIGER (five to nine numbers after `aig`)")?;
    let behind_header = std::mem::take(&mut bytes.offset);
    if !(5..=9).contains(&header.len()) {
        return bytes.wrong("the header of AIGER has five to nine numbers");
    }
    let mut text = String::from("aag");
    for number in &header {
        let _ = write!(text, " {number}");
    }
    text.push('\n');
    let count = |place: usize| header.get(place).copied().unwrap_or(0);
    let (most, inputs, latches, outputs, gates) =
        (count(0), count(1), count(2), count(3), count(4));
    if inputs + latches + gates != most {
        return bytes.wrong(format!(
            "{} variables are defined, but the largest is said to be {most}: in the binary form, M is I + L + A",
            inputs + latches + gates
        ));
    }
    if count(7) + count(8) > 0 {
        return Ok(text);
    }
    // Inputs take no bytes in the file, but lines in the text.
    if inputs > MOST_INPUTS {
        return bytes.wrong(format!(
            "{inputs} inputs are too many: at most {MOST_INPUTS}"
        ));
    }
    bytes.offset = behind_header;
    for input in 1..=inputs {
        let _ = writeln!(text, "{}", 2 * input);
    }
    for latch in inputs + 1..=inputs + latches {
        let _ = write!(text, "{}", 2 * latch);
        for number in bytes.line("a latch")? {
            let _ = write!(text, " {number}");
        }
        text.push('\n');
    }
    for (kind, count) in [
        ("an output", outputs),
        ("a bad state", count(5)),
        ("a constraint", count(6)),
    ] {
        for _ in 0..count {
            let numbers: Vec<String> = (bytes.line(kind)?.iter()).map(u64::to_string).collect();
            let _ = writeln!(text, "{}", numbers.join(" "));
        }
    }
    for gate in inputs + latches + 1..=most {
        let lit = 2 * gate;
        let first = bytes.difference()?;
        let second = bytes.difference()?;
        if first == 0 || first > lit || second > lit - first {
            return bytes.wrong(format!(
                "the arguments of the conjunction {lit} are not smaller than it"
            ));
        }
        let _ = writeln!(text, "{lit} {} {}", lit - first, lit - first - second);
    }
    // Names and comments may have any characters.
    text.push_str(&String::from_utf8_lossy(&bytes.bytes[bytes.offset..]));
    Ok(text)
}
