//! The values of all program variables at one place.
//!
//! From one location to the next few of them change. So they are held in pieces that are shared until one of them
//! changes: a copy, and finding out where two copies differ, costs a small fraction of looking at each variable.

use std::rc::Rc;

use ult_core::formula::Term;

/// So many values are in one piece.
const PIECE: usize = 64;

/// A term for each program variable, in the order of declaration.
#[derive(Clone)]
pub(super) struct Values {
    pieces: Vec<Rc<[Term]>>,
}

impl Values {
    pub(super) fn new(values: &[Term]) -> Values {
        Values {
            pieces: values.chunks(PIECE).map(Rc::from).collect(),
        }
    }

    /// The value of the variable with this number, which must be one.
    pub(super) fn get(&self, number: usize) -> Term {
        self.pieces[number / PIECE][number % PIECE]
    }

    /// Gives the variable with this number, which must be one, another value.
    pub(super) fn set(&mut self, number: usize, value: Term) {
        Rc::make_mut(&mut self.pieces[number / PIECE])[number % PIECE] = value;
    }

    /// The numbers of the variables whose values are not the same in both, in order.
    pub(super) fn differences<'v>(&'v self, other: &'v Values) -> impl Iterator<Item = usize> + 'v {
        let pieces = self.pieces.iter().zip(&other.pieces).enumerate();
        pieces
            .filter(|(_, (a, b))| !Rc::ptr_eq(a, b))
            .flat_map(|(piece, (a, b))| {
                let pairs = a.iter().zip(b.iter()).enumerate();
                pairs
                    .filter(|(_, (a, b))| a != b)
                    .map(move |(number, _)| piece * PIECE + number)
            })
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use ult_core::formula::{Sort, Terms, Version};

    use super::*;

    proptest! {
        /// Pieces behave as a list does.
        #[test]
        fn pieces_are_a_list(
            length in 1usize..300,
            changes in proptest::collection::vec((any::<proptest::sample::Index>(), 0u32..3), 0..20),
        ) {
            let terms = Terms::new();
            let value = |number: u32| terms.var("x", Version::At(number), Sort::Int);
            let mut list = vec![value(0); length];
            let first = Values::new(&list);
            let mut values = first.clone();
            for (place, number) in changes {
                let place = place.index(length);
                list[place] = value(number);
                values.set(place, value(number));
            }
            for (number, &value_there) in list.iter().enumerate() {
                prop_assert_eq!(values.get(number), value_there);
                prop_assert_eq!(first.get(number), value(0));
            }
            let different: Vec<usize> =
                (0..length).filter(|&number| list[number] != value(0)).collect();
            prop_assert_eq!(first.differences(&values).collect::<Vec<_>>(), different.clone());
            prop_assert_eq!(values.differences(&first).collect::<Vec<_>>(), different);
        }
    }
}
