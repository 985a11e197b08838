//! The table behind many files: what became of each, and how many there are with each verdict.

use std::fmt::Write as _;

use ult_report::record::Word;

/// A line of the table.
pub(crate) struct Row {
    /// The file, or the file and the procedure.
    pub name: String,
    /// Whether it is about a procedure.
    pub is_procedure: bool,
    /// The verdict.
    pub word: Word,
    /// The verdict with its reason.
    pub told: String,
    /// What was expected.
    pub expected: Option<Word>,
    /// The time.
    pub seconds: f64,
}

/// A name longer than this moves the columns of its own line only.
const WIDEST: usize = 60;

/// The table, with an empty line before it, and a last line that counts.
pub(crate) fn table(rows: &[Row]) -> String {
    let mut text = String::new();
    let widest = |width: fn(&Row) -> usize| rows.iter().map(width).filter(|w| *w <= WIDEST).max();
    let names = widest(|row| row.name.chars().count()).unwrap_or(0);
    let verdicts = widest(|row| row.told.len()).unwrap_or(0);
    let expects = rows.iter().any(|row| row.expected.is_some());
    text.push('\n');
    for row in rows {
        let expected = match row.expected {
            _ if !expects => String::new(),
            None => format!("  {:<22}", ""),
            Some(word) if word == row.word => format!("  {:<22}", "as expected"),
            Some(word) => format!("  {:<22}", format!("not {word} as expected")),
        };
        let Row { name, told, .. } = row;
        let seconds = row.seconds;
        let _ = writeln!(
            text,
            "{name:<names$}  {told:<verdicts$}{expected}  {seconds:.2} s"
        );
    }
    let _ = writeln!(text, "\n{}", count(&rows.iter().collect::<Vec<&Row>>()));
    text
}

/// How many there are with each verdict.
pub(crate) fn count(rows: &[&Row]) -> String {
    let counts = Word::ALL.map(|word| (rows.iter().filter(|row| row.word == word).count(), word));
    let counts = counts.iter().filter(|(count, _)| *count > 0);
    let counts: Vec<String> = counts
        .map(|(count, word)| format!("{count} {word}"))
        .collect();
    let what = match rows.iter().all(|row| row.is_procedure) {
        true if !rows.is_empty() => "procedure",
        _ => "file",
    };
    let all = rows.len();
    let plural = if all == 1 { "" } else { "s" };
    let mut line = match counts.is_empty() {
        true => format!("{all} {what}{plural}"),
        false => format!("{all} {what}{plural}: {}", counts.join(", ")),
    };
    if rows.iter().any(|row| row.expected.is_some()) {
        let is_unexpected = |row: &&&Row| row.expected.is_some_and(|word| word != row.word);
        let _ = match rows.iter().filter(is_unexpected).count() {
            0 => write!(line, "; all that was expected"),
            unexpected => write!(line, "; {unexpected} NOT AS EXPECTED"),
        };
    }
    line
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(name: &str, word: Word, expected: Option<Word>) -> Row {
        Row {
            name: name.into(),
            is_procedure: false,
            word,
            told: word.to_string(),
            expected,
            seconds: 0.125,
        }
    }

    #[test]
    fn columns_stand_below_each_other() {
        let rows = [
            row("a.bpl", Word::Safe, Some(Word::Safe)),
            row("long/name.bpl", Word::Unknown, Some(Word::Unsafe)),
            row("b.bpl", Word::Safe, None),
        ];
        let expected = "
a.bpl          SAFE     as expected             0.12 s
long/name.bpl  UNKNOWN  not UNSAFE as expected  0.12 s
b.bpl          SAFE                             0.12 s

3 files: 2 SAFE, 1 UNKNOWN; 1 NOT AS EXPECTED
";
        assert_eq!(table(&rows), expected);
        let rows = [row("a.bpl", Word::Safe, None)];
        assert_eq!(table(&rows), "\na.bpl  SAFE  0.12 s\n\n1 file: 1 SAFE\n");
        assert_eq!(table(&[]), "\n\n0 files\n");
    }
}
