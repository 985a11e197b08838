//! The ways on which the bytes of an object get into another one of the same type.

use super::model::Value;
use super::program::Piece;
use super::types::{Integer, Type};
use super::writer::{Access, Writer};

/// A copy to be written: where to, where from, the type as a word.
struct Copy {
    to: Access,
    from: Access,
    of: Type,
    /// The type as it stands in casts; arrays have none.
    spelled: String,
    size: String,
}

/// Integer types whose size is the alignment of words of so many bytes.
const WORDS: [(&str, u64); 4] = [("char", 1), ("short", 2), ("int", 4), ("long", 8)];

/// Whether two places can be written step by step, and the ways to them stay the same.
fn is_stable(a: &Access, b: &Access) -> bool {
    a.through
        .iter()
        .chain(&b.through)
        .all(|pointer| !pointer.overlaps(&a.place) && !pointer.overlaps(&b.place))
}

impl Writer {
    /// Copies an object to another one in one of many ways; nothing if there are no two.
    pub(super) fn travel(&mut self) -> Vec<Piece> {
        // Sometimes also what has no pointers, such as a text.
        let is_any = self.chance(10);
        let Some(from) = self.access(|writer, access| {
            !access.is_bits
                && (writer.types.has_pointers(&access.of)
                    || is_any && matches!(access.of, Type::Record(_) | Type::Array(..)))
                && !writer.types.is_flexible(&access.of)
                && writer.is_complete(&access.place)
                && is_stable(access, access)
        }) else {
            return Vec::new();
        };
        let mut pieces = Vec::new();
        let other = |writer: &Writer, access: &Access| {
            access.of == from.of
                && access.place != from.place
                && !access.is_bits
                && writer.memory.is_alive(&access.place)
                && is_stable(access, &from)
        };
        let to = match self.chance(60) {
            true => self.access(other),
            false => None,
        };
        let to = match to {
            Some(to) => to,
            None => {
                pieces.push(self.declare(&from.of, false, false));
                let Some(variable) = self.locals.last().cloned() else {
                    return pieces;
                };
                Access {
                    text: variable.name,
                    is_unary: false,
                    of: from.of.clone(),
                    place: variable.place,
                    is_bits: false,
                    through: Vec::new(),
                }
            }
        };
        let place = to.place.clone();
        pieces.extend(self.copy(to, from));
        // What is written through what came here is seen where it came from.
        if self.chance(60) {
            let reached = self.access(|_, access| {
                matches!(access.of, Type::Int(int) if int != Integer::Bool)
                    && access
                        .through
                        .last()
                        .is_some_and(|last| place.overlaps(last))
            });
            if let Some(reached) = reached {
                let number = self.below(100);
                self.set(&reached.place, Value::Integer);
                pieces.push(Piece::text(format!("{} = {number};", reached.text)));
            }
        }
        pieces
    }

    /// Copies one object to another one in one of many ways.
    pub(super) fn copy(&mut self, to: Access, from: Access) -> Vec<Piece> {
        let of = from.of.clone();
        let is_array = matches!(of, Type::Array(..));
        let spelled = match is_array {
            true => String::new(),
            false => self.spell(&of),
        };
        let size = match (is_array, self.below(3)) {
            (false, 0 | 1) => format!("sizeof({spelled})"),
            (_, 1) => format!("sizeof {}", to.postfix()),
            _ => format!("sizeof {}", from.postfix()),
        };
        let way = self.pick(&self.has.ways.clone()).unwrap_or(0);
        let value = self.value(&from.place);
        let before = self.value(&to.place);
        let copy = Copy {
            to,
            from,
            of,
            spelled,
            size,
        };
        let pieces = match is_array {
            true => match way % 8 {
                0 | 1 => self.by_library(&copy),
                2 | 3 => self.by_loop(&copy),
                4 => self.by_buffer(&copy),
                5 => self.by_function_of_bytes(&copy),
                6 => self.by_elements(&copy),
                _ => self.by_stack(&copy),
            },
            false => match way {
                0 | 1 => vec![Piece::text(format!(
                    "{} = {};",
                    copy.to.text, copy.from.text
                ))],
                2..=4 => self.by_library(&copy),
                5..=7 => self.by_loop(&copy),
                8 | 9 => self.by_union(&copy),
                10 | 11 => self.by_function_of_bytes(&copy),
                12..=14 => self.by_function_of_type(&copy),
                15..=17 => self.by_wrapper(&copy),
                18 => self.by_arguments(&copy),
                19 | 20 => self.by_box(&copy),
                21 => self.by_buffer(&copy),
                22 => self.by_stack(&copy),
                23 => self.by_table(&copy),
                24 => self.by_row(&copy),
                25 => self.by_recursion(&copy),
                26 => self.by_static(&copy),
                27 => self.by_literal(&copy),
                _ if self.memory.is_complete(&before) => {
                    let pieces = self.by_swap(&copy);
                    self.set(&copy.from.place, before);
                    pieces
                }
                _ => self.by_number(&copy),
            },
        };
        self.set(&copy.to.place, value);
        pieces
    }

    fn by_library(&mut self, copy: &Copy) -> Vec<Piece> {
        let function = self.word(&["memcpy", "memmove"]);
        let (to, from, size) = (copy.to.address(), copy.from.address(), &copy.size);
        match self.below(5) {
            0 => vec![Piece::text(format!("{function}({to}, {from}, {size});"))],
            1 => {
                let (d, s) = (self.name("to"), self.name("from"));
                vec![Piece::Block(
                    "{".into(),
                    vec![
                        Piece::text(format!("void *{d} = {to};\nconst void *{s} = {from};")),
                        Piece::text(format!("{function}({d}, {s}, {size});")),
                    ],
                    "}".into(),
                )]
            }
            2 => vec![Piece::text(format!(
                "{function}((char *){to}, (const char *){from}, {size});"
            ))],
            3 if !copy.spelled.is_empty() => vec![Piece::text(format!(
                "*({} *){function}({to}, {from}, {size}) = {};",
                copy.spelled, copy.from.text
            ))],
            // The first and the last part, each of its own.
            _ => {
                let first = 1 + self.below(7);
                let first = match self.chance(50) {
                    true => "4".to_owned(),
                    false => format!("{first} % ({size})"),
                };
                vec![Piece::text(format!(
                    "{{ size_t part = {first}; {function}({to}, {from}, part); \
                     {function}((char *){to} + part, (const char *){from} + part, {size} - part); }}"
                ))]
            }
        }
    }

    /// The type of words in which an object can be copied.
    fn unit(&mut self, of: &Type) -> &'static str {
        let alignment = self.types.alignment(of, self.pointer);
        let fitting: Vec<&'static str> = WORDS
            .iter()
            .filter(|(name, size)| {
                let size = if *name == "long" { self.pointer } else { *size };
                size <= alignment
            })
            .map(|(name, _)| *name)
            .collect();
        match self.pick(&fitting).unwrap_or("char") {
            "char" => self.word(&["char", "unsigned char", "char", "signed char"]),
            unit => unit,
        }
    }

    /// A loop over the words of an object, from one address to another.
    fn loop_over(&mut self, unit: &str, to: &str, from: &str, size: &str) -> String {
        let index = self.word(&["unsigned", "int", "size_t"]);
        let count = match unit {
            "char" | "unsigned char" | "signed char" => size.to_owned(),
            _ => format!("{size} / sizeof({unit})"),
        };
        let declare =
            format!("{unit} *to = ({unit} *){to};\nconst {unit} *from = (const {unit} *){from};");
        match self.below(5) {
            0 | 1 => format!("{declare}\nfor ({index} i = 0; i < {count}; i++) to[i] = from[i];"),
            2 => {
                format!("{declare}\nfor (int i = (int)({count}) - 1; i >= 0; i--) to[i] = from[i];")
            }
            3 => format!("{declare}\nsize_t left = {count};\nwhile (left-- > 0) *to++ = *from++;"),
            _ => format!(
                "{declare}\nconst {unit} *end = from + {count};\ndo *to++ = *from++; while (from != end);"
            ),
        }
    }

    fn by_loop(&mut self, copy: &Copy) -> Vec<Piece> {
        let unit = self.unit(&copy.of);
        let text = self.loop_over(unit, &copy.to.address(), &copy.from.address(), &copy.size);
        vec![Piece::Block(
            "{".into(),
            vec![Piece::Text(text)],
            "}".into(),
        )]
    }

    fn by_union(&mut self, copy: &Copy) -> Vec<Piece> {
        let name = self.global_name("u");
        let unit = self.unit(&copy.of);
        let member = self.types.declare(&copy.of, "whole");
        let count = format!("sizeof({}) / sizeof({unit})", copy.spelled);
        let (to, from) = (&copy.to.text, &copy.from.text);
        let is_structure = self.chance(50);
        let (words, other) = match is_structure {
            true => (
                format!("struct {{ {unit} w[{count}]; }} words"),
                "b.words = a.words;".to_owned(),
            ),
            false => (
                format!("{unit} words[{count}]"),
                format!("for (unsigned i = 0; i < {count}; i++) b.words[i] = a.words[i];"),
            ),
        };
        let members = match self.chance(50) {
            true => format!("{member}; {words};"),
            false => format!("{words}; {member};"),
        };
        self.top
            .push(Piece::text(format!("union {name} {{ {members} }};")));
        let text = match self.below(3) {
            0 => format!("union {name} a, b;\na.whole = {from};\n{other}\n{to} = b.whole;"),
            1 => format!("union {name} a = {{ .whole = {from} }}, b = a;\n{to} = b.whole;"),
            _ => format!(
                "union {name} a, b;\na.whole = {from};\nb.whole = {from};\n{other}\n{to} = b.whole;"
            ),
        };
        vec![Piece::Block(
            "{".into(),
            vec![Piece::Text(text)],
            "}".into(),
        )]
    }

    /// A function that copies bytes between any objects.
    fn byte_function(&mut self) -> String {
        let name = self.global_name("copy");
        let body = match self.below(6) {
            0 => "memcpy(a, b, n);".to_owned(),
            1 => "memmove(a, b, n);".to_owned(),
            2 => format!(
                "if (n == 0) return;\n*(char *)a = *(const char *)b;\n{name}((char *)a + 1, (const char *)b + 1, n - 1);"
            ),
            3 => "long words = (long)(n / sizeof(long));\nfor (long i = 0; i < words; i++) ((long *)a)[i] = ((const long *)b)[i];\nfor (size_t i = (size_t)words * sizeof(long); i < n; i++) ((char *)a)[i] = ((const char *)b)[i];".to_owned(),
            _ => {
                let unit = self.word(&["char", "unsigned char"]);
                self.loop_over(unit, "a", "b", "n")
            }
        };
        self.top.push(Piece::Block(
            format!("static void {name}(void *a, const void *b, size_t n) {{"),
            vec![Piece::Text(body)],
            "}".into(),
        ));
        name
    }

    fn by_function_of_bytes(&mut self, copy: &Copy) -> Vec<Piece> {
        let name = self.byte_function();
        vec![Piece::text(format!(
            "{name}({}, {}, {});",
            copy.to.address(),
            copy.from.address(),
            copy.size
        ))]
    }

    fn by_function_of_type(&mut self, copy: &Copy) -> Vec<Piece> {
        let of = &copy.spelled;
        let (to, from) = (&copy.to.text, &copy.from.text);
        let name = self.global_name("move");
        let (definition, call) = match self.below(6) {
            0 => (
                format!("static void {name}({of} *to, {of} const *from) {{ *to = *from; }}"),
                format!("{name}({}, {});", copy.to.address(), copy.from.address()),
            ),
            1 => (
                format!("static void {name}({of} *to, {of} from) {{ *to = from; }}"),
                format!("{name}({}, {from});", copy.to.address()),
            ),
            2 => (
                format!("static {of} {name}({of} it) {{ return it; }}"),
                format!("{to} = {name}({from});"),
            ),
            3 => (
                format!("static {of} *{name}({of} *a, {of} *b, int c) {{ return c ? a : b; }}"),
                format!(
                    "{to} = *{name}({}, {}, {});",
                    copy.from.address(),
                    copy.from.address(),
                    self.below(2)
                ),
            ),
            4 => (
                format!(
                    "static {of} {name}(void *it) {{ {of} here; memcpy(&here, it, sizeof here); return here; }}"
                ),
                format!("{to} = {name}({});", copy.from.address()),
            ),
            _ => (
                format!(
                    "static void {name}({of} it, void *out) {{ memcpy(out, &it, sizeof it); }}"
                ),
                format!("{name}({from}, {});", copy.to.address()),
            ),
        };
        self.top.push(Piece::Text(definition));
        vec![Piece::Text(call)]
    }

    fn by_wrapper(&mut self, copy: &Copy) -> Vec<Piece> {
        let name = self.global_name("w");
        let member = self.types.declare(&copy.of, "it");
        let (to, from) = (&copy.to.text, &copy.from.text);
        let around = self.word(&["char c;", "int n;", "short s;", "long l;"]);
        let members = match self.below(3) {
            0 => format!("{member};"),
            1 => format!("{around} {member};"),
            _ => format!("{member}; {around}"),
        };
        self.top
            .push(Piece::text(format!("struct {name} {{ {members} }};")));
        let offset = format!("__builtin_offsetof(struct {name}, it)");
        let text = match self.below(7) {
            0 => format!("struct {name} a = {{ .it = {from} }}, b;\nb = a;\n{to} = b.it;"),
            1 => format!(
                "struct {name} a = {{ .it = {from} }}, b;\nmemcpy(&b, &a, sizeof a);\n{to} = b.it;"
            ),
            2 => format!(
                "struct {name} a = {{ .it = {from} }}, b;\nmemcpy((char *)&b + {offset}, (char *)&a + {offset}, sizeof a.it);\n{to} = b.it;"
            ),
            3 => format!(
                "struct {name} a, b;\nmemset(&a, 0, sizeof a);\na.it = {from};\nfor (unsigned i = 0; i < sizeof a; i++) ((char *)&b)[i] = ((char *)&a)[i];\n{to} = b.it;"
            ),
            4 => {
                format!("struct {name} a[2] = {{ [1].it = {from} }};\na[0] = a[1];\n{to} = a->it;")
            }
            5 => {
                let function = self.global_name("wrap");
                self.top.push(Piece::text(format!(
                    "static struct {name} {function}({}) {{ struct {name} w = {{ .it = x }}; return w; }}",
                    self.types.declare(&copy.of, "x")
                )));
                format!("{to} = {function}({from}).it;")
            }
            _ => {
                let function = self.global_name("unwrap");
                self.top.push(Piece::text(format!(
                    "static {} {function}(const struct {name} *w) {{ return w->it; }}",
                    copy.spelled
                )));
                format!("struct {name} a = {{ .it = {from} }};\n{to} = {function}(&a);")
            }
        };
        vec![Piece::Block(
            "{".into(),
            vec![Piece::Text(text)],
            "}".into(),
        )]
    }

    fn by_arguments(&mut self, copy: &Copy) -> Vec<Piece> {
        let of = &copy.spelled;
        let name = self.global_name("args");
        let body = "__builtin_va_list ap;\n__builtin_va_start(ap, n);";
        self.top.push(Piece::Block(
            format!("static void {name}({of} *to, int n, ...) {{"),
            vec![Piece::text(format!(
                "{body}\nwhile (n-- > 0) *to = __builtin_va_arg(ap, {of});\n__builtin_va_end(ap);"
            ))],
            "}".into(),
        ));
        let (to, from) = (copy.to.address(), &copy.from.text);
        vec![Piece::text(match self.chance(50) {
            true => format!("{name}({to}, 1, {from});"),
            false => format!("{name}({to}, 2, {from}, {from});"),
        })]
    }

    fn by_box(&mut self, copy: &Copy) -> Vec<Piece> {
        let of = &copy.spelled;
        let (to, from) = (&copy.to.text, &copy.from.text);
        let text = match self.below(5) {
            0 => format!(
                "{of} *box = malloc(sizeof *box);\n*box = {from};\n{to} = *box;\nfree(box);"
            ),
            1 => format!(
                "unsigned char *box = malloc(sizeof({of}));\nmemcpy(box, {}, sizeof({of}));\nmemcpy({}, box, sizeof({of}));\nfree(box);",
                copy.from.address(),
                copy.to.address()
            ),
            2 => format!(
                "{of} *box = malloc(sizeof({of}));\n*box = {from};\nbox = realloc(box, 3 * sizeof({of}));\nbox[2] = box[0];\n{to} = box[2];\nfree(box);"
            ),
            3 => {
                let (first, room, last) = match self.chance(50) {
                    true => (String::new(), "malloc(3 * sizeof *box)", "\nfree(box);"),
                    false => (format!("{of} many[3];\n"), "many", ""),
                };
                format!(
                    "{first}{of} *box = {room};\nbox[1] = {from};\nmemset(box + 2, 0, sizeof *box);\n{to} = box[1];{last}"
                )
            }
            _ => format!(
                "{of} *box = calloc(3, sizeof({of}));\nbox[1] = {from};\nmemmove(box, box + 1, 2 * sizeof({of}));\n{to} = *box;\nfree(box);"
            ),
        };
        vec![Piece::Block(
            "{".into(),
            vec![Piece::Text(text)],
            "}".into(),
        )]
    }

    fn by_buffer(&mut self, copy: &Copy) -> Vec<Piece> {
        let unit = self.unit(&copy.of);
        let (to, from, size) = (copy.to.address(), copy.from.address(), &copy.size);
        let text = format!("{unit} raw[{size} / sizeof({unit})];");
        let text = match self.below(3) {
            0 => format!("{text}\nmemcpy(raw, {from}, {size});\nmemcpy({to}, raw, {size});"),
            1 => {
                let inner = self.loop_over(unit, "raw", &from, size);
                format!("{text}\n{{\n{inner}\n}}\nmemcpy({to}, raw, {size});")
            }
            _ => {
                let inner = self.loop_over(unit, &to, "raw", size);
                format!("{text}\nmemmove(raw, {from}, {size});\n{{\n{inner}\n}}")
            }
        };
        vec![Piece::Block(
            "{".into(),
            vec![Piece::Text(text)],
            "}".into(),
        )]
    }

    fn by_stack(&mut self, copy: &Copy) -> Vec<Piece> {
        let (push, pop) = (self.global_name("push"), self.global_name("pop"));
        let stack = self.global_name("stack");
        let (in_, out) = match self.chance(50) {
            true => (
                "memcpy(stack.bytes + stack.top, from, n);",
                "memcpy(to, stack.bytes + stack.top, n);",
            ),
            false => (
                "for (size_t i = 0; i < n; i++) stack.bytes[stack.top + i] = ((const char *)from)[i];",
                "for (size_t i = 0; i < n; i++) ((char *)to)[i] = stack.bytes[stack.top + i];",
            ),
        };
        let fit = |text: &str| text.replace("stack.", &format!("{stack}."));
        self.top.push(Piece::text(format!(
            "static struct {{ size_t top; char bytes[256]; }} {stack};\n\
             static void {push}(const void *from, size_t n) {{ {} {stack}.top += n; }}\n\
             static void {pop}(void *to, size_t n) {{ {stack}.top -= n; {} }}",
            fit(in_),
            fit(out)
        )));
        let (to, from, size) = (copy.to.address(), copy.from.address(), &copy.size);
        vec![
            Piece::text(format!("{push}({from}, {size});")),
            Piece::text(format!("{pop}({to}, {size});")),
        ]
    }

    fn by_table(&mut self, copy: &Copy) -> Vec<Piece> {
        let (first, second) = (self.byte_function(), self.byte_function());
        let table = self.global_name("table");
        let (to, from, size) = (copy.to.address(), copy.from.address(), &copy.size);
        let index = self.below(2);
        let (definition, call) = match self.chance(60) {
            true => (
                format!(
                    "static void (*const {table}[])(void *, const void *, size_t) = {{ {first}, {second} }};"
                ),
                format!("{table}[{index}]({to}, {from}, {size});"),
            ),
            false => (
                format!(
                    "static struct {{ int id; void (*copy)(void *, const void *, size_t); }} {table}[2] = {{ {{ 1, {first} }}, {{ 2, {second} }} }};"
                ),
                format!("{table}[{index}].copy({to}, {from}, {size});"),
            ),
        };
        self.top.push(Piece::Text(definition));
        vec![Piece::Text(call)]
    }

    fn by_row(&mut self, copy: &Copy) -> Vec<Piece> {
        let (to, from) = (&copy.to.text, &copy.from.text);
        let row = self.types.declare(&copy.of, "row[4]");
        let size = &copy.size;
        let text = match self.below(4) {
            0 => {
                format!("{row} = {{ {from} }};\nmemmove(row + 1, row, 3 * {size});\n{to} = row[1];")
            }
            1 => format!(
                "{row} = {{ [2] = {from} }};\nmemmove(row, row + 1, 3 * {size});\n{to} = row[1];"
            ),
            2 => format!(
                "{row} = {{ {from} }};\nfor (int i = 1; i < 4; i++) row[i] = row[i - 1];\n{to} = row[3];"
            ),
            _ => format!(
                "{row} = {{ {from}, {from} }};\nmemcpy(row + 2, row, 2 * {size});\n{to} = *(row + 3);"
            ),
        };
        vec![Piece::Block(
            "{".into(),
            vec![Piece::Text(text)],
            "}".into(),
        )]
    }

    fn by_recursion(&mut self, copy: &Copy) -> Vec<Piece> {
        let of = &copy.spelled;
        let name = self.global_name("down");
        self.top.push(Piece::Block(
            format!("static void {name}({of} *to, {of} *from, int n) {{"),
            vec![Piece::text(format!(
                "{of} here = *from;\nif (n == 0) *to = here;\nelse {name}(to, &here, n - 1);"
            ))],
            "}".into(),
        ));
        vec![Piece::text(format!(
            "{name}({}, {}, {});",
            copy.to.address(),
            copy.from.address(),
            self.below(3)
        ))]
    }

    fn by_static(&mut self, copy: &Copy) -> Vec<Piece> {
        let of = &copy.spelled;
        let name = self.global_name("keep");
        self.top.push(Piece::text(format!(
            "static {of} *{name}({of} *it) {{ static {}; if (it) kept = *it; return &kept; }}",
            self.types.declare(&copy.of, "kept")
        )));
        vec![
            Piece::text(format!("{name}({});", copy.from.address())),
            Piece::text(format!("{} = *{name}(0);", copy.to.text)),
        ]
    }

    fn by_literal(&mut self, copy: &Copy) -> Vec<Piece> {
        let of = &copy.spelled;
        let (to, from) = (&copy.to.text, &copy.from.text);
        let is_scalar = !matches!(copy.of, Type::Record(_));
        vec![Piece::text(match self.below(2) {
            0 if is_scalar => format!("{to} = ({of}){{ {from} }};"),
            0 => format!("{to} = (struct {{ int n; {of} it; }}){{ 1, {from} }}.it;"),
            _ => format!(
                "memcpy({}, &(struct {{ {of} it; }}){{ {from} }}, sizeof({of}));",
                copy.to.address()
            ),
        })]
    }

    fn by_swap(&mut self, copy: &Copy) -> Vec<Piece> {
        let name = self.global_name("swap");
        let body = match self.below(3) {
            0 => "char *x = a, *y = b;\nwhile (n-- > 0) { char t = *x; *x++ = *y; *y++ = t; }",
            1 => "char t[256];\nmemcpy(t, a, n);\nmemcpy(a, b, n);\nmemcpy(b, t, n);",
            _ => {
                "void *t = malloc(n);\nmemcpy(t, a, n);\nmemmove(a, b, n);\nmemcpy(b, t, n);\nfree(t);"
            }
        };
        self.top.push(Piece::Block(
            format!("static void {name}(void *a, void *b, size_t n) {{"),
            vec![Piece::text(body)],
            "}".into(),
        ));
        vec![Piece::text(format!(
            "{name}({}, {}, {});",
            copy.to.address(),
            copy.from.address(),
            copy.size
        ))]
    }

    /// A single pointer as a number, or as bytes that are put together again.
    fn by_number(&mut self, copy: &Copy) -> Vec<Piece> {
        let (to, from) = (&copy.to.text, &copy.from.text);
        if !matches!(copy.of, Type::Pointer(_)) {
            return self.by_elements(copy);
        }
        let of = &copy.spelled;
        let from_numbers = if self.has.numbers { 0 } else { 3 };
        vec![Piece::text(
            match from_numbers + self.below(5 - from_numbers) {
                0 => format!("{{ uintptr_t n = (uintptr_t){from}; {to} = ({of})n; }}"),
                1 => format!("{{ long n[2] = {{ 0, (long){from} }}; {to} = ({of})n[1]; }}"),
                2 => format!("{to} = ({of})((uintptr_t){from} + 8 - 8);"),
                3 => format!("{{ char *c = (char *){from}; {to} = ({of})c; }}"),
                _ => format!("{{ void *v = {from}; void **vv = &v; {to} = *vv; }}"),
            },
        )]
    }

    /// Member by member.
    fn by_elements(&mut self, copy: &Copy) -> Vec<Piece> {
        let mut lines = Vec::new();
        self.assign_parts(&copy.of, &copy.to, &copy.from, &mut lines);
        lines.into_iter().map(Piece::Text).collect()
    }

    fn assign_parts(&self, of: &Type, to: &Access, from: &Access, lines: &mut Vec<String>) {
        match of {
            Type::Array(element, length) => {
                let part = |access: &Access| Access {
                    text: format!("{}[i]", access.postfix()),
                    is_unary: false,
                    of: (**element).clone(),
                    ..access.clone()
                };
                if matches!(**element, Type::Array(..)) {
                    return;
                }
                lines.push(format!(
                    "for (int i = 0; i < {length}; i++) {} = {};",
                    part(to).text,
                    part(from).text
                ));
            }
            Type::Record(number)
                if self
                    .types
                    .records
                    .get(*number)
                    .is_some_and(|record| !record.is_union) =>
            {
                let fields = self.types.records.get(*number).map(|record| &record.fields);
                for field in fields.into_iter().flatten() {
                    let part = |access: &Access| Access {
                        text: format!("{}.{}", access.postfix(), field.name),
                        is_unary: false,
                        of: field.of.clone(),
                        ..access.clone()
                    };
                    self.assign_parts(&field.of, &part(to), &part(from), lines);
                }
            }
            _ => lines.push(format!("{} = {};", to.text, from.text)),
        }
    }
}
