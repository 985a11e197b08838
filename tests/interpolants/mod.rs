//! Interpolants of random infeasible paths, by every strategy and for every theory, judged by
//! solvers and runs that had no part in them.
//!
//! `ULT_INTERPOLANT_PATHS` is the number of paths per theory, `ULT_INTERPOLANT_SEED` the first
//! seed; what the defaults do takes some seconds.

mod judge;
mod random;

use std::collections::BTreeMap;
use std::time::Duration;

use crate::random::Random;
use judge::{Findings, Judge};
use random::Theory;
use ult_core::control::Control;
use ult_core::formula::{Sort, Term, Terms};
use ult_core::reason::Reason;
use ult_core::stats::Statistics;
use ult_interpolate::{Strategy, sequence};
use ult_smt::Session;

/// How long a strategy may take for one path.
const LIMIT: Duration = Duration::from_secs(2);

fn number(variable: &str, default: u64) -> u64 {
    std::env::var(variable).map_or(default, |text| {
        text.parse()
            .unwrap_or_else(|_| panic!("{variable} is no number"))
    })
}

/// What one strategy did on the paths of one theory.
#[derive(Clone, Copy, Debug, Default)]
struct Score {
    paths: u64,
    solved: u64,
    /// Paths with results that were refused, by the strategy's own check or by the one for all.
    refused: u64,
    /// Paths that the strategy, or one that it asks, takes for feasible.
    feasible: u64,
}

/// What all strategies did on the paths of one theory.
struct Contest {
    scores: BTreeMap<String, Score>,
    findings: Findings,
    /// What is wrong, with the path and the strategy.
    complaints: Vec<String>,
}

/// All strategies on random paths of one theory.
fn compete(theory: Theory, paths: u64, seed: u64) -> Contest {
    let mut scores: BTreeMap<String, Score> = BTreeMap::new();
    let mut complaints = Vec::new();
    let mut judge = Judge::new();
    let mut found = 0;
    for seed in seed.. {
        if found == paths {
            break;
        }
        let terms = Terms::new();
        let mut random = Random::new(seed ^ (theory as u64) << 40);
        let Some(path) = random::path(&terms, theory, &mut random) else {
            continue;
        };
        found += 1;
        let chain = path.chain();
        for (strategy, _) in Strategy::ALL {
            let score = scores.entry(strategy.to_string()).or_default();
            score.paths += 1;
            let control = Control::unlimited().within(Some(LIMIT));
            let session = Session::new(&terms, &[], &control);
            let mut complain = |why: String, interpolants: &[Term]| {
                complaints.push(format!(
                    "{theory:?}, seed {seed}, strategy {strategy}: {why}\n{}",
                    shown(&path, interpolants)
                ));
            };
            match sequence(strategy, &session, &chain, &mut Statistics::default()) {
                Ok(interpolants) => {
                    score.solved += 1;
                    if let Err(why) = judge.check(&path, &interpolants, &mut random) {
                        complain(why, &interpolants);
                    }
                }
                // That the path be feasible is wrong, but no more than another way to give up.
                Err(Reason::Interpolation(why)) => {
                    score.refused += u64::from(why.contains("refused"));
                    score.feasible += u64::from(why.contains("seems feasible"));
                }
                // Out of time.
                Err(_) => {}
            }
        }
    }
    if judge.has_others() && judge.findings.by_others == 0 {
        complaints.push(format!("{theory:?}: nothing was proved by another solver"));
    }
    Contest {
        scores,
        findings: judge.findings,
        complaints,
    }
}

/// The path and its interpolants, for people.
fn shown(path: &random::Path<'_>, interpolants: &[Term]) -> String {
    let mut text = String::new();
    for step in 0..path.steps.len() {
        let transition = path.transition(step);
        text += &format!(
            "step {step}, changes {:?}: {}\n",
            transition.changed,
            path.terms.display(transition.formula)
        );
        if let Some(&interpolant) = interpolants.get(step) {
            text += &format!("  cut: {}\n", path.terms.display(interpolant));
        }
    }
    text
}

#[test]
fn every_strategy_is_right_on_random_paths() {
    let paths = number("ULT_INTERPOLANT_PATHS", 6);
    let seed = number("ULT_INTERPOLANT_SEED", 1);
    let contests: Vec<_> = std::thread::scope(|scope| {
        let threads: Vec<_> = Theory::ALL
            .into_iter()
            .map(|theory| (theory, scope.spawn(move || compete(theory, paths, seed))))
            .collect();
        threads
            .into_iter()
            .map(|(theory, thread)| (theory, thread.join().expect("no panic")))
            .collect()
    });
    let mut findings = Findings::default();
    let mut complaints = Vec::new();
    let mut table = String::new();
    let mut best: BTreeMap<String, (u64, u64)> = BTreeMap::new();
    for (theory, contest) in contests {
        findings.add(contest.findings);
        complaints.extend(contest.complaints);
        for (strategy, score) in &contest.scores {
            table += &format!("{theory:?} {strategy}: {score:?}\n");
            let best = best.entry(strategy.clone()).or_default();
            if score.solved >= best.0 {
                *best = (score.solved, score.paths);
            }
        }
        let auto = contest.scores["auto"];
        let least = match theory {
            Theory::BitVectors => auto.paths.div_ceil(3),
            _ => auto.paths.div_ceil(2),
        };
        if auto.solved < least {
            complaints.push(format!("auto solves too few of {theory:?}: {auto:?}"));
        }
    }
    println!("{table}{findings:?}");
    assert!(complaints.is_empty(), "{}", complaints.join("\n"));
    // No strategy is good at everything, but each at something.
    for (strategy, (solved, paths)) in best {
        assert!(
            2 * solved >= paths,
            "{strategy} is good at nothing:\n{table}"
        );
    }
    assert!(findings.undecided * 20 <= findings.proved, "{findings:?}");
    assert!(findings.runs >= 20 * paths, "{findings:?}");
}

/// A judge that lets everything through would be of no use.
#[test]
fn wrong_sequences_are_noticed() {
    let mut judge = Judge::new();
    for theory in Theory::ALL {
        let terms = Terms::new();
        let mut random = Random::new(11);
        let path = (0..100)
            .find_map(|_| random::path(&terms, theory, &mut random))
            .expect("one of a hundred");
        let cuts = path.steps.len() - 1;
        let (always, never) = (terms.tt(), terms.ff());
        let stray = terms.next("stray", Sort::Bool);
        for wrong in [vec![always; cuts], vec![never; cuts], vec![never; cuts + 1]] {
            assert!(
                judge.check(&path, &wrong, &mut random).is_err(),
                "{theory:?}"
            );
        }
        let wrong = judge.check(&path, &vec![stray; cuts], &mut random);
        assert!(wrong.unwrap_err().contains("does not belong"), "{theory:?}");
    }
}

/// The loops of the benchmark are infeasible at every length.
#[test]
fn the_unrolled_loops_are_infeasible() {
    for family in crate::chains::families() {
        let terms = Terms::new();
        let program = (family.build)(&terms);
        let session = Session::new(&terms, &program.graph.axioms, &Control::unlimited());
        assert_eq!(program.justify(&session), Ok(()), "{}", family.name);
        assert_eq!(program.chain(3).steps.len(), 5);
    }
}
