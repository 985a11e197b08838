//! Circuits for arithmetic on words: lists of literals, the lowest bit first.
//!
//! The meaning of each operator on bit-vectors is SMT-LIB's, division by zero included. Integers
//! are words in two's complement (the last bit is the sign) that grow as they need: no operator on
//! them overflows.

use num_bigint::{BigInt, BigUint, Sign};
use num_traits::Zero as _;

use crate::aig::{Aig, Lit};

/// A word, the lowest bit first.
pub type Word = Vec<Lit>;

/// A number as a word of a width; bits above it are dropped.
pub fn constant(value: &BigUint, width: usize) -> Word {
    (0..width)
        .map(|bit| Lit::constant(value.bit(bit as u64)))
        .collect()
}

/// An integer in as few bits as it needs, one for the sign included.
pub fn integer(value: &BigInt) -> Word {
    // Of a negative number, the bits of `-value - 1` are the inverted ones.
    let negative = value.sign() == Sign::Minus;
    let magnitude = if negative {
        (-value - 1u32).magnitude().clone()
    } else {
        value.magnitude().clone()
    };
    let bits = (0..magnitude.bits()).map(|bit| Lit::constant(magnitude.bit(bit) != negative));
    bits.chain([Lit::constant(negative)]).collect()
}

/// The bits of a word as a number.
pub fn number(bits: impl IntoIterator<Item = bool>) -> BigUint {
    let mut number = BigUint::zero();
    for (position, bit) in bits.into_iter().enumerate() {
        number.set_bit(position as u64, bit);
    }
    number
}

/// The bits of a word in two's complement as an integer.
pub fn signed_number(bits: &[bool]) -> BigInt {
    let value = BigInt::from(number(bits.iter().copied()));
    match bits.last() {
        Some(true) => value - (BigInt::from(1u32) << bits.len()),
        _ => value,
    }
}

impl Aig {
    /// Which of two words, by a condition.
    pub fn choose(&mut self, condition: Lit, a: &[Lit], b: &[Lit]) -> Word {
        let pairs = a.iter().zip(b);
        pairs.map(|(&a, &b)| self.ite(condition, a, b)).collect()
    }

    /// Whether words of one width are equal.
    pub fn equal(&mut self, a: &[Lit], b: &[Lit]) -> Lit {
        let same: Vec<Lit> = a.iter().zip(b).map(|(&a, &b)| self.iff(a, b)).collect();
        self.all(&same)
    }

    /// Whether the bits are all zero.
    pub fn is_zero(&mut self, word: &[Lit]) -> Lit {
        !self.any(word)
    }

    /// Bit by bit.
    pub fn bitwise(
        &mut self,
        a: &[Lit],
        b: &[Lit],
        mut op: impl FnMut(&mut Aig, Lit, Lit) -> Lit,
    ) -> Word {
        a.iter().zip(b).map(|(&a, &b)| op(self, a, b)).collect()
    }

    /// `a + b + carry`, and the carry out.
    fn sum(&mut self, a: &[Lit], b: &[Lit], mut carry: Lit) -> (Word, Lit) {
        let mut sum = Vec::with_capacity(a.len());
        for (&a, &b) in a.iter().zip(b) {
            let half = self.xor(a, b);
            sum.push(self.xor(half, carry));
            carry = self.ite(half, carry, a);
        }
        (sum, carry)
    }

    /// `a + b`
    pub fn plus(&mut self, a: &[Lit], b: &[Lit]) -> Word {
        self.sum(a, b, Lit::FALSE).0
    }

    /// `a - b`
    pub fn minus(&mut self, a: &[Lit], b: &[Lit]) -> Word {
        self.difference(a, b).0
    }

    /// `a - b`, and whether `a >= b` as unsigned numbers.
    fn difference(&mut self, a: &[Lit], b: &[Lit]) -> (Word, Lit) {
        let b: Word = b.iter().map(|&b| !b).collect();
        self.sum(a, &b, Lit::TRUE)
    }

    /// `-a`
    pub fn negated(&mut self, a: &[Lit]) -> Word {
        self.minus(&vec![Lit::FALSE; a.len()], a)
    }

    /// `a < b` as unsigned numbers.
    pub fn below(&mut self, a: &[Lit], b: &[Lit]) -> Lit {
        !self.difference(a, b).1
    }

    /// `a < b` as signed numbers.
    pub fn signed_below(&mut self, a: &[Lit], b: &[Lit]) -> Lit {
        let flipped = |word: &[Lit]| {
            let mut word = word.to_vec();
            if let Some(sign) = word.last_mut() {
                *sign = !*sign;
            }
            word
        };
        self.below(&flipped(a), &flipped(b))
    }

    /// `a * b`, as wide as `a`.
    pub fn times(&mut self, a: &[Lit], b: &[Lit]) -> Word {
        let width = a.len();
        // The factor with more constants says what is added.
        let constants = |word: &[Lit]| {
            word.iter()
                .filter(|bit| bit.as_constant().is_some())
                .count()
        };
        let (a, b) = if constants(b) >= constants(a) {
            (a, b)
        } else {
            (b, a)
        };
        let mut product = vec![Lit::FALSE; width];
        for (shift, &bit) in b.iter().enumerate() {
            if bit == Lit::FALSE {
                continue;
            }
            let row: Word = a[..width - shift]
                .iter()
                .map(|&a| self.and(a, bit))
                .collect();
            let upper = self.plus(&product[shift..], &row);
            product.splice(shift.., upper);
        }
        product
    }

    /// Quotient and remainder of unsigned numbers. Divided by zero, the quotient has all bits and the
    /// remainder is `a`.
    pub fn divided(&mut self, a: &[Lit], b: &[Lit]) -> (Word, Word) {
        if let Some(shift) = power_of_two(b) {
            let mut quotient = a[shift..].to_vec();
            quotient.resize(a.len(), Lit::FALSE);
            let mut remainder = a[..shift].to_vec();
            remainder.resize(a.len(), Lit::FALSE);
            return (quotient, remainder);
        }
        // One bit more: the remainder is shifted before it is compared.
        let mut divisor = b.to_vec();
        divisor.push(Lit::FALSE);
        let mut remainder = vec![Lit::FALSE; divisor.len()];
        let mut quotient = vec![Lit::FALSE; a.len()];
        for bit in (0..a.len()).rev() {
            remainder.pop();
            remainder.insert(0, a[bit]);
            let (less, fits) = self.difference(&remainder, &divisor);
            quotient[bit] = fits;
            remainder = self.choose(fits, &less, &remainder);
        }
        remainder.pop();
        (quotient, remainder)
    }

    /// The absolute value of a signed number, and its sign.
    fn magnitude(&mut self, a: &[Lit]) -> (Word, Lit) {
        let sign = a.last().copied().unwrap_or(Lit::FALSE);
        let negated = self.negated(a);
        (self.choose(sign, &negated, a), sign)
    }

    /// `bvsdiv`: the quotient rounded to zero.
    pub fn signed_quotient(&mut self, a: &[Lit], b: &[Lit]) -> Word {
        let ((x, negative), (y, inverted)) = (self.magnitude(a), self.magnitude(b));
        let quotient = self.divided(&x, &y).0;
        let negated = self.negated(&quotient);
        let sign = self.xor(negative, inverted);
        self.choose(sign, &negated, &quotient)
    }

    /// `bvsrem`: the remainder with the sign of `a`.
    pub fn signed_remainder(&mut self, a: &[Lit], b: &[Lit]) -> Word {
        let ((x, negative), (y, _)) = (self.magnitude(a), self.magnitude(b));
        let remainder = self.divided(&x, &y).1;
        let negated = self.negated(&remainder);
        self.choose(negative, &negated, &remainder)
    }

    /// `bvsmod`: the remainder with the sign of `b`.
    pub fn signed_modulus(&mut self, a: &[Lit], b: &[Lit]) -> Word {
        let ((x, negative), (y, inverted)) = (self.magnitude(a), self.magnitude(b));
        let remainder = self.divided(&x, &y).1;
        let negated = self.negated(&remainder);
        let signed = self.choose(negative, &negated, &remainder);
        // Where the signs differ and something remains, the divisor is added once.
        let moved = self.plus(&signed, b);
        let differ = self.xor(negative, inverted);
        let nothing = self.is_zero(&remainder);
        let adjust = self.and(differ, !nothing);
        self.choose(adjust, &moved, &signed)
    }

    /// Moves bits by an amount that is a word, up or down; `fill` comes in.
    pub fn shifted(&mut self, a: &[Lit], amount: &[Lit], up: bool, fill: Lit) -> Word {
        let width = a.len();
        let mut word = a.to_vec();
        for (stage, &bit) in amount.iter().enumerate() {
            let by = 1usize.checked_shl(stage as u32).unwrap_or(width).min(width);
            let moved: Word = (0..width)
                .map(|position| {
                    let from = if up {
                        position.checked_sub(by)
                    } else {
                        Some(position + by).filter(|&from| from < width)
                    };
                    from.map_or(fill, |from| word[from])
                })
                .collect();
            word = self.choose(bit, &moved, &word);
        }
        word
    }
}

/// Of a constant word with one bit set, which one that is.
fn power_of_two(word: &[Lit]) -> Option<usize> {
    let mut set = None;
    for (position, bit) in word.iter().enumerate() {
        match bit.as_constant()? {
            false => {}
            true if set.is_none() => set = Some(position),
            true => return None,
        }
    }
    set
}

// Integers.

/// The word, sign-extended to a width.
pub fn extended(word: &[Lit], width: usize) -> Word {
    let sign = word.last().copied().unwrap_or(Lit::FALSE);
    let mut word = word.to_vec();
    word.resize(width.max(word.len()), sign);
    word
}

/// Without repeated sign bits.
fn shortened(mut word: Word) -> Word {
    while let [.., below, sign] = word[..] {
        if below != sign {
            break;
        }
        word.pop();
    }
    word
}

impl Aig {
    /// Two integers as words of one width.
    pub fn aligned(a: &[Lit], b: &[Lit]) -> (Word, Word) {
        let width = a.len().max(b.len());
        (extended(a, width), extended(b, width))
    }

    /// The sum of integers.
    pub fn integer_sum(&mut self, a: &[Lit], b: &[Lit]) -> Word {
        let width = a.len().max(b.len()) + 1;
        let sum = self.plus(&extended(a, width), &extended(b, width));
        shortened(sum)
    }

    /// The product of integers.
    pub fn integer_product(&mut self, a: &[Lit], b: &[Lit]) -> Word {
        let width = a.len() + b.len();
        let product = self.times(&extended(a, width), &extended(b, width));
        shortened(product)
    }

    /// Euclidean quotient and remainder of integers. For the divisor zero they are some numbers.
    pub fn integer_division(&mut self, a: &[Lit], b: &[Lit]) -> (Word, Word) {
        if let Some(shift) = power_of_two(b).filter(|&bit| bit + 1 < b.len()) {
            // Bits below are what remains; the others are the quotient, rounded down.
            let a = extended(a, shift + 1);
            let remainder = a[..shift].iter().copied().chain([Lit::FALSE]).collect();
            return (a[shift..].to_vec(), shortened(remainder));
        }
        // Wide enough for the magnitude of the least number, and a sign.
        let width = a.len().max(b.len()) + 1;
        let (a, b) = (extended(a, width), extended(b, width));
        let ((x, negative), (y, inverted)) = (self.magnitude(&a), self.magnitude(&b));
        let (quotient, remainder) = self.divided(&x, &y);
        // Of a negative number, what remains is counted from below.
        let nothing = self.is_zero(&remainder);
        let adjust = self.and(negative, !nothing);
        let rest = self.minus(&y, &remainder);
        let remainder = self.choose(adjust, &rest, &remainder);
        let mut one = vec![Lit::FALSE; width];
        one[0] = adjust;
        let quotient = self.plus(&quotient, &one);
        let negated = self.negated(&quotient);
        let sign = self.xor(negative, inverted);
        let quotient = self.choose(sign, &negated, &quotient);
        (shortened(quotient), shortened(remainder))
    }
}
