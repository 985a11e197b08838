//! Polyhedral cones by their generators and by their constraints.
//!
//! One is made of the other by the double description method (Motzkin, Raiffa, Thompson, Thrall: "The double description
//! method", 1953; Chernikova 1968), with the test of Le Verge for which rays are neighbors. Both directions are the same
//! computation, since the constraints of a cone are the generators of its dual.

/// A vector of coprime integers.
pub(super) type Row = Vec<i128>;

/// So many constraints may be taken in, the bits of a set.
const MOST_CONSTRAINTS: usize = 128;

/// So many rays there may be.
const MOST_RAYS: usize = 96;

/// All sums of multiples of the lines and of nonnegative multiples of the rays; no smaller set of rays would do.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Cone {
    pub(super) lines: Vec<Row>,
    pub(super) rays: Vec<Row>,
}

/// A ray with the constraints that it satisfies as equations.
struct Ray {
    row: Row,
    saturated: u128,
}

/// What is orthogonal to all `lines` and not on the negative side of any of `rays`, in so many dimensions. Nothing if that takes too
/// many rays or too large numbers.
pub(super) fn dual(dimensions: usize, lines: &[Row], rays: &[Row]) -> Option<Cone> {
    let mut basis: Vec<Row> = (0..dimensions)
        .map(|at| (0..dimensions).map(|i| i128::from(i == at)).collect())
        .collect();
    let mut found: Vec<Ray> = Vec::new();
    let lines = lines.iter().map(|row| (row, true));
    let constraints = lines.chain(rays.iter().map(|row| (row, false)));
    for (number, (constraint, is_equation)) in constraints.enumerate() {
        if number >= MOST_CONSTRAINTS {
            return None;
        }
        let bit = 1u128 << number;
        let mut crossing = None;
        for (at, line) in basis.iter().enumerate() {
            let side = dot(constraint, line)?;
            if side != 0 {
                crossing = Some((at, side));
                break;
            }
        }
        if let Some((at, side)) = crossing {
            let mut line = basis.swap_remove(at);
            if side < 0 {
                line.iter_mut().for_each(|x| *x = -*x);
            }
            let side = side.abs();
            for other in &mut basis {
                let distance = dot(constraint, other)?;
                *other = combined(side, other, -distance, &line)?;
            }
            for ray in &mut found {
                let distance = dot(constraint, &ray.row)?;
                ray.row = combined(side, &ray.row, -distance, &line)?;
                ray.saturated |= bit;
            }
            if !is_equation {
                let saturated = bit - 1;
                found.push(Ray {
                    row: line,
                    saturated,
                });
            }
            continue;
        }
        found = cut(
            found,
            constraint,
            is_equation,
            bit,
            dimensions - basis.len(),
        )?;
    }
    Some(Cone {
        lines: basis,
        rays: found.into_iter().map(|ray| ray.row).collect(),
    })
}

/// The rays of a cone after one more constraint; `rank` is its dimension without its lines.
fn cut(
    rays: Vec<Ray>,
    constraint: &Row,
    is_equation: bool,
    bit: u128,
    rank: usize,
) -> Option<Vec<Ray>> {
    let sides: Vec<i128> = rays
        .iter()
        .map(|ray| dot(constraint, &ray.row))
        .collect::<Option<_>>()?;
    let mut new = Vec::new();
    for (above, &height) in rays.iter().zip(&sides).filter(|(_, side)| **side > 0) {
        for (below, &depth) in rays.iter().zip(&sides).filter(|(_, side)| **side < 0) {
            let common = above.saturated & below.saturated;
            let is_between = |other: &Ray| {
                other.saturated & common == common
                    && !std::ptr::eq(other, above)
                    && !std::ptr::eq(other, below)
            };
            if (common.count_ones() as usize) + 2 < rank || rays.iter().any(is_between) {
                continue;
            }
            new.push(Ray {
                row: combined(height, &below.row, -depth, &above.row)?,
                saturated: common | bit,
            });
            if new.len() > MOST_RAYS {
                return None;
            }
        }
    }
    let mut kept = Vec::new();
    for (mut ray, side) in rays.into_iter().zip(sides) {
        match side {
            0 => ray.saturated |= bit,
            1.. if !is_equation => {}
            _ => continue,
        }
        kept.push(ray);
    }
    kept.append(&mut new);
    (kept.len() <= MOST_RAYS).then_some(kept)
}

/// The inner product.
pub(super) fn dot(a: &[i128], b: &[i128]) -> Option<i128> {
    let mut sum = 0i128;
    for (x, y) in a.iter().zip(b) {
        if *x != 0 && *y != 0 {
            sum = sum.checked_add(x.checked_mul(*y)?)?;
        }
    }
    Some(sum)
}

/// `p * a + q * b`, with coprime numbers.
pub(super) fn combined(p: i128, a: &[i128], q: i128, b: &[i128]) -> Option<Row> {
    let mut row = Row::with_capacity(a.len());
    for (x, y) in a.iter().zip(b) {
        row.push(p.checked_mul(*x)?.checked_add(q.checked_mul(*y)?)?);
    }
    reduce(&mut row);
    Some(row)
}

/// Divides by the greatest common divisor.
pub(super) fn reduce(row: &mut Row) {
    let mut divisor = 0u128;
    for x in row.iter() {
        divisor = num_integer::gcd(divisor, x.unsigned_abs());
        if divisor == 1 {
            return;
        }
    }
    if let Some(divisor) = i128::try_from(divisor).ok().filter(|divisor| *divisor > 1) {
        row.iter_mut().for_each(|x| *x /= divisor);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sorted(mut rows: Vec<Row>) -> Vec<Row> {
        rows.sort();
        rows
    }

    #[test]
    fn a_square_has_four_corners() {
        // The coordinates are the homogeneous one, x and y; 0 <= x <= 2, 0 <= y <= 3.
        let square = [vec![0, 1, 0], vec![2, -1, 0], vec![0, 0, 1], vec![3, 0, -1]];
        let corners = dual(3, &[], &square).unwrap();
        assert_eq!(corners.lines, Vec::<Row>::new());
        assert_eq!(
            sorted(corners.rays.clone()),
            [vec![1, 0, 0], vec![1, 0, 3], vec![1, 2, 0], vec![1, 2, 3]]
        );
        // And back, also with a point in the middle.
        let mut points = corners.rays;
        points.push(vec![1, 1, 1]);
        let back = dual(3, &[], &points).unwrap();
        assert_eq!(sorted(back.rays), sorted(square.to_vec()));
    }

    #[test]
    fn equations_leave_lines() {
        let plane = dual(3, &[vec![0, 1, -1]], &[]).unwrap();
        assert_eq!(plane.lines.len(), 2);
        assert!(plane.rays.is_empty());
        let back = dual(3, &plane.lines, &plane.rays).unwrap();
        assert_eq!((back.lines.len(), back.rays.len()), (1, 0));
        let row = &back.lines[0];
        assert!(row[0] == 0 && row[1] == -row[2] && row[1].abs() == 1);
    }

    /// The dual of the dual of a cone is the cone: random constraints, and points on both sides of them.
    #[test]
    fn twice_is_nothing_new() {
        let mut seed = 7u64;
        let mut next = |bound: u64| {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            i128::from((seed >> 33) % bound)
        };
        for _ in 0..300 {
            let dimensions = 2 + next(4) as usize;
            let mut row = || -> Row { (0..dimensions).map(|_| next(7) - 3).collect() };
            let lines: Vec<Row> = (0..1).map(|_| row()).collect();
            let rays: Vec<Row> = (0..5).map(|_| row()).collect();
            let cone = dual(dimensions, &lines, &rays).unwrap();
            for ray in &cone.rays {
                assert!(lines.iter().all(|line| dot(line, ray) == Some(0)));
                assert!(rays.iter().all(|given| dot(given, ray).unwrap() >= 0));
            }
            let back = dual(dimensions, &cone.lines, &cone.rays).unwrap();
            for given in &rays {
                let again = dual(dimensions, &back.lines, &back.rays).unwrap();
                assert!(again.rays.iter().all(|ray| dot(given, ray).unwrap() >= 0));
            }
            let same = dual(dimensions, &back.lines, &back.rays).unwrap();
            assert_eq!(same.lines.len(), cone.lines.len());
            assert_eq!(same.rays.len(), cone.rays.len());
        }
    }
}
