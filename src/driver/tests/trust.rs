//! News about one procedure lead to the same set as looking at all of them anew.

use std::collections::BTreeSet;
use std::sync::Arc;

use crate::trust::Trust;

const UNITS: usize = 7;

/// A unit that keeps its part if it is good, and those that it counts on do.
#[derive(Clone, Default)]
struct Unit {
    good: bool,
    relies: BTreeSet<usize>,
}

/// The largest set, by its definition.
fn from_scratch(units: &[Unit]) -> BTreeSet<usize> {
    let mut kept: BTreeSet<usize> = (0..units.len()).collect();
    loop {
        let next: BTreeSet<usize> = kept
            .iter()
            .copied()
            .filter(|&i| units[i].good && units[i].relies.is_subset(&kept))
            .collect();
        if next == kept {
            return kept;
        }
        kept = next;
    }
}

#[test]
fn news_about_one_after_the_other_lead_to_the_largest_set() {
    // Numerical Recipes' generator: any will do, as long as it is always the same.
    let mut seed: u32 = 1;
    let mut random = |below: u32| {
        seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (seed >> 16) % below
    };
    let names: Vec<Arc<str>> = (0..UNITS).map(|i| format!("p{i}").into()).collect();
    let (mut some, mut all, mut cyclic) = (0, 0, 0);
    for _ in 0..300 {
        let mut units = vec![Unit::default(); UNITS];
        let mut trust = Trust::default();
        for (i, name) in names.iter().enumerate() {
            trust.announce(name, i);
        }
        for _ in 0..25 {
            let before = from_scratch(&units);
            let unit = random(UNITS as u32) as usize;
            units[unit].good = random(6) > 0;
            units[unit].relies = (0..random(3))
                .map(|_| random(UNITS as u32) as usize)
                .collect();
            for &other in &units[unit].relies {
                trust.relies(unit, &names[other]);
            }
            let keeps = |i: usize, trusted: &dyn Fn(&Arc<str>) -> bool| {
                units[i].good && units[i].relies.iter().all(|&other| trusted(&names[other]))
            };
            let changed = trust.reconsider(unit, &|i| names.get(i), &keeps);
            let after = from_scratch(&units);
            for (i, name) in names.iter().enumerate() {
                assert_eq!(trust.has(name), after.contains(&i), "{name}");
            }
            // Whoever counts on something that changed is named.
            for (i, other) in units.iter().enumerate() {
                let differs = |on: &usize| before.contains(on) != after.contains(on);
                assert!(i == unit || !other.relies.iter().any(differs) || changed.contains(&i));
            }
            some += usize::from(!after.is_empty());
            all += usize::from(after.len() == UNITS);
            cyclic += usize::from(after.iter().any(|&i| {
                let back = |&j: &usize| j != i && units[j].relies.contains(&i);
                units[i].relies.iter().any(back)
            }));
        }
    }
    assert!(
        some > 1000 && all > 100 && cyclic > 100,
        "{some} {all} {cyclic}"
    );
}
