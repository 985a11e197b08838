//! Names that do not collide.

use std::collections::HashSet;
use std::sync::Arc;

use crate::formula::Sort;

/// A set of names in use.
#[derive(Clone, Debug, Default)]
pub struct Names {
    used: HashSet<Arc<str>>,
}

impl Names {
    /// Marks a name as used.
    pub fn reserve(&mut self, name: &str) {
        self.used.insert(name.into());
    }

    /// `wish` if it is free, else `wish` with the first free number behind it; used from now on.
    pub fn fresh(&mut self, wish: &str) -> Arc<str> {
        let mut name: Arc<str> = wish.into();
        let mut number = 1u32;
        while !self.used.insert(name.clone()) {
            number += 1;
            name = format!("{wish}_{number}").into();
        }
        name
    }
}

/// A sort as a part of an identifier: instances of polymorphic symbols are named with it.
///
/// The text is prefix notation, so it is unambiguous as long as uninterpreted sorts have
/// different names.
pub fn mangle(sort: &Sort) -> String {
    match sort {
        Sort::Map(map) => {
            let mut text = format!("map{}", map.domain.len());
            for part in map.domain.iter().chain([&map.range]) {
                text += "#";
                text += &mangle(part);
            }
            text
        }
        other => other.to_string(),
    }
}
