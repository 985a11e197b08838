//! Sizes, alignments, offsets and bits of random structures and unions are those of gcc, for both data models.
//!
//! gcc is asked by what it makes of constants, so that nothing needs to run and 32 bits need no library.
//! `ULT_LAYOUTS=5000` asks for more, `ULT_LAYOUTS_SEED=7` for others.

#![allow(
    clippy::unwrap_used,
    reason = "what gcc prints is as expected, or the test fails"
)]

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::process::{Command, Stdio};

use ult_c::ir::Program;
use ult_c::types::{DataModel, Field, Record, RecordId, Type};

#[test]
fn random_layouts_are_those_of_gcc() {
    let found = Command::new("gcc")
        .args(["-m32", "-S", "-x", "c", "-o", "-", "/dev/null"])
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status();
    if !found.is_ok_and(|status| status.success()) {
        eprintln!("there is no gcc");
        return;
    }
    let number = |name: &str, default| {
        let value = std::env::var(name).ok();
        value
            .and_then(|value| value.parse().ok())
            .unwrap_or(default)
    };
    let count = number("ULT_LAYOUTS", 1000);
    let made = Maker::new(number("ULT_LAYOUTS_SEED", 1)).declarations(count as usize);
    for (model, option) in [(DataModel::Lp64, "-m64"), (DataModel::Ilp32, "-m32")] {
        let parsed = ult_c::parse::parse(&made.text);
        let (program, diagnostics) = ult_c::elaborate(&parsed, model);
        let wrong = parsed.diagnostics.iter().chain(&diagnostics);
        let wrong: Vec<_> = wrong.filter(|told| told.is_error()).collect();
        assert!(wrong.is_empty(), "{:?}", wrong.first());
        let expected = objects(&assembly(
            &format!("{}{}", made.text, made.questions),
            option,
        ));
        let found = answers(&program, &made.records);
        let mut differ = 0;
        for (name, expected) in &expected {
            if found.get(name) != Some(expected) {
                differ += 1;
                eprintln!(
                    "{option} {name}: gcc {expected:?}, found {:?}",
                    found.get(name)
                );
            }
        }
        if differ > 0 {
            eprintln!("{}", made.text);
        }
        assert_eq!(differ, 0, "{option}");
        assert!(expected.len() > made.records.len());
    }
}

/// Random declarations, and constants that show how they are laid out.
#[derive(Default)]
struct Made {
    text: String,
    questions: String,
    /// The names of the structures and unions.
    records: Vec<String>,
}

struct Maker {
    state: u64,
    names: usize,
}

const INTEGERS: &[(&str, u32)] = &[
    ("_Bool", 1),
    ("signed char", 8),
    ("unsigned char", 8),
    ("short", 16),
    ("unsigned short", 16),
    ("int", 32),
    ("unsigned", 32),
    ("long long", 64),
    ("unsigned long long", 64),
    ("long", 32),
    ("enum few", 32),
    ("enum byte", 8),
    ("wide", 32),
    ("narrow", 32),
    ("halves", 64),
];

const OTHERS: &[&str] = &["float", "double", "long double", "void *", "double_at_four"];

const START: &str = "enum few { A, B, C = 300 };\nenum byte { D, E = 200 } __attribute__((packed));\n\
    typedef int wide __attribute__((aligned(16)));\n\
    typedef int narrow __attribute__((aligned(1)));\n\
    typedef long long halves __attribute__((aligned(2)));\n\
    typedef double double_at_four __attribute__((aligned(4)));\n";

impl Maker {
    fn new(seed: u64) -> Maker {
        Maker {
            state: seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1,
            names: 0,
        }
    }

    fn below(&mut self, limit: usize) -> usize {
        self.state ^= self.state << 13;
        self.state ^= self.state >> 7;
        self.state ^= self.state << 17;
        (self.state >> 20) as usize % limit
    }

    fn once_in(&mut self, times: usize) -> bool {
        self.below(times) == 0
    }

    fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[self.below(from.len())]
    }

    fn name(&mut self) -> String {
        self.names += 1;
        format!("m{}", self.names)
    }

    fn declarations(mut self, count: usize) -> Made {
        let mut made = Made {
            text: START.to_owned(),
            ..Made::default()
        };
        for number in 0..count {
            let pack = self.once_in(3).then(|| self.pick(&[1, 2, 4, 8, 16]));
            if let Some(pack) = pack {
                let _ = writeln!(made.text, "#pragma pack(push, {pack})");
            }
            let kind = if self.once_in(5) { "union" } else { "struct" };
            let name = format!("R{number}");
            let mut named = Vec::new();
            let members = self.members(&made.records, &mut named, 0);
            let attributes = self.attributes(3);
            let _ = writeln!(made.text, "{kind} {name} {{ {members}}}{attributes};");
            if pack.is_some() {
                made.text.push_str("#pragma pack(pop)\n");
            }
            let whole = format!("{kind} {name}");
            let _ = writeln!(
                made.questions,
                "const unsigned long long {name}_[] = {{sizeof({whole}), _Alignof({whole})}};"
            );
            for (member, bits) in named {
                let _ = if bits {
                    writeln!(
                        made.questions,
                        "{whole} {name}_{member} = {{.{member} = -1}};"
                    )
                } else {
                    writeln!(
                        made.questions,
                        "const unsigned long long {name}_{member} = __builtin_offsetof({whole}, {member});"
                    )
                };
            }
            made.records.push(whole);
        }
        made
    }

    fn attributes(&mut self, times: usize) -> String {
        let mut all = String::new();
        if self.once_in(times) {
            all.push_str(" __attribute__((packed))");
        }
        if self.once_in(times + 2) {
            let align = self.pick(&[1, 2, 4, 8, 16, 32]);
            let _ = write!(all, " __attribute__((aligned({align})))");
        }
        all
    }

    /// Members; the names of those that are looked at, and whether they are bit-fields.
    fn members(
        &mut self,
        before: &[String],
        named: &mut Vec<(String, bool)>,
        depth: usize,
    ) -> String {
        let mut text = String::new();
        let count = 1 + self.below(6);
        for index in 0..count {
            let kind = self.below(10);
            if kind < 5 {
                let (ty, most) = self.pick(INTEGERS);
                let width = 1 + self.below(most as usize);
                match self.below(8) {
                    0 if index > 0 && self.once_in(3) => {
                        let align = self.pick(&[1, 2, 4, 8, 16, 32]);
                        let _ = write!(text, "{ty} __attribute__((aligned({align}))) : 0; ");
                    }
                    0 if index > 0 => {
                        let _ = write!(text, "{ty} : 0; ");
                    }
                    1 if index > 0 => {
                        let _ = write!(text, "{ty} : {width}; ");
                    }
                    _ => {
                        let name = self.name();
                        let attributes = self.attributes(6);
                        let _ = write!(text, "{ty} {name} : {width}{attributes}; ");
                        named.push((name, true));
                    }
                }
                continue;
            }
            if kind == 5 && depth < 2 {
                let kind = if self.once_in(2) { "union" } else { "struct" };
                let mut within = Vec::new();
                let inner = self.members(before, &mut within, depth + 1);
                let _ = write!(text, "{kind} {{ {inner}}}; ");
                named.append(&mut within);
                continue;
            }
            let ty = match before.len() {
                count if count > 0 && kind == 6 => before[self.below(count)].clone(),
                _ if kind == 7 => self.pick(OTHERS).to_owned(),
                _ => self.pick(INTEGERS).0.to_owned(),
            };
            let name = self.name();
            // gcc has no arrays of what is aligned to more than its size.
            let plain = !matches!(ty.as_str(), "wide" | "narrow" | "halves" | "double_at_four");
            let array = if plain && self.once_in(4) { "[3]" } else { "" };
            let attributes = self.attributes(6);
            let _ = write!(text, "{ty} {name}{array}{attributes}; ");
            named.push((name, false));
        }
        text
    }
}

fn assembly(text: &str, option: &str) -> String {
    let path = std::env::temp_dir().join(format!("ult-layouts-{}.c", std::process::id()));
    std::fs::write(&path, text).unwrap();
    let output = Command::new("gcc")
        .args([option, "-w", "-S", "-o", "-"])
        .arg(&path)
        .output()
        .unwrap();
    let _ = std::fs::remove_file(&path);
    let error = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{error}");
    String::from_utf8(output.stdout).unwrap()
}

/// The bytes of the objects that a text for the assembler defines.
fn objects(text: &str) -> BTreeMap<String, Vec<u8>> {
    let mut all = BTreeMap::new();
    let mut current = None;
    for line in text.lines() {
        if let Some(name) = line.strip_suffix(':') {
            current = Some(all.entry(name.to_owned()).or_insert_with(Vec::new));
            continue;
        }
        let mut words = line.split_whitespace();
        let (Some(directive), Some(value), Some(bytes)) =
            (words.next(), words.next(), &mut current)
        else {
            continue;
        };
        let width = match directive {
            ".byte" => 1,
            ".value" => 2,
            ".long" => 4,
            ".quad" => 8,
            ".zero" => {
                let count: usize = value.parse().unwrap();
                bytes.resize(bytes.len() + count, 0);
                continue;
            }
            _ => continue,
        };
        let value: i128 = value.parse().unwrap();
        bytes.extend(&value.to_le_bytes()[..width]);
    }
    all
}

/// What gcc's objects should contain.
fn answers(program: &Program, records: &[String]) -> BTreeMap<String, Vec<u8>> {
    let mut all = BTreeMap::new();
    for whole in records {
        let (_, name) = whole.split_once(' ').unwrap();
        let record = program
            .records
            .iter()
            .find(|record| record.name == name)
            .unwrap();
        let bytes = [record.size.to_le_bytes(), record.align.to_le_bytes()].concat();
        all.insert(format!("{name}_"), bytes);
        fields(program, record, 0, &mut |field, offset| {
            let bytes = match field.bits {
                None => (offset + field.offset).to_le_bytes().to_vec(),
                Some(bits) => {
                    let mut bytes = vec![0; record.size as usize];
                    for bit in 0..u64::from(bits.width) {
                        let at = (offset + field.offset) * 8 + u64::from(bits.first) + bit;
                        bytes[(at / 8) as usize] |= 1 << (at % 8);
                    }
                    bytes
                }
            };
            all.insert(format!("{name}_{}", field.name), bytes);
        });
    }
    all
}

/// The members with names, through anonymous structures and unions.
fn fields(program: &Program, record: &Record, offset: u64, told: &mut impl FnMut(&Field, u64)) {
    for field in record.fields.iter().flatten() {
        match field.ty {
            Type::Record(RecordId(id)) if field.name.is_empty() => {
                let inner = &program.records[id as usize];
                fields(program, inner, offset + field.offset, told);
            }
            _ => told(field, offset),
        }
    }
}
