//! Tests of the layout: nothing overlaps, edges touch their nodes, crossings are avoided.

use proptest::prelude::*;

use super::*;

fn link(from: usize, to: usize, width: f64, height: f64) -> Link {
    Link {
        from,
        to,
        label: Size { width, height },
    }
}

fn size(width: f64, height: f64) -> Size {
    Size { width, height }
}

/// A box with its corners.
struct Area {
    what: String,
    left: f64,
    right: f64,
    top: f64,
    bottom: f64,
}

fn area(what: String, centre: Point, size: Size) -> Area {
    Area {
        what,
        left: centre.x - size.width / 2.0,
        right: centre.x + size.width / 2.0,
        top: centre.y - size.height / 2.0,
        bottom: centre.y + size.height / 2.0,
    }
}

/// What every layout must fulfil.
fn check(sizes: &[Size], links: &[Link]) -> Layout {
    let result = layout(sizes, links);
    assert_eq!(result.nodes.len(), sizes.len());
    assert_eq!(result.edges.len(), links.len());
    let mut areas: Vec<Area> = Vec::new();
    for (i, (&centre, &size)) in result.nodes.iter().zip(sizes).enumerate() {
        areas.push(area(format!("node {i}"), centre, size));
    }
    for (i, (route, link)) in result.edges.iter().zip(links).enumerate() {
        if link.label.height > 0.0 {
            areas.push(area(format!("label {i}"), route.label, link.label));
        }
        let mut points = vec![route.start];
        for segment in &route.segments {
            if let Segment::Curve(a, b, _) = segment {
                points.extend([*a, *b]);
            }
            points.push(segment.end());
        }
        assert!(
            points.iter().all(|p| p.x.is_finite() && p.y.is_finite()),
            "edge {i}"
        );
        for (node, end) in [
            (link.from, route.start),
            (link.to, points[points.len() - 1]),
        ] {
            let area = area(String::new(), result.nodes[node], sizes[node]);
            let inside = end.x >= area.left - 0.01
                && end.x <= area.right + 0.01
                && end.y >= area.top - 0.01
                && end.y <= area.bottom + 0.01;
            assert!(inside, "edge {i} ends at {end:?}, not at node {node}");
        }
    }
    // Sweep over the boxes by their tops.
    areas.sort_by(|a, b| a.top.total_cmp(&b.top));
    for (i, a) in areas.iter().enumerate() {
        assert!(a.left >= -0.01 && a.top >= -0.01, "{} is outside", a.what);
        assert!(
            a.right <= result.size.width + 0.01 && a.bottom <= result.size.height + 0.01,
            "{} is outside",
            a.what
        );
        for b in areas[i + 1..]
            .iter()
            .take_while(|b| b.top < a.bottom - 0.01)
        {
            let apart = a.right <= b.left + 0.01 || b.right <= a.left + 0.01;
            assert!(apart, "{} and {} overlap", a.what, b.what);
        }
    }
    result
}

#[test]
fn nothing_and_one_node() {
    let nothing = layout(&[], &[]);
    assert_eq!((nothing.nodes.len(), nothing.size), (0, Size::default()));
    let one = check(&[size(40.0, 20.0)], &[]);
    assert_eq!(one.nodes, [Point { x: 20.0, y: 10.0 }]);
}

#[test]
fn a_chain_is_a_vertical_line() {
    let sizes = [size(40.0, 20.0), size(80.0, 30.0), size(60.0, 20.0)];
    let laid = check(&sizes, &[link(0, 1, 30.0, 12.0), link(1, 2, 0.0, 0.0)]);
    assert!(laid.nodes.windows(2).all(|pair| pair[0].y < pair[1].y));
    assert!(
        laid.nodes.iter().all(|node| (node.x - 40.0).abs() < 0.5),
        "{:?}",
        laid.nodes
    );
    assert!(
        laid.edges
            .iter()
            .all(|edge| edge.segments.len() == 1 && !edge.back)
    );
}

#[test]
fn loops_go_back_up() {
    let sizes = [size(40.0, 20.0); 3];
    let links = [
        link(0, 1, 20.0, 12.0),
        link(1, 2, 20.0, 12.0),
        link(2, 1, 20.0, 12.0),
        link(1, 1, 50.0, 24.0),
        link(1, 1, 50.0, 24.0),
        link(2, 0, 0.0, 0.0),
    ];
    let laid = check(&sizes, &links);
    let back: Vec<bool> = laid.edges.iter().map(|edge| edge.back).collect();
    assert_eq!(back, [false, false, true, true, true, true]);
    assert!(laid.nodes[0].y < laid.nodes[1].y && laid.nodes[1].y < laid.nodes[2].y);
}

#[test]
fn avoidable_crossings_are_avoided() {
    // Two chains whose links are given crosswise.
    let sizes = [size(40.0, 20.0); 7];
    let pairs = [(0, 1), (0, 2), (1, 4), (2, 3), (3, 6), (4, 5)];
    let links: Vec<Link> = pairs.iter().map(|&(a, b)| link(a, b, 0.0, 0.0)).collect();
    let laid = check(&sizes, &links);
    let left_of = |a: usize, b: usize| laid.nodes[a].x < laid.nodes[b].x;
    assert_eq!(left_of(1, 2), left_of(4, 3));
    assert_eq!(left_of(4, 3), left_of(5, 6));
}

#[test]
fn links_to_nowhere_are_left_out() {
    let laid = layout(&[size(40.0, 20.0)], &[link(0, 3, 0.0, 0.0)]);
    assert_eq!(laid.edges, [Route::default()]);
}

/// A graph like that of a program: mostly straight on, some branches, some loops, and edges to a
/// common end.
fn program_like(count: usize) -> (Vec<Size>, Vec<Link>) {
    let mut state = 88_172_645_463_325_252_u64;
    let mut below = move |limit: usize| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state % limit as u64) as usize
    };
    let sizes = (0..count)
        .map(|_| size(40.0 + below(60) as f64, 20.0 + below(20) as f64))
        .collect();
    let mut links = Vec::new();
    for i in 0..count - 1 {
        links.push(link(i, i + 1, below(2) as f64 * 80.0, 14.0));
        match below(20) {
            0..5 => links.push(link(i, (i + 1 + below(10)).min(count - 1), 60.0, 28.0)),
            5..7 => links.push(link(i, i - below(8).min(i), 50.0, 14.0)),
            7 => links.push(link(i, count - 1, 50.0, 14.0)),
            _ => {}
        }
    }
    (sizes, links)
}

#[test]
fn two_thousand_nodes() {
    let (sizes, links) = program_like(2000);
    check(&sizes, &links);
}

#[test]
fn the_same_graph_looks_the_same() {
    let (sizes, links) = program_like(150);
    let (a, b) = (layout(&sizes, &links), layout(&sizes, &links));
    assert_eq!((a.nodes, a.edges), (b.nodes, b.edges));
}

#[test]
fn long_chains_are_no_deep_recursion() {
    let sizes = vec![size(10.0, 10.0); 50_000];
    let links: Vec<Link> = (1..sizes.len()).map(|i| link(i - 1, i, 0.0, 0.0)).collect();
    layout(&sizes, &links);
}

proptest! {
    #[test]
    fn random_graphs(
        sizes in prop::collection::vec((10.0..120.0_f64, 10.0..60.0_f64), 1..30),
        links in prop::collection::vec((0..30_usize, 0..30_usize, 0.0..90.0_f64, 0.0..40.0_f64), 0..60),
    ) {
        let sizes: Vec<Size> = sizes.into_iter().map(|(w, h)| size(w, h)).collect();
        let links: Vec<Link> = links
            .into_iter()
            .map(|(a, b, w, h)| link(a % sizes.len(), b % sizes.len(), w, h))
            .collect();
        check(&sizes, &links);
    }
}
