//! Random choices. The same seed makes the same ones.

use rand::seq::SliceRandom as _;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// Where choices come from.
pub(super) struct Chance {
    random: ChaCha8Rng,
}

impl Chance {
    /// Choices of one seed; each stream has its own.
    pub(super) fn new(seed: u64, stream: u64) -> Chance {
        let mut random = ChaCha8Rng::seed_from_u64(seed);
        random.set_stream(stream);
        Chance { random }
    }

    /// A number below this one; 0 if there is none.
    pub(super) fn below(&mut self, end: usize) -> usize {
        self.random.random_range(0..end.max(1))
    }

    /// A number between two, both included.
    pub(super) fn between(&mut self, low: u32, high: u32) -> u32 {
        self.random.random_range(low..=high.max(low))
    }

    /// True in so many of a hundred cases.
    pub(super) fn percent(&mut self, percent: u32) -> bool {
        self.random.random_ratio(percent.min(100), 100)
    }

    /// One of several; there has to be one.
    pub(super) fn pick<T: Clone>(&mut self, of: &[T]) -> T {
        of[self.below(of.len())].clone()
    }

    /// One of several, if there is one.
    pub(super) fn maybe<T: Clone>(&mut self, of: &[T]) -> Option<T> {
        of.get(self.below(of.len())).cloned()
    }

    /// Another order.
    pub(super) fn shuffle<T>(&mut self, of: &mut [T]) {
        of.shuffle(&mut self.random);
    }
}
