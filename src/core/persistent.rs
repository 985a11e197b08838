//! Vectors, sets and maps whose copies share what they have in common.
//!
//! What an analysis knows at one location differs from what it knows at the next by a few variables. With one vector per
//! location, many variables times many locations would be too many elements, even as pointers to pieces. So a vector is a tree
//! with a fixed fan-out (as in P. Bagwell: "Ideal hash trees", 2001): a copy costs nothing, a change copies the way to one
//! leaf, and a comparison or a merge leaves out what both share.

mod map;

use std::sync::Arc;

pub use map::Map;

/// How many elements a leaf has, and how many children an inner node.
const WIDTH: usize = 16;

/// The same as a shift.
const SHIFT: u32 = WIDTH.trailing_zeros();

/// A vector of fixed length.
#[derive(Clone, Debug)]
pub struct Vector<T> {
    root: Arc<Node<T>>,
    /// How many inner nodes there are on the way to a leaf.
    height: u32,
    len: usize,
}

/// Behind the last element there is padding.
#[derive(Clone, Debug)]
enum Node<T> {
    Leaf([T; WIDTH]),
    Inner([Arc<Node<T>>; WIDTH]),
}

impl<T: Copy + PartialEq> Vector<T> {
    /// `len` times the same element.
    pub fn new(len: usize, element: T) -> Vector<T> {
        let mut root = Arc::new(Node::Leaf([element; WIDTH]));
        let height = height(len);
        for _ in 0..height {
            root = Arc::new(Node::Inner(std::array::from_fn(|_| root.clone())));
        }
        Vector { root, height, len }
    }

    /// These elements. The padding, of which nothing is seen, is any element.
    pub fn from_slice(elements: &[T], padding: T) -> Vector<T> {
        let mut vector = Vector::new(elements.len(), padding);
        fill(&mut vector.root, vector.height, elements);
        vector
    }

    /// The element at an index below the length.
    pub fn get(&self, index: usize) -> T {
        debug_assert!(index < self.len, "{index} is not below {}", self.len);
        let mut node = &*self.root;
        let mut level = self.height;
        loop {
            let digit = digit(index, level);
            match node {
                Node::Leaf(elements) => return elements[digit],
                Node::Inner(children) => node = &children[digit],
            }
            level -= 1;
        }
    }

    /// Replaces the element at an index below the length.
    pub fn set(&mut self, index: usize, element: T) {
        if self.get(index) == element {
            return;
        }
        let mut node = &mut self.root;
        let mut level = self.height;
        loop {
            let digit = digit(index, level);
            match Arc::make_mut(node) {
                Node::Leaf(elements) => {
                    elements[digit] = element;
                    return;
                }
                Node::Inner(children) => node = &mut children[digit],
            }
            level -= 1;
        }
    }

    /// The indices where two vectors of one length differ, in order.
    pub fn differences<'v>(&'v self, other: &'v Vector<T>) -> impl Iterator<Item = usize> + 'v {
        debug_assert_eq!(self.len, other.len);
        let mut work = vec![(&self.root, &other.root, self.height, 0)];
        let leaves = std::iter::from_fn(move || {
            while let Some((left, right, level, start)) = work.pop() {
                if Arc::ptr_eq(left, right) {
                    continue;
                }
                match (&**left, &**right) {
                    (Node::Leaf(left), Node::Leaf(right)) => return Some((left, right, start)),
                    (Node::Inner(left), Node::Inner(right)) => {
                        let pairs = left.iter().zip(right).enumerate().rev();
                        work.extend(pairs.map(|(number, (left, right))| {
                            (left, right, level - 1, start + (number << (SHIFT * level)))
                        }));
                    }
                    _ => debug_assert!(false, "both have one length"),
                }
            }
            None
        });
        let len = self.len;
        leaves
            .flat_map(|(left, right, start)| {
                let differ = (0..WIDTH).filter(|&number| left[number] != right[number]);
                differ.map(move |number| start + number)
            })
            .filter(move |&index| index < len)
    }

    /// Merges another vector of the same length into this one, element by element; says whether anything changed. An element
    /// merged with itself must be itself: what both share is left out.
    pub fn merge(&mut self, other: &Vector<T>, merge: impl Fn(T, T) -> T) -> bool {
        debug_assert_eq!(self.len, other.len);
        merge_nodes(&mut self.root, &other.root, &merge)
    }

    /// All elements.
    pub fn iter(&self) -> impl Iterator<Item = T> + '_ {
        let mut work = vec![&self.root];
        let leaves = std::iter::from_fn(move || {
            loop {
                match &**work.pop()? {
                    Node::Leaf(elements) => return Some(elements),
                    Node::Inner(children) => work.extend(children.iter().rev()),
                }
            }
        });
        leaves.flatten().copied().take(self.len)
    }
}

/// How many inner nodes there are above the leaves of a vector.
fn height(len: usize) -> u32 {
    let mut height = 0;
    let mut room = WIDTH;
    while room < len {
        room = room.saturating_mul(WIDTH);
        height += 1;
    }
    height
}

/// Which child of a node of this level an index is behind.
fn digit(index: usize, level: u32) -> usize {
    (index >> (SHIFT * level)) % WIDTH
}

fn fill<T: Copy>(node: &mut Arc<Node<T>>, level: u32, elements: &[T]) {
    match Arc::make_mut(node) {
        Node::Leaf(own) => own[..elements.len()].copy_from_slice(elements),
        Node::Inner(children) => {
            for (child, part) in children
                .iter_mut()
                .zip(elements.chunks(1 << (SHIFT * level)))
            {
                fill(child, level - 1, part);
            }
        }
    }
}

fn merge_nodes<T: Copy + PartialEq>(
    left: &mut Arc<Node<T>>,
    right: &Arc<Node<T>>,
    merge: &impl Fn(T, T) -> T,
) -> bool {
    if Arc::ptr_eq(left, right) {
        return false;
    }
    let (merged, is_right) = match (&**left, &**right) {
        (Node::Leaf(ours), Node::Leaf(theirs)) => {
            let merged = std::array::from_fn(|number| merge(ours[number], theirs[number]));
            if merged == *ours {
                return false;
            }
            (Node::Leaf(merged), merged == *theirs)
        }
        (Node::Inner(ours), Node::Inner(theirs)) => {
            let mut changed = false;
            let mut is_right = true;
            let merged = std::array::from_fn(|number| {
                let mut child = ours[number].clone();
                changed |= merge_nodes(&mut child, &theirs[number], merge);
                is_right &= Arc::ptr_eq(&child, &theirs[number]);
                child
            });
            if !changed {
                return false;
            }
            (Node::Inner(merged), is_right)
        }
        _ => unreachable!("vectors of one length have one height"),
    };
    *left = match is_right {
        true => right.clone(),
        false => Arc::new(merged),
    };
    true
}

/// A set of numbers below a bound.
#[derive(Clone, Debug)]
pub struct Set(Vector<u64>);

impl Set {
    /// No number; all that come will be below the bound.
    pub fn new(bound: usize) -> Set {
        Set(Vector::new(bound.div_ceil(64), 0))
    }

    /// Whether a number below the bound is in the set.
    pub fn contains(&self, number: usize) -> bool {
        self.0.get(number / 64) & bit(number) != 0
    }

    /// Adds a number below the bound.
    pub fn insert(&mut self, number: usize) {
        self.0
            .set(number / 64, self.0.get(number / 64) | bit(number));
    }

    /// Takes a number below the bound out.
    pub fn remove(&mut self, number: usize) {
        self.0
            .set(number / 64, self.0.get(number / 64) & !bit(number));
    }

    /// Adds the numbers of another set with the same bound; says whether there was a new one.
    pub fn unite(&mut self, other: &Set) -> bool {
        self.0.merge(&other.0, |left, right| left | right)
    }

    /// The numbers in the set that are not in another one with the same bound, in order. What both share is not looked at.
    pub fn without<'s>(&'s self, other: &'s Set) -> impl Iterator<Item = usize> + 's {
        let places = self.0.differences(&other.0);
        places.flat_map(|place| numbers(place, self.0.get(place) & !other.0.get(place)))
    }

    /// The numbers in the set, in order.
    pub fn ones(&self) -> impl Iterator<Item = usize> + '_ {
        let words = self.0.iter().enumerate().filter(|(_, word)| *word != 0);
        words.flat_map(|(place, word)| numbers(place, word))
    }
}

/// The numbers that a word at a place stands for.
fn numbers(place: usize, word: u64) -> impl Iterator<Item = usize> {
    let ones = (0..64).filter(move |number| word & bit(*number) != 0);
    ones.map(move |number| place * 64 + number)
}

fn bit(number: usize) -> u64 {
    1 << (number % 64)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use proptest::prelude::*;

    use super::*;

    /// Changes at some of `len` places.
    fn changes() -> impl Strategy<Value = Vec<(prop::sample::Index, u8)>> {
        prop::collection::vec((any::<prop::sample::Index>(), 0u8..4), 0..40)
    }

    fn changed(len: usize, changes: &[(prop::sample::Index, u8)]) -> (Vec<u8>, Vector<u8>) {
        let mut list: Vec<u8> = (0..len).map(|place| (place % 3) as u8).collect();
        let mut vector = Vector::from_slice(&list, 0);
        for (place, element) in changes {
            let place = place.index(len);
            list[place] = *element;
            vector.set(place, *element);
        }
        (list, vector)
    }

    proptest! {
        #[test]
        fn a_vector_is_a_list(len in 1usize..5000, first in changes(), more in changes()) {
            let (mut list, vector) = changed(len, &first);
            prop_assert_eq!(vector.iter().collect::<Vec<_>>(), list.clone());
            let before = list.clone();
            let mut other = vector.clone();
            for (place, element) in more {
                let place = place.index(len);
                list[place] = element;
                other.set(place, element);
            }
            for place in 0..len {
                prop_assert_eq!((vector.get(place), other.get(place)), (before[place], list[place]));
            }
            let differ: Vec<usize> = (0..len).filter(|&place| before[place] != list[place]).collect();
            prop_assert_eq!(vector.differences(&other).collect::<Vec<_>>(), differ);
            let merged: Vec<u8> = before.iter().zip(&list).map(|(x, y)| *x.max(y)).collect();
            let mut into = vector.clone();
            prop_assert_eq!(into.merge(&other, u8::max), merged != before);
            prop_assert_eq!(into.iter().collect::<Vec<_>>(), merged);
            prop_assert!(!into.merge(&other, u8::max));
        }

        #[test]
        fn vectors_that_share_nothing_are_merged(len in 1usize..600, first in changes(), second in changes()) {
            let (left, mut vector) = changed(len, &first);
            let (right, other) = changed(len, &second);
            vector.merge(&other, u8::min);
            let merged: Vec<u8> = left.iter().zip(&right).map(|(x, y)| *x.min(y)).collect();
            prop_assert_eq!(vector.iter().collect::<Vec<_>>(), merged);
        }

        #[test]
        fn a_set_is_a_set(
            numbers in prop::collection::btree_set(0usize..3000, 0..40),
            others in prop::collection::btree_set(0usize..3000, 0..40),
        ) {
            let of = |numbers: &BTreeSet<usize>| {
                let mut set = Set::new(3000);
                numbers.iter().for_each(|&number| set.insert(number));
                set
            };
            let (mut set, other) = (of(&numbers), of(&others));
            let without: Vec<usize> = numbers.difference(&others).copied().collect();
            prop_assert_eq!(set.without(&other).collect::<Vec<_>>(), without);
            prop_assert_eq!(set.ones().collect::<BTreeSet<_>>(), numbers.clone());
            prop_assert_eq!(set.unite(&other), !others.is_subset(&numbers));
            prop_assert!(others.iter().all(|&number| set.contains(number)));
            others.iter().for_each(|&number| set.remove(number));
            let left: Vec<usize> = numbers.difference(&others).copied().collect();
            prop_assert_eq!(set.ones().collect::<Vec<_>>(), left);
        }
    }

    #[test]
    fn copies_share_what_did_not_change() {
        let mut vector = Vector::new(100_000, 0u8);
        let copy = vector.clone();
        vector.set(70_000, 1);
        let (Node::Inner(ours), Node::Inner(theirs)) = (&*vector.root, &*copy.root) else {
            panic!("so many are in no leaf");
        };
        let shared = ours.iter().zip(theirs).filter(|(x, y)| Arc::ptr_eq(x, y));
        assert_eq!(shared.count(), WIDTH - 1);
        vector.merge(&copy, u8::min);
        assert!(Arc::ptr_eq(&vector.root, &copy.root) || vector.differences(&copy).count() == 0);
    }
}
