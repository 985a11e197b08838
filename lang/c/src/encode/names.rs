//! Boogie names.

use std::collections::{BTreeMap, HashMap, HashSet};

use ult_lang::build::Misfit;
use ult_lang::hir;

use crate::alias::{Memory, Object, RegionId, Shape};
use crate::ir::{FunctionId, Program, Storage, VarId};
use crate::types::{Length, RecordId, Type};

/// Words that are no names in Boogie but may be in C.
const WORDS: &[&str] = &[
    "assert",
    "assume",
    "async",
    "axiom",
    "bool",
    "call",
    "complete",
    "const",
    "datatype",
    "div",
    "ensures",
    "exists",
    "extends",
    "false",
    "finite",
    "forall",
    "free",
    "function",
    "havoc",
    "implementation",
    "implies",
    "in",
    "int",
    "invariant",
    "is",
    "lambda",
    "left",
    "let",
    "mod",
    "modifies",
    "modify",
    "old",
    "pack",
    "par",
    "procedure",
    "pure",
    "real",
    "regex",
    "requires",
    "returns",
    "revealed",
    "reveal",
    "right",
    "rmode",
    "roundNearestTiesToAway",
    "string",
    "then",
    "true",
    "type",
    "unique",
    "unpack",
    "uses",
    "var",
    "where",
    "yield",
    "action",
    "anon0",
    "hide",
    "pop",
    "push",
    "to_real",
    "from",
];

/// The names of everything.
#[derive(Clone, Debug, Default)]
pub struct Names {
    variables: BTreeMap<VarId, String>,
    functions: BTreeMap<FunctionId, String>,
    regions: Vec<String>,
}

impl Names {
    /// Chooses names: those of C where possible.
    pub fn new(program: &Program, memory: &Memory<'_>) -> Names {
        let mut names = Names::default();
        let mut global = Scope::default();
        global
            .taken
            .extend(WORDS.iter().map(|word| (*word).to_owned()));
        // The solver's functions.
        // What is defined goes first: it is seen in runs.
        for defined in [true, false] {
            for (function, number) in program.functions.iter().zip(0..) {
                if function.body.is_some() == defined {
                    let name = global.fresh(&function.name, None);
                    names.functions.insert(FunctionId(number), name);
                }
            }
        }
        let mut local: HashMap<FunctionId, Scope> = HashMap::new();
        // Globals first: locals get other names.
        for statics in [true, false] {
            for (variable, number) in program.variables.iter().zip(0..) {
                match &variable.storage {
                    Storage::Static { .. } if statics => {
                        let name = global.fresh(&variable.name, None);
                        names.variables.insert(VarId(number), name);
                    }
                    Storage::Automatic {
                        function,
                        temporary,
                        ..
                    } if !statics => {
                        let mine = local.entry(*function).or_default();
                        // What nobody wrote is left out where runs are told.
                        let name = match temporary {
                            true => mine.fresh(&format!("{}~", variable.name), Some(&global)),
                            false => mine.fresh(&variable.name, Some(&global)),
                        };
                        names.variables.insert(VarId(number), name);
                    }
                    _ => {}
                }
            }
        }
        // A region is visible in all procedures: a local variable of the same name would hide it.
        let mut locals = Scope::default();
        locals
            .taken
            .extend(local.into_values().flat_map(|scope| scope.taken));
        for (region, number) in memory.regions().iter().zip(1..) {
            let objects: Vec<&Object> = memory.objects(region.target).iter().collect();
            let base = match objects[..] {
                [Object::Single(variable) | Object::Many(variable)] => {
                    let name = names.variable(*variable);
                    let ty = &program.variable(*variable).ty;
                    let offset = memory.offset(region.target);
                    let start = memory.object(*variable).offset;
                    let path = path(program, ty, offset.saturating_sub(start));
                    // Locals of different functions may have the same name.
                    let name = match &program.variable(*variable).storage {
                        Storage::Automatic { function, .. } => {
                            format!("{}.{name}", names.function(*function))
                        }
                        Storage::Static { .. } => name,
                    };
                    format!("{name}{path}")
                }
                _ => match region.shape {
                    Shape::One | Shape::ByOffset => format!("memory~{number}"),
                    Shape::ByObject | Shape::Both => format!("heap~{number}"),
                },
            };
            names.regions.push(global.fresh(&base, Some(&locals)));
        }
        names
    }

    /// The name of a variable.
    pub fn variable(&self, id: VarId) -> String {
        self.variables.get(&id).cloned().unwrap_or_default()
    }

    /// The name of a procedure.
    pub fn function(&self, id: FunctionId) -> String {
        self.functions.get(&id).cloned().unwrap_or_default()
    }

    /// The name of a region.
    pub fn region(&self, id: RegionId) -> String {
        self.regions.get(id.0 as usize).cloned().unwrap_or_default()
    }
}

/// Names that are taken.
#[derive(Debug, Default)]
struct Scope {
    taken: HashSet<String>,
    /// For names that were taken when somebody wanted them: the numbers up to this one are taken as well.
    numbered: HashMap<String, u64>,
}

impl Scope {
    /// Takes a name that is free here and in another scope, which takes no more names from now on.
    fn fresh(&mut self, name: &str, other: Option<&Scope>) -> String {
        let clean: String = name
            .chars()
            .map(|c| match c {
                c if c.is_ascii_alphanumeric() || "_.$~#".contains(c) => c,
                // Boogie's text has this for `lambda`.
                c if c.is_alphabetic() && c != 'λ' => c,
                _ => '_',
            })
            .collect();
        let mut free = match clean.chars().next() {
            None => "_".to_owned(),
            Some(c) if c.is_ascii_digit() => format!("_{clean}"),
            Some(_) => clean,
        };
        let taken = &self.taken;
        let is_taken = |name: &str| {
            taken.contains(name) || other.is_some_and(|other| other.taken.contains(name))
        };
        if is_taken(&free) || is_number_like(&free) {
            let clean = free;
            let number = self.numbered.entry(clean.clone()).or_insert(1);
            loop {
                *number += 1;
                free = format!("{clean}#{number}");
                if !is_taken(&free) {
                    break;
                }
            }
        }
        self.taken.insert(free.clone());
        free
    }
}

/// `bv32`, `float24e8` and the names of functions on bit-vectors are not for variables.
fn is_number_like(name: &str) -> bool {
    let word = name.trim_end_matches(|c: char| c.is_ascii_digit());
    word.len() < name.len()
        && (word.starts_with("bv")
            || word.starts_with("float")
            || word.starts_with("sext")
            || word.starts_with("zext")
            || word.starts_with('f'))
}

/// The members at an offset in bits: `.a.b`.
fn path(program: &Program, ty: &Type, offset: u64) -> String {
    let Type::Record(id) = ty else {
        return match ty {
            Type::Array(element, Length::Known(_)) if matches!(**element, Type::Record(_)) => {
                path(program, element, offset)
            }
            _ => String::new(),
        };
    };
    member(program, *id, offset).unwrap_or_default()
}

fn member(program: &Program, id: RecordId, offset: u64) -> Option<String> {
    let fields = program.record(id).fields.as_deref()?;
    let start = |field: &crate::types::Field| {
        field.offset * 8 + field.bits.map_or(0, |bits| u64::from(bits.first))
    };
    let (number, field) = fields
        .iter()
        .enumerate()
        .filter(|(_, field)| start(field) <= offset)
        .max_by_key(|(_, field)| start(field))?;
    let rest = path(program, &field.ty, offset - start(field));
    let name = super::located::member_name(&field.name, number);
    Some(format!(".{name}{rest}"))
}

/// The program, unless a local variable has the name of a global one. It would hide that one, and with it the memory that
/// pointers reach.
///
/// # Errors
/// The name of the local variable.
pub fn distinct(program: hir::Program) -> Result<hir::Program, Misfit> {
    let globals: HashSet<&str> = (program.globals.iter().map(|global| &*global.name)).collect();
    let parameters = program.procedures.iter();
    let parameters = parameters.flat_map(|procedure| procedure.ins.iter().chain(&procedure.outs));
    let locals = program.implementations.iter().flat_map(|body| {
        let parameters = body.ins.iter().chain(&body.outs);
        parameters.chain(&body.locals)
    });
    let mut all = parameters.chain(locals);
    match all.find(|local| globals.contains(&*local.name)) {
        Some(hidden) => Err(Misfit(format!("a local variable hides `{}`", hidden.name))),
        None => Ok(program),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_local_variable_that_hides_a_global_one_is_a_mistake() {
        let program = |local: &str| {
            let text =
                format!("var x: int;\nprocedure p() modifies x; {{ var {local}: int; x := 1; }}");
            distinct(ult_lang::analyze_boogie(&text).0)
        };
        assert!(program("y").is_ok());
        let mistake = program("x").unwrap_err();
        assert_eq!(mistake.0, "a local variable hides `x`");
    }

    /// What a scope does, without remembering where it left off.
    fn looked_for(name: &str, taken: &[String]) -> String {
        let is_free = |name: &String| !taken.contains(name);
        let numbered = (2..).map(|number| format!("{name}#{number}"));
        let all = [name.to_owned()].into_iter();
        let all = all.filter(|name| !is_number_like(name)).chain(numbered);
        all.take(1000).find(is_free).expect("a free name")
    }

    #[test]
    fn the_first_free_number_is_taken() {
        let wishes = ["x", "y", "x#2", "bv32", "x#4", "x~", "x#2#2"];
        let mut state = 1u32;
        let mut wish = || {
            state = state.wrapping_mul(1_103_515_245).wrapping_add(12_345);
            wishes[(state >> 16) as usize % wishes.len()]
        };
        let (mut global, mut taken) = (Scope::default(), Vec::new());
        for _ in 0..100 {
            let name = wish();
            let expected = looked_for(name, &taken);
            assert_eq!(global.fresh(name, None), expected);
            taken.push(expected);
        }
        let mut local = Scope::default();
        for _ in 0..100 {
            let name = wish();
            let expected = looked_for(name, &taken);
            assert_eq!(local.fresh(name, Some(&global)), expected);
            taken.push(expected);
        }
    }
}
