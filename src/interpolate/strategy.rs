//! Which strategies there are, and in which order they are tried.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use super::external::External;
use super::proof_based::{Farkas, ProofBased, System};
use super::{Chain, Interpolator, bits, cubes, horn, newton};
use crate::limits;
use ult_smt::Session;

/// How interpolants are computed; as text, the value of `-Z interpolation`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Strategy {
    /// Several strategies one after the other, each within a limit of its own: `proof`, `horn`,
    /// `backward`, `cubes`, `forward`; on chains with bit-vectors `integers`, `cubes`, `backward`,
    /// `horn`, `forward`. On runs with many paths, the first four take turns.
    #[default]
    Auto,
    /// A resolution proof of our own over theory lemmas with certificates.
    ProofBased(ProofBased),
    /// One Horn query for the whole chain, answered by Spacer.
    Horn,
    /// Backward cubes by model-based projection, generalised by unsatisfiable cores.
    Cubes,
    /// Strongest postconditions, guided by unsatisfiable cores.
    Forward,
    /// Weakest preconditions, guided by unsatisfiable cores.
    Backward,
    /// Bit-vectors translated to bounded integers, and the interpolants back.
    Integers,
    /// A solver of the user's, over SMT-LIB text.
    External(External),
}

/// How [`Strategy::External`] begins as text.
const EXTERNAL: &str = "external:";

/// A strategy with the time it has for one chain.
pub(super) type Attempt = (Box<dyn Interpolator>, Duration);

const fn proof_based(system: System, farkas: Farkas) -> Strategy {
    Strategy::ProofBased(ProofBased { system, farkas })
}

impl Strategy {
    /// All strategies that need nothing but this program, each with a line for `--help`.
    pub const ALL: &[(Strategy, &str)] = &[
        (
            Strategy::Auto,
            "proof (on bit-vectors integers), then the others; on many paths in turns",
        ),
        (
            proof_based(System::McMillan, Farkas::Plain),
            "a resolution proof of its own, in McMillan's system",
        ),
        (
            proof_based(System::McMillan, Farkas::Decomposed),
            "the same with sums of bounds in independent parts",
        ),
        (
            proof_based(System::Pudlak, Farkas::Plain),
            "the same in Pudlák's system: weaker interpolants",
        ),
        (
            proof_based(System::InverseMcMillan, Farkas::Plain),
            "the same in the dual of McMillan's system: the weakest interpolants",
        ),
        (Strategy::Horn, "one Horn query for the whole path (Spacer)"),
        (
            Strategy::Cubes,
            "model-based projection and unsatisfiable cores",
        ),
        (
            Strategy::Forward,
            "strongest postconditions and unsatisfiable cores",
        ),
        (
            Strategy::Backward,
            "weakest preconditions and unsatisfiable cores",
        ),
        (
            Strategy::Integers,
            "bit-vectors as bounded integers, then proof, horn, cubes",
        ),
    ];

    /// What is tried on a chain, in this order, until something succeeds. `explained` is how many
    /// paths of the run were explained already.
    pub(super) fn attempts(
        &self,
        session: &Session<'_>,
        chain: &Chain,
        explained: u64,
    ) -> Vec<Attempt> {
        fn attempt(interpolator: impl Interpolator + 'static, limit: Duration) -> Attempt {
            (Box::new(interpolator), limit)
        }
        let integers = || {
            let inner: Vec<(Box<dyn Interpolator>, u32)> = vec![
                (Box::new(ProofBased::default()), 1),
                (Box::new(horn::HornChain), 4),
                (Box::new(cubes::Cubes), 5),
            ];
            bits::Integers::new(inner)
        };
        match self {
            Strategy::ProofBased(proof_based) => vec![attempt(*proof_based, limits::PROOF_ALONE)],
            Strategy::Horn => vec![attempt(horn::HornChain, limits::PROOF_ALONE)],
            Strategy::Cubes => vec![attempt(cubes::Cubes, limits::SEARCH_ALONE)],
            Strategy::Forward => vec![attempt(newton::Forward, limits::SEARCH_ALONE)],
            Strategy::Backward => vec![attempt(newton::Backward, limits::SEARCH_ALONE)],
            Strategy::Integers => vec![attempt(integers(), limits::SEARCH_ALONE)],
            Strategy::External(external) => vec![attempt(external.clone(), limits::EXTERNAL)],
            Strategy::Auto if chain.has_bit_vectors(session.terms()) => in_turns(
                explained,
                vec![
                    attempt(integers(), limits::AUTO_OTHER),
                    attempt(cubes::Cubes, limits::AUTO_OTHER),
                    attempt(newton::Backward, limits::AUTO_OTHER),
                    attempt(horn::HornChain, limits::AUTO_HORN),
                    attempt(newton::Forward, limits::AUTO_OTHER),
                ],
            ),
            Strategy::Auto => in_turns(
                explained,
                vec![
                    attempt(ProofBased::default(), limits::AUTO_PROOF),
                    attempt(horn::HornChain, limits::AUTO_HORN),
                    attempt(newton::Backward, limits::AUTO_OTHER),
                    attempt(cubes::Cubes, limits::AUTO_CUBES),
                    attempt(newton::Forward, limits::AUTO_OTHER),
                ],
            ),
        }
    }
}

/// So many paths are explained by the first strategy before others begin.
const FIRST: u64 = 8;

/// So many paths are explained by the same one then: it has to find out what they have in common.
const TURN: u64 = 16;

/// Who takes turns, as places in the list of attempts: after the first one the third, since it works
/// in another direction and with other means.
const TURNS: [usize; 4] = [0, 2, 1, 3];

/// The attempts, where after many paths another one than the first begins: a strategy can explain
/// path after path without ever coming to what they have in common, which another one sees at
/// once. The first four take turns.
fn in_turns(explained: u64, mut attempts: Vec<Attempt>) -> Vec<Attempt> {
    let turn = match explained.checked_sub(FIRST) {
        None => TURNS[0],
        Some(more) => TURNS[(1 + more / TURN) as usize % TURNS.len()],
    };
    if turn > 0 {
        let (interpolator, limit) = attempts.remove(turn);
        attempts.insert(0, (interpolator, limit.min(limits::TURN)));
    }
    attempts
}

impl fmt::Display for Strategy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Strategy::Auto => "auto",
            Strategy::ProofBased(proof_based) => proof_based.name(),
            Strategy::Horn => "horn",
            Strategy::Cubes => "cubes",
            Strategy::Forward => "forward",
            Strategy::Backward => "backward",
            Strategy::Integers => "integers",
            Strategy::External(external) => return write!(f, "{EXTERNAL}{external}"),
        })
    }
}

impl FromStr for Strategy {
    type Err = String;

    fn from_str(text: &str) -> Result<Strategy, String> {
        if let Some(command) = text.strip_prefix(EXTERNAL) {
            if command.trim().is_empty() {
                return Err(format!(
                    "`{EXTERNAL}` needs a command, such as {EXTERNAL}cvc5"
                ));
            }
            return Ok(Strategy::External(External::new(command)));
        }
        let known = Strategy::ALL.iter().map(|(strategy, _)| strategy);
        // As it was called in version 0.1.
        let current = match text.strip_prefix("native") {
            Some(system) => format!("proof{system}"),
            None => text.to_owned(),
        };
        known
            .clone()
            .find(|strategy| strategy.to_string() == current)
            .cloned()
            .ok_or_else(|| {
                let names: Vec<String> = known.map(|strategy| strategy.to_string()).collect();
                format!(
                    "there is no strategy `{text}`; there are {}, {EXTERNAL}CMD",
                    names.join(", ")
                )
            })
    }
}
