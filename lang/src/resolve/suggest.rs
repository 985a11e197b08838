//! "Did you mean": the known name that is most like an unknown one.

/// Names longer than this are not compared; nobody mistypes them by hand.
const MAX_LENGTH: usize = 64;

/// The candidate most similar to `name`, if one is similar enough: at most a third of the letters differ (one of two;
/// of single letters only the case).
///
/// Among equally similar candidates the first one wins, so the candidates' order must be deterministic.
pub fn closest<'a>(name: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let letters: Vec<char> = name.chars().collect();
    if letters.is_empty() || letters.len() > MAX_LENGTH {
        return None;
    }
    let limit = if letters.len() == 1 {
        0
    } else {
        letters.len().div_ceil(3)
    };
    let mut best: Option<(usize, &str)> = None;
    for candidate in candidates {
        if candidate == name {
            continue;
        }
        let limit = best.map_or(limit, |(distance, _)| distance - 1);
        if let Some(distance) = distance(&letters, candidate, limit) {
            if distance == 0 {
                // Only letter case differs; nothing can be closer.
                return Some(candidate);
            }
            best = Some((distance, candidate));
        }
    }
    best.map(|(_, candidate)| candidate)
}

/// The number of insertions, deletions, replacements and swaps of neighbours (optimal string alignment) between the
/// two, letter case aside; `None` if it exceeds the limit.
fn distance(left: &[char], right: &str, limit: usize) -> Option<usize> {
    let right: Vec<char> = right.chars().collect();
    if right.len() > MAX_LENGTH || left.len().abs_diff(right.len()) > limit {
        return None;
    }
    let same = |a: char, b: char| a == b || a.to_lowercase().eq(b.to_lowercase());
    let mut before_last = vec![0; right.len() + 1];
    let mut last: Vec<usize> = (0..=right.len()).collect();
    for (i, &a) in left.iter().enumerate() {
        let mut row = vec![i + 1; right.len() + 1];
        for (j, &b) in right.iter().enumerate() {
            let replaced = last[j] + usize::from(!same(a, b));
            row[j + 1] = replaced.min(last[j + 1] + 1).min(row[j] + 1);
            if i > 0 && j > 0 && same(a, right[j - 1]) && same(left[i - 1], b) {
                row[j + 1] = row[j + 1].min(before_last[j - 1] + 1);
            }
        }
        before_last = std::mem::replace(&mut last, row);
    }
    last.last().copied().filter(|&distance| distance <= limit)
}

/// "did you mean `x`?" for the closest candidate.
pub fn did_you_mean<'a>(
    name: &str,
    candidates: impl IntoIterator<Item = &'a str>,
) -> Option<String> {
    closest(name, candidates).map(|candidate| format!("did you mean `{candidate}`?"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_closest_name_wins() {
        assert_eq!(closest("conut", ["count", "cone", "x"]), Some("count"));
        assert_eq!(closest("Balance", ["balances", "balance"]), Some("balance"));
        assert_eq!(closest("nx", ["ny"]), Some("ny"));
        assert_eq!(closest("x", ["y", "X"]), Some("X"));
    }

    #[test]
    fn nothing_is_suggested_when_nothing_is_similar() {
        assert_eq!(closest("count", ["x", "total"]), None);
        assert_eq!(closest("", ["x"]), None);
        assert_eq!(closest("x", ["y"]), None);
        assert_eq!(closest(&"a".repeat(1000), ["a"]), None);
    }
}
