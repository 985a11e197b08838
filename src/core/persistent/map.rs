//! Maps from numbers, whose copies share what they have in common, as those of vectors do. What is not there takes no room, and
//! is not looked at: where few of many variables have a value, only these cost.

use std::sync::Arc;

use super::{SHIFT, WIDTH, digit};

/// A map from numbers.
#[derive(Clone, Debug)]
pub struct Map<T> {
    root: Tree<T>,
    /// How many inner nodes there are on the way to a leaf. It grows with the greatest number that was put in.
    height: u32,
}

/// `None` if nothing is there.
type Tree<T> = Option<Arc<Node<T>>>;

#[derive(Clone, Debug)]
struct Node<T> {
    /// How many elements there are below. Never zero.
    len: usize,
    parts: Parts<T>,
}

#[derive(Clone, Debug)]
enum Parts<T> {
    Leaf([Option<T>; WIDTH]),
    Inner([Tree<T>; WIDTH]),
}

impl<T> Default for Map<T> {
    fn default() -> Map<T> {
        Map {
            root: None,
            height: 0,
        }
    }
}

impl<T: Copy + PartialEq> PartialEq for Map<T> {
    fn eq(&self, other: &Map<T>) -> bool {
        self.len() == other.len() && self.iter().eq(other.iter())
    }
}

impl<T: Copy + Eq> Eq for Map<T> {}

impl<T: Copy + PartialEq> FromIterator<(usize, T)> for Map<T> {
    fn from_iter<I: IntoIterator<Item = (usize, T)>>(elements: I) -> Map<T> {
        let mut map = Map::default();
        for (number, element) in elements {
            map.insert(number, element);
        }
        map
    }
}

impl<T: Copy + PartialEq> Map<T> {
    /// How many elements there are.
    pub fn len(&self) -> usize {
        self.root.as_ref().map_or(0, |node| node.len)
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.root.is_none()
    }

    /// The element of a number.
    pub fn get(&self, number: usize) -> Option<T> {
        if number >= room(self.height) {
            return None;
        }
        let mut node = self.root.as_deref()?;
        let mut level = self.height;
        loop {
            match &node.parts {
                Parts::Leaf(elements) => return elements[digit(number, level)],
                Parts::Inner(children) => node = children[digit(number, level)].as_deref()?,
            }
            level -= 1;
        }
    }

    /// Gives a number an element, in place of the one that it had.
    pub fn insert(&mut self, number: usize, element: T) {
        if self.get(number) == Some(element) {
            return;
        }
        while number >= room(self.height) {
            self.grow();
        }
        put(&mut self.root, self.height, number, Some(element));
    }

    /// Takes the element of a number out.
    pub fn remove(&mut self, number: usize) {
        if self.get(number).is_some() {
            put(&mut self.root, self.height, number, None);
        }
    }

    /// Keeps the numbers that another map has, too, if something comes of both elements; says whether anything changed. Of an
    /// element with itself that element must come: what both maps share is left out.
    pub fn meet(&mut self, other: &Map<T>, both: impl Fn(T, T) -> Option<T>) -> bool {
        let mut other = other.clone();
        while self.height < other.height {
            self.grow();
        }
        while other.height < self.height {
            other.grow();
        }
        meet(&mut self.root, &other.root, &both)
    }

    /// The numbers with their elements, in order.
    pub fn iter(&self) -> impl Iterator<Item = (usize, T)> + '_ {
        let root = self.root.as_deref().map(|node| (node, self.height, 0));
        let mut work: Vec<(&Node<T>, u32, usize)> = root.into_iter().collect();
        let leaves = std::iter::from_fn(move || {
            loop {
                let (node, level, start) = work.pop()?;
                match &node.parts {
                    Parts::Leaf(elements) => return Some((start, elements)),
                    Parts::Inner(children) => {
                        let children = children.iter().enumerate().rev();
                        work.extend(children.filter_map(|(digit, child)| {
                            let start = start + (digit << (SHIFT * level));
                            Some((child.as_deref()?, level - 1, start))
                        }));
                    }
                }
            }
        });
        leaves.flat_map(|(start, elements)| {
            let elements = elements.iter().enumerate();
            elements.filter_map(move |(digit, element)| Some((start + digit, (*element)?)))
        })
    }

    /// Makes room for greater numbers.
    fn grow(&mut self) {
        self.height += 1;
        if let Some(node) = self.root.take() {
            let mut children: [Tree<T>; WIDTH] = std::array::from_fn(|_| None);
            let len = node.len;
            children[0] = Some(node);
            let parts = Parts::Inner(children);
            self.root = Some(Arc::new(Node { len, parts }));
        }
    }
}

/// How many numbers a tree of some height has room for.
fn room(height: u32) -> usize {
    1usize
        .checked_shl(SHIFT * (height + 1))
        .unwrap_or(usize::MAX)
}

/// Replaces the element of a number below.
fn put<T: Copy>(tree: &mut Tree<T>, level: u32, number: usize, element: Option<T>) {
    let node = Arc::make_mut(tree.get_or_insert_with(|| Arc::new(Node::empty(level))));
    match &mut node.parts {
        Parts::Leaf(elements) => elements[digit(number, level)] = element,
        Parts::Inner(children) => {
            put(
                &mut children[digit(number, level)],
                level - 1,
                number,
                element,
            );
        }
    }
    node.count();
    if node.len == 0 {
        *tree = None;
    }
}

fn meet<T: Copy + PartialEq>(
    left: &mut Tree<T>,
    right: &Tree<T>,
    both: &impl Fn(T, T) -> Option<T>,
) -> bool {
    let (Some(ours), Some(theirs)) = (&*left, right) else {
        // Nothing is in both.
        return left.take().is_some();
    };
    if Arc::ptr_eq(ours, theirs) {
        return false;
    }
    let (parts, is_right) = match (&ours.parts, &theirs.parts) {
        (Parts::Leaf(ours), Parts::Leaf(theirs)) => {
            let met: [Option<T>; WIDTH] =
                std::array::from_fn(|digit| both(ours[digit]?, theirs[digit]?));
            if met == *ours {
                return false;
            }
            (Parts::Leaf(met), met == *theirs)
        }
        (Parts::Inner(ours), Parts::Inner(theirs)) => {
            let (mut changed, mut is_right) = (false, true);
            let met = std::array::from_fn(|digit| {
                let mut child = ours[digit].clone();
                changed |= meet(&mut child, &theirs[digit], both);
                is_right &= match (&child, &theirs[digit]) {
                    (Some(child), Some(theirs)) => Arc::ptr_eq(child, theirs),
                    (child, theirs) => child.is_none() && theirs.is_none(),
                };
                child
            });
            if !changed {
                return false;
            }
            (Parts::Inner(met), is_right)
        }
        _ => unreachable!("trees of one height have leaves at one level"),
    };
    let mut node = Node { len: 0, parts };
    node.count();
    *left = match (is_right, node.len) {
        (true, _) => right.clone(),
        (false, 0) => None,
        (false, _) => Some(Arc::new(node)),
    };
    true
}

impl<T> Node<T> {
    /// Nothing, for now.
    fn empty(level: u32) -> Node<T> {
        let parts = match level {
            0 => Parts::Leaf(std::array::from_fn(|_| None)),
            _ => Parts::Inner(std::array::from_fn(|_| None)),
        };
        Node { len: 0, parts }
    }

    fn count(&mut self) {
        self.len = match &self.parts {
            Parts::Leaf(elements) => elements.iter().flatten().count(),
            Parts::Inner(children) => children.iter().flatten().map(|child| child.len).sum(),
        };
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use proptest::prelude::*;

    use super::*;

    /// Numbers near each other and far away.
    fn elements() -> impl Strategy<Value = BTreeMap<usize, u8>> {
        let number = prop_oneof![0usize..40, 0usize..5000, any::<usize>()];
        prop::collection::btree_map(number, 0u8..4, 0..30)
    }

    fn both(left: u8, right: u8) -> Option<u8> {
        (left == right || left + right < 4).then_some(left.max(right))
    }

    proptest! {
        #[test]
        fn a_map_is_a_map(first in elements(), more in elements(), out in elements()) {
            let mut list = first.clone();
            let map: Map<u8> = first.into_iter().collect();
            let before = list.clone();
            let mut other = map.clone();
            for (&number, &element) in &more {
                list.insert(number, element);
                other.insert(number, element);
            }
            for number in out.keys().chain(more.keys().take(3)) {
                list.remove(number);
                other.remove(*number);
            }
            for (map, list) in [(&map, &before), (&other, &list)] {
                prop_assert_eq!(map.iter().collect::<BTreeMap<_, _>>(), list.clone());
                prop_assert_eq!((map.len(), map.is_empty()), (list.len(), list.is_empty()));
                for number in before.keys().chain(out.keys()).chain(more.keys()) {
                    prop_assert_eq!(map.get(*number), list.get(number).copied());
                }
            }
            prop_assert_eq!(map == other, before == list);
            let met: BTreeMap<usize, u8> = before
                .iter()
                .filter_map(|(&number, &element)| Some((number, both(element, *list.get(&number)?)?)))
                .collect();
            let mut into = map.clone();
            prop_assert_eq!(into.meet(&other, both), met != before);
            prop_assert_eq!(into.iter().collect::<BTreeMap<_, _>>(), met.clone());
            prop_assert_eq!(into.len(), met.len());
            let mut again = into.clone();
            prop_assert!(!again.meet(&into, both));
        }
    }

    #[test]
    fn copies_share_what_did_not_change() {
        let map: Map<u8> = (0..100_000).map(|number| (number, 0)).collect();
        let mut other = map.clone();
        other.insert(70_000, 1);
        let (Some(ours), Some(theirs)) = (&map.root, &other.root) else {
            panic!("neither is empty");
        };
        let (Parts::Inner(ours), Parts::Inner(theirs)) = (&ours.parts, &theirs.parts) else {
            panic!("so many are in no leaf");
        };
        let pairs = ours.iter().flatten().zip(theirs.iter().flatten());
        assert_eq!(pairs.filter(|(x, y)| !Arc::ptr_eq(x, y)).count(), 1);
        other.meet(&map, |left, right| Some(left.min(right)));
        assert_eq!(other, map);
    }
}
