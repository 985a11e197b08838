//! Where invariants and contracts stand in the text of a Boogie program, and how they are written there.

use ult_lang::ast::visit::{Visit, walk_stmt};
use ult_lang::ast::{BinaryOp, Decl, Expr, ExprKind, Guard, Program, Stmt, StmtKind};
use ult_lang::parse::parse_boogie;
use ult_lang::span::Span;

use super::words::of_guard;

/// A place for invariants of a loop, or for clauses of a contract.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Head {
    /// The first character of the loop: of `while`, or of the label that a `goto` leads back to. Or that of the procedure.
    pub start: u32,
    /// What is replaced: the white space between the head and what follows it.
    pub gap: Span,
    /// The procedure that it is in.
    pub procedure: Span,
    /// What its guard suggests.
    pub(super) suggested: Vec<String>,
    /// The conjuncts of the invariants that are written there already, as they are written.
    stated: Vec<String>,
    /// The white space before the line of the loop.
    indent: String,
    form: Form,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Form {
    /// `invariant e;` clauses before the body.
    While,
    /// `assert e;` statements behind the label, which Boogie takes for invariants.
    Label,
    /// `ensures e;` clauses before the body.
    Contract,
}

/// A change of a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edit {
    /// What is replaced.
    pub place: Span,
    /// By what.
    pub text: String,
    /// Where each clause is in the new text, from the beginning of the edit.
    pub clauses: Vec<(usize, usize)>,
}

/// All procedures with bodies, loops and labels of a program, in their order.
pub fn heads(tree: &Program, text: &str) -> Vec<Head> {
    let mut walk = Heads {
        text,
        procedure: Span::default(),
        found: Vec::new(),
    };
    for decl in &tree.decls {
        walk.procedure = match decl {
            Decl::Procedure(decl) => decl.span,
            Decl::Implementation(decl) => decl.span,
            _ => continue,
        };
        if let Decl::Procedure(decl) = decl
            && let Some(body) = &decl.body
        {
            let (start, end) = (decl.span.start, body.span.start);
            walk.add(start, end, Form::Contract, Vec::new());
        }
        walk.visit_decl(decl);
    }
    walk.found.sort_by_key(|head| head.start);
    walk.found
}

struct Heads<'t> {
    text: &'t str,
    procedure: Span,
    found: Vec<Head>,
}

impl Heads<'_> {
    /// The head of a loop between these offsets.
    fn add(&mut self, start: u32, end: u32, form: Form, suggested: Vec<String>) {
        let (Some(before), Some(rest)) =
            (self.text.get(..end as usize), self.text.get(end as usize..))
        else {
            return;
        };
        let kept = before.trim_end().len();
        let spaces = match form {
            Form::While | Form::Contract => 0,
            Form::Label => rest.len() - rest.trim_start().len(),
        };
        let offset = |place: usize| u32::try_from(place).unwrap_or(u32::MAX);
        let line = before[..(start as usize).min(before.len())]
            .rfind('\n')
            .map_or(0, |end| end + 1);
        let line = &before[line..];
        let indent = line.chars().take_while(|c| c.is_whitespace()).collect();
        self.found.push(Head {
            start,
            gap: Span::new(offset(kept), offset(end as usize + spaces)),
            procedure: self.procedure,
            suggested,
            stated: Vec::new(),
            indent,
            form,
        });
    }
}

impl Visit<'_> for Heads<'_> {
    fn visit_stmt(&mut self, stmt: &Stmt) {
        match &stmt.kind {
            StmtKind::While {
                body,
                guard,
                invariants,
                ..
            } => {
                let suggested = match guard {
                    Guard::Expr(guard) => of_guard(guard, self.text),
                    Guard::Any(_) => Vec::new(),
                };
                self.add(stmt.span.start, body.span.start, Form::While, suggested);
                let written = invariants
                    .iter()
                    .filter_map(|written| self.text.get(written.expr.span.range()));
                let stated = written.flat_map(conjuncts).collect();
                if let Some(head) = self.found.last_mut() {
                    head.stated = stated;
                }
            }
            StmtKind::Label(_) => {
                self.add(stmt.span.start, stmt.span.end, Form::Label, Vec::new());
            }
            _ => {}
        }
        walk_stmt(self, stmt);
    }
}

impl Head {
    /// Whether it is a label.
    pub fn is_label(&self) -> bool {
        self.form == Form::Label
    }

    /// Whether it is a contract.
    pub fn is_contract(&self) -> bool {
        self.form == Form::Contract
    }

    /// The conjuncts of a formula that are not written there yet.
    pub fn missing(&self, formula: &str) -> Vec<String> {
        let mut missing = conjuncts(formula);
        missing.retain(|conjunct| conjunct != "true" && !self.stated.contains(conjunct));
        missing
    }

    /// A clause as it is written there.
    pub fn clause(&self, formula: &str) -> String {
        let word = match self.form {
            Form::While => "invariant",
            Form::Label => "assert",
            Form::Contract => "ensures",
        };
        format!("{word} {formula};")
    }

    /// Writes formulas to the loop, or the contract.
    pub fn edit<'c>(&self, formulas: impl IntoIterator<Item = &'c str>) -> Edit {
        let mut edit = Edit {
            place: self.gap,
            text: String::new(),
            clauses: Vec::new(),
        };
        for formula in formulas {
            edit.text.push_str(&format!("\n{}  ", self.indent));
            let start = edit.text.len();
            edit.text.push_str(&self.clause(formula));
            edit.clauses.push((start, edit.text.len()));
        }
        edit.text.push('\n');
        edit.text.push_str(&self.indent);
        if self.form == Form::Label {
            edit.text.push_str("  ");
        }
        edit
    }
}

/// The text with changes, which do not overlap; and where their clauses stand in it.
pub fn edited(text: &str, mut edits: Vec<Edit>) -> (String, Vec<Span>) {
    edits.sort_by_key(|edit| edit.place.start);
    let (mut made, mut clauses, mut from) = (String::new(), Vec::new(), 0);
    for edit in edits {
        let (start, end) = (edit.place.start as usize, edit.place.end as usize);
        made.push_str(text.get(from..start).unwrap_or_default());
        let offset = |place: usize| u32::try_from(made.len() + place).unwrap_or(u32::MAX);
        let spans = edit.clauses.iter();
        clauses.extend(spans.map(|&(start, end)| Span::new(offset(start), offset(end))));
        made.push_str(&edit.text);
        from = end;
    }
    made.push_str(text.get(from..).unwrap_or_default());
    (made, clauses)
}

/// The conjuncts of an expression, as text. What cannot be read is one.
pub fn conjuncts(formula: &str) -> Vec<String> {
    const BEFORE: &str = "axiom ";
    let whole = format!("{BEFORE}{formula};");
    let (tree, messages) = parse_boogie(&whole);
    let [Decl::Axiom(axiom)] = &tree.decls[..] else {
        return vec![formula.to_owned()];
    };
    if !messages.is_empty() {
        return vec![formula.to_owned()];
    }
    let mut found = Vec::new();
    let mut waiting: Vec<&Expr> = vec![&axiom.expr];
    while let Some(expr) = waiting.pop() {
        match &expr.kind {
            ExprKind::Chain { first, rest } if rest.iter().all(|l| l.op == BinaryOp::And) => {
                waiting.extend(rest.iter().rev().map(|link| &link.operand));
                waiting.push(first);
            }
            _ => found.push(whole[expr.span.range()].to_owned()),
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn conjunctions_are_taken_apart() {
        let parts =
            conjuncts("0 <= i && (i <= n && (a ==> b && c)) && (forall k: int :: k < i && k > 0)");
        let expected = [
            "0 <= i",
            "i <= n",
            "(a ==> b && c)",
            "(forall k: int :: k < i && k > 0)",
        ];
        assert_eq!(parts, expected);
        assert_eq!(conjuncts("x < "), ["x < "]);
    }

    #[test]
    fn what_is_written_is_not_missing() {
        let text = "procedure p() { var i: int; while (i < 3) invariant 0 <= i && i <= 3; { } }";
        let (tree, _) = parse_boogie(text);
        let heads = heads(&tree, text);
        assert_eq!(heads[1].missing("i <= 3 && i != 7 && true"), ["i != 7"]);
        assert_eq!(heads[1].missing("0 <= i && i <= 3"), [""; 0]);
    }

    #[test]
    fn clauses_stand_where_boogie_wants_them() {
        let text = "procedure p() {\n  var i: int;\n  while (i < 3) // up\n  {\n    i := i + 1;\n  }\n  A: i := 0; goto A;\n}\n";
        let (tree, _) = parse_boogie(text);
        let edits = heads(&tree, text);
        assert!(edits[0].is_contract());
        let edits = edits[1..].iter().map(|head| head.edit(["i > 0", "true"]));
        let (made, clauses) = edited(text, edits.collect());
        let expected = "procedure p() {\n  var i: int;\n  while (i < 3) // up\n    invariant i > 0;\n    invariant true;\n  {\n    \
                        i := i + 1;\n  }\n  A:\n    assert i > 0;\n    assert true;\n    i := 0; goto A;\n}\n";
        assert_eq!(made, expected);
        let clauses: Vec<&str> = clauses.iter().map(|span| &made[span.range()]).collect();
        assert_eq!(
            clauses,
            [
                "invariant i > 0;",
                "invariant true;",
                "assert i > 0;",
                "assert true;"
            ]
        );
    }
}
