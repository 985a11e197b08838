//! Whether formats of `printf` and `scanf` are valid, and their arguments fit (C11 7.21.6.1, 7.21.6.2).
//!
//! If it does not, behavior is undefined, and a statement before the call says so. Only literal formats are checked. Types of the
//! same size count as the same, signed or not, and `%p` takes any pointer. Formats with extensions of POSIX or glibc are not checked.

use ult_lang::stack::ensure_stack;

use super::Elaborator;
use super::formats::{self, Format, character_of};
use crate::functions::plain;
use crate::ir::{Callee, Expr, FunctionId, Stmt, StmtKind};
use crate::types::{FloatType, IntType, Type};
use crate::undefined::Undefined;

/// Which functions take a format: whether they read, and which argument the format is.
const FORMATTED: &[(&str, bool, usize)] = &[
    ("printf", false, 0),
    ("fprintf", false, 1),
    ("dprintf", false, 1),
    ("sprintf", false, 1),
    ("snprintf", false, 2),
    ("scanf", true, 0),
    ("fscanf", true, 1),
    ("sscanf", true, 1),
    ("wprintf", false, 0),
    ("fwprintf", false, 1),
    ("swprintf", false, 2),
    ("wscanf", true, 0),
    ("fwscanf", true, 1),
    ("swscanf", true, 1),
];

/// A conversion specification, part by part.
#[derive(Debug, Default, PartialEq, Eq)]
struct Specification {
    /// As it stands there.
    text: String,
    flags: String,
    /// A number, or `*`.
    width: String,
    /// The same, after a dot.
    precision: Option<String>,
    length: String,
    letter: char,
}

/// What a conversion takes.
#[derive(Debug, PartialEq, Eq)]
enum Takes {
    /// An integer of this many bits; `scanf` takes a pointer to it.
    Integer(u32),
    Float(FloatType),
    /// A pointer to characters of this many bits.
    Text(u32),
    Pointer,
    /// A pointer to an integer of this many bits, for the number of characters so far.
    Count(u32),
    Nothing,
}

impl Elaborator {
    /// Marks the calls whose format and arguments do not fit.
    pub(super) fn check_formats(&mut self) {
        for index in 0..self.program.functions.len() {
            if let Some(mut body) = self.program.functions[index].body.take() {
                self.check_formats_in(&mut body);
                self.program.functions[index].body = Some(body);
            }
        }
    }

    fn check_formats_in(&self, statements: &mut Vec<Stmt>) {
        ensure_stack(|| {
            let mut number = 0;
            while number < statements.len() {
                let span = statements[number].span;
                let words = match &mut statements[number].kind {
                    StmtKind::If(_, then, otherwise) => {
                        self.check_formats_in(then);
                        self.check_formats_in(otherwise);
                        None
                    }
                    StmtKind::Loop(_, body) | StmtKind::Block(_, body) => {
                        self.check_formats_in(body);
                        None
                    }
                    StmtKind::Call {
                        callee: Callee::Function(id),
                        args,
                        ..
                    } => self.misfit(*id, args),
                    _ => None,
                };
                if let Some(words) = words {
                    let kind = StmtKind::Undefined {
                        what: Undefined::Format,
                        words,
                        certain: true,
                    };
                    statements.insert(number, Stmt { kind, span });
                    number += 1;
                }
                number += 1;
            }
        });
    }

    /// In words, what does not fit in a call.
    fn misfit(&self, id: FunctionId, args: &[Expr]) -> Option<String> {
        let function = self.program.function(id);
        if function.body.is_some() {
            return None;
        }
        let name = plain(&function.name);
        let &(_, reads, at) = FORMATTED.iter().find(|(known, ..)| *known == name)?;
        let text = Format::at(&self.program, args.get(at)?, character_of(name))?;
        let mut text = text.text.iter().map(|byte| char::from(*byte)).peekable();
        let mut given = args.get(at + 1..)?.iter();
        while let Some(character) = text.next() {
            if character != '%' {
                continue;
            }
            let one = Specification::read(&mut text, reads)?;
            let takes = match one.takes(reads, self.program.model.word()) {
                Ok(Some(takes)) => takes,
                Ok(None) => return None,
                Err(words) => return Some(words),
            };
            for star in [Some(&one.width), one.precision.as_ref()] {
                let is_star = !reads && star.is_some_and(|star| star == "*");
                let count = || self.misfit_of(&one, &Takes::Integer(32), false, given.next());
                if let Some(words) = is_star.then(count).flatten() {
                    return Some(words);
                }
            }
            let is_skipped = reads && one.width.starts_with('*');
            if takes == Takes::Nothing || is_skipped {
                continue;
            }
            if let Some(words) = self.misfit_of(&one, &takes, reads, given.next()) {
                return Some(words);
            }
        }
        None
    }

    /// In words, what does not fit in an argument.
    fn misfit_of(
        &self,
        one: &Specification,
        takes: &Takes,
        reads: bool,
        given: Option<&Expr>,
    ) -> Option<String> {
        let Some(given) = given else {
            return Some(misfit(&one.text, "without an argument"));
        };
        let pointed = match &given.ty {
            Type::Pointer(target) => Some(&**target),
            _ => None,
        };
        let is_integer =
            |ty: &Type, bits| ty.integer().is_some_and(|int: IntType| int.bits == bits);
        let fits = match (takes, pointed) {
            (Takes::Nothing, _) => true,
            (Takes::Integer(bits), Some(pointed)) => reads && is_integer(pointed, *bits),
            (Takes::Integer(bits), None) => {
                !reads && is_integer(&given.ty, (*bits).max(IntType::INT.bits))
            }
            (Takes::Float(float), Some(pointed)) => reads && *pointed == Type::Float(*float),
            (Takes::Float(float), None) => !reads && given.ty == Type::Float(*float),
            // An array of characters has the address of its first one.
            (Takes::Text(bits), Some(pointed)) => {
                let element = match pointed {
                    Type::Array(element, _) if reads => &**element,
                    other => other,
                };
                *element == Type::Void || is_integer(element, *bits)
            }
            (Takes::Count(bits), Some(pointed)) => is_integer(pointed, *bits),
            (Takes::Pointer, Some(pointed)) => !reads || pointed.is_pointer(),
            (Takes::Text(_) | Takes::Count(_) | Takes::Pointer, None) => false,
        };
        (!fits).then(|| {
            let ty = self.show(&given.ty);
            misfit(&one.text, &format!("with an argument of type {ty}"))
        })
    }
}

impl Specification {
    /// Reads one specification, after its `%`. Its letter may be no conversion, and is a zero at the end of the format. `None` if
    /// a set of characters does not end.
    fn read(
        text: &mut std::iter::Peekable<impl Iterator<Item = char>>,
        reads: bool,
    ) -> Option<Specification> {
        let mut one = Specification {
            text: "%".to_owned(),
            ..Specification::default()
        };
        let flags = if reads { "" } else { "-+ #0'I" };
        while let Some(flag) = text.next_if(|next| flags.contains(*next)) {
            one.flags.push(flag);
        }
        one.width = number(text);
        if !reads && text.next_if_eq(&'.').is_some() {
            one.precision = Some(number(text));
        }
        while let Some(letter) = text.next_if(|next| "hljztLq".contains(*next)) {
            one.length.push(letter);
        }
        one.letter = text.next().unwrap_or('\0');
        one.text += &one.flags;
        one.text += &one.width;
        if let Some(precision) = &one.precision {
            one.text.push('.');
            one.text += precision;
        }
        one.text += &one.length;
        match one.letter {
            '\0' | '"' | '\\' => {}
            letter if letter.is_ascii_graphic() => one.text.push(letter),
            _ => {}
        }
        if reads && one.letter == '[' {
            formats::scan_set(text)?;
        }
        Some(one)
    }

    /// What it takes; nothing if it is an extension, and in words why it is no conversion of C.
    fn takes(&self, reads: bool, word: u32) -> Result<Option<Takes>, String> {
        let is_extension = match self.letter {
            '$' | 'm' | 'C' | 'S' => true,
            _ => self.flags.contains(['\'', 'I']) || self.length == "q",
        };
        if is_extension {
            return Ok(None);
        }
        let wrong = |why: &str| Err(misfit(&self.text, why));
        let bits = match self.length.as_str() {
            "hh" => 8,
            "h" => 16,
            "l" | "z" | "t" => word,
            "ll" | "j" => 64,
            _ => 32,
        };
        let is_integer = matches!(
            self.length.as_str(),
            "" | "hh" | "h" | "l" | "ll" | "j" | "z" | "t"
        );
        let is_plain = self.length.is_empty();
        let characters = if self.length == "l" { 32 } else { 8 };
        let (takes, is_length, flags, has_precision) = match self.letter {
            'd' | 'i' | 'u' => (Takes::Integer(bits), is_integer, "-+ 0", true),
            'o' | 'x' | 'X' => (Takes::Integer(bits), is_integer, "-+ #0", true),
            'f' | 'F' | 'e' | 'E' | 'g' | 'G' | 'a' | 'A' => {
                let float = match (reads, self.length.as_str()) {
                    (_, "L") => FloatType::Extended,
                    (true, "") => FloatType::Single,
                    _ => FloatType::Double,
                };
                let is_length = matches!(self.length.as_str(), "" | "l" | "L");
                (Takes::Float(float), is_length, "-+ #0", true)
            }
            'c' if !reads => (
                Takes::Integer(32),
                is_plain || self.length == "l",
                "-+ ",
                false,
            ),
            's' | 'c' | '[' if reads || self.letter == 's' => (
                Takes::Text(characters),
                is_plain || self.length == "l",
                "-+ ",
                true,
            ),
            'p' => (Takes::Pointer, is_plain, "-+ ", false),
            'n' => (
                Takes::Count(bits),
                is_integer && self.width.is_empty(),
                "",
                false,
            ),
            '%' => {
                let is_alone = self.text == "%%";
                return match is_alone {
                    true => Ok(Some(Takes::Nothing)),
                    false => wrong("with something between the two"),
                };
            }
            _ => return wrong("is no conversion"),
        };
        if !is_length {
            return wrong("has parts that do not go together");
        }
        let is_flag = self.flags.chars().all(|flag| flags.contains(flag));
        if !is_flag || self.precision.is_some() && !has_precision {
            return wrong("has parts that do not go together");
        }
        Ok(Some(takes))
    }
}

/// What is wrong with a conversion, in words.
fn misfit(conversion: &str, why: &str) -> String {
    format!("{}: {conversion} {why}", Undefined::Format.violation())
}

/// A number or `*`, as it stands there.
fn number(text: &mut std::iter::Peekable<impl Iterator<Item = char>>) -> String {
    let mut digits = String::new();
    if let Some(star) = text.next_if_eq(&'*') {
        digits.push(star);
    }
    while let Some(digit) = text.next_if(char::is_ascii_digit) {
        digits.push(digit);
    }
    digits
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What the first conversion of a format takes.
    fn first(format: &str, reads: bool) -> Result<Option<Takes>, String> {
        let mut text = format.chars().peekable();
        assert_eq!(text.next(), Some('%'));
        let one = Specification::read(&mut text, reads).expect("no set without an end");
        one.takes(reads, 64)
    }

    /// The tables in paragraphs 4 to 8 of C11 7.21.6.1, and in 10 to 12 of 7.21.6.2.
    #[test]
    fn conversions_take_what_the_standard_says() {
        let double = Takes::Float(FloatType::Double);
        for (format, reads, takes) in [
            ("%d", false, Takes::Integer(32)),
            ("%-+ 05.3ld", false, Takes::Integer(64)),
            ("%hhu", false, Takes::Integer(8)),
            ("%#zx", false, Takes::Integer(64)),
            ("%f", false, double),
            ("%#010.*Lg", false, Takes::Float(FloatType::Extended)),
            ("%-3c", false, Takes::Integer(32)),
            ("%.3s", false, Takes::Text(8)),
            ("%ls", false, Takes::Text(32)),
            ("%p", false, Takes::Pointer),
            ("%hn", false, Takes::Count(16)),
            ("%%", false, Takes::Nothing),
            ("%f", true, Takes::Float(FloatType::Single)),
            ("%lf", true, Takes::Float(FloatType::Double)),
            ("%3c", true, Takes::Text(8)),
            ("%[^]x]", true, Takes::Text(8)),
            ("%*lld", true, Takes::Integer(64)),
        ] {
            assert_eq!(first(format, reads), Ok(Some(takes)), "{format}");
        }
    }

    #[test]
    fn what_is_no_conversion_is_told_from_an_extension() {
        for format in [
            "%", "%\n", "%y", "%l", "%5%", "%#d", "%0s", "%.1c", "%.2p", "%hf", "%Ls", "%5n",
        ] {
            assert!(first(format, false).is_err(), "{format}");
        }
        for format in ["%1$d", "%m", "%'d", "%S", "%qd"] {
            assert_eq!(first(format, false), Ok(None), "{format}");
        }
        for format in ["%.3d", "%-d", "%y", "%5n"] {
            assert!(first(format, true).is_err(), "{format}");
        }
    }
}
