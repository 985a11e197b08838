//! Formats of `printf` and `scanf` (C11 7.21.6), where they are literals.

use crate::ir::{Base, ConstantStep, Expr, ExprKind, Initial, Program, Step, Storage, Variable};
use crate::types::{Length, Type};

/// A conversion specification.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Conversion {
    /// Whether one of `-+ #0` stands there.
    pub(crate) flags: bool,
    /// Whether there is a `*`: for `printf`, a number is an argument; for `scanf`, nothing is stored.
    pub(crate) star: bool,
    /// The field width.
    pub(crate) width: Option<u32>,
    /// The precision.
    pub(crate) precision: Option<u32>,
    /// `hh`, `h`, `l`, `ll`, `j`, `z`, `t`, `L` or nothing.
    pub(crate) length: String,
    /// What is converted.
    pub(crate) letter: char,
    /// For `[`, the bytes that are accepted, in order, as ranges.
    pub(crate) set: Vec<(u8, u8)>,
}

/// The bits of a character, and of a wide one.
pub(crate) const NARROW: u32 = 8;
pub(crate) const WIDE: u32 = 32;

/// The bits of the characters in the format of a function.
pub(crate) fn character_of(function: &str) -> u32 {
    let is_wide = function.ends_with("wprintf") || function.ends_with("wscanf");
    if is_wide { WIDE } else { NARROW }
}

impl Conversion {
    /// Of a conversion as a string, the bits of its characters.
    pub(crate) fn character_of_text(&self) -> Option<u32> {
        match (self.letter, self.length.as_str()) {
            ('S', _) | ('s', "l") => Some(WIDE),
            ('s', _) => Some(NARROW),
            _ => None,
        }
    }
}

/// The conversions of a format, `%%` not among them, and how many other characters there are; nothing if it is none.
pub(crate) fn conversions(format: &[u8]) -> Option<(u32, Vec<Conversion>)> {
    let text = format.split(|&byte| byte == 0).next()?;
    let mut bytes = text.iter().map(|&byte| char::from(byte)).peekable();
    let (mut plain, mut found) = (0u32, Vec::new());
    while let Some(byte) = bytes.next() {
        if byte != '%' {
            plain = plain.checked_add(1)?;
            continue;
        }
        let mut one = Conversion {
            flags: false,
            star: false,
            width: None,
            precision: None,
            length: String::new(),
            letter: '%',
            set: Vec::new(),
        };
        let mut dotted = false;
        loop {
            match bytes.next()? {
                '*' => one.star = true,
                '.' => {
                    dotted = true;
                    one.precision = Some(0);
                }
                '-' | '+' | ' ' | '#' => one.flags = true,
                '0' if one.width.is_none() && !dotted => one.flags = true,
                digit @ '0'..='9' => {
                    let digit = digit.to_digit(10)?;
                    let number = if dotted {
                        &mut one.precision
                    } else {
                        &mut one.width
                    };
                    *number = Some(number.unwrap_or(0).checked_mul(10)?.checked_add(digit)?);
                }
                letter @ ('h' | 'l' | 'j' | 'z' | 't' | 'L') => one.length.push(letter),
                letter => {
                    one.letter = letter;
                    break;
                }
            }
        }
        match one.letter {
            '%' => plain = plain.checked_add(1)?,
            '[' => {
                one.set = scan_set(&mut bytes)?;
                found.push(one);
            }
            _ => found.push(one),
        }
    }
    Some((plain, found))
}

/// The bytes that `[...]` accepts, up to its end, as ranges. A minus between two of them is a range, as everywhere.
pub(super) fn scan_set(
    bytes: &mut std::iter::Peekable<impl Iterator<Item = char>>,
) -> Option<Vec<(u8, u8)>> {
    let is_negated = bytes.next_if_eq(&'^').is_some();
    let mut listed = Vec::new();
    // A `]` at the start belongs to the set.
    if bytes.next_if_eq(&']').is_some() {
        listed.push(b']');
    }
    loop {
        match bytes.next()? {
            ']' => break,
            byte => listed.push(u8::try_from(byte).ok()?),
        }
    }
    let mut accepted = [is_negated; 256];
    let mut rest = &listed[..];
    while let [first, more @ ..] = rest {
        let (last, more) = match more {
            [b'-', last, more @ ..] if first <= last => (last, more),
            _ => (first, more),
        };
        for byte in *first..=*last {
            accepted[usize::from(byte)] = !is_negated;
        }
        rest = more;
    }
    Some(ranges(|byte| accepted[usize::from(byte)]))
}

/// The bytes for which a condition holds, as ranges.
pub(super) fn ranges(is_in: impl Fn(u8) -> bool) -> Vec<(u8, u8)> {
    let mut found: Vec<(u8, u8)> = Vec::new();
    for byte in (0..=u8::MAX).filter(|byte| is_in(*byte)) {
        match found.last_mut() {
            Some((_, last)) if *last + 1 == byte => *last = byte,
            _ => found.push((byte, byte)),
        }
    }
    found
}

/// Whether a format of `scanf` begins with a character that has to be there, and whether white space before it does not matter.
pub(super) fn beginning(format: &[u8]) -> (bool, bool) {
    let is_space = |byte: &u8| byte.is_ascii_whitespace() || *byte == 0x0b;
    let skips = format.first().is_some_and(is_space);
    let start = format.iter().position(|byte| !is_space(byte));
    match start.and_then(|start| format.get(start..)) {
        Some([b'%', b'%', ..]) => (true, true),
        None | Some([b'%' | 0, ..] | []) => (false, skips),
        Some(_) => (true, skips),
    }
}

/// The fewest characters that `printf` writes for a format where it succeeds.
pub(crate) fn shortest(format: &[u8]) -> Option<i32> {
    let (plain, conversions) = conversions(format)?;
    let mut sum = plain;
    for one in conversions {
        let is_number = "diuoxXfFeEgGaA".contains(one.letter) && one.precision.is_none();
        let is_character = one.letter == 'c' && one.length.is_empty();
        let least = u32::from((is_number || is_character) && !one.star);
        sum = sum.checked_add(least.max(one.width.unwrap_or(0)))?;
    }
    i32::try_from(sum).ok()
}

/// The most characters that `printf` writes for a format, if that can be said.
pub(crate) fn longest(format: &[u8]) -> Option<i32> {
    let (plain, conversions) = conversions(format)?;
    let mut sum = plain;
    for one in conversions {
        if one.star {
            return None;
        }
        let wide = !matches!(one.length.as_str(), "" | "h" | "hh");
        let digits = match one.letter {
            'd' | 'i' | 'u' => 1 + if wide { 20 } else { 10 },
            'x' | 'X' => 2 + if wide { 16 } else { 8 },
            'o' => 1 + if wide { 22 } else { 11 },
            'c' if one.length.is_empty() => 1,
            's' => one.precision?,
            _ => return None,
        };
        let digits = match one.letter {
            's' | 'c' => digits,
            // A sign or a prefix stands before so many digits.
            _ => digits.max(one.precision.unwrap_or(0).checked_add(2)?),
        };
        sum = sum.checked_add(digits.max(one.width.unwrap_or(0)))?;
    }
    i32::try_from(sum).ok()
}

/// The bytes of the string literal that a pointer points to the start of.
pub(super) fn literal<'p>(program: &'p Program, pointer: &Expr) -> Option<&'p [u8]> {
    match &literal_object(program, pointer)?.storage {
        Storage::Static {
            initial: Initial::Bytes(bytes),
            ..
        } => Some(bytes),
        _ => None,
    }
}

/// The variable of the string literal that a pointer points to the start of.
fn literal_object<'p>(program: &'p Program, pointer: &Expr) -> Option<&'p Variable> {
    let ExprKind::Address(place) = &pointer.typed_pointer().0.kind else {
        return None;
    };
    let Base::Variable(id) = &place.base else {
        return None;
    };
    let first =
        |step: &Step| matches!(step, Step::Index(index) if matches!(index.kind, ExprKind::Int(0)));
    (program.literals.contains(id) && place.path.iter().all(first)).then(|| program.variable(*id))
}

/// A format as the functions here read it.
pub(crate) struct Format {
    /// Its characters, without a zero at the end. Wide ones that are no byte are [`OTHER`].
    pub(crate) text: Vec<u8>,
    /// Whether a zero ends it within the literal.
    pub(crate) ends: bool,
}

/// Stands for a character that means nothing in a format.
const OTHER: u8 = 0xff;

impl Format {
    /// What stands before the first zero.
    fn of(characters: &[u8]) -> Self {
        let end = characters.iter().position(|one| *one == 0);
        Format {
            text: characters[..end.unwrap_or(characters.len())].to_vec(),
            ends: end.is_some(),
        }
    }

    /// The literal that a pointer points to the start of, as who reads characters of so many bits sees it: its elements, or those
    /// that its bytes make up (the first is the lowest one). Of an element that the literal ends within, the bytes that exist have
    /// to be zero.
    pub(crate) fn at(program: &Program, pointer: &Expr, bits: u32) -> Option<Self> {
        let object = literal_object(program, pointer)?;
        let Type::Array(element, Length::Known(length)) = &object.ty else {
            return None;
        };
        let Storage::Static { initial, .. } = &object.storage else {
            return None;
        };
        let width = usize::try_from(bits / 8).ok()?;
        let elements: Vec<u8> = match initial {
            Initial::Bytes(bytes) if width > 0 => {
                let whole = bytes.chunks_exact(width);
                let rest = whole.remainder();
                if rest.iter().any(|byte| *byte != 0) {
                    return None;
                }
                whole
                    .map(|bytes| match bytes {
                        [low, high @ ..] if high.iter().all(|byte| *byte == 0) => *low,
                        _ => OTHER,
                    })
                    .collect()
            }
            Initial::Values(values) if element.integer()?.bits == bits => {
                let mut all = vec![0; usize::try_from(*length).ok()?];
                for (place, value) in values {
                    let ([ConstantStep::Index(index)], ExprKind::Int(value)) =
                        (&place[..], &value.kind)
                    else {
                        return None;
                    };
                    let index = usize::try_from(*index).ok()?;
                    *all.get_mut(index)? = u8::try_from(*value).unwrap_or(OTHER);
                }
                all
            }
            _ => return None,
        };
        Some(Format::of(&elements))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formats_are_taken_apart() {
        let (plain, found) = conversions(b"a %d%%%*c %-5.2lf%[^]x]!\0").unwrap();
        assert_eq!(plain, 5);
        let letters: String = found.iter().map(|one| one.letter).collect();
        assert_eq!(letters, "dcf[");
        assert!(found[1].star && !found[0].star);
        assert_eq!((found[2].width, found[2].precision), (Some(5), Some(2)));
        assert_eq!(found[2].length, "l");
        assert_eq!(conversions(b"%"), None);
        assert_eq!(conversions(b"%[abc"), None);
    }

    #[test]
    fn sets_are_ranges() {
        let set = |format: &[u8]| conversions(format).unwrap().1[0].set.clone();
        assert_eq!(set(b"%[a-c]"), [(b'a', b'c')]);
        assert_eq!(set(b"%[]a]"), [(b']', b']'), (b'a', b'a')]);
        assert_eq!(set(b"%[^\n]"), [(0, 9), (11, 255)]);
        assert_eq!(set(b"%[a-]"), [(b'-', b'-'), (b'a', b'a')]);
    }

    #[test]
    fn the_beginning_of_a_format() {
        for (format, expected) in [
            (&b"%d"[..], (false, false)),
            (b" %c", (false, true)),
            (b"x%c", (true, false)),
            (b"%%%c", (true, true)),
            (b"", (false, false)),
        ] {
            assert_eq!(beginning(format), expected);
        }
    }

    #[test]
    fn lengths_have_bounds() {
        assert_eq!(shortest(b"ab%3d%c%s\0"), Some(6));
        assert_eq!(longest(b"ab\0"), Some(2));
        assert_eq!(longest(b"%d-%x"), Some(11 + 1 + 10));
        assert_eq!(longest(b"%20c%.3s"), Some(23));
        assert_eq!(longest(b"%.40d"), Some(42));
        for open in [&b"%s"[..], b"%f", b"%*d", b"%p", b"%n"] {
            assert_eq!(longest(open), None);
        }
    }
}
