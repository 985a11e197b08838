//! What the bits of words are: the operators of SMT-LIB on bit-vectors, bit by bit.
//!
//! [`wire`] says which bits are the same, [`gate`] how one bit depends on others. Besides the bits of terms, there are truth values about words
//! that are on the way to a result, such as the carries of a sum; [`Kind`] says what each of them means.
//!
//! Sound: every wire and every gate holds for all values of the words, by arithmetic on what [`Kind`] says. The tests compare all of them with
//! that meaning, and the operators with another evaluator, for all words of up to five bits. (A sum is added from the lowest bit; products and
//! quotients are made row by row, as on paper.)

/// The operators on two words of one width, by their names in SMT-LIB.
pub const BINARY: [&str; 16] = [
    "bvand", "bvor", "bvxor", "bvnand", "bvnor", "bvxnor", "bvadd", "bvsub", "bvmul", "bvudiv",
    "bvurem", "bvsdiv", "bvsrem", "bvshl", "bvlshr", "bvashr",
];

/// How a word is made of others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Word<T> {
    /// A number: its bits are known.
    Number,
    /// All bits inverted.
    Not(T),
    /// The negative.
    Neg(T),
    /// One of [`BINARY`].
    Binary(&'static str, T, T),
    /// The upper bits, then the lower ones.
    Concat(T, T),
    /// The bits from this one on.
    Extract(u32, T),
    /// Zeros above it.
    ZeroExtend(T),
    /// Its sign above it.
    SignExtend(T),
    /// One of two words, by a truth value.
    Ite(T, T, T),
    /// Nothing is known about it.
    Other,
}

/// What the words are. Terms have a width, which is not zero.
pub trait Words {
    /// A word, or a truth value.
    type Term: Copy + Ord;
    /// The width of a word.
    fn width(&self, term: Self::Term) -> u32;
    /// How it is made.
    fn word(&self, term: Self::Term) -> Word<Self::Term>;
    /// A bit of a number.
    fn bit_of_number(&self, term: Self::Term, at: u32) -> bool;
}

/// What a truth value about words `a` and `b` of width `w` says, with a position `i` and a number of rows `k`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Kind {
    /// Bit `i` of `a` is set.
    Bit,
    /// `(a mod 2^i) + (b mod 2^i) >= 2^i`
    Carry,
    /// `a mod 2^i < b mod 2^i`
    Borrow,
    /// `a < b` as signed numbers; `i` is 0.
    Less,
    /// `a mod 2^i == b mod 2^i`
    Agree,
    /// Bit `i` of the product `P(k)` of `a` and `b mod 2^k` is set.
    Product,
    /// `(P(k-1) mod 2^i) + (R mod 2^i) >= 2^i` where `R` is `a * 2^(k-1)` if bit `k-1` of `b` is set, else 0.
    ProductCarry,
    /// Bit `i` of the absolute value of `a` as a signed number is set. (That of the least number is itself.)
    Abs,
    /// Bit `i` of the remainder `M(k)` of `a div 2^k` by `b` is set; the remainder by zero is the dividend.
    Rest,
    /// `S mod 2^i < b mod 2^i`, where `S` is `2 * M(k+1)` plus bit `k` of `a`.
    RestBorrow,
    /// As `Rest`, of the absolute values.
    AbsRest,
    /// As `RestBorrow`, of the absolute values.
    AbsRestBorrow,
    /// `a` is a term that shifts `x` by `y`; bit `i` of `x` shifted by `y mod 2^k` is set.
    Shifted,
}

impl Kind {
    /// The words for all of them that are operators of terms.
    pub const NAMES: [(&str, Kind); 12] = [
        ("bit", Kind::Bit),
        ("carry", Kind::Carry),
        ("borrow", Kind::Borrow),
        ("agree", Kind::Agree),
        ("product", Kind::Product),
        ("product-carry", Kind::ProductCarry),
        ("abs", Kind::Abs),
        ("rest", Kind::Rest),
        ("rest-borrow", Kind::RestBorrow),
        ("abs-rest", Kind::AbsRest),
        ("abs-rest-borrow", Kind::AbsRestBorrow),
        ("shifted", Kind::Shifted),
    ];

    /// By its word.
    pub(crate) fn named(word: &str) -> Option<Kind> {
        let found = Kind::NAMES.iter().find(|(name, _)| *name == word);
        found.map(|(_, kind)| *kind)
    }

    /// Whether a number of rows belongs to it.
    pub fn has_rows(self) -> bool {
        !matches!(
            self,
            Kind::Bit | Kind::Carry | Kind::Borrow | Kind::Less | Kind::Agree | Kind::Abs
        )
    }

    /// Whether it is about one word.
    pub fn has_one_word(self) -> bool {
        matches!(self, Kind::Bit | Kind::Abs | Kind::Shifted)
    }
}

/// A truth value about words. Where there is one word, `b` is `a`; what has no rows has `k` 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[allow(missing_docs)]
pub struct Bit<T> {
    pub kind: Kind,
    pub k: u32,
    pub i: u32,
    pub a: T,
    pub b: T,
}

/// What a gate depends on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part<T> {
    /// A truth value that is known.
    Constant(bool),
    /// A truth value about words, or its negation if the flag is not set.
    Bit(Bit<T>, bool),
    /// A term that is a truth value.
    Truth(T),
}

/// The parts of a gate, and which values of the whole and of the parts, in this order, fit together.
pub type Gate<T> = (Vec<Part<T>>, fn(&[bool]) -> bool);

impl<T: Copy> Bit<T> {
    /// Bit `i` of a word.
    pub fn of(a: T, i: u32) -> Bit<T> {
        Bit::about(Kind::Bit, i, a, a)
    }

    /// A truth value about two words.
    pub fn about(kind: Kind, i: u32, a: T, b: T) -> Bit<T> {
        Bit {
            kind,
            k: 0,
            i,
            a,
            b,
        }
    }

    fn with(self, kind: Kind, k: u32, i: u32) -> Bit<T> {
        Bit { kind, k, i, ..self }
    }
}

/// Follows wires to what a bit is the same as.
pub fn wire<W: Words>(words: &W, bit: Bit<W::Term>) -> Part<W::Term> {
    let (mut bit, mut is_positive) = (bit, true);
    loop {
        let Bit { kind, k, i, a, b } = bit;
        let width = words.width(a);
        let constant = match kind {
            Kind::Carry | Kind::Borrow | Kind::RestBorrow | Kind::AbsRestBorrow if i == 0 => {
                Some(false)
            }
            Kind::Borrow | Kind::Less if a == b => Some(false),
            Kind::Agree if i == 0 || a == b => Some(true),
            Kind::Product if k == 0 => Some(false),
            Kind::ProductCarry if k <= 1 || i < k => Some(false),
            Kind::Rest | Kind::AbsRest if k == width => Some(false),
            Kind::Bit if words.word(a) == Word::Number => Some(words.bit_of_number(a, i)),
            _ => None,
        };
        if let Some(value) = constant {
            return Part::Constant(value == is_positive);
        }
        let next = match (kind, words.word(a)) {
            (Kind::Bit, Word::Not(x)) => {
                is_positive = !is_positive;
                Bit::of(x, i)
            }
            (Kind::Bit, Word::Extract(low, x)) => Bit::of(x, i + low),
            (Kind::Bit, Word::Concat(_, x) | Word::ZeroExtend(x)) if i < words.width(x) => {
                Bit::of(x, i)
            }
            (Kind::Bit, Word::Concat(x, y)) => Bit::of(x, i - words.width(y)),
            (Kind::Bit, Word::ZeroExtend(_)) => return Part::Constant(!is_positive),
            (Kind::Bit, Word::SignExtend(x)) => Bit::of(x, i.min(words.width(x) - 1)),
            (Kind::Bit, Word::Binary(op, x, y)) => {
                let both = Bit {
                    kind,
                    k,
                    i,
                    a: x,
                    b: y,
                };
                match op {
                    "bvmul" => both.with(Kind::Product, i + 1, i),
                    "bvudiv" => {
                        is_positive = !is_positive;
                        both.with(Kind::RestBorrow, i, width + 1)
                    }
                    "bvurem" => both.with(Kind::Rest, 0, i),
                    "bvshl" | "bvlshr" | "bvashr" => bit.with(Kind::Shifted, width, i),
                    _ => return Part::Bit(bit, is_positive),
                }
            }
            // Higher rows change higher bits only.
            (Kind::Product, _) if i + 1 < k => bit.with(kind, i + 1, i),
            (Kind::Abs, _) if i == 0 => Bit::of(a, 0),
            (Kind::Agree, _) if b < a => Bit { a: b, b: a, ..bit },
            (Kind::Carry, _) if b < a => Bit { a: b, b: a, ..bit },
            (Kind::Shifted, Word::Binary(op, x, y)) => match k {
                0 => Bit::of(x, i),
                _ if words.word(y) != Word::Number => return Part::Bit(bit, is_positive),
                _ if !words.bit_of_number(y, k - 1) => bit.with(kind, k - 1, i),
                _ => match moved(words, bit, op, x) {
                    Part::Bit(next, _) => next,
                    Part::Constant(value) => return Part::Constant(value == is_positive),
                    Part::Truth(_) => return Part::Bit(bit, is_positive),
                },
            },
            _ => return Part::Bit(bit, is_positive),
        };
        bit = next;
    }
}

/// Where a bit of a shifted word comes from if it is moved by `2^(k-1)`.
fn moved<W: Words>(words: &W, bit: Bit<W::Term>, op: &str, x: W::Term) -> Part<W::Term> {
    let width = words.width(x);
    let by = 1u32.checked_shl(bit.k - 1).filter(|&by| by < width);
    let from = match op {
        "bvshl" => by.and_then(|by| bit.i.checked_sub(by)),
        _ => by.map(|by| bit.i + by).filter(|&from| from < width),
    };
    match from {
        Some(from) => Part::Bit(bit.with(Kind::Shifted, bit.k - 1, from), true),
        None if op == "bvashr" => Part::Bit(Bit::of(x, width - 1), true),
        None => Part::Constant(false),
    }
}

/// The majority of three, the first of them.
fn is_majority(v: &[bool]) -> bool {
    v[0] == (v[1..].iter().filter(|&&value| value).count() >= 2)
}

/// How a bit that is no wire depends on others. None if nothing is known about it.
pub fn gate<W: Words>(words: &W, bit: Bit<W::Term>) -> Option<Gate<W::Term>> {
    let Bit { kind, k, i, a, b } = bit;
    let width = words.width(a);
    let go = |bit: Bit<W::Term>| wire(words, bit);
    let not = |part: Part<W::Term>| match part {
        Part::Constant(value) => Part::Constant(!value),
        Part::Bit(bit, is_positive) => Part::Bit(bit, !is_positive),
        truth @ Part::Truth(_) => truth,
    };
    let x = |i: u32| go(Bit::of(a, i));
    let y = |i: u32| go(Bit::of(b, i));
    let same = |k: u32, i: u32| go(bit.with(kind, k, i));
    let gate: Gate<W::Term> = match kind {
        Kind::Bit => return operator(words, bit),
        Kind::Carry => (vec![x(i - 1), y(i - 1), same(0, i - 1)], is_majority),
        Kind::Borrow => (vec![not(x(i - 1)), y(i - 1), same(0, i - 1)], is_majority),
        Kind::Less => {
            let top = width - 1;
            let below = go(bit.with(Kind::Borrow, 0, top));
            (vec![x(top), not(y(top)), below], is_majority)
        }
        Kind::Agree => (vec![x(i - 1), y(i - 1), same(0, i - 1)], |v| {
            v[0] == (v[1] == v[2] && v[3])
        }),
        Kind::Product => {
            let carry = go(bit.with(Kind::ProductCarry, k, i));
            let parts = vec![same(k - 1, i), x(i + 1 - k), y(k - 1), carry];
            (parts, |v| v[0] == (v[1] ^ (v[2] && v[3]) ^ v[4]))
        }
        Kind::ProductCarry => {
            let before = go(bit.with(Kind::Product, k - 1, i - 1));
            let parts = vec![before, same(k, i - 1), x(i - k), y(k - 1)];
            (parts, |v| is_majority(&[v[0], v[1], v[2], v[3] && v[4]]))
        }
        Kind::Abs => {
            let parts = vec![x(i), x(width - 1), x(i - 1), same(0, i - 1)];
            (parts, |v| v[0] == (v[1] ^ (v[2] && (v[3] || v[4]))))
        }
        Kind::Rest | Kind::RestBorrow | Kind::AbsRest | Kind::AbsRestBorrow => {
            let (operand, rest, borrow) = match kind {
                Kind::Rest | Kind::RestBorrow => (Kind::Bit, Kind::Rest, Kind::RestBorrow),
                _ => (Kind::Abs, Kind::AbsRest, Kind::AbsRestBorrow),
            };
            let shifted = |i: u32| match i {
                0 => go(Bit::about(operand, k, a, a)),
                _ => go(bit.with(rest, k + 1, i - 1)),
            };
            let divisor = |i: u32| go(Bit::about(operand, i, b, b));
            let below = |i: u32| go(bit.with(borrow, k, i));
            if kind == rest {
                let parts = vec![below(width + 1), shifted(i), divisor(i), below(i)];
                let fits = |v: &[bool]| v[0] == if v[1] { v[2] } else { v[2] ^ v[3] ^ v[4] };
                (parts, fits)
            } else if i <= width {
                let parts = vec![not(shifted(i - 1)), divisor(i - 1), below(i - 1)];
                (parts, is_majority)
            } else {
                (vec![shifted(width), below(width)], |v| {
                    v[0] == (!v[1] && v[2])
                })
            }
        }
        Kind::Shifted => {
            let Word::Binary(op, x, amount) = words.word(a) else {
                return None;
            };
            let moved = match moved(words, bit, op, x) {
                Part::Bit(bit, _) => go(bit),
                other => other,
            };
            let parts = vec![go(Bit::of(amount, k - 1)), moved, same(k - 1, i)];
            (parts, |v| v[0] == if v[1] { v[2] } else { v[3] })
        }
    };
    Some(gate)
}

/// How a bit of an operator's result depends on others.
fn operator<W: Words>(words: &W, bit: Bit<W::Term>) -> Option<Gate<W::Term>> {
    let i = bit.i;
    let go = |term: W::Term, i: u32| wire(words, Bit::of(term, i));
    let before = |i: u32| go(bit.a, i - 1);
    let (op, x, y) = match words.word(bit.a) {
        Word::Binary(op, x, y) => (op, x, y),
        Word::Neg(x) if i == 0 => return Some((vec![go(x, 0)], |v| v[0] == v[1])),
        Word::Neg(x) => {
            let parts = vec![go(x, i), go(x, i - 1), before(i)];
            return Some((parts, |v| v[0] == (v[1] ^ (v[2] || v[3]))));
        }
        Word::Ite(condition, x, y) => {
            let parts = vec![Part::Truth(condition), go(x, i), go(y, i)];
            return Some((parts, |v| v[0] == if v[1] { v[2] } else { v[3] }));
        }
        _ => return None,
    };
    let about = |kind: Kind, k: u32, i: u32| {
        let bit = Bit {
            kind,
            k,
            i,
            a: x,
            b: y,
        };
        wire(words, bit)
    };
    let mut parts = vec![go(x, i), go(y, i)];
    let top = words.width(x) - 1;
    let fits: fn(&[bool]) -> bool = match op {
        "bvand" => |v| v[0] == (v[1] && v[2]),
        "bvor" => |v| v[0] == (v[1] || v[2]),
        "bvxor" => |v| v[0] == (v[1] ^ v[2]),
        "bvnand" => |v| v[0] != (v[1] && v[2]),
        "bvnor" => |v| v[0] != (v[1] || v[2]),
        "bvxnor" => |v| v[0] == (v[1] == v[2]),
        "bvadd" | "bvsub" => {
            let is_sum = op == "bvadd";
            let kind = [Kind::Borrow, Kind::Carry][usize::from(is_sum)];
            parts.push(about(kind, 0, i));
            |v| v[0] == (v[1] ^ v[2] ^ v[3])
        }
        // The negative of a word, where the signs say so: above the lowest bit that is set, all bits are inverted.
        "bvsdiv" => {
            let fits = |i: u32| about(Kind::AbsRestBorrow, i, top + 2);
            parts = vec![fits(i), go(x, top), go(y, top)];
            if i > 0 {
                parts.extend([fits(i - 1), before(i)]);
            }
            |v| v[0] == (!v[1] ^ ((v[2] ^ v[3]) && v.len() > 4 && (!v[4] || v[5])))
        }
        "bvsrem" => {
            let rest = |i: u32| about(Kind::AbsRest, 0, i);
            parts = vec![rest(i), go(x, top)];
            if i > 0 {
                parts.extend([rest(i - 1), before(i)]);
            }
            |v| v[0] == (v[1] ^ (v[2] && v.len() > 3 && (v[3] || v[4])))
        }
        // Wires.
        _ => return None,
    };
    Some((parts, fits))
}
