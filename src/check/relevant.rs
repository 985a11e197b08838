//! Which assumptions matter to a question.
//!
//! An invariant may say much that a region has nothing to do with: of a thousand variables its steps read and change ten.
//! A question with fewer assumptions is harder to refute, never easier, so leaving some out makes no proof wrong.

use std::collections::{HashMap, HashSet};

use ult_core::formula::{Op, Term, Terms};

/// From so many assumptions on it is asked which of them matter.
const FEW: usize = 8;

/// Those of the assumptions, in their order, that are about something that a question is about, or that other such
/// assumptions are about; and all that mention functions, about which axioms may say something.
///
/// The others share no variable with these. So they can only matter if they contradict each other.
pub(super) fn relevant(terms: &Terms, assumed: &[Term], question: &[Term]) -> Vec<Term> {
    if assumed.len() <= FEW {
        return assumed.to_vec();
    }
    let mut mentioning: HashMap<Term, Vec<usize>> = HashMap::new();
    let mut is_relevant = vec![false; assumed.len()];
    let mut work = terms.free_vars(question);
    let about: Vec<Vec<Term>> = assumed.iter().map(|&a| terms.free_vars(&[a])).collect();
    for (number, &assumption) in assumed.iter().enumerate() {
        for &variable in &about[number] {
            mentioning.entry(variable).or_default().push(number);
        }
        let parts = terms.post_order(&[assumption]);
        if parts
            .iter()
            .any(|&part| matches!(terms.op(part), Op::Apply(_)))
        {
            is_relevant[number] = true;
            work.extend(&about[number]);
        }
    }
    let mut met: HashSet<Term> = HashSet::new();
    while let Some(variable) = work.pop() {
        if !met.insert(variable) {
            continue;
        }
        for &number in mentioning.get(&variable).into_iter().flatten() {
            if !std::mem::replace(&mut is_relevant[number], true) {
                work.extend(&about[number]);
            }
        }
    }
    let both = assumed.iter().zip(is_relevant);
    both.filter_map(|(&assumption, is)| is.then_some(assumption))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use ult_core::formula::{Sort, Version};

    #[test]
    fn what_shares_nothing_with_a_question_is_left_out() {
        let terms = Terms::new();
        let x = |number: u32| terms.var("x", Version::At(number), Sort::Int);
        let zero = terms.int(0);
        // The question is about 9, and 9 about 10.
        let mut assumed: Vec<Term> = (0..9).map(|n| terms.le(zero, x(n))).collect();
        assumed.extend([terms.le(x(9), x(10)), terms.le(x(10), zero)]);
        let question = [terms.lt(zero, x(9))];
        assert_eq!(relevant(&terms, &assumed, &question), assumed[9..]);
        assert_eq!(relevant(&terms, &assumed[..5], &question), assumed[..5]);
    }
}
