//! Names that do not collide.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use ult_core::formula::Sort;

/// A set of names in use.
#[derive(Clone, Debug, Default)]
pub struct Names {
    used: HashSet<Arc<str>>,
    numbers: HashMap<String, u32>,
}

impl Names {
    /// Marks a name as used.
    pub fn reserve(&mut self, name: &str) {
        self.used.insert(name.into());
    }

    /// `wish` if it is free, else `wish` with the first free number behind it; used from now on.
    pub fn fresh(&mut self, wish: &str) -> Arc<str> {
        let name: Arc<str> = wish.into();
        if self.used.insert(name.clone()) {
            return name;
        }
        self.numbered(&format!("{wish}_"))
    }

    /// `stem` with the next number behind it that makes a free name.
    pub fn numbered(&mut self, stem: &str) -> Arc<str> {
        let number = self.numbers.entry(stem.to_owned()).or_insert(0);
        loop {
            *number += 1;
            let name: Arc<str> = format!("{stem}{number}").into();
            if self.used.insert(name.clone()) {
                return name;
            }
        }
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
        Sort::Seq(element) => format!("seq#{}", mangle(element)),
        other => other.to_string(),
    }
}
