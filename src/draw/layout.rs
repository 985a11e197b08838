//! Places for the nodes, edges and labels of a drawing: a layered layout.
//!
//! The steps are those of Sugiyama, Tagawa and Toda ("Methods for Visual Understanding of
//! Hierarchical System Structures", 1981): turn back edges around, give each node a layer, order
//! the layers so that few edges cross ([`order`]), and choose coordinates ([`place`]). Labels take
//! part in it: every second layer is one of labels, so that no label covers a node or another
//! label. Nothing is random and no step is recursive.
//!
//! The layout crates that exist were not taken: rust-sugiyama 0.4 returns no routes of edges and
//! knows no labels, dagre 0.1 needs a minute for 600 nodes.

mod order;
mod place;

/// Space between a box and its neighbour in the layer.
const NODE_GAP: f64 = 28.0;

/// Space between two edges in a layer.
const EDGE_GAP: f64 = 14.0;

/// The least space between two layers.
const LAYER_GAP: f64 = 16.0;

/// The most space between two layers, where edges go far to the side.
const WIDE_LAYER_GAP: f64 = 64.0;

/// How far the first edge from a node to itself reaches.
const LOOP_REACH: f64 = 26.0;

/// With more items in the layers than this, less is tried to make the picture nice.
const MANY: usize = 20_000;

/// A width and a height.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Size {
    /// The width.
    pub width: f64,
    /// The height.
    pub height: f64,
}

/// A place. `x` grows to the right, `y` downwards.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Point {
    /// From the left.
    pub x: f64,
    /// From the top.
    pub y: f64,
}

/// An edge to be laid out.
#[derive(Clone, Copy, Debug)]
pub struct Link {
    /// Index of the node where it starts.
    pub from: usize,
    /// Index of the node where it ends.
    pub to: usize,
    /// The size of its label; zero if it has none.
    pub label: Size,
}

/// A piece of the way of an edge.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Segment {
    /// Straight on.
    Line(Point),
    /// A cubic Bézier curve: two control points, then the end.
    Curve(Point, Point, Point),
}

/// The way of an edge.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Route {
    /// Where it starts, at the border of a node.
    pub start: Point,
    /// The pieces; the last one ends at the border of a node.
    pub segments: Vec<Segment>,
    /// The centre of its label.
    pub label: Point,
    /// Whether it leads back up, against the direction of the drawing.
    pub back: bool,
}

/// A finished layout.
#[derive(Clone, Debug, Default)]
pub struct Layout {
    /// The size of the whole; everything is between (0, 0) and here.
    pub size: Size,
    /// The centres of the nodes.
    pub nodes: Vec<Point>,
    /// The ways of the edges.
    pub edges: Vec<Route>,
}

/// What takes up room in a layer: a node, a label, or an edge that passes.
#[derive(Clone, Debug)]
struct Item {
    layer: usize,
    /// How far it reaches from its `x` to the left and to the right.
    left: f64,
    right: f64,
    height: f64,
    node: Option<usize>,
    /// Items in the layers above and below that it is connected to.
    above: Vec<usize>,
    below: Vec<usize>,
    x: f64,
}

impl Item {
    /// The space to the next item on the right.
    fn gap(&self, next: &Item) -> f64 {
        match (self.node, next.node) {
            (None, None) => EDGE_GAP,
            _ => NODE_GAP,
        }
    }
}

/// Lays out nodes of the given sizes. Links name nodes by index; one with an index out of range
/// gets an empty route. The first node is where the reader begins.
pub fn layout(sizes: &[Size], links: &[Link]) -> Layout {
    let valid = |link: &Link| link.from < sizes.len() && link.to < sizes.len();
    let proper: Vec<usize> = (0..links.len())
        .filter(|&i| valid(&links[i]) && links[i].from != links[i].to)
        .collect();
    let back = back_links(sizes.len(), links, &proper);
    // Upper and lower end of each link.
    let ends = |i: usize| match back[i] {
        true => (links[i].to, links[i].from),
        false => (links[i].from, links[i].to),
    };
    let pairs: Vec<(usize, usize)> = proper.iter().map(|&i| ends(i)).collect();
    let ranks = ranks(sizes.len(), &pairs);

    let loops = Loops::new(sizes, links);
    let mut items: Vec<Item> = (0..sizes.len())
        .map(|node| Item {
            layer: 2 * ranks[node],
            left: sizes[node].width / 2.0,
            right: sizes[node].width / 2.0 + loops.reach[node],
            height: sizes[node].height.max(loops.height[node]),
            node: Some(node),
            above: Vec::new(),
            below: Vec::new(),
            x: 0.0,
        })
        .collect();
    // For each proper link the items it passes, from the upper end to the lower one.
    let mut chains: Vec<Vec<usize>> = Vec::with_capacity(proper.len());
    for (&link, &(upper, lower)) in proper.iter().zip(&pairs) {
        let (top, bottom) = (items[upper].layer, items[lower].layer);
        // The label is close to where the edge starts.
        let label_layer = if back[link] { bottom - 1 } else { top + 1 };
        let mut chain = vec![upper];
        for layer in top + 1..bottom {
            let size = match layer == label_layer {
                true => links[link].label,
                false => Size::default(),
            };
            chain.push(items.len());
            items.push(Item {
                layer,
                left: size.width / 2.0,
                right: size.width / 2.0,
                height: size.height,
                node: None,
                above: Vec::new(),
                below: Vec::new(),
                x: 0.0,
            });
        }
        chain.push(lower);
        for pair in chain.windows(2) {
            items[pair[0]].below.push(pair[1]);
            items[pair[1]].above.push(pair[0]);
        }
        chains.push(chain);
    }

    let layers = order::order(&items);
    place::place(&mut items, &layers);
    let bands = Bands::new(&items, &layers);
    let mut result = Layout {
        size: Size {
            width: items
                .iter()
                .map(|item| item.x + item.right)
                .fold(0.0, f64::max),
            height: bands.bottom.last().copied().unwrap_or(0.0),
        },
        nodes: (0..sizes.len())
            .map(|node| Point {
                x: items[node].x,
                y: bands.middle(items[node].layer),
            })
            .collect(),
        edges: vec![Route::default(); links.len()],
    };
    let ports = Ports::new(&items, &layers, &chains);
    for ((&link, chain), port) in proper.iter().zip(&chains).zip(&ports.of_chain) {
        let label_at = if back[link] { chain.len() - 2 } else { 1 };
        let mut route = route(&items, &bands, sizes, chain, *port);
        route.label = Point {
            x: items[chain[label_at]].x,
            y: bands.middle(items[chain[label_at]].layer),
        };
        if back[link] {
            route = route.reversed();
        }
        route.back = back[link];
        result.edges[link] = route;
    }
    for (link, offset) in loops.offsets {
        let node = links[link].from;
        result.edges[link] = self_loop(result.nodes[node], sizes[node], links[link].label, offset);
    }
    result
}

/// Which links lead back to a node from which a depth-first search, begun at the first node, is
/// still on its way.
fn back_links(nodes: usize, links: &[Link], proper: &[usize]) -> Vec<bool> {
    let mut outgoing = vec![Vec::new(); nodes];
    for &link in proper {
        outgoing[links[link].from].push(link);
    }
    let mut back = vec![false; links.len()];
    // 0: not seen, 1: on the way, 2: finished.
    let mut state = vec![0u8; nodes];
    for root in 0..nodes {
        if state[root] != 0 {
            continue;
        }
        state[root] = 1;
        let mut stack = vec![(root, 0)];
        while let Some((node, next)) = stack.last_mut() {
            match outgoing[*node].get(*next) {
                Some(&link) => {
                    *next += 1;
                    let to = links[link].to;
                    match state[to] {
                        0 => {
                            state[to] = 1;
                            stack.push((to, 0));
                        }
                        1 => back[link] = true,
                        _ => {}
                    }
                }
                None => {
                    state[*node] = 2;
                    stack.pop();
                }
            }
        }
    }
    back
}

/// A rank for each node, larger than those of its predecessors: the length of the longest path to
/// it, and then closer to its successors where that makes edges shorter.
fn ranks(nodes: usize, pairs: &[(usize, usize)]) -> Vec<usize> {
    let mut below = vec![Vec::new(); nodes];
    let mut above = vec![Vec::new(); nodes];
    for &(upper, lower) in pairs {
        below[upper].push(lower);
        above[lower].push(upper);
    }
    let mut missing: Vec<usize> = above.iter().map(Vec::len).collect();
    let mut order: Vec<usize> = (0..nodes).filter(|&node| missing[node] == 0).collect();
    let mut ranks = vec![0; nodes];
    let mut next = 0;
    while let Some(&node) = order.get(next) {
        next += 1;
        for &lower in &below[node] {
            ranks[lower] = ranks[lower].max(ranks[node] + 1);
            missing[lower] -= 1;
            if missing[lower] == 0 {
                order.push(lower);
            }
        }
    }
    for &node in order.iter().rev() {
        // Moving down shortens the edges below and lengthens those above.
        if below[node].len() > above[node].len()
            && let Some(lowest) = below[node].iter().map(|&n| ranks[n] - 1).min()
        {
            ranks[node] = ranks[node].max(lowest);
        }
    }
    ranks
}

/// The edges from nodes to themselves, which are drawn on the right of the node.
struct Loops {
    /// How far they reach beyond each node.
    reach: Vec<f64>,
    /// The height that those of each node need.
    height: Vec<f64>,
    /// For each such link, the place of its middle relative to the node's.
    offsets: Vec<(usize, f64)>,
}

impl Loops {
    fn new(sizes: &[Size], links: &[Link]) -> Loops {
        let mut loops = Loops {
            reach: vec![0.0; sizes.len()],
            height: vec![0.0; sizes.len()],
            offsets: Vec::new(),
        };
        for (i, link) in links.iter().enumerate() {
            if link.from == link.to && link.from < sizes.len() {
                let height = link.label.height.max(16.0) + 6.0;
                loops
                    .offsets
                    .push((i, loops.height[link.from] + height / 2.0));
                loops.height[link.from] += height;
                let reach = LOOP_REACH + link.label.width + 6.0;
                loops.reach[link.from] = loops.reach[link.from].max(reach);
            }
        }
        for (link, offset) in &mut loops.offsets {
            *offset -= loops.height[links[*link].from] / 2.0;
        }
        loops
    }
}

fn self_loop(centre: Point, size: Size, label: Size, offset: f64) -> Route {
    let side = centre.x + size.width / 2.0;
    // The loop starts and ends within the height of the node.
    let limit = (size.height / 2.0 - 7.0).max(0.0);
    let anchor = centre.y + offset.clamp(-limit, limit);
    let middle = centre.y + offset;
    let out = side + LOOP_REACH;
    Route {
        start: Point {
            x: side,
            y: anchor - 4.0,
        },
        segments: vec![Segment::Curve(
            Point {
                x: out,
                y: middle - 14.0,
            },
            Point {
                x: out,
                y: middle + 14.0,
            },
            Point {
                x: side,
                y: anchor + 4.0,
            },
        )],
        label: Point {
            x: out + label.width / 2.0,
            y: middle,
        },
        back: true,
    }
}

/// Top and bottom of each layer.
struct Bands {
    top: Vec<f64>,
    bottom: Vec<f64>,
}

impl Bands {
    fn new(items: &[Item], layers: &[Vec<usize>]) -> Bands {
        let mut bands = Bands {
            top: Vec::new(),
            bottom: Vec::new(),
        };
        let mut y = 0.0;
        for layer in layers {
            let height = layer.iter().map(|&i| items[i].height).fold(0.0, f64::max);
            bands.top.push(y);
            bands.bottom.push(y + height);
            // Edges that go far to the side need height to do so.
            let farthest = layer
                .iter()
                .flat_map(|&i| {
                    items[i]
                        .below
                        .iter()
                        .map(move |&j| (items[i].x - items[j].x).abs())
                })
                .fold(0.0, f64::max);
            y += height + (farthest * 0.12).clamp(LAYER_GAP, WIDE_LAYER_GAP);
        }
        bands
    }

    fn middle(&self, layer: usize) -> f64 {
        (self.top[layer] + self.bottom[layer]) / 2.0
    }
}

/// Where the edges touch their nodes: side by side, in the order of where they lead.
struct Ports {
    /// For each chain the `x` at its upper and its lower end.
    of_chain: Vec<(f64, f64)>,
}

impl Ports {
    fn new(items: &[Item], layers: &[Vec<usize>], chains: &[Vec<usize>]) -> Ports {
        let mut position = vec![0; items.len()];
        for layer in layers {
            for (i, &item) in layer.iter().enumerate() {
                position[item] = i;
            }
        }
        let mut ports = Ports {
            of_chain: vec![(0.0, 0.0); chains.len()],
        };
        for upper in [true, false] {
            let mut at = vec![Vec::new(); items.len()];
            for (i, chain) in chains.iter().enumerate() {
                let (node, next) = match upper {
                    true => (chain[0], chain[1]),
                    false => (chain[chain.len() - 1], chain[chain.len() - 2]),
                };
                at[node].push((position[next], i));
            }
            for (node, list) in at.iter_mut().enumerate() {
                list.sort_unstable();
                let width = 2.0 * items[node].left;
                let step = (0.8 * width / list.len().max(1) as f64).min(18.0);
                let first = items[node].x - step * (list.len().saturating_sub(1)) as f64 / 2.0;
                for (k, &(_, chain)) in list.iter().enumerate() {
                    let x = first + step * k as f64;
                    match upper {
                        true => ports.of_chain[chain].0 = x,
                        false => ports.of_chain[chain].1 = x,
                    }
                }
            }
        }
        ports
    }
}

/// The way along a chain, from its upper end to its lower one. Edges go straight down through
/// layers and to the side between them.
fn route(
    items: &[Item],
    bands: &Bands,
    sizes: &[Size],
    chain: &[usize],
    (first, last): (f64, f64),
) -> Route {
    let half = |item: usize| {
        items[item]
            .node
            .map_or(0.0, |node| sizes[node].height / 2.0)
    };
    let (upper, lower) = (chain[0], chain[chain.len() - 1]);
    let top = bands.middle(items[upper].layer) + half(upper);
    let bottom = bands.middle(items[lower].layer) - half(lower);
    let mut route = Route {
        start: Point { x: first, y: top },
        ..Route::default()
    };
    let mut at = route.start;
    for (i, &item) in chain.iter().enumerate() {
        let layer = items[item].layer;
        let inner = i > 0 && item != lower;
        if inner && bands.bottom[layer] - bands.top[layer] < 1.0 {
            // There is nothing in this layer to go around.
            continue;
        }
        let x = match i {
            0 => first,
            _ if item == lower => last,
            _ => items[item].x,
        };
        if i > 0 {
            let enter = Point {
                x,
                y: bands.top[layer],
            };
            let half_way = (at.y + enter.y) / 2.0;
            let from = Point {
                x: at.x,
                y: half_way,
            };
            let segment = match (at.x - x).abs() < 0.5 {
                true => Segment::Line(enter),
                false => Segment::Curve(from, Point { x, y: half_way }, enter),
            };
            route.go(&mut at, segment);
        }
        let leave = match item == lower {
            true => bottom,
            false => bands.bottom[layer],
        };
        route.go(&mut at, Segment::Line(Point { x, y: leave }));
    }
    route
}

impl Segment {
    /// Where it ends.
    pub fn end(&self) -> Point {
        match *self {
            Segment::Line(end) | Segment::Curve(_, _, end) => end,
        }
    }
}

impl Route {
    /// Adds a piece; straight pieces in one direction become one.
    fn go(&mut self, at: &mut Point, segment: Segment) {
        let end = segment.end();
        if matches!(segment, Segment::Line(_)) {
            if (end.y - at.y).abs() < 0.01 && (end.x - at.x).abs() < 0.5 {
                return;
            }
            if let Some(Segment::Line(last)) = self.segments.last_mut()
                && (last.x - end.x).abs() < 0.5
            {
                *last = end;
                *at = end;
                return;
            }
        }
        self.segments.push(segment);
        *at = end;
    }

    /// The same way in the other direction.
    fn reversed(self) -> Route {
        let mut points = vec![self.start];
        points.extend(self.segments.iter().map(Segment::end));
        let end = self.segments.last().map_or(self.start, Segment::end);
        let segments = self
            .segments
            .iter()
            .enumerate()
            .rev()
            .map(|(i, segment)| match *segment {
                Segment::Line(_) => Segment::Line(points[i]),
                Segment::Curve(a, b, _) => Segment::Curve(b, a, points[i]),
            })
            .collect();
        Route {
            start: end,
            segments,
            ..self
        }
    }
}

#[cfg(test)]
mod tests;
