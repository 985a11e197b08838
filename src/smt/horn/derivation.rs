//! How Spacer derives falsity: its proof by hyper-resolution, as a list of facts.

use std::collections::HashMap;

use super::system::Clauses;
use crate::answer::Failure;
use crate::decode::Decoder;
use crate::encode::Maps;
use crate::raw::{Ast, Shape};
use crate::session::Session;
use ult_core::formula::Term;

/// What a clause derives for some values of its variables.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fact {
    /// The number of the predicate; `None` is falsity.
    pub predicate: Option<usize>,
    /// Literals for its parameters.
    pub args: Vec<Term>,
    /// The facts that it follows from by one clause, by their numbers, in any order. They come before it.
    pub premises: Vec<usize>,
}

/// What is known of a node of the proof.
#[derive(Clone, Copy)]
enum Node {
    /// One of our facts, by number.
    Fact(usize),
    /// Something else.
    Other,
}

/// The facts of Spacer's proof; the last one is falsity. Facts that are used several times are there once.
///
/// # Errors
/// If Z3 writes the proof in another form.
pub(super) fn derivation(
    session: &Session<'_>,
    clauses: &Clauses,
    proof: &Ast,
) -> Result<Vec<Fact>, Failure> {
    let mut facts: Vec<Fact> = Vec::new();
    let mut done: HashMap<u32, Node> = HashMap::new();
    let mut stack = vec![(proof.clone(), false)];
    while let Some((node, ready)) = stack.pop() {
        if done.contains_key(&node.id()) {
            continue;
        }
        let args = node.args()?;
        // The last argument is what is proved; the others are what proves it. In a resolution, the first one is the clause.
        let name = node.decl()?.name();
        let (proved, premises) = match (&*name, &args[..]) {
            ("hyper-res", [_, premises @ .., proved]) => (proved, premises),
            ("asserted" | "mp", [premises @ .., proved]) => (proved, premises),
            _ => return Err(odd(&node)),
        };
        if !ready {
            stack.push((node, true));
            stack.extend(premises.iter().map(|premise| (premise.clone(), false)));
            continue;
        }
        let from: Vec<usize> = premises
            .iter()
            .filter_map(|premise| match done.get(&premise.id()) {
                Some(Node::Fact(number)) => Some(*number),
                Some(Node::Other) | None => None,
            })
            .collect();
        let found = match &*name {
            "mp" => None,
            _ => fact(session, clauses, proved, from)?,
        };
        let found = match found {
            // A clause, or what has to be shown of the query.
            None => Node::Other,
            Some(fact) if fact.predicate.is_none() => {
                facts.push(fact);
                return Ok(facts);
            }
            Some(fact) => {
                facts.push(fact);
                Node::Fact(facts.len() - 1)
            }
        };
        done.insert(node.id(), found);
    }
    Err(odd(proof))
}

/// The fact that an expression is, which follows from others; `None` if it is no ground atom.
fn fact(
    session: &Session<'_>,
    clauses: &Clauses,
    ast: &Ast,
    premises: Vec<usize>,
) -> Result<Option<Fact>, Failure> {
    if ast.shape() != Shape::App {
        return Ok(None);
    }
    let name = ast.decl()?.name();
    // Z3's own query follows from falsity, or stands for it, where that was inlined.
    if name == "p|false" || name.starts_with("query!") {
        return Ok(Some(Fact {
            predicate: None,
            args: Vec::new(),
            premises,
        }));
    }
    let number = name.strip_prefix("p|").and_then(|text| text.parse().ok());
    let known = number.and_then(|number: usize| Some((number, clauses.predicates.get(number)?)));
    let Some((number, predicate)) = known else {
        return Ok(None);
    };
    // After the parameters there may be rigid symbols.
    let args = ast.args()?.into_iter().take(predicate.params.len());
    let decoder = Decoder::new(session, Maps::Curried, &[]);
    let args = args.map(|arg| decoder.decode(&arg));
    let args: Vec<Term> = args.collect::<Result<_, _>>()?;
    match args.len() == predicate.params.len() {
        true => Ok(Some(Fact {
            predicate: Some(number),
            args,
            premises,
        })),
        false => Err(odd(ast)),
    }
}

fn odd(ast: &Ast) -> Failure {
    let text: String = ast.to_string().chars().take(200).collect();
    Failure::UnexpectedOutput(format!("a step of Spacer's proof: {text}"))
}
