//! The order of the items in each layer: barycentre sweeps, and exchanges of neighbours.

use super::Item;

/// The layers, each from left to right.
pub(super) fn order(items: &[Item]) -> Vec<Vec<usize>> {
    let count = items.iter().map(|item| item.layer + 1).max().unwrap_or(0);
    let mut layers: Vec<Vec<usize>> = vec![Vec::new(); count];
    for item in first_order(items) {
        layers[items[item].layer].push(item);
    }
    let mut position = vec![0; items.len()];
    for layer in &layers {
        number(layer, &mut position);
    }
    let mut best = layers.clone();
    let mut fewest = crossings(items, &layers, &position);
    let sweeps = if items.len() > super::MANY { 4 } else { 16 };
    let mut in_vain = 0;
    for sweep in 0..sweeps {
        if fewest == 0 || in_vain == 4 {
            break;
        }
        in_vain += 1;
        let down = sweep % 2 == 0;
        for i in 0..count {
            let layer = if down { i } else { count - 1 - i };
            sort_by_barycentre(items, &mut layers[layer], &mut position, down);
        }
        if items.len() <= super::MANY {
            exchange(items, &mut layers, &mut position);
        }
        let now = crossings(items, &layers, &position);
        if now < fewest {
            in_vain = 0;
            fewest = now;
            best = layers.clone();
        }
    }
    best
}

/// All items in the order of a depth-first search from above, which keeps what belongs together
/// side by side.
fn first_order(items: &[Item]) -> Vec<usize> {
    let mut seen = vec![false; items.len()];
    let mut order = Vec::with_capacity(items.len());
    let mut roots: Vec<usize> = (0..items.len())
        .filter(|&i| items[i].above.is_empty())
        .collect();
    roots.sort_by_key(|&i| items[i].layer);
    let mut stack: Vec<usize> = roots.into_iter().rev().collect();
    while let Some(item) = stack.pop() {
        if !std::mem::replace(&mut seen[item], true) {
            order.push(item);
            stack.extend(items[item].below.iter().rev().filter(|&&i| !seen[i]));
        }
    }
    order
}

fn number(layer: &[usize], position: &mut [usize]) {
    for (i, &item) in layer.iter().enumerate() {
        position[item] = i;
    }
}

/// Sorts a layer by the mean position of the neighbours above (going down) or below. Items
/// without neighbours there stay where they are.
fn sort_by_barycentre(items: &[Item], layer: &mut [usize], position: &mut [usize], down: bool) {
    let mean = |item: usize| {
        let neighbours = if down {
            &items[item].above
        } else {
            &items[item].below
        };
        let sum: usize = neighbours.iter().map(|&n| position[n]).sum();
        (!neighbours.is_empty()).then(|| sum as f64 / neighbours.len() as f64)
    };
    let means: Vec<Option<f64>> = layer.iter().map(|&item| mean(item)).collect();
    let mut movable: Vec<(f64, usize)> = layer
        .iter()
        .zip(&means)
        .filter_map(|(&item, mean)| mean.map(|mean| (mean, item)))
        .collect();
    movable.sort_by(|a, b| a.0.total_cmp(&b.0));
    let mut next = movable.into_iter();
    for (place, mean) in layer.iter_mut().zip(&means) {
        if mean.is_some()
            && let Some((_, item)) = next.next()
        {
            *place = item;
        }
    }
    number(layer, position);
}

/// Exchanges neighbours as long as that removes crossings, a few rounds.
fn exchange(items: &[Item], layers: &mut [Vec<usize>], position: &mut [usize]) {
    for _ in 0..4 {
        let mut improved = false;
        for layer in layers.iter_mut() {
            for i in 1..layer.len() {
                let (left, right) = (layer[i - 1], layer[i]);
                let count = |a: usize, b: usize, position: &[usize]| {
                    pair_crossings(&items[a].above, &items[b].above, position)
                        + pair_crossings(&items[a].below, &items[b].below, position)
                };
                if count(right, left, position) < count(left, right, position) {
                    layer.swap(i - 1, i);
                    position.swap(left, right);
                    improved = true;
                }
            }
        }
        if !improved {
            break;
        }
    }
}

/// How many edges of an item cross edges of another one to its right.
fn pair_crossings(left: &[usize], right: &[usize], position: &[usize]) -> usize {
    left.iter()
        .map(|&a| right.iter().filter(|&&b| position[b] < position[a]).count())
        .sum()
}

/// All crossings, counted layer by layer as inversions (Barth, Mutzel, Jünger: "Simple and
/// Efficient Bilayer Cross Counting", 2002).
fn crossings(items: &[Item], layers: &[Vec<usize>], position: &[usize]) -> u64 {
    let mut total = 0;
    for (i, layer) in layers.iter().enumerate() {
        let Some(below) = layers.get(i + 1) else {
            break;
        };
        // A Fenwick tree over the positions in the lower layer.
        let mut tree = vec![0u64; below.len() + 1];
        let mut seen = 0;
        for &item in layer {
            let mut ends: Vec<usize> = items[item].below.iter().map(|&n| position[n]).collect();
            ends.sort_unstable();
            for &end in &ends {
                let mut not_right = 0;
                let mut index = end + 1;
                while index > 0 {
                    not_right += tree[index];
                    index &= index - 1;
                }
                total += seen - not_right;
            }
            for &end in &ends {
                seen += 1;
                let mut index = end + 1;
                while index < tree.len() {
                    tree[index] += 1;
                    index += index & index.wrapping_neg();
                }
            }
        }
    }
    total
}
