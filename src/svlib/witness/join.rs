//! A witness put into its program is a program (section 3.6 of the standard).

use ult_smtlib::sexpr::{Expr, Exprs, Node};

use crate::export::symbols::is_word;

/// Why a program with a trace is never proved: what the trace says nothing about was not looked at.
pub const LEFT_OUT: &str = "what a `select-trace` leaves out";

/// What a witness claims.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Claim {
    /// That the program is correct, by its annotations.
    Correct,
    /// That the program is not correct, by a trace.
    Violated,
}

/// The program with the commands of the witness before its (only) `verify-call`, and what the witness claims.
///
/// # Errors
/// In words, why that is no witness for the program.
pub fn join(program: &str, witness: &str) -> Result<(String, Claim), String> {
    let (exprs, top, wrong) = Exprs::read_all(witness);
    if let Some(first) = wrong.first() {
        return Err(format!("the witness cannot be read: {}", first.what));
    }
    // The answer of a verifier is in parentheses; the commands alone are accepted, too.
    let commands: Vec<Expr> = match top.as_slice() {
        [only] if head(&exprs, *only).is_none() => exprs.list(*only).unwrap_or_default().to_vec(),
        all => all.to_vec(),
    };
    let mut claim = Claim::Correct;
    let mut text = String::new();
    let mut required = Vec::new();
    let mut others = false;
    for command in commands {
        let place = exprs.place(command);
        let written = witness.get(place).unwrap_or_default();
        match head(&exprs, command) {
            Some("set-info") => continue,
            Some(
                "annotate-tag" | "define-fun" | "define-const" | "define-sort" | "declare-fun"
                | "declare-const" | "declare-sort",
            ) => others = true,
            Some("select-trace") => claim = Claim::Violated,
            Some(other) => return Err(format!("a witness must not contain `{other}`")),
            None => return Err("a witness is a list of commands".to_owned()),
        }
        if let Some(name) = declared(&exprs, command).filter(|name| is_word(name)) {
            // What it says would read as something else than it means.
            return Err(format!("a witness must not give `{name}` another meaning"));
        }
        if let Some(what) = forbidden(&exprs, command) {
            return Err(format!("a witness must not say `:{what}`"));
        }
        required.extend(requires(&exprs, command));
        text.push_str(written);
        text.push('\n');
    }
    if claim == Claim::Violated && others {
        // What a run violates must not come from who says so.
        return Err("a violation witness contains nothing but traces".to_owned());
    }
    // The empty list is one for programs that are correct without any annotation.
    if !top.iter().any(|&part| exprs.list(part).is_some()) {
        return Err("the witness says nothing".to_owned());
    }
    let (exprs, commands, _) = Exprs::read_all(program);
    let mut calls = commands
        .iter()
        .filter(|&&command| head(&exprs, command) == Some("verify-call"));
    let (Some(&call), None) = (calls.next(), calls.next()) else {
        return Err("the program has not exactly one `verify-call`".to_owned());
    };
    let start = exprs.place(call).start;
    // The precondition of what is verified is assumed, so a witness must not have a say in it.
    let entry = exprs.list(call).and_then(|parts| parts.get(1));
    let entry = entry.and_then(|&name| exprs.symbol(name));
    let tags = body_tags(&exprs, &commands, entry.unwrap_or_default());
    if let Some(tag) = required.iter().find(|tag| tags.contains(&tag.as_str())) {
        return Err(format!(
            "a witness must not restrict how the procedure that is verified is called: `:requires` at the tag `{tag}`"
        ));
    }
    let (Some(before), Some(behind)) = (program.get(..start), program.get(start..)) else {
        return Err("the program cannot be read".to_owned());
    };
    Ok((format!("{before}{text}{behind}"), claim))
}

fn head(exprs: &Exprs, at: Expr) -> Option<&str> {
    exprs.symbol(*exprs.list(at)?.first()?)
}

/// The name that a command declares or defines.
fn declared(exprs: &Exprs, command: Expr) -> Option<&str> {
    let is_annotation = head(exprs, command) == Some("annotate-tag");
    let name = *exprs.list(command)?.get(1)?;
    exprs.symbol(name).filter(|_| !is_annotation)
}

/// What a command of a witness would change of the program.
fn forbidden(exprs: &Exprs, command: Expr) -> Option<&'static str> {
    (head(exprs, command) == Some("annotate-tag") && says(exprs, command, "tag")).then_some("tag")
}

/// The tag that a command gives a precondition to.
fn requires(exprs: &Exprs, command: Expr) -> Option<String> {
    let is_about = head(exprs, command) == Some("annotate-tag");
    let tag = exprs.symbol(*exprs.list(command)?.get(1)?)?;
    (is_about && says(exprs, command, "requires")).then(|| tag.to_owned())
}

fn says(exprs: &Exprs, command: Expr, what: &str) -> bool {
    let is = |&part: &Expr| matches!(exprs.node(part), Node::Keyword(key) if key == what);
    exprs.list(command).unwrap_or_default().iter().any(is)
}

/// The tags of the outermost statement of a procedure.
fn body_tags<'e>(exprs: &'e Exprs, commands: &[Expr], name: &str) -> Vec<&'e str> {
    let mut found = Vec::new();
    let mut bodies = Vec::new();
    for &command in commands {
        let parts = exprs.list(command).unwrap_or_default();
        match (head(exprs, command), parts) {
            (Some("define-proc"), [_, procedure, .., body])
                if exprs.symbol(*procedure) == Some(name) =>
            {
                bodies.push(*body);
            }
            (Some("define-procs-rec"), [_, heads, all]) => {
                let heads = exprs.list(*heads).unwrap_or_default();
                let all = exprs.list(*all).unwrap_or_default();
                let own = heads.iter().zip(all);
                let own = own.filter(|(procedure, _)| head(exprs, **procedure) == Some(name));
                bodies.extend(own.map(|(_, &body)| body));
            }
            _ => {}
        }
    }
    for mut body in bodies {
        while let (Some("!"), Some([_, inner, attributes @ ..])) =
            (head(exprs, body), exprs.list(body))
        {
            for pair in attributes.windows(2) {
                if let [key, value] = pair
                    && matches!(exprs.node(*key), Node::Keyword(key) if key == "tag")
                {
                    found.extend(exprs.symbol(*value));
                }
            }
            body = *inner;
        }
    }
    found
}
