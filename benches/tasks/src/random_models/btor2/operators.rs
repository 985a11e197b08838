//! The operators of BTOR2: what they apply to, and their values.

use super::Sort;
use crate::random_models::chance::Chance;

/// No word has more bits.
const WIDEST: u32 = 5;

macro_rules! operators {
    ($($variant:ident $name:literal,)*) => {
        /// An operator.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub(super) enum Operator {
            $(#[doc = $name] $variant,)*
        }

        /// All operators.
        pub(super) const OPERATORS: &[Operator] = &[$(Operator::$variant,)*];

        impl Operator {
            /// As it is written.
            pub(super) fn name(self) -> &'static str {
                match self {
                    $(Operator::$variant => $name,)*
                }
            }
        }
    };
}

operators! {
    Sext "sext", Uext "uext", Slice "slice",
    Not "not", Inc "inc", Dec "dec", Neg "neg", Redand "redand", Redor "redor", Redxor "redxor",
    Iff "iff", Implies "implies", Eq "eq", Neq "neq",
    Sgt "sgt", Ugt "ugt", Sgte "sgte", Ugte "ugte", Slt "slt", Ult "ult", Slte "slte", Ulte "ulte",
    And "and", Nand "nand", Nor "nor", Or "or", Xnor "xnor", Xor "xor",
    Rol "rol", Ror "ror", Sll "sll", Sra "sra", Srl "srl",
    Add "add", Mul "mul", Sdiv "sdiv", Udiv "udiv", Smod "smod", Srem "srem", Urem "urem", Sub "sub",
    Saddo "saddo", Uaddo "uaddo", Sdivo "sdivo", Smulo "smulo", Umulo "umulo", Ssubo "ssubo", Usubo "usubo",
    Concat "concat", Read "read", Ite "ite", Write "write",
}

/// A word as a number with a sign.
fn signed(value: u64, width: u32) -> i64 {
    match value >> (width - 1) & 1 {
        1 => value as i64 - (1 << width),
        _ => value as i64,
    }
}

impl Operator {
    /// How many arguments it has.
    pub(super) fn arity(self) -> usize {
        match self {
            Operator::Sext
            | Operator::Uext
            | Operator::Slice
            | Operator::Not
            | Operator::Inc
            | Operator::Dec
            | Operator::Neg
            | Operator::Redand
            | Operator::Redor
            | Operator::Redxor => 1,
            Operator::Ite | Operator::Write => 3,
            _ => 2,
        }
    }

    /// Whether an argument may have a sort, behind those with these.
    pub(super) fn takes(self, position: usize, before: &[Sort], sort: Sort) -> bool {
        let is_word = matches!(sort, Sort::Word(_));
        match (self, position, before) {
            (Operator::Eq | Operator::Neq, 0, _) => true,
            (Operator::Iff | Operator::Implies, 0, _) | (Operator::Ite, 0, _) => {
                sort == Sort::Word(1)
            }
            (Operator::Read | Operator::Write, 0, _) => !is_word,
            (Operator::Ite, 1, _) => true,
            (Operator::Ite, _, [_, a]) => *a == sort,
            (Operator::Read | Operator::Write, 1, [Sort::Array(index, _)]) => {
                sort == Sort::Word(*index)
            }
            (Operator::Write, _, [Sort::Array(_, element), _]) => sort == Sort::Word(*element),
            (Operator::Concat, ..) => is_word,
            (_, 0, _) => is_word,
            (_, _, [a]) => *a == sort,
            _ => false,
        }
    }

    /// The numbers behind the arguments.
    pub(super) fn numbers(self, sorts: &[Sort], chance: &mut Chance) -> Vec<u32> {
        let Some(Sort::Word(width)) = sorts.first().copied() else {
            return Vec::new();
        };
        match self {
            Operator::Sext | Operator::Uext => vec![chance.between(0, 2)],
            Operator::Slice => {
                let low = chance.between(0, width - 1);
                vec![chance.between(low, width - 1), low]
            }
            _ => Vec::new(),
        }
    }

    /// The sort of the result; none if that is too wide.
    pub(super) fn sort(self, sorts: &[Sort], numbers: &[u32]) -> Option<Sort> {
        use Operator as O;
        let first = *sorts.first()?;
        let sort = match self {
            O::Sext | O::Uext => Sort::Word(first.bits() + numbers.first()?),
            O::Slice => Sort::Word(numbers.first()? + 1 - numbers.get(1)?),
            O::Concat => Sort::Word(first.bits() + sorts.get(1)?.bits()),
            O::Ite => *sorts.get(1)?,
            O::Write => first,
            O::Read => match first {
                Sort::Array(_, element) => Sort::Word(element),
                Sort::Word(_) => return None,
            },
            O::Redand | O::Redor | O::Redxor | O::Iff | O::Implies | O::Eq | O::Neq => {
                Sort::Word(1)
            }
            O::Sgt | O::Ugt | O::Sgte | O::Ugte | O::Slt | O::Ult | O::Slte | O::Ulte => {
                Sort::Word(1)
            }
            O::Saddo | O::Uaddo | O::Sdivo | O::Smulo | O::Umulo | O::Ssubo | O::Usubo => {
                Sort::Word(1)
            }
            _ => first,
        };
        match sort {
            Sort::Word(width) if width > WIDEST => None,
            sort => Some(sort),
        }
    }

    /// The value, of arguments with their sorts.
    pub(super) fn value(self, args: &[(u64, Sort)], numbers: &[u32]) -> u64 {
        use Operator as O;
        let at = |index: usize| args.get(index).map_or(0, |(value, _)| *value);
        let (a, b) = (at(0), at(1));
        let sort = args.first().map_or(Sort::Word(1), |(_, sort)| *sort);
        if let Sort::Array(_, element) = sort {
            let ones = (1u64 << element) - 1;
            let place = b as u32 * element;
            return match self {
                O::Read => a >> place & ones,
                O::Write => a & !(ones << place) | at(2) << place,
                O::Eq => u64::from(a == b),
                _ => u64::from(a != b),
            };
        }
        let width = sort.bits();
        let ones = (1u64 << width) - 1;
        let (s, t) = (signed(a, width), signed(b, width));
        let word = |value: i64| value as u64 & ones;
        let fits = |value: i64| (-(1i64 << (width - 1))..1 << (width - 1)).contains(&value);
        let truth = u64::from;
        match self {
            O::Uext => a,
            O::Sext => {
                let more = numbers.first().map_or(0, |by| width + by);
                s as u64 & ((1 << more) - 1)
            }
            O::Slice => match *numbers {
                [high, low] => a >> low & ((1 << (high + 1 - low)) - 1),
                _ => 0,
            },
            O::Not => !a & ones,
            O::Inc => (a + 1) & ones,
            O::Dec => a.wrapping_sub(1) & ones,
            O::Neg => a.wrapping_neg() & ones,
            O::Redand => truth(a == ones),
            O::Redor => truth(a != 0),
            O::Redxor => u64::from(a.count_ones() % 2),
            O::Iff | O::Eq => truth(a == b),
            O::Neq => truth(a != b),
            O::Implies => truth(a == 0 || b == 1),
            O::Sgt => truth(s > t),
            O::Sgte => truth(s >= t),
            O::Slt => truth(s < t),
            O::Slte => truth(s <= t),
            O::Ugt => truth(a > b),
            O::Ugte => truth(a >= b),
            O::Ult => truth(a < b),
            O::Ulte => truth(a <= b),
            O::And => a & b,
            O::Nand => !(a & b) & ones,
            O::Or => a | b,
            O::Nor => !(a | b) & ones,
            O::Xor => a ^ b,
            O::Xnor => !(a ^ b) & ones,
            O::Rol | O::Ror => {
                let by = b % u64::from(width);
                let left = match self {
                    O::Rol => by,
                    _ => (u64::from(width) - by) % u64::from(width),
                };
                (a << left | a >> (u64::from(width) - left)) & ones
            }
            O::Sll => match b < u64::from(width) {
                true => a << b & ones,
                false => 0,
            },
            O::Srl => match b < u64::from(width) {
                true => a >> b,
                false => 0,
            },
            O::Sra => word(s >> b.min(u64::from(width))),
            O::Add => (a + b) & ones,
            O::Sub => a.wrapping_sub(b) & ones,
            O::Mul => (a * b) & ones,
            // By zero: all ones, the dividend, and what the rule for signs makes of these.
            O::Udiv => a.checked_div(b).unwrap_or(ones),
            O::Urem => a.checked_rem(b).unwrap_or(a),
            O::Sdiv => match (t, s < 0) {
                (0, true) => 1,
                (0, false) => ones,
                _ => word(s / t),
            },
            O::Srem => match t {
                0 => a,
                _ => word(s % t),
            },
            O::Smod => match t {
                0 => a,
                // The remainder has the sign of the divisor.
                _ => word(((s % t) + t) % t),
            },
            O::Saddo => truth(!fits(s + t)),
            O::Ssubo => truth(!fits(s - t)),
            O::Smulo => truth(!fits(s * t)),
            O::Sdivo => truth(t != 0 && !fits(s / t)),
            O::Uaddo => truth(a + b > ones),
            O::Usubo => truth(a < b),
            O::Umulo => truth(a * b > ones),
            O::Concat => {
                let low = args.get(1).map_or(0, |(_, sort)| sort.bits());
                a << low | b
            }
            O::Ite => match a {
                1 => b,
                _ => at(2),
            },
            O::Read | O::Write => 0,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(operator: Operator, width: u32, args: &[u64], numbers: &[u32]) -> u64 {
        let args: Vec<_> = args.iter().map(|arg| (*arg, Sort::Word(width))).collect();
        operator.value(&args, numbers)
    }

    #[test]
    fn division_by_zero_has_values() {
        assert_eq!(of(Operator::Udiv, 3, &[5, 0], &[]), 7);
        assert_eq!(of(Operator::Urem, 3, &[5, 0], &[]), 5);
        assert_eq!(of(Operator::Sdiv, 3, &[3, 0], &[]), 7);
        assert_eq!(of(Operator::Sdiv, 3, &[5, 0], &[]), 1);
        assert_eq!(of(Operator::Srem, 3, &[5, 0], &[]), 5);
        assert_eq!(of(Operator::Smod, 3, &[5, 0], &[]), 5);
    }

    #[test]
    fn signs_are_those_of_two_complements() {
        // -3 / 2, -3 rem 2, -3 mod 2, 3 mod -2.
        assert_eq!(of(Operator::Sdiv, 3, &[5, 2], &[]), 7);
        assert_eq!(of(Operator::Srem, 3, &[5, 2], &[]), 7);
        assert_eq!(of(Operator::Smod, 3, &[5, 2], &[]), 1);
        assert_eq!(of(Operator::Smod, 3, &[3, 6], &[]), 7);
        // -4 / -1 does not fit, and wraps around.
        assert_eq!(of(Operator::Sdiv, 3, &[4, 7], &[]), 4);
        assert_eq!(of(Operator::Sdivo, 3, &[4, 7], &[]), 1);
        assert_eq!(of(Operator::Sext, 2, &[2], &[1]), 6);
        assert_eq!(of(Operator::Slt, 1, &[1, 0], &[]), 1);
    }

    #[test]
    fn shifts_and_rotations() {
        assert_eq!(of(Operator::Sll, 3, &[3, 1], &[]), 6);
        assert_eq!(of(Operator::Sll, 3, &[3, 3], &[]), 0);
        assert_eq!(of(Operator::Sra, 3, &[4, 1], &[]), 6);
        assert_eq!(of(Operator::Sra, 3, &[4, 7], &[]), 7);
        assert_eq!(of(Operator::Srl, 3, &[4, 7], &[]), 0);
        assert_eq!(of(Operator::Rol, 3, &[3, 1], &[]), 6);
        assert_eq!(of(Operator::Ror, 3, &[3, 1], &[]), 5);
        assert_eq!(of(Operator::Rol, 3, &[3, 5], &[]), 5);
        assert_eq!(of(Operator::Rol, 1, &[1, 1], &[]), 1);
    }

    #[test]
    fn overflows() {
        assert_eq!(of(Operator::Uaddo, 2, &[3, 1], &[]), 1);
        assert_eq!(of(Operator::Saddo, 2, &[1, 1], &[]), 1);
        assert_eq!(of(Operator::Saddo, 2, &[3, 1], &[]), 0);
        assert_eq!(of(Operator::Ssubo, 2, &[2, 1], &[]), 1);
        assert_eq!(of(Operator::Usubo, 2, &[1, 2], &[]), 1);
        assert_eq!(of(Operator::Umulo, 2, &[2, 2], &[]), 1);
        assert_eq!(of(Operator::Smulo, 2, &[2, 3], &[]), 1);
        assert_eq!(of(Operator::Smulo, 1, &[1, 1], &[]), 1);
    }

    #[test]
    fn arrays_and_slices() {
        let array = Sort::Array(1, 2);
        let word = |value, width| (value, Sort::Word(width));
        assert_eq!(
            Operator::Write.value(&[(0b1101, array), word(1, 1), word(0b10, 2)], &[]),
            0b1001
        );
        assert_eq!(Operator::Read.value(&[(0b1101, array), word(1, 1)], &[]), 3);
        assert_eq!(of(Operator::Slice, 3, &[0b110], &[2, 1]), 0b11);
        assert_eq!(Operator::Concat.value(&[word(1, 1), word(2, 2)], &[]), 6);
    }
}
