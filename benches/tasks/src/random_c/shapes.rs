//! Data structures that hold pointers to the objects of a program: lists, trees, stacks, vectors, closures. They write
//! through what they hold, and are gone afterwards.

use super::model::Value;
use super::program::Piece;
use super::types::Type;
use super::writer::Writer;

impl Writer {
    /// A data structure that is made, used and given back.
    pub(super) fn shape(&mut self) -> Vec<Piece> {
        let favourite = Type::Int(self.favourite);
        let mut targets = Vec::new();
        for _ in 0..3 {
            let of = favourite.clone();
            let Some(access) = self.access(|writer, access| {
                access.of == of && !access.is_bits && writer.value(&access.place) == Value::Integer
            }) else {
                return Vec::new();
            };
            targets.push(access.address());
        }
        let [first, second, third] = &targets[..] else {
            return Vec::new();
        };
        let of = self.favourite.name();
        let number = 1 + self.below(9);
        match self.below(9) {
            0 => self.list(of, &targets, number),
            1 => self.intrusive(of, first, second, number),
            2 => self.tree(of, &targets, number),
            3 => self.pointer_stack(of, &targets, number),
            4 => self.vector(of, &targets, number),
            5 => self.closures(of, first, second, number),
            6 => self.ring(of, first, second, number),
            7 => self.removal(of, &targets, number),
            _ => self.sorted(of, first, second, third, number),
        }
    }

    fn block(text: String) -> Vec<Piece> {
        vec![Piece::Block(
            "{".into(),
            vec![Piece::Text(text)],
            "}".into(),
        )]
    }

    fn list(&mut self, of: &str, targets: &[String], number: usize) -> Vec<Piece> {
        let node = self.global_name("node");
        self.top.push(Piece::text(format!(
            "struct {node} {{ {of} *p; struct {node} *next; }};"
        )));
        let all = targets.join(", ");
        let mut text = format!("{of} *all[3] = {{ {all} }};\nstruct {node} *head = 0;\n");
        text += &match self.chance(50) {
            true => format!(
                "for (int i = 0; i < 3; i++) {{\n  struct {node} *n = malloc(sizeof *n);\n  n->p = all[i];\n  n->next = head;\n  head = n;\n}}\n"
            ),
            false => format!(
                "struct {node} **last = &head;\nfor (int i = 0; i < 3; i++) {{\n  *last = malloc(sizeof **last);\n  **last = (struct {node}){{ all[i], 0 }};\n  last = &(*last)->next;\n}}\n"
            ),
        };
        if self.chance(50) {
            text += &format!(
                "struct {node} *back = 0;\nwhile (head) {{ struct {node} *n = head->next; head->next = back; back = head; head = n; }}\nhead = back;\n"
            );
        }
        text += &format!("int k = {number};\n");
        text += &format!(
            "for (struct {node} *n = head; n != 0; n = n->next) *n->p = ({of})(*n->p + k++);\n"
        );
        text += &format!("while (head) {{ struct {node} *n = head; head = head->next; free(n); }}");
        Writer::block(text)
    }

    fn intrusive(&mut self, of: &str, first: &str, second: &str, number: usize) -> Vec<Piece> {
        let (link, item) = (self.global_name("link"), self.global_name("item"));
        let members = match self.chance(50) {
            true => format!("{of} *p; struct {link} l;"),
            false => format!("struct {link} l; {of} *p;"),
        };
        self.top.push(Piece::text(format!(
            "struct {link} {{ struct {link} *next, *prev; }};\nstruct {item} {{ {members} }};"
        )));
        Writer::block(format!(
            "struct {link} head = {{ &head, &head }};\n\
             struct {item} x = {{ .p = {first} }}, y = {{ .p = {second} }};\n\
             struct {link} *both[2] = {{ &x.l, &y.l }};\n\
             for (int i = 0; i < 2; i++) {{\n  both[i]->next = &head;\n  both[i]->prev = head.prev;\n  head.prev->next = both[i];\n  head.prev = both[i];\n}}\n\
             int k = {number};\n\
             for (struct {link} *l = head.next; l != &head; l = l->next) {{\n  struct {item} *i = (struct {item} *)((char *)l - __builtin_offsetof(struct {item}, l));\n  *i->p = ({of})k++;\n}}"
        ))
    }

    fn tree(&mut self, of: &str, targets: &[String], number: usize) -> Vec<Piece> {
        let (tree, insert, walk) = (
            self.global_name("tree"),
            self.global_name("insert"),
            self.global_name("walk"),
        );
        self.top.push(Piece::text(format!(
            "struct {tree} {{ int key; {of} *p; struct {tree} *left, *right; }};"
        )));
        let insertion = match self.chance(50) {
            true => format!(
                "static struct {tree} *{insert}(struct {tree} *t, int key, {of} *p) {{\n  if (!t) {{\n    t = calloc(1, sizeof *t);\n    t->key = key;\n    t->p = p;\n  }} else if (key < t->key) t->left = {insert}(t->left, key, p);\n  else t->right = {insert}(t->right, key, p);\n  return t;\n}}"
            ),
            false => format!(
                "static struct {tree} *{insert}(struct {tree} *t, int key, {of} *p) {{\n  struct {tree} **at = &t;\n  while (*at) at = key < (*at)->key ? &(*at)->left : &(*at)->right;\n  *at = malloc(sizeof **at);\n  **at = (struct {tree}){{ .key = key, .p = p }};\n  return t;\n}}"
            ),
        };
        self.top.push(Piece::Text(insertion));
        self.top.push(Piece::text(format!(
            "static int {walk}(struct {tree} *t, int k) {{\n  if (!t) return k;\n  k = {walk}(t->left, k);\n  *t->p = ({of})k;\n  k = {walk}(t->right, k + 1);\n  free(t);\n  return k;\n}}"
        )));
        let mut text = format!("struct {tree} *root = 0;\n");
        for target in targets {
            let key = self.below(10);
            text += &format!("root = {insert}(root, {key}, {target});\n");
        }
        text += &format!("{walk}(root, {number});");
        Writer::block(text)
    }

    fn pointer_stack(&mut self, of: &str, targets: &[String], number: usize) -> Vec<Piece> {
        let (stack, push, pop) = (
            self.global_name("stack"),
            self.global_name("push"),
            self.global_name("pop"),
        );
        self.top.push(Piece::text(format!(
            "struct {stack} {{ void *items[4]; int top; }};\n\
             static void {push}(struct {stack} *s, void *item) {{ s->items[s->top++] = item; }}\n\
             static void *{pop}(struct {stack} *s) {{ return s->items[--s->top]; }}"
        )));
        let mut text = format!("struct {stack} s = {{ .top = 0 }};\n");
        for target in targets {
            text += &format!("{push}(&s, {target});\n");
        }
        text += &format!(
            "struct {stack} t = s;\nwhile (t.top > 0) {{ {of} *p = {pop}(&t); *p = ({of})(t.top + {number}); }}"
        );
        Writer::block(text)
    }

    fn vector(&mut self, of: &str, targets: &[String], number: usize) -> Vec<Piece> {
        let (vector, add) = (self.global_name("vector"), self.global_name("add"));
        self.top.push(Piece::text(format!(
            "struct {vector} {{ {of} **data; size_t count, room; }};\n\
             static void {add}(struct {vector} *v, {of} *p) {{\n  if (v->count == v->room) {{\n    v->room = v->room ? 2 * v->room : 1;\n    v->data = realloc(v->data, v->room * sizeof *v->data);\n  }}\n  v->data[v->count++] = p;\n}}"
        )));
        let mut text = format!("struct {vector} v = {{ 0 }};\n");
        for target in targets {
            text += &format!("{add}(&v, {target});\n");
        }
        text += &format!(
            "for (size_t i = 0; i < v.count; i++) *v.data[i] = ({of})({number} + i);\nfree(v.data);"
        );
        Writer::block(text)
    }

    fn closures(&mut self, of: &str, first: &str, second: &str, number: usize) -> Vec<Piece> {
        let (closure, set, add) = (
            self.global_name("closure"),
            self.global_name("set"),
            self.global_name("add"),
        );
        self.top.push(Piece::text(format!(
            "struct {closure} {{ void (*run)(void *, int); void *with; }};\n\
             static void {set}(void *p, int k) {{ *({of} *)p = ({of})k; }}\n\
             static void {add}(void *p, int k) {{ *({of} *)p = ({of})(*({of} *)p + k); }}"
        )));
        let copy = match self.chance(50) {
            true => "memcpy(d, c, sizeof c);",
            false => "for (int i = 0; i < 2; i++) d[i] = c[i];",
        };
        Writer::block(format!(
            "struct {closure} c[2] = {{ {{ {set}, {first} }}, {{ {add}, {second} }} }}, d[2];\n{copy}\n\
             for (int i = 0; i < 2; i++) d[i].run(d[i].with, {number});"
        ))
    }

    fn ring(&mut self, of: &str, first: &str, second: &str, number: usize) -> Vec<Piece> {
        let message = self.global_name("message");
        self.top.push(Piece::text(format!(
            "struct {message} {{ char tag; {of} *to; short amount; }};"
        )));
        Writer::block(format!(
            "struct {message} ring[2];\nunsigned in = 0, out = 0;\n\
             ring[in++ % 2] = (struct {message}){{ 'a', {first}, {number} }};\n\
             ring[in++ % 2] = (struct {message}){{ 'b', {second}, {number} + 1 }};\n\
             struct {message} m = ring[out++ % 2];\n\
             *m.to = ({of})(*m.to + m.amount);\n\
             ring[in++ % 2] = m;\n\
             while (out != in) {{\n  m = ring[out++ % 2];\n  *m.to = ({of})(*m.to - (m.tag == 'a'));\n}}"
        ))
    }

    fn removal(&mut self, of: &str, targets: &[String], number: usize) -> Vec<Piece> {
        let node = self.global_name("node");
        self.top.push(Piece::text(format!(
            "struct {node} {{ struct {node} *next; {of} *p; int key; }};"
        )));
        let [first, second, third] = targets else {
            return Vec::new();
        };
        let gone = self.below(4);
        Writer::block(format!(
            "struct {node} c = {{ 0, {first}, 2 }}, b = {{ &c, {second}, 1 }}, a = {{ &b, {third}, 0 }}, *head = &a;\n\
             for (struct {node} **at = &head; *at; )\n  if ((*at)->key == {gone}) *at = (*at)->next;\n  else at = &(*at)->next;\n\
             for (struct {node} *n = head; n; n = n->next) *n->p = ({of})({number} + n->key);"
        ))
    }

    fn sorted(
        &mut self,
        of: &str,
        first: &str,
        second: &str,
        third: &str,
        number: usize,
    ) -> Vec<Piece> {
        let pair = self.global_name("pair");
        self.top.push(Piece::text(format!(
            "struct {pair} {{ int key; {of} *p; }};"
        )));
        let keys = [self.below(9), self.below(9), self.below(9)];
        let exchange = match self.chance(50) {
            true => format!("struct {pair} t = a[i]; a[i] = a[i + 1]; a[i + 1] = t;"),
            false => {
                "char *x = (char *)&a[i], *y = (char *)&a[i + 1];\nfor (size_t n = sizeof a[0]; n-- > 0; ) { char t = x[n]; x[n] = y[n]; y[n] = t; }".to_owned()
            }
        };
        Writer::block(format!(
            "struct {pair} a[3] = {{ {{ {}, {first} }}, {{ {}, {second} }}, {{ {}, {third} }} }};\n\
             for (int n = 2; n > 0; n--)\n  for (int i = 0; i < n; i++)\n    if (a[i].key > a[i + 1].key) {{ {exchange} }}\n\
             for (int i = 0; i < 3; i++) *a[i].p = ({of})({number} + i);",
            keys[0], keys[1], keys[2]
        ))
    }
}
