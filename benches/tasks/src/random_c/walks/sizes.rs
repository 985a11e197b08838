//! Sizes of types with side effects: each is evaluated once, or not at all where the standard says so (6.5.3.4, 6.7.6.2).

use super::{Piece, Writer};

impl Writer {
    /// A type whose size counts something.
    pub(super) fn sizes(&mut self) {
        self.names.extend(["calls".to_owned(), "bump".to_owned()]);
        self.top.push(Piece::text("static int calls;"));
        self.top
            .push(Piece::text("static int bump(void) { return ++calls + 1; }"));
        let n = self.variable();
        let start = 1 + self.below(3);
        self.body.push(Piece::Text(format!("int {n} = {start};")));
        let size = match self.below(3) {
            0 => "bump()".to_owned(),
            1 => format!("{n}++"),
            _ => format!("({n} += 2)"),
        };
        for _ in 0..1 + self.below(2) {
            self.size_of(&size, &n);
        }
        self.result(n);
        self.result("calls".into());
    }

    fn size_of(&mut self, size: &str, n: &str) {
        let name = self.variable();
        let in_function = size.replace(n, "n");
        let parameter = match self.below(6) {
            0 => format!("int m[{in_function}][2]"),
            1 => format!("int (*m)[{in_function}]"),
            2 => format!("int m[static {in_function}]"),
            3 => format!("int m[{in_function}]"),
            4 => format!("int m[2][{in_function}]"),
            _ => {
                let text = match self.below(7) {
                    0 => format!("int {name}[{size}]; {name}[0] = (int)sizeof {name};"),
                    1 => format!("typedef int {name}[{size}];"),
                    2 => format!("(void)sizeof(int[{size}]);"),
                    3 => format!("(void)__alignof__(int[{size}]);"),
                    4 => format!("(void)sizeof(int[{size}][2]);"),
                    5 => format!("int (*{name})[{size}] = 0; (void)sizeof(*{name});"),
                    _ => format!("(void)sizeof({size});"),
                };
                self.body.push(Piece::Text(text));
                return;
            }
        };
        let end = match self.chance(50) {
            true => "(int)sizeof *m",
            false => "n",
        };
        self.top.push(Piece::Text(format!(
            "static int {name}(int n, {parameter}) {{ return n * 100 + {end}; }}"
        )));
        let argument = 1 + self.below(3);
        self.result(format!("{name}({argument}, 0)"));
    }
}
