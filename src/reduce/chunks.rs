//! A vector whose copies share what they have in common.
//!
//! The symbolic environments and the facts of the data-flow analyses are one such vector per
//! location. Copying costs one pointer per chunk, and a comparison skips shared chunks, so that
//! many variables times many locations stay cheap.

use std::sync::Arc;

/// A vector of fixed length in chunks of `N`, copied on write.
#[derive(Clone, Debug)]
pub(crate) struct Chunked<T, const N: usize> {
    chunks: Vec<Arc<[T; N]>>,
}

impl<T: Copy + PartialEq, const N: usize> Chunked<T, N> {
    /// `len` times the same element.
    pub(crate) fn new(len: usize, element: T) -> Chunked<T, N> {
        let chunk = Arc::new([element; N]);
        let count = len.div_ceil(N);
        Chunked {
            chunks: std::iter::repeat_n(chunk, count).collect(),
        }
    }

    /// The elements, followed by padding to whole chunks.
    pub(crate) fn from_slice(elements: &[T], padding: T) -> Chunked<T, N> {
        let chunk = |part: &[T]| {
            let mut chunk = [padding; N];
            chunk[..part.len()].copy_from_slice(part);
            Arc::new(chunk)
        };
        Chunked {
            chunks: elements.chunks(N).map(chunk).collect(),
        }
    }

    /// The element at an index below the length.
    pub(crate) fn get(&self, index: usize) -> T {
        self.chunks[index / N][index % N]
    }

    /// Replaces the element at an index below the length.
    pub(crate) fn set(&mut self, index: usize, element: T) {
        let chunk = &mut self.chunks[index / N];
        if chunk[index % N] != element {
            Arc::make_mut(chunk)[index % N] = element;
        }
    }

    /// The indices (padding included) where two vectors of one length differ, in order.
    pub(crate) fn differences<'a>(&'a self, other: &'a Self) -> impl Iterator<Item = usize> + 'a {
        let chunks = self.chunks.iter().zip(&other.chunks).enumerate();
        chunks
            .filter(|(_, (left, right))| !Arc::ptr_eq(left, right))
            .flat_map(|(number, (left, right))| {
                (0..N)
                    .filter(move |&i| left[i] != right[i])
                    .map(move |i| number * N + i)
            })
    }

    /// Merges another vector of the same length into this one, element by element; says whether
    /// anything changed.
    pub(crate) fn merge(&mut self, other: &Self, merge: impl Fn(T, T) -> T) -> bool {
        let mut changed = false;
        for (left, right) in self.chunks.iter_mut().zip(&other.chunks) {
            if Arc::ptr_eq(left, right) {
                continue;
            }
            let mut merged = **left;
            for (element, &other) in merged.iter_mut().zip(right.iter()) {
                *element = merge(*element, other);
            }
            if merged != **left {
                changed = true;
                *left = if merged == **right {
                    right.clone()
                } else {
                    Arc::new(merged)
                };
            }
        }
        changed
    }

    /// All elements, padding included.
    pub(crate) fn iter(&self) -> impl Iterator<Item = T> + '_ {
        self.chunks.iter().flat_map(|chunk| chunk.iter().copied())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn copies_are_independent_and_compared_by_chunk() {
        let mut left: Chunked<u32, 4> = Chunked::from_slice(&[0, 1, 2, 3, 4, 5], 0);
        let right = left.clone();
        assert_eq!(left.differences(&right).count(), 0);
        left.set(5, 7);
        left.set(1, 1);
        assert_eq!((left.get(5), right.get(5)), (7, 5));
        assert_eq!(left.differences(&right).collect::<Vec<_>>(), [5]);
        assert!(Arc::ptr_eq(&left.chunks[0], &right.chunks[0]));
    }

    #[test]
    fn merging_says_whether_it_changed_anything() {
        let mut left: Chunked<u32, 4> = Chunked::new(6, 1);
        let mut right = left.clone();
        right.set(4, 2);
        assert!(left.merge(&right, |x, y| x | y));
        assert_eq!(left.get(4), 3);
        assert!(!left.merge(&right, |x, y| x | y));
    }
}
