//! The polynomial equalities that hold of some points.
//!
//! They are an ideal; a basis of it up to some degree is found by linear algebra (Buchberger, Möller:
//! "The construction of multivariate polynomials with preassigned zeros", EUROCAM 1982): monomials
//! come in ascending order, and one whose values at the points are a linear combination of the values
//! of those before it gives an equality. Its multiples are left out. Computed modulo a prime, then
//! the coefficients are read as fractions, and the equality is looked at again with exact numbers.

use num_bigint::BigInt;
use num_integer::Integer as _;
use num_traits::{One as _, Signed as _, ToPrimitive as _, Zero as _};

/// A prime: numbers modulo it have products in 128 bits.
pub(super) const PRIME: u64 = (1 << 61) - 1;

/// A coefficient is at most this, and a denominator at most the other: only one fraction in that
/// range is equal to a number modulo the prime.
const LARGEST: u64 = 1 << 40;
const LARGEST_DENOMINATOR: u64 = 1 << 19;

/// An equality is believed only if there are so many more points than monomials that matter.
const SPARE_POINTS: usize = 12;

/// A product of variables, by number, ascending, as often as they occur.
pub(super) type Monomial = Vec<usize>;

/// A sum of monomials with factors that is zero.
pub(super) type Equality = Vec<(Monomial, BigInt)>;

/// The monomials over so many variables up to a degree, in ascending order: by degree, then those of
/// early variables first.
pub(super) fn monomials(variables: usize, degree: usize) -> Vec<Monomial> {
    let mut all: Vec<Monomial> = vec![Vec::new()];
    let mut last = all.clone();
    for _ in 0..degree {
        let longer = |monomial: &Monomial| {
            let from = monomial.last().copied().unwrap_or(0);
            let longer = (from..variables).map(|v| [&monomial[..], &[v]].concat());
            longer.collect::<Vec<Monomial>>()
        };
        last = last.iter().flat_map(longer).collect();
        all.extend(last.iter().cloned());
    }
    all
}

/// The equalities between the monomials, which are in ascending order and begin with the empty one,
/// that hold at all points; no multiples, and none that may hold by chance.
pub(super) fn equalities(points: &[Vec<BigInt>], monomials: &[Monomial]) -> Vec<Equality> {
    let residues: Vec<Vec<u64>> = (points.iter())
        .map(|point| point.iter().map(residue).collect())
        .collect();
    // Rows in echelon form: values at the points, with a one where those behind have zeros; and of
    // which monomials they are a combination.
    let mut rows: Vec<(usize, Vec<u64>, Vec<u64>)> = Vec::new();
    let mut basis: Vec<&Monomial> = Vec::new();
    let mut leading: Vec<&Monomial> = Vec::new();
    let mut found = Vec::new();
    for monomial in monomials {
        if leading.iter().any(|other| divides(other, monomial)) {
            continue;
        }
        let product = |point: &Vec<u64>| monomial.iter().fold(1, |p, &v| times(p, point[v]));
        let mut values: Vec<u64> = residues.iter().map(product).collect();
        // The factors of the monomials of the basis; that of the new one is one.
        let mut factors = vec![0; basis.len()];
        for (pivot, row, combination) in &rows {
            let factor = values[*pivot];
            if factor != 0 {
                subtract(&mut values, row, factor);
                subtract(&mut factors, combination, factor);
            }
        }
        match values.iter().position(|&value| value != 0) {
            Some(pivot) => {
                let inverse = inverse(values[pivot]);
                factors.push(1);
                for value in values.iter_mut().chain(&mut factors) {
                    *value = times(*value, inverse);
                }
                rows.push((pivot, values, factors));
                basis.push(monomial);
            }
            None => {
                leading.push(monomial);
                if let Some(equality) = exact(&basis, &factors, monomial)
                    && points.iter().all(|point| value(&equality, point).is_zero())
                {
                    found.push(equality);
                }
            }
        }
    }
    match points.len() >= basis.len() + SPARE_POINTS {
        true => found,
        false => Vec::new(),
    }
}

/// Whether one monomial divides another.
fn divides(one: &Monomial, other: &Monomial) -> bool {
    let mut rest = other.iter();
    one.iter().all(|variable| rest.any(|v| v == variable))
}

/// With coprime integer factors, if they are small.
fn exact(basis: &[&Monomial], factors: &[u64], leading: &Monomial) -> Option<Equality> {
    let mut fractions = vec![(leading.clone(), BigInt::one(), BigInt::one())];
    for (&monomial, &factor) in basis.iter().zip(factors) {
        if factor != 0 {
            let (numerator, denominator) = fraction(factor)?;
            fractions.push((monomial.clone(), numerator, denominator));
        }
    }
    let all = fractions.iter().map(|(.., denominator)| denominator);
    let common = all.fold(BigInt::one(), |lcm, denominator| lcm.lcm(denominator));
    let scaled = fractions.into_iter();
    Some(
        scaled
            .map(|(monomial, numerator, denominator)| {
                (monomial, numerator * (&common / denominator))
            })
            .collect(),
    )
}

/// The value of the sum at a point.
fn value(equality: &Equality, point: &[BigInt]) -> BigInt {
    let product = |(monomial, factor): &(Monomial, BigInt)| {
        monomial.iter().fold(factor.clone(), |p, &v| p * &point[v])
    };
    equality.iter().map(product).sum()
}

/// The fraction that is equal to a number modulo the prime, if there is a small one (Wang 1981).
fn fraction(number: u64) -> Option<(BigInt, BigInt)> {
    let (mut r0, mut r1) = (i128::from(PRIME), i128::from(number));
    let (mut t0, mut t1) = (0i128, 1i128);
    while r1 > i128::from(LARGEST) {
        let quotient = r0 / r1;
        (r0, r1) = (r1, r0 - quotient * r1);
        (t0, t1) = (t1, t0 - quotient * t1);
    }
    if t1 == 0 || t1.abs() > i128::from(LARGEST_DENOMINATOR) {
        return None;
    }
    let (numerator, denominator) = (BigInt::from(r1) * t1.signum(), BigInt::from(t1.abs()));
    numerator
        .gcd(&denominator)
        .is_one()
        .then_some((numerator, denominator))
}

fn residue(number: &BigInt) -> u64 {
    let residue = number.mod_floor(&BigInt::from(PRIME));
    debug_assert!(!residue.is_negative());
    residue.to_u64().unwrap_or(0)
}

/// The product modulo the prime.
pub(super) fn times(x: u64, y: u64) -> u64 {
    let product = u128::from(x) * u128::from(y) % u128::from(PRIME);
    u64::try_from(product).unwrap_or(0)
}

/// Subtracts a multiple.
fn subtract(from: &mut [u64], what: &[u64], factor: u64) {
    for (x, y) in from.iter_mut().zip(what) {
        *x = (*x + PRIME - times(*y, factor)) % PRIME;
    }
}

/// What gives one, multiplied with the number: by Fermat's little theorem.
pub(super) fn inverse(number: u64) -> u64 {
    let (mut result, mut power, mut exponent) = (1, number, PRIME - 2);
    while exponent > 0 {
        if exponent & 1 == 1 {
            result = times(result, power);
        }
        power = times(power, power);
        exponent >>= 1;
    }
    result
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(equality: &Equality, names: &[&str]) -> String {
        let part = |(monomial, factor): &(Monomial, BigInt)| {
            let names: String = monomial.iter().map(|&v| names[v]).collect();
            format!("{factor}{names}")
        };
        equality.iter().map(part).collect::<Vec<_>>().join(" + ")
    }

    fn points(all: impl IntoIterator<Item = Vec<i64>>) -> Vec<Vec<BigInt>> {
        let point = |point: Vec<i64>| point.into_iter().map(BigInt::from).collect();
        all.into_iter().map(point).collect()
    }

    #[test]
    fn sums_and_squares() {
        // s is the sum of the numbers below i.
        let sums = points((0..40).map(|i| vec![i, i * (i - 1) / 2]));
        let found = equalities(&sums, &monomials(2, 2));
        let found: Vec<String> = found.iter().map(|e| shown(e, &["i", "s"])).collect();
        assert_eq!(found, ["1ii + -1i + -2s"]);
        // No multiples of it at degree three.
        assert_eq!(equalities(&sums, &monomials(2, 3)).len(), 1);
    }

    #[test]
    fn a_product_with_a_remainder() {
        // q + a * b == x * y, where b is what is left of y.
        let all = (0..12).flat_map(|x| (0..12).map(move |y| (x, y)));
        let all = all.flat_map(|(x, y)| (0..=y).map(move |b| vec![x, y, b, x * (y - b)]));
        let found = equalities(&points(all), &monomials(4, 2));
        let found: Vec<String> = found
            .iter()
            .map(|e| shown(e, &["x", "y", "b", "q"]))
            .collect();
        assert_eq!(found, ["1xb + -1xy + 1q"].map(|_| found[0].clone()));
        assert!(
            found[0].contains("1xb") && found[0].contains("1q"),
            "{found:?}"
        );
    }

    #[test]
    fn nothing_is_believed_of_few_points() {
        let few = points((0..5).map(|i| vec![i, i * i]));
        assert!(equalities(&few, &monomials(2, 2)).is_empty());
        let none = points((0..60).map(|i| vec![i, (i * 7919 + i * i * 31) % 101]));
        assert!(equalities(&none, &monomials(2, 2)).is_empty());
    }

    #[test]
    fn fractions_are_found_again() {
        for (n, d) in [(1, 2), (-3, 7), (800_020_000, 1), (5, 1024), (-1, 1)] {
            let number = times(
                residue(&BigInt::from(n)),
                inverse(residue(&BigInt::from(d))),
            );
            assert_eq!(fraction(number), Some((n.into(), d.into())));
        }
        assert_eq!(fraction(times(inverse(1_000_003), 12_345_678_901)), None);
    }
}
