//! A circuit as a text in BTOR2.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use super::{Arg, Circuit, Def, Sort};
use crate::random_models::chance::Chance;

struct Writer<'a> {
    chance: &'a mut Chance,
    text: String,
    last: u32,
    sorts: BTreeMap<Sort, u32>,
    /// The numbers of the nodes so far.
    numbers: Vec<u32>,
}

/// The text; the numbers of lines may have gaps.
pub(super) fn text(circuit: &Circuit, chance: &mut Chance) -> String {
    let mut writer = Writer {
        chance,
        text: String::new(),
        last: 0,
        sorts: BTreeMap::new(),
        numbers: Vec::new(),
    };
    for node in &circuit.nodes {
        let sort = writer.sort(node.sort);
        let line = match &node.def {
            Def::Constant(value) => writer.constant(*value, node.sort, sort),
            Def::State { .. } => format!("state {sort}"),
            Def::Input => format!("input {sort}"),
            Def::Apply(operator, args, numbers) => {
                let mut line = format!("{} {sort}", operator.name());
                for arg in args {
                    let _ = write!(line, " {}", writer.arg(*arg));
                }
                for number in numbers {
                    let _ = write!(line, " {number}");
                }
                line
            }
        };
        let number = writer.line(&line);
        writer.numbers.push(number);
        if let Def::State {
            first: Some(first), ..
        } = node.def
        {
            let first = writer.numbers[first];
            writer.line(&format!("init {sort} {number} {first}"));
        }
    }
    for (index, node) in circuit.nodes.iter().enumerate() {
        if let Def::State {
            next: Some(next), ..
        } = node.def
        {
            let sort = writer.sort(node.sort);
            let (state, next) = (writer.numbers[index], writer.arg(next));
            writer.line(&format!("next {sort} {state} {next}"));
        }
    }
    for (word, args) in [("constraint", &circuit.constraints), ("bad", &circuit.bad)] {
        for arg in args {
            let arg = writer.arg(*arg);
            writer.line(&format!("{word} {arg}"));
        }
    }
    writer.text
}

impl Writer<'_> {
    fn line(&mut self, line: &str) -> u32 {
        self.last += self.chance.pick(&[1, 1, 1, 1, 1, 1, 1, 3]);
        let _ = writeln!(self.text, "{} {line}", self.last);
        self.last
    }

    fn sort(&mut self, sort: Sort) -> u32 {
        if let Some(number) = self.sorts.get(&sort) {
            return *number;
        }
        let line = match sort {
            Sort::Word(width) => format!("sort bitvec {width}"),
            Sort::Array(index, element) => {
                let index = self.sort(Sort::Word(index));
                let element = self.sort(Sort::Word(element));
                format!("sort array {index} {element}")
            }
        };
        let number = self.line(&line);
        self.sorts.insert(sort, number);
        number
    }

    fn arg(&self, arg: Arg) -> String {
        let number = self.numbers[arg.node];
        match arg.is_inverted {
            true => format!("-{number}"),
            false => number.to_string(),
        }
    }

    fn constant(&mut self, value: u64, sort: Sort, number: u32) -> String {
        let width = sort.bits();
        let ones = (1u64 << width) - 1;
        let mut forms = vec![
            format!("const {number} {value:0width$b}", width = width as usize),
            format!("constd {number} {value}"),
            format!("consth {number} {value:x}"),
        ];
        if value == 0 {
            forms.push(format!("zero {number}"));
        }
        if value == 1 {
            forms.push(format!("one {number}"));
        }
        if value == ones {
            forms.push(format!("ones {number}"));
            // The same bits as a number with a sign.
            forms.push(format!("constd {number} -1"));
        }
        self.chance.pick(&forms)
    }
}
