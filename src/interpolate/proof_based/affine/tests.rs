use super::*;

#[test]
fn numbers_are_equal_modulo_the_equations() {
    let mut simplex = Simplex::new();
    let [x, y, z] = [(); 3].map(|()| simplex.variable(true));
    let one = Rational::ONE;
    let number = |value: i64| Delta::from(Rational::from(value));
    // x == y + 1 and 2 y == z
    let difference = simplex.form(&[(x, one.clone()), (y, -&one)]);
    let double = simplex.form(&[(y, Rational::from(2)), (z, -&one)]);
    for (column, value) in [(difference, 1), (double, 0)] {
        for side in [
            super::super::simplex::Side::Lower,
            super::super::simplex::Side::Upper,
        ] {
            simplex
                .assert_bound(column, side, number(value), 0)
                .unwrap();
        }
    }
    let affine = Affine::of_bounds(&simplex);
    let normal = |factors: &[(Column, i64)], constant: i64| {
        let factors: Vec<_> = factors
            .iter()
            .map(|&(column, factor)| (column, Rational::from(factor)))
            .collect();
        affine.normal(&factors, number(constant))
    };
    assert_eq!(normal(&[(x, 2)], 0), normal(&[(z, 1)], 2));
    assert_eq!(normal(&[(x, 1), (y, 1)], -1), normal(&[(z, 1)], 0));
    assert_ne!(normal(&[(x, 1)], 0), normal(&[(y, 1)], 0));
    assert_ne!(normal(&[(x, 1)], 0), normal(&[(z, 1)], 0));
    assert_eq!(normal(&[(x, 2), (z, -1)], 0), (Vec::new(), number(2)));
}
