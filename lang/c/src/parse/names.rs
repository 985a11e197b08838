//! Which names are types where: C cannot be parsed without knowing that (C11 6.7.8).

use std::collections::HashMap;

/// The ordinary names that are known, by scopes.
pub(super) struct Names {
    /// Whether the innermost declaration of a name makes it a type.
    types: HashMap<String, bool>,
    /// What the names of inner scopes were outside.
    before: Vec<(String, Option<bool>)>,
    /// How many of these there were when each open scope began.
    scopes: Vec<usize>,
}

impl Names {
    /// Those that gcc knows.
    pub(super) fn new() -> Names {
        let types = ["__builtin_va_list", "__gnuc_va_list", "__float80"];
        Names {
            types: types.map(|name| (name.to_owned(), true)).into(),
            before: Vec::new(),
            scopes: Vec::new(),
        }
    }

    pub(super) fn is_type(&self, name: &str) -> bool {
        self.types.get(name).copied().unwrap_or(false)
    }

    pub(super) fn declare(&mut self, name: &str, is_type: bool) {
        if self.scopes.is_empty() {
            self.types.insert(name.to_owned(), is_type);
        } else if self.types.get(name) != Some(&is_type)
            && (is_type || self.types.contains_key(name))
        {
            let before = self.types.insert(name.to_owned(), is_type);
            self.before.push((name.to_owned(), before));
        }
    }

    /// How many scopes are open.
    pub(super) fn depth(&self) -> usize {
        self.scopes.len()
    }

    pub(super) fn open(&mut self) {
        self.scopes.push(self.before.len());
    }

    pub(super) fn close(&mut self) {
        let count = self.scopes.pop().unwrap_or(0);
        while self.before.len() > count
            && let Some((name, before)) = self.before.pop()
        {
            match before {
                Some(is_type) => self.types.insert(name, is_type),
                None => self.types.remove(&name),
            };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_types_where_they_are_declared_so() {
        let mut names = Names::new();
        names.declare("T", true);
        names.open();
        names.declare("T", false);
        names.declare("U", true);
        assert!(!names.is_type("T") && names.is_type("U"));
        names.open();
        names.declare("T", true);
        assert!(names.is_type("T"));
        names.close();
        assert!(!names.is_type("T"));
        names.close();
        assert!(names.is_type("T") && !names.is_type("U"));
        assert_eq!(names.depth(), 0);
    }
}
