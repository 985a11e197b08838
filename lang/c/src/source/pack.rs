//! `#pragma pack`: the greatest alignment of members, as gcc reads it.

/// Which alignment holds where.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Packs {
    /// From this offset on, members are aligned to so many bytes at most. Sorted.
    changes: Vec<(u32, Option<u64>)>,
}

impl Packs {
    /// The greatest alignment of members, in bytes, of a structure that ends at an offset.
    pub fn at(&self, offset: u32) -> Option<u64> {
        let next = self.changes.partition_point(|(from, _)| *from <= offset);
        self.changes.get(next.checked_sub(1)?)?.1
    }
}

/// Reads the pragmas of a text one after the other.
#[derive(Debug, Default)]
pub struct Reader {
    packs: Packs,
    current: Option<u64>,
    /// What was pushed, with its name.
    stack: Vec<(Option<String>, Option<u64>)>,
}

impl Reader {
    /// Reads what stands behind `#pragma pack`; tells whether it was understood.
    pub fn read(&mut self, arguments: &str, offset: u32) -> bool {
        let inner = arguments
            .trim()
            .strip_prefix('(')
            .and_then(|rest| rest.trim_end().strip_suffix(')'));
        let Some(inner) = inner else {
            return false;
        };
        let words: Vec<&str> = inner.split(',').map(str::trim).collect();
        let (action, rest) = match &words[..] {
            [""] => {
                self.set(None, offset);
                return true;
            }
            [action @ ("push" | "pop"), rest @ ..] => (Some(*action), rest),
            all => (None, all),
        };
        let (mut name, mut size) = (None, None);
        for word in rest {
            match word.parse::<u64>() {
                Ok(0) if size.is_none() => size = Some(None),
                Ok(bytes @ (1 | 2 | 4 | 8 | 16)) if size.is_none() => size = Some(Some(bytes)),
                Err(_) if name.is_none() && action.is_some() && is_name(word) => {
                    name = Some((*word).to_owned());
                }
                _ => return false,
            }
        }
        match (action, size) {
            (Some("push"), size) => {
                self.stack.push((name, self.current));
                if let Some(size) = size {
                    self.set(size, offset);
                }
            }
            (Some(_), size) => {
                let found = match &name {
                    None => self.stack.len().checked_sub(1),
                    Some(_) => self.stack.iter().rposition(|(pushed, _)| *pushed == name),
                };
                let Some(found) = found else { return false };
                let before = self.stack[found].1;
                self.stack.truncate(found);
                self.set(size.unwrap_or(before), offset);
            }
            (None, Some(size)) => self.set(size, offset),
            (None, None) => return false,
        }
        true
    }

    /// Another translation unit begins, of which nothing was said yet.
    pub fn begin_unit(&mut self, offset: u32) {
        self.stack.clear();
        if self.current.is_some() {
            self.set(None, offset);
        }
    }

    fn set(&mut self, size: Option<u64>, offset: u32) {
        self.current = size;
        self.packs.changes.push((offset, size));
    }

    /// What was read.
    pub fn finish(self) -> Packs {
        self.packs
    }
}

fn is_name(word: &str) -> bool {
    !word.is_empty() && word.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
}

#[cfg(test)]
mod tests {
    use super::Reader;

    #[test]
    fn alignments_are_pushed_and_popped() {
        let mut reader = Reader::default();
        for (at, text) in [
            (10, "(push)"),
            (20, "(1)"),
            (30, "(push, inner, 2)"),
            (40, "(pop, inner)"),
            (50, " ( pop ) "),
            (60, "(4)"),
            (70, "()"),
        ] {
            assert!(reader.read(text, at), "{text}");
        }
        for wrong in [
            "(3)",
            "(pop)",
            "1",
            "(push, 1, 2)",
            "(show)",
            "(pop, other)",
        ] {
            assert!(!reader.read(wrong, 80), "{wrong}");
        }
        let packs = reader.finish();
        let found: Vec<_> = [5, 15, 25, 35, 45, 55, 65, 75]
            .iter()
            .map(|at| packs.at(*at))
            .collect();
        let expected = [None, None, Some(1), Some(2), Some(1), None, Some(4), None];
        assert_eq!(found, expected);
    }
}
