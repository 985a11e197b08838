//! Makes a program smaller that has a wrong answer: pieces are left out as long as the C compiler still gives values to
//! the results and the same question still has a wrong answer.

use super::program::{Piece, Program};

/// How many candidates are tried at most.
const MOST_TRIES: usize = 300;

/// The smallest program that was found. `is_wrong` tells whether a candidate still has the fault.
pub(super) fn shrink(program: &Program, mut is_wrong: impl FnMut(&Program) -> bool) -> Program {
    let mut best = program.clone();
    let mut tries = 0;
    loop {
        let before = count(&best.pieces);
        // From the end: what comes later depends on what comes before.
        let mut size = (before / 4).max(1);
        loop {
            let mut end = count(&best.pieces);
            while end > 0 {
                let start = end.saturating_sub(size);
                let mut candidate = best.clone();
                let mut number = 0;
                candidate.pieces = without(&best.pieces, start, end, &mut number);
                end = start;
                if candidate.pieces == best.pieces {
                    continue;
                }
                tries += 1;
                if tries > MOST_TRIES {
                    return best;
                }
                if is_wrong(&candidate) {
                    best = candidate;
                }
            }
            if size == 1 {
                break;
            }
            size /= 2;
        }
        if count(&best.pieces) == before {
            return best;
        }
    }
}

/// How many pieces can be left out. Blocks count before what is in them.
fn count(pieces: &[Piece]) -> usize {
    pieces
        .iter()
        .map(|piece| match piece {
            Piece::Block(_, inner, _) => 1 + count(inner),
            Piece::Text(_) | Piece::Result(..) | Piece::Claim => 1,
        })
        .sum()
}

/// All pieces but those from one number to another one. `main` and the claim stay.
fn without(pieces: &[Piece], start: usize, end: usize, number: &mut usize) -> Vec<Piece> {
    let mut rest = Vec::new();
    for piece in pieces {
        let is_out = (start..end).contains(number);
        *number += 1;
        match piece {
            Piece::Block(open, inner, close) => {
                let is_main = open.starts_with("int main");
                if is_out && !is_main {
                    *number += count(inner);
                    continue;
                }
                let inner = without(inner, start, end, number);
                rest.push(Piece::Block(open.clone(), inner, close.clone()));
            }
            Piece::Claim => rest.push(Piece::Claim),
            Piece::Text(_) | Piece::Result(..) if is_out => {}
            piece => rest.push(piece.clone()),
        }
    }
    rest
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random_c::program::Ending;

    #[test]
    fn what_is_not_needed_goes() {
        let line = |text: &str| Piece::text(text);
        let program = Program {
            pieces: vec![
                line("int a;"),
                line("int b;"),
                Piece::Block("void f(void) {".into(), vec![line("a = 1;")], "}".into()),
                Piece::Block(
                    "int main(void) {".into(),
                    vec![line("x;"), line("y;"), line("z;"), Piece::Claim],
                    "}".into(),
                ),
            ],
            ..Program::default()
        };
        let small = shrink(&program, |program| {
            let text = program.render(Ending::Print);
            text.contains("int b;") && text.contains("y;")
        });
        assert_eq!(
            small.render(Ending::Print),
            "int b;\nint main(void) {\n  y;\n}\n"
        );
    }
}
