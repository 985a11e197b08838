//! Who works on a graph, in which order, and for how long before others go first.

use std::fmt;
use std::time::Duration;

use super::features::{Deterministic, Features};
use crate::choice::EngineKind;
use crate::limits;

/// An engine in a plan.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Member {
    /// The engine.
    pub kind: EngineKind,
    /// So many seconds of processor time it gets before the next one begins, where there are more
    /// engines than cores.
    pub sprint: u32,
    /// So many it gets before those that have used up this one too.
    pub budget: u32,
    /// Why it is there.
    pub why: &'static str,
}

/// Who works on a graph.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Plan {
    /// What it was made from.
    pub features: Features,
    /// How long the first engine is alone.
    pub alone: Duration,
    /// The engines in the order in which they begin: as many at a time as there are cores.
    pub members: Vec<Member>,
    /// The engines that are left out, and why.
    pub absent: Vec<(EngineKind, &'static str)>,
}

impl Plan {
    /// The plan for a graph.
    ///
    /// Slicing begins: it decides most programs in a moment. What joins it are engines that find
    /// other things or find them otherwise. What the features say is measured on the task lists;
    /// `benches/results/c.md` has the table of who answers.
    pub fn new(features: Features) -> Plan {
        let large = features.size >= limits::LARGE_STEPS;
        // State machines compare with numbers; counters, clocks and ids are compared with each other.
        let relational = 3 * features.relations >= features.comparisons;
        let loops = features.loops;
        let mut plan = Plan {
            features,
            alone: limits::ALONE,
            ..Plan::default()
        };
        match loops {
            _ if plan.features.trees => plan.trees(),
            0 => plan.without_loops(),
            _ if !large => plan.small_steps(),
            _ if !relational => plan.values(),
            1 => plan.one_loop_of_relations(),
            _ => plan.loops_of_relations(),
        }
        plan
    }

    /// The plan with some engines left out.
    pub fn without(mut self, engines: &[EngineKind]) -> Plan {
        let leaves = |member: &Member| engines.contains(&member.kind);
        let left_out = self.members.extract_if(.., |member| leaves(member));
        let left_out = left_out.map(|member| (member.kind, "by the settings"));
        self.absent.extend(left_out);
        self
    }

    /// Those that begin, whatever the graph is like.
    fn first(&mut self, slicing: (u32, u32)) {
        self.add(
            EngineKind::Slicing,
            slicing,
            "decides most graphs in a moment",
        );
        match self.features.deterministic {
            Deterministic::Long => {
                self.alone = Duration::ZERO;
                let why = "there is a long execution without inputs";
                self.add(EngineKind::Execution, (4, 20), why);
            }
            // The states on the way are an invariant; only then it is asked whether there are others.
            Deterministic::Whole => {
                self.add(EngineKind::Explicit, (5, 20), "there is one way to go");
                self.add(EngineKind::Execution, (1, 6), "goes it to the end");
            }
            Deterministic::Choice => {
                self.add(EngineKind::Execution, (1, 6), "finds what plain inputs do")
            }
        }
    }

    /// States one by one, if nobody does that already.
    fn explicit(&mut self, times: (u32, u32), why: &'static str) {
        if self.features.deterministic != Deterministic::Whole {
            self.add(EngineKind::Explicit, times, why);
        }
    }

    /// Engines that know nothing of premises prove what holds without them.
    fn trees(&mut self) {
        let why = "the only one that takes premises in";
        self.add(EngineKind::Horn, (20, 40), why);
        for kind in [
            EngineKind::Slicing,
            EngineKind::Predicate,
            EngineKind::KInduction,
        ] {
            self.add(kind, (2, 6), "may prove it without premises");
        }
    }

    fn without_loops(&mut self) {
        self.first((5, 40));
        self.explicit((2, 8), ENUMERATES);
        self.add(EngineKind::BitsBmc, (5, 20), UNROLLS_BITS);
        self.add(
            EngineKind::KInduction,
            (5, 20),
            "unrolls a graph without loops at once",
        );
        // They ask the same otherwise: solvers that give up on one question may answer another.
        self.add(EngineKind::Horn, (2, 10), "simplifies before it asks");
        self.add(
            EngineKind::Predicate,
            (2, 10),
            "asks about one part after the other",
        );
        for kind in [
            EngineKind::Impact,
            EngineKind::Ic3,
            EngineKind::Arrays,
            EngineKind::Heap,
            EngineKind::Polynomials,
        ] {
            self.absent.push((kind, "there is no loop"));
        }
    }

    /// Loops over counters, arrays, lists: an invariant must be found.
    fn small_steps(&mut self) {
        self.first((2, 10));
        self.guessing([(1, 10), (3, 25), (6, 25)]);
        self.add(EngineKind::KInduction, (2, 10), UNROLLS);
        self.add(EngineKind::Ic3, (2, 10), SINGLE_BITS);
        self.add(EngineKind::Predicate, (2, 6), PREDICATES);
        self.add(EngineKind::Horn, (3, 10), ALL_LOOPS);
        self.explicit((2, 8), ENUMERATES);
        self.add(EngineKind::BitsBmc, (2, 6), UNROLLS_BITS);
        self.add(EngineKind::Impact, (2, 4), UNWINDS);
    }

    /// State machines, protocols, schedulers: much happens in each round, and what matters are a few
    /// values.
    fn values(&mut self) {
        self.first((1, 6));
        let why = "large steps that compare with numbers";
        self.add(EngineKind::Ic3, (2, 20), SINGLE_BITS);
        self.explicit((30, 30), why);
        self.add(EngineKind::Horn, (2, 20), ALL_LOOPS);
        self.add(EngineKind::BitsBmc, (6, 20), UNROLLS_BITS);
        self.add(EngineKind::KInduction, (1, 4), UNROLLS);
        self.add(EngineKind::Predicate, (1, 6), PREDICATES);
        self.others();
    }

    /// Rounds of a protocol: much happens in each, and what matters is how values relate.
    fn one_loop_of_relations(&mut self) {
        self.first((1, 2));
        let why = "one loop of large steps that compare variables";
        self.add(EngineKind::KInduction, (30, 30), why);
        self.add(EngineKind::BitsBmc, (4, 20), UNROLLS_BITS);
        self.add(EngineKind::Ic3, (2, 10), SINGLE_BITS);
        self.explicit((20, 20), ENUMERATES);
        self.add(EngineKind::Horn, (1, 2), ALL_LOOPS);
        self.add(EngineKind::Predicate, (1, 2), PREDICATES);
        self.others();
    }

    fn loops_of_relations(&mut self) {
        self.first((5, 40));
        self.explicit((2, 5), ENUMERATES);
        self.add(EngineKind::BitsBmc, (4, 8), UNROLLS_BITS);
        self.add(EngineKind::Ic3, (2, 6), SINGLE_BITS);
        self.add(EngineKind::Horn, (5, 20), "several loops of large steps");
        self.add(EngineKind::KInduction, (2, 5), UNROLLS);
        self.add(EngineKind::Predicate, (2, 6), PREDICATES);
        self.others();
    }

    /// Those that rarely decide anything among large steps.
    fn others(&mut self) {
        self.add(EngineKind::Impact, (0, 0), UNWINDS);
        self.guessing([(0, 0); 3]);
    }

    /// Engines that guess invariants of a certain form from runs and texts, if there may be any: of
    /// polynomials, heaps, arrays.
    fn guessing(&mut self, [polynomials, heap, arrays]: [(u32, u32); 3]) {
        let Features { maps, floats, .. } = self.features;
        if floats {
            let why = "there are floating-point numbers";
            self.absent.push((EngineKind::Polynomials, why));
        } else {
            let why = "guesses sums and products";
            self.add(EngineKind::Polynomials, polynomials, why);
        }
        for (kind, times) in [(EngineKind::Heap, heap), (EngineKind::Arrays, arrays)] {
            match maps {
                true => self.add(kind, times, "there are maps"),
                false => self.absent.push((kind, "there is no map")),
            }
        }
    }

    /// Adds an engine, with its sprint and its budget in seconds.
    fn add(&mut self, kind: EngineKind, times: (u32, u32), why: &'static str) {
        self.members.push(Member {
            kind,
            sprint: times.0,
            budget: times.1,
            why,
        });
    }
}

const ENUMERATES: &str = "enumerates few states";
const UNROLLS: &str = "proves what few rounds imply";
const PREDICATES: &str = "proves loops that need few predicates";
const ALL_LOOPS: &str = "sees all loops at once";
const UNROLLS_BITS: &str = "finds long traces by a SAT solver";
const SINGLE_BITS: &str = "proves what single bits tell";
const UNWINDS: &str = "unwinds paths one by one";

impl fmt::Display for Plan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}", self.features)?;
        for member in &self.members {
            let Member {
                kind,
                sprint,
                budget,
                why,
            } = member;
            let name = kind.name();
            writeln!(
                f,
                "{name:12} {sprint:2} s first, {budget:2} s in all  {why}"
            )?;
        }
        for (kind, why) in &self.absent {
            writeln!(f, "{:12} left out: {why}", kind.name())?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    fn plan(loops: usize, size: usize, relations: usize) -> Plan {
        Plan::new(Features {
            edges: 3 * loops + 1,
            loops,
            size,
            comparisons: 90,
            relations,
            maps: true,
            ..Features::default()
        })
    }

    /// The engine that begins after slicing and execution.
    fn third(plan: &Plan) -> EngineKind {
        plan.members[2].kind
    }

    #[test]
    fn what_a_graph_is_like_says_who_comes_first() {
        let large = limits::LARGE_STEPS;
        assert_eq!(third(&plan(1, 30, 20)), EngineKind::Polynomials);
        assert_eq!(third(&plan(1, large, 29)), EngineKind::Ic3);
        assert_eq!(third(&plan(1, large, 30)), EngineKind::KInduction);
        assert_eq!(third(&plan(3, large, 30)), EngineKind::Explicit);
        assert_eq!(plan(0, large, 0).absent.len(), 5);
        let long = Plan::new(Features {
            loops: 1,
            deterministic: Deterministic::Long,
            ..Features::default()
        });
        assert_eq!(long.alone, Duration::ZERO);
        let absent: Vec<EngineKind> = long.absent.iter().map(|(kind, _)| *kind).collect();
        assert_eq!(absent, [EngineKind::Heap, EngineKind::Arrays]);
        let whole = Plan::new(Features {
            loops: 1,
            deterministic: Deterministic::Whole,
            ..Features::default()
        });
        assert_eq!(whole.members[1].kind, EngineKind::Explicit);
        assert_eq!(third(&whole), EngineKind::Execution);
        assert_eq!(whole.members.len(), long.members.len());
    }

    /// Nobody is forgotten or works twice, and sprints are parts of budgets.
    #[test]
    fn every_engine_has_its_place() {
        // Intervals, polyhedra and deduction come before the portfolio, and k-induction unrolls as BMC does.
        let elsewhere = [
            EngineKind::Intervals,
            EngineKind::Polyhedra,
            EngineKind::Deductive,
            EngineKind::Bmc,
        ];
        let all = EngineKind::ALL.iter().map(|(kind, _)| kind.name());
        for plan in [
            plan(0, 1, 0),
            plan(1, 1, 0),
            plan(1, 9999, 0),
            plan(2, 9999, 90),
        ] {
            let members = plan.members.iter().map(|member| member.kind);
            let absent = plan.absent.iter().map(|(kind, _)| *kind);
            let named: Vec<&str> = members
                .chain(absent)
                .chain(elsewhere)
                .map(EngineKind::name)
                .collect();
            let each: BTreeSet<&str> = named.iter().copied().collect();
            assert_eq!(each.len(), named.len());
            assert_eq!(each, all.clone().collect());
            assert!(
                plan.members
                    .iter()
                    .all(|member| member.sprint <= member.budget)
            );
        }
    }
}
