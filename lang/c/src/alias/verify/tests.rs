use super::skip::{SKIPPED, Skip};
use super::*;
use crate::alias::cells::{END, Range};
use crate::alias::{Content, Kind, Object, Shape};
use crate::encode::reach::Reach;
use crate::options::Members;
use crate::options::{Options, Properties};

fn elaborated(text: &str) -> Program {
    let parsed = crate::parse::parse(&crate::library::completed(text));
    let (program, diagnostics) = crate::elaborate(&parsed, Options::default().model);
    let errors: Vec<_> = diagnostics.iter().filter(|d| d.is_error()).collect();
    assert!(errors.is_empty(), "{text}: {errors:?}");
    program
}

fn words(missed: Vec<Missed>) -> Vec<String> {
    missed.into_iter().map(|missed| missed.what).collect()
}

/// What is missed in a program if the analysis leaves something out.
fn missed_without(text: &str, skip: Option<Skip>) -> Vec<String> {
    let program = elaborated(text);
    let reach = Reach::of(&program, &Properties::default());
    SKIPPED.set(skip);
    let memory = Memory::analyse(&program, &reach.functions, reach.recursive, Members::Apart);
    SKIPPED.set(None);
    words(missed(&program, &reach.functions, &memory))
}

/// What is missed in a program if its solution is damaged.
fn missed_after(text: &str, damage: impl FnOnce(&Program, &mut Memory<'_>)) -> Vec<String> {
    let program = elaborated(text);
    let reach = Reach::of(&program, &Properties::default());
    let mut memory = Memory::analyse(&program, &reach.functions, reach.recursive, Members::Apart);
    assert_eq!(words(missed(&program, &reach.functions, &memory)), [""; 0]);
    damage(&program, &mut memory);
    words(missed(&program, &reach.functions, &memory))
}

fn variable(program: &Program, name: &str) -> usize {
    let mut variables = program.variables.iter();
    variables
        .position(|variable| variable.name == name)
        .unwrap()
}

/// Members of a union that are elements of its array, and something behind that.
const BEHIND: &str = "union four { int all[4]; struct { int x, y, z, w; } each; };
    struct around { union four four; int behind; } a; struct around *q; int *p;
    int main(int n, char **w) { a.four.all[n] = 1; a.behind = 2; ";

const LEFT_OUT: &[(Skip, &str, &str)] = &[
    (
        Skip::AddressTaken,
        "int main(void) { int x; int *p = &x; return 0; }",
        "a variable whose address is taken",
    ),
    (
        Skip::Allocation,
        "void *malloc(unsigned long); int main(void) { int *p = malloc(4); *p = 1; return 0; }",
        "an object that is allocated",
    ),
    (
        Skip::Argument,
        "void f(int *p) { *p = 1; } int main(void) { int x; f(&x); return x; }",
        "a pointer that is stored",
    ),
    (
        Skip::Argument,
        "struct s { int i; int *p; }; void f(struct s s) { *s.p = 1; }
         int main(void) { int x; struct s s; s.p = &x; f(s); return x; }",
        "a pointer that is copied",
    ),
    (
        Skip::Assignment,
        "int main(void) { int x, *p, *q; p = &x; q = p; *q = 1; return x; }",
        "a pointer that is stored",
    ),
    (
        Skip::Assignment,
        "void f(void) { } int main(void) { void (*p)(void); p = f; p(); return 0; }",
        "a pointer that is stored",
    ),
    (
        Skip::Assignment,
        "int main(void) { int x, *p; unsigned long n; p = (int *)(unsigned long)&x; *p = 1; return x; }",
        "a pointer that is stored",
    ),
    (
        Skip::Call,
        "void f(int *p) { *p = 1; } int main(void) { int x; void (*c)(int *) = f; c(&x); return x; }",
        "a pointer that is stored",
    ),
    (
        Skip::Conditional,
        "int main(int c, char **v) { int x, y; *(c ? &x : &y) = 1; return x; }",
        "a choice between pointers",
    ),
    (
        Skip::Conversion,
        "void *get(void); int *other(void);
         int main(void) { int *p = get(), *q = other(); *p = 1; return *q; }",
        "two pointers of one type from outside",
    ),
    (
        Skip::Elements,
        "int main(int c, char **v) { int a[3]; a[c] = 1; return a[0]; }",
        "the elements of an array",
    ),
    (
        Skip::Elements,
        "void *malloc(unsigned long); struct s { int n, a[1]; };
         int main(int c, char **v) { struct s *p = malloc(16); p->a[c] = 1; return p->a[0]; }",
        "the elements of an array",
    ),
    (
        Skip::First,
        "void *realloc(void *, unsigned long); void *malloc(unsigned long);
         int main(void) { int *p = malloc(4), *q; *p = 1; q = realloc(p, 8); return *q; }",
        "a pointer that is stored",
    ),
    (
        Skip::FloatCopy,
        "struct d { double d; }; union u { struct d d; int *p; };
         int main(void) { int x; union u a, b; a.p = &x; b.d = a.d; *b.p = 1; return x; }",
        "a pointer that is copied",
    ),
    (
        Skip::Initial,
        "int x; int *p = &x; int main(void) { *p = 1; return x; }",
        "a pointer that is stored",
    ),
    (
        Skip::Initial,
        "void f(void) { } struct s { int i; void (*f)(void); } a[2] = { { 1, f }, { 2, f } };
         int main(void) { a[1].f(); return 0; }",
        "a pointer that is stored",
    ),
    (
        Skip::InitialAccess,
        "struct s { int a, b; } s = { 1, 2 }; int main(void) { int *p = &s.a; return *p; }",
        "an access",
    ),
    (
        Skip::IntegerCopy,
        "int main(void) { int x, *p = &x, *q; unsigned char *a = (void *)&p, *b = (void *)&q;
         for (int i = 0; i < 8; i++) b[i] = a[i]; *q = 1; return x; }",
        "a pointer that is copied",
    ),
    (
        Skip::ListAccess,
        "int f(int n, ...) { __builtin_va_list l; __builtin_va_start(l, n);
         int i = __builtin_va_arg(l, int); __builtin_va_end(l); return i; }
         int main(void) { return f(1, 2); }",
        "an access",
    ),
    (
        Skip::MemoryCopy,
        "void *memcpy(void *, const void *, unsigned long);
         int main(void) { int x, y, *p = &x, *q = &y; memcpy(&q, &p, 8); *q = 1; return x; }",
        "a copy of memory",
    ),
    (
        Skip::MemoryCopy,
        "void *memcpy(void *, const void *, unsigned long); struct s { int n; int *p[2]; };
         int main(void) { int x, *p[2] = {&x, 0}; struct s s; memcpy(&s.p[1], &p[0], 8); *s.p[1] = 1; return x; }",
        "a copy of memory",
    ),
    (
        Skip::More,
        "int *f(int n, ...) { __builtin_va_list l; __builtin_va_start(l, n);
         int *p = __builtin_va_arg(l, int *); __builtin_va_end(l); return p; }
         int main(void) { int x; return *f(1, &x); }",
        "a pointer that is stored",
    ),
    (
        Skip::Moved,
        "void *malloc(unsigned long);
         int main(int c, char **v) { int *p = malloc(40); *(p + c) = 1; return *p; }",
        "a pointer that is moved",
    ),
    (
        Skip::Outside,
        "int main(int c, char **v) { return **v; }",
        "objects that are not the program's",
    ),
    (
        Skip::Outside,
        "extern struct s { struct s *next; int i; } *list; int main(void) { return list->next->i; }",
        "objects that are not the program's",
    ),
    (
        Skip::Outside,
        "int *get(void); int main(void) { int *p = get(); return *p; }",
        "objects that are not the program's",
    ),
    (
        Skip::Overlapping,
        "struct a { int i; int *p; } __attribute__((packed)); struct b { int *q; int j; } __attribute__((packed));
         union u { struct a a; struct b b; };
         int main(void) { int x, y; union u u; u.a.p = &x; u.b.q = &y; return *u.b.q; }",
        "accesses that overlap",
    ),
    (
        Skip::ParameterAccess,
        "struct s { int a, b; }; int f(struct s s) { int *p = &s.a; return *p; }
         int main(void) { struct s s; s.a = 1; s.b = 2; return f(s); }",
        "an access",
    ),
    (
        Skip::Read,
        "int main(void) { int x = 1; int *p = &x; return *(char *)p; }",
        "an access",
    ),
    (
        Skip::Result,
        "int x; int *f(void) { return &x; } int main(void) { int *p = f(); *p = 1; return x; }",
        "a pointer that is copied",
    ),
    (
        Skip::Return,
        "int x; int *f(void) { return &x; } int main(void) { int *p = f(); *p = 1; return x; }",
        "a pointer that is stored",
    ),
    (
        Skip::SecondRound,
        "void call(void (*f)(int *)) { int x; f(&x); } void g(int *p) { *p = 1; }
         int main(void) { call(g); return 0; }",
        "a pointer that is stored",
    ),
    (
        Skip::Spread,
        "struct s { long n; }; struct s *get(void);
         int main(void) { int x, *p = &x; get()->n = *(long *)&p; return 0; }",
        "objects that are not the program's",
    ),
    (
        Skip::StructureCopy,
        "struct s { int i; int *p[2]; };
         int main(void) { int x; struct s a, b; a.p[1] = &x; b = a; *b.p[1] = 1; return x; }",
        "a pointer that is copied",
    ),
    (
        Skip::Union,
        "int main(void) { union { int i; float f; } u; u.i = 1; return u.i; }",
        "a union that is no bytes",
    ),
    (
        Skip::VariableArgument,
        "int *f(int n, ...) { __builtin_va_list l; __builtin_va_start(l, n);
         int *p = __builtin_va_arg(l, int *); __builtin_va_end(l); return p; }
         int main(void) { int x; return *f(1, &x); }",
        "a pointer that is copied",
    ),
    (
        Skip::Walk,
        "struct s { int a[3]; int b; } s;
         int main(int c, char **v) { s.a[c] = 1; char *p = (char *)&s; *(p + 12) = 1; return s.b; }",
        "a pointer that walks over an object in smaller steps",
    ),
    (
        Skip::Walk,
        "void *malloc(unsigned long); struct s { char a[12]; int b; };
         int main(int c, char **v) { void *m = malloc(16); struct s *s = m; s->a[c] = 1;
         char *p = m; p[12] = 1; return s->b; }",
        "a pointer that walks over an object in smaller steps",
    ),
    (
        Skip::Written,
        "int main(void) { int x; int *p = &x; *p = 1; return 0; }",
        "an access",
    ),
];

#[test]
fn what_the_analysis_leaves_out_is_found() {
    let mut wrong = Vec::new();
    for &(skip, text, what) in LEFT_OUT {
        let before = missed_without(text, None);
        let after = missed_without(text, Some(skip));
        let found = after.iter().any(|missed| missed == what);
        if !before.is_empty() || !found {
            wrong.push(format!(
                "{skip:?}: {before:?}, {after:?}, not {what}\n  {text}"
            ));
        }
    }
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
}

const TWO: &str = "int x, y; int main(void) { int *p = &x, *q = &y; *p = *q = 1; return x; }";

#[test]
fn a_plain_variable_with_an_address_is_found() {
    let missed = missed_after(TWO, |program, memory| {
        memory.in_memory[variable(program, "x")] = false;
    });
    assert!(
        missed.contains(&"a variable whose address is taken".to_owned()),
        "{missed:?}"
    );
}

#[test]
fn an_element_is_not_as_far_from_what_is_behind_the_array_as_another_one() {
    for (skip, then, what) in [
        // A choice between two elements, of which the first is where the structure begins.
        (
            Skip::Behind,
            "p = n ? &a.four.each.x : &a.four.each.y; q = (struct around *)p; return q->behind; }",
            "a choice between pointers",
        ),
        (
            Skip::Behind,
            "p = &a.four.each.x; if (n) p = &a.four.each.y; q = (struct around *)p; return q->behind; }",
            "a pointer that is stored",
        ),
        // Another element than the first one, from which the pointer was moved in a step of its own.
        (
            Skip::Moved,
            "p = &a.four.each.y; q = (struct around *)p; return q->behind; }",
            "a pointer that leaves its array",
        ),
    ] {
        let text = format!("{BEHIND}{then}");
        assert_eq!(missed_without(&text, None), [""; 0], "{text}");
        let missed = missed_without(&text, Some(skip));
        assert!(missed.contains(&what.to_owned()), "{missed:?}, {text}");
    }
}

#[test]
fn objects_start_where_their_pointers_say() {
    let text = "void *malloc(unsigned long); struct link { struct link *next; };
        struct item { long key; struct link link; } a; struct link head;
        int main(void) { struct item *b = malloc(sizeof *b); b->key = 1; a.key = 2; a.link.next = &b->link;
        b->link.next = &head; head.next = &a.link; struct link *p = &head; p = p->next; return p == &head; }";
    // The head is no whole item, and the key of each item is none of its links.
    let both = [(0, Some(64)), (64, Some(64))];
    assert_eq!(scalars(text, "a"), both);
    assert_eq!(scalars(text, "head"), both);
    // A start that nobody knows of.
    for name in ["head", "a"] {
        let missed = missed_after(text, |program, memory| {
            let id = VarId(u32::try_from(variable(program, name)).unwrap());
            let own = memory.object(id);
            memory.nodes.forget_start(own);
        });
        assert!(
            missed.contains(&"where a variable lives".to_owned()),
            "{name}: {missed:?}"
        );
    }
    let heap =
        "void *malloc(unsigned long); int main(void) { int *p = malloc(4); *p = 1; return 0; }";
    let missed = missed_after(heap, |_, memory| {
        let mut nodes = memory.nodes.roots();
        let node = nodes.find(|&node| memory.nodes.objects(node).contains(&Object::Heap));
        drop(nodes);
        let node = node.unwrap();
        memory
            .nodes
            .forget_start(crate::alias::Target { node, offset: 0 });
    });
    assert_eq!(missed, ["an object that is allocated"]);
}

#[test]
fn a_variable_in_two_nodes_or_in_none_is_found() {
    let missed = missed_after(TWO, |program, memory| {
        let (x, y) = (variable(program, "x"), variable(program, "y"));
        let id = VarId(u32::try_from(x).unwrap());
        memory.nodes.add_object(
            memory.object(VarId(u32::try_from(y).unwrap())),
            Object::Single(id),
        );
    });
    assert!(
        missed.contains(&"where a variable lives".to_owned()),
        "{missed:?}"
    );
    let missed = missed_after(TWO, |program, memory| {
        memory.variables[variable(program, "x")] = memory.nodes.fresh();
    });
    assert!(
        missed.contains(&"where a variable lives".to_owned()),
        "{missed:?}"
    );
}

/// The regions of a program, by what lies where in them: offset in bits, and bits of a scalar or nothing for bytes.
fn scalars(text: &str, name: &str) -> Vec<(u64, Option<u64>)> {
    let program = elaborated(text);
    let reach = Reach::of(&program, &Properties::default());
    let memory = Memory::analyse(&program, &reach.functions, reach.recursive, Members::Apart);
    let id = VarId(u32::try_from(variable(&program, name)).unwrap());
    let own = |region: &&crate::alias::Region| {
        let objects = memory.objects(region.target);
        objects.contains(&Object::Single(id))
    };
    let shown = |region: &crate::alias::Region| {
        let bits = match region.content {
            Content::Scalar { bits, .. } => Some(bits),
            Content::Bytes { .. } => None,
        };
        (memory.offset(region.target), bits)
    };
    let mut all: Vec<_> = memory.regions().iter().filter(own).map(shown).collect();
    all.sort_unstable();
    all
}

#[test]
fn members_whose_addresses_are_taken_are_told_apart() {
    let record = "struct s { int a, b; int *q; char d[8]; };";
    let alone = format!(
        "{record} int main(void) {{ struct s s; int x, *p = &s.b, **r = &s.q; char *c = &s.d[1];
         s.a = 1; *p = 2; *r = &x; *c = 3; return s.a; }}"
    );
    let all = [
        (0, Some(32)),
        (32, Some(32)),
        (64, Some(64)),
        (128, Some(8)),
    ];
    assert_eq!(scalars(&alone, "s"), all);
    // One pointer to two members makes one cell of them.
    let both = format!(
        "{record} int main(int n, char **v) {{ struct s s; int x, *p = n ? &s.a : &s.b; s.q = &x; *p = 2; return s.a; }}"
    );
    assert!(scalars(&both, "s").len() < 4);
    // What is copied by bytes is divided alike, and the rest is not.
    let copied = format!(
        "{record} void *memcpy(void *, const void *, unsigned long); int main(void) {{
         struct s s; char t[9] = \"abc\"; memcpy(s.d, t, 4); s.a = 1; s.q = 0; return s.b; }}"
    );
    assert_eq!(scalars(&copied, "s"), all);
    assert_eq!(scalars(&copied, "t"), [(0, Some(8))]);
}

#[test]
fn what_is_copied_leads_to_the_same_places() {
    let declared = "void *memcpy(void *, const void *, unsigned long);\n";
    for text in [
        // Within one object.
        "struct s { int *p, *q; };
         int main(void) { int x, y; struct s s; s.p = &x; s.q = &y; memcpy(&s.q, &s.p, 8); *s.q = 3; return x; }",
        "int main(void) { int x, y, z, *p[3] = { &x, &y, &z }; memcpy(&p[1], &p[0], 16); *p[2] = 3; return y; }",
        // Behind an array, from its start.
        "struct s { char n[8]; int *p; };
         void swap(void *a, void *b) { struct s t; memcpy(&t, a, 16); memcpy(a, b, 16); memcpy(b, &t, 16); }
         int main(void) { int x, y; struct s s = {\"s\", &x}, t = {\"t\", &y}; swap(&s, &t); *t.p = 3; return x; }",
        // Each element of an array.
        "struct s { int n; int *p; };
         int main(int c, char **v) { int x, y; struct s s[4], t[4]; s[c].p = &x; t[c].p = &y; memcpy(t, s, sizeof t);
         *t[c].p = 3; return x; }",
    ] {
        let text = format!("{declared}{text}");
        assert_eq!(missed_without(&text, None), [""; 0], "{text}");
    }
}

#[test]
fn what_is_copied_is_divided_alike() {
    let declared = "void *memcpy(void *, const void *, unsigned long);\n";
    let alike = |text: &str| {
        let text = format!("{declared}{text}");
        assert_eq!(scalars(&text, "s"), scalars(&text, "t"), "{text}");
        scalars(&text, "s")
    };
    let members = [(0, Some(32)), (32, Some(32))];
    let (read, written) = ("return t.a + t.b;", "s.a = 1; s.b = 2;");
    let record = "struct r { int a, b; };";
    let copy = "struct r s, t; struct r *p = &s, *q = &t;";
    let text = format!("{record} int main(void) {{ {copy} memcpy(q, p, 8); {read} }}");
    assert_eq!(alike(&text), members, "from its target");
    let text = format!("{record} int main(void) {{ {copy} {written} memcpy(q, p, 8); return 0; }}");
    assert_eq!(alike(&text), members, "from its source");
    let text =
        "int main(int c, char **v) { int s[4], t[4]; t[c] = 1; memcpy(t, s, 16); return t[c]; }";
    assert_eq!(alike(text).len(), 1, "one region for all elements");
    let text =
        "int main(int c, char **v) { int s[4], t[4]; s[c] = 1; memcpy(t, s, 16); return 0; }";
    assert_eq!(alike(text).len(), 1, "one region for all elements");
}

#[test]
fn a_function_in_two_nodes_is_found() {
    let text = "void f(void) { } int main(void) { void (*p)(void) = f; p(); return 0; }";
    let missed = missed_after(text, |program, memory| {
        let id = program
            .functions
            .iter()
            .position(|f| f.name == "f")
            .unwrap();
        let node = memory.nodes.fresh();
        memory
            .nodes
            .add_function(node, FunctionId(u32::try_from(id).unwrap()));
    });
    assert_eq!(missed, ["a function whose address is taken"]);
}

#[test]
fn variables_that_exist_several_times_are_found() {
    for text in [
        "int f(int *p, int n) { int x = n; return n ? f(&x, n - 1) : *p; }
         int main(void) { int y = 0; return f(&y, 3); }",
        "int g(int *); int f(int *p) { int x = 1; return g(&x); } int g(int *p) { return *p ? f(p) : 0; }
         int main(void) { int y = 0; return f(&y); }",
        "int (*c)(int *); int f(int *p) { int x = 1; return c(&x); } 
         int main(void) { int y = 0; c = f; return f(&y); }",
    ] {
        assert_eq!(missed_without(text, None), [""; 0]);
        let program = elaborated(text);
        let reach = Reach::of(&program, &Properties::default());
        let memory = Memory::analyse(&program, &reach.functions, BTreeSet::new(), Members::Apart);
        let missed = words(missed(&program, &reach.functions, &memory));
        let what = "a variable of which several exist at a time";
        assert!(missed.iter().any(|missed| missed == what), "{missed:?}");
    }
}

#[test]
fn wrong_regions_are_found() {
    let array =
        "int main(int c, char **v) { int a[3], b; int *p = c ? a : &b; *p = 1; return a[c]; }";
    let with = |memory: &mut Memory<'_>, damage: &dyn Fn(&mut crate::alias::Region)| {
        let mut regions = memory.regions.iter_mut();
        let is_array = |region: &crate::alias::Region| {
            matches!(
                region.content,
                Content::Scalar {
                    bits: 32,
                    kind: Kind::Int,
                    ..
                }
            )
        };
        damage(regions.find(|region| is_array(region)).unwrap());
    };
    for shape in [Shape::One, Shape::ByOffset, Shape::ByObject] {
        let missed = missed_after(array, |_, memory| {
            with(memory, &|region| region.shape = shape)
        });
        assert_eq!(missed, ["the shape of a region"]);
    }
    let missed = missed_after(array, |_, memory| {
        with(memory, &|region| {
            if let Content::Scalar { bits, .. } = &mut region.content {
                *bits = 8;
            }
        });
    });
    assert!(
        missed.contains(&"the region of an access".to_owned()),
        "{missed:?}"
    );
    let missed = missed_after(array, |_, memory| memory.table = Default::default());
    assert!(
        missed.contains(&"the region of an access".to_owned()),
        "{missed:?}"
    );
    // The parts of a union are one region.
    let union = "int main(void) { union { int i; char c; } u; u.i = 1; return u.c; }";
    let missed = missed_after(union, |_, memory| {
        let number = memory
            .regions
            .iter()
            .position(|r| matches!(r.content, Content::Bytes { .. }));
        memory.regions[number.unwrap()].content = Content::Scalar {
            bits: 32,
            kind: Kind::Int,
            ty: crate::types::IntType::INT,
        };
    });
    assert!(
        missed.contains(&"what a region contains".to_owned()),
        "{missed:?}"
    );
}

/// What is missed where what is said of the elements on the heap is damaged.
fn missed_of_heap(text: &str, damage: impl FnOnce(&mut Vec<Range>)) -> Vec<String> {
    missed_after(text, |_, memory| {
        let mut nodes = memory.nodes.roots();
        let heap = nodes.find(|&node| memory.nodes.objects(node).contains(&Object::Heap));
        drop(nodes);
        memory.nodes.damage(heap.unwrap(), damage);
    })
}

#[test]
fn elements_that_are_told_apart_too_well_are_found() {
    let structures = "struct s { char m[3]; int k; }; void *malloc(unsigned long);
        int main(int c, char **v) { struct s *b = malloc(24); b[c].k = 1; return b[1].m[c]; }";
    let numbers = "void *malloc(unsigned long);
        int main(int c, char **v) { int *b = malloc(12); b[c] = 1; return b[1]; }";
    let copied = "struct s { int m[2]; int k; }; void *malloc(unsigned long);
        void *memcpy(void *, const void *, unsigned long);
        int main(int c, char **v) { struct s *b = malloc(24), x; x.k = 1; memcpy(b + c, &x, sizeof x);
          return b[1].k; }";
    // Every other one is another one.
    for text in [structures, numbers, copied] {
        let missed = missed_of_heap(text, |ranges| {
            let all = ranges
                .iter_mut()
                .find(|range| range.hi == END && range.stride > 0);
            all.expect("the elements").stride *= 2;
        });
        assert_ne!(missed, [""; 0], "{text}");
    }
    // The array at the beginning of the first element is all that a pointer moves over.
    let missed = missed_of_heap(structures, |ranges| {
        let mut all = ranges.pop().expect("the elements");
        assert!(ranges.is_empty());
        let behind = all.cells.split_off(&24);
        ranges.push(Range {
            lo: 0,
            hi: 24,
            stride: 8,
            cells: all.cells,
        });
        ranges.extend(behind.into_iter().map(|(at, cell)| Range {
            lo: at,
            hi: at + 32,
            stride: 0,
            cells: [(0, cell)].into(),
        }));
    });
    assert!(
        missed.contains(&"a pointer that is moved".to_owned()),
        "{missed:?}"
    );
}

#[test]
fn what_lasts_is_checked() {
    let text =
        "int *p; void *malloc(unsigned long); int main(void) { p = malloc(4); *p = 1; return 0; }";
    let missed = missed_after(text, |_, memory| memory.lasting.clear());
    assert!(
        missed.contains(&"objects that last".to_owned()),
        "{missed:?}"
    );
}

#[test]
fn the_check_is_fast() {
    let mut text = "struct s { struct s *next; int a[4]; char *name; } pool[9];\n".to_owned();
    for number in 0..2000 {
        text += &format!(
            "struct s *f{number}(struct s *p, int i) {{ struct s t = *p; t.a[i] = p->next->a[i + 1];
             if (i) p->next = &pool[i]; *p = t; return p->next; }}\n"
        );
    }
    text += "int main(void) { struct s *p = pool;\n";
    for number in 0..2000 {
        text += &format!("p = f{number}(p, {number} % 4);\n");
    }
    text += "return 0; }";
    let program = elaborated(&text);
    let reach = Reach::of(&program, &Properties::default());
    let memory = Memory::analyse(&program, &reach.functions, reach.recursive, Members::Apart);
    let start = std::time::Instant::now();
    assert_eq!(words(missed(&program, &reach.functions, &memory)), [""; 0]);
    // Without optimisation, on a busy machine.
    assert!(start.elapsed().as_secs() < 10, "{:?}", start.elapsed());
}

#[test]
fn a_program_with_a_wrong_solution_is_not_decided() {
    let text = "void reach_error(void); int x, *p = &x;
         int main(void) { *p = 1; if (x) reach_error(); return 0; }";
    let program = elaborated(text);
    let translated = |skip| {
        SKIPPED.set(skip);
        let translation = crate::encode::encode(&program, &Options::default());
        SKIPPED.set(None);
        ult_lang::print::typed(&translation.unwrap().program)
    };
    assert!(translated(None).contains("reach_error called"));
    let refused = translated(Some(Skip::Initial));
    let what = "the analysis of pointers misses a pointer that is stored";
    assert!(refused.contains(what), "{refused}");
    assert_eq!(refused.matches("assert ").count(), 1, "{refused}");
    assert_eq!(refused.matches("procedure ").count(), 1, "{refused}");
}
