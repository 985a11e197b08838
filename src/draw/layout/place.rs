//! The horizontal places of the items, whose order in each layer is fixed.
//!
//! Every item wants to be in the middle of its neighbours in one direction. In each layer the sum
//! of the squared distances from the wanted places is minimised exactly, under the condition that
//! nothing overlaps; the layers are visited downwards and upwards in turn.

use super::Item;

/// How often the layers are visited, and how often if there is very much in them.
const ROUNDS: usize = 24;
const FEW_ROUNDS: usize = 10;

/// Chooses `x` of all items; the leftmost one begins at 0.
pub(super) fn place(items: &mut [Item], layers: &[Vec<usize>]) {
    for layer in layers {
        let mut x = 0.0;
        for (i, &item) in layer.iter().enumerate() {
            if i > 0 {
                x += distance(&items[layer[i - 1]], &items[item]);
            }
            items[item].x = x;
        }
        // Layers begin centred around 0.
        for &item in layer {
            items[item].x -= x / 2.0;
        }
    }
    let rounds = if items.len() > super::MANY {
        FEW_ROUNDS
    } else {
        ROUNDS
    };
    for round in 0..rounds {
        let both = round + 6 >= rounds;
        let down = round % 2 == 0;
        for i in 0..layers.len() {
            let layer = if down { i } else { layers.len() - 1 - i };
            settle(items, &layers[layer], both || down, both || !down);
        }
    }
    for _ in 0..2 {
        straighten(items, layers);
    }
    let left = items
        .iter()
        .map(|item| item.x - item.left)
        .fold(f64::INFINITY, f64::min);
    for item in items {
        item.x -= left;
    }
}

/// The least distance of two neighbours in a layer.
fn distance(left: &Item, right: &Item) -> f64 {
    left.right + left.gap(right) + right.left
}

/// How much an edge between two items wants to be straight: long edges most.
fn stiffness(a: &Item, b: &Item) -> f64 {
    match (a.node, b.node) {
        (Some(_), Some(_)) => 1.0,
        (Some(_), None) | (None, Some(_)) => 2.0,
        (None, None) => 8.0,
    }
}

/// Items that touch, as one: the sum of their weights, and the place of the first.
struct Block {
    weight: f64,
    place: f64,
    items: usize,
}

/// Moves the items of a layer as close as possible to their neighbours above, below, or both.
fn settle(items: &mut [Item], layer: &[usize], above: bool, below: bool) {
    let mut blocks: Vec<Block> = Vec::with_capacity(layer.len());
    let mut offsets = Vec::with_capacity(layer.len());
    let mut offset = 0.0;
    for (i, &index) in layer.iter().enumerate() {
        let item = &items[index];
        if i > 0 {
            offset += distance(&items[layer[i - 1]], item);
        }
        offsets.push(offset);
        // What has no neighbours there would like to stay, but not much.
        let mut weight = 0.01;
        let mut sum = weight * item.x;
        for (wanted, neighbours) in [(above, &item.above), (below, &item.below)] {
            for &neighbour in neighbours.iter().filter(|_| wanted) {
                let stiffness = stiffness(item, &items[neighbour]);
                weight += stiffness;
                sum += stiffness * items[neighbour].x;
            }
        }
        // Pool adjacent violators: a block that would overlap the one before it joins it.
        let mut block = Block {
            weight,
            place: sum / weight - offset,
            items: 1,
        };
        while let Some(before) = blocks.pop_if(|before| before.place > block.place) {
            let weight = before.weight + block.weight;
            block = Block {
                weight,
                place: (before.weight * before.place + block.weight * block.place) / weight,
                items: before.items + block.items,
            };
        }
        blocks.push(block);
    }
    let mut next = 0;
    for block in blocks {
        for _ in 0..block.items {
            items[layer[next]].x = block.place + offsets[next];
            next += 1;
        }
    }
}

/// Makes edges that pass several layers vertical, and chains of nodes, as far as there is room
/// between the neighbours.
fn straighten(items: &mut [Item], layers: &[Vec<usize>]) {
    let mut position = vec![0; items.len()];
    for layer in layers {
        for (i, &item) in layer.iter().enumerate() {
            position[item] = i;
        }
    }
    let passes = |item: &Item| item.above.len() == 1 && item.below.len() == 1;
    for first in 0..items.len() {
        let begins = passes(&items[first])
            && items[first]
                .above
                .iter()
                .all(|&above| !passes(&items[above]));
        if !begins {
            continue;
        }
        let mut run: Vec<usize> = Vec::new();
        let mut room = (f64::NEG_INFINITY, f64::INFINITY);
        let mut next = Some(first);
        while let Some(item) = next {
            let (least, most) = free_room(items, &layers[items[item].layer], position[item]);
            let common = (room.0.max(least), room.1.min(most));
            if common.0 > common.1 {
                align(items, &run, room);
                run.clear();
                room = (least, most);
            } else {
                room = common;
            }
            run.push(item);
            next = items[item]
                .below
                .first()
                .copied()
                .filter(|&below| passes(&items[below]));
        }
        align(items, &run, room);
    }
}

/// Between which places an item can be without touching its neighbours.
fn free_room(items: &[Item], layer: &[usize], position: usize) -> (f64, f64) {
    let item = &items[layer[position]];
    let least = match position.checked_sub(1) {
        Some(left) => {
            let left = &items[layer[left]];
            left.x + distance(left, item)
        }
        None => f64::NEG_INFINITY,
    };
    let most = layer.get(position + 1).map_or(f64::INFINITY, |&right| {
        items[right].x - distance(item, &items[right])
    });
    // Rounding must not make the place where it is now impossible.
    (least.min(item.x), most.max(item.x))
}

/// Puts all items of a run at one place within their common room.
fn align(items: &mut [Item], run: &[usize], (least, most): (f64, f64)) {
    if run.is_empty() {
        return;
    }
    let mean = run.iter().map(|&item| items[item].x).sum::<f64>() / run.len() as f64;
    for &item in run {
        items[item].x = mean.max(least).min(most);
    }
}
