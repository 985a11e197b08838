//! Which clauses derive a fact from others, and with which values.
//!
//! Spacer's derivations say what follows from what, but not by which clauses: some predicates are gone before it begins. So a fact
//! is derived anew from its premises, by resolution: a goal is one of the premises, or what a clause concludes from other goals.
//! All arguments of facts are known, so the questions are small, and few clauses are possible: each premise has to be used, so that
//! clauses that lead to none of those that are left need not be tried.

use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, HashMap};
use std::time::Instant;

use super::clauses::Encoded;
use super::trees::{LastStep, Node};
use crate::limits;
use ult_core::formula::{Op, Term, Value, Version};
use ult_core::graph::evidence::{RigidMeaning, State};
use ult_core::graph::{EdgeId, LocationId, ProgramGraph};
use ult_core::reason::Reason;
use ult_smt::horn::{Atom, Clauses, Fact};
use ult_smt::{Answer, Model, Session, Solver};

/// So many questions are asked about one fact.
const MOST_QUESTIONS: u32 = 3000;

/// How many clauses may lead from the premises of a fact to it, in one try after the other. Where no predicate is gone, one does.
const MOST_CLAUSES: [usize; 5] = [1, 4, 16, 64, 256];

/// The nodes that lead to the facts, each after those that it needs, and what rigid symbols mean; the last node is that of the last
/// fact. `None` if some fact does not follow from its premises by few clauses.
pub(super) fn nodes(
    session: &Session<'_>,
    graph: &ProgramGraph,
    encoded: &Encoded,
    facts: &[Fact],
) -> Result<Option<(Vec<Node>, RigidMeaning)>, Reason> {
    let mut above = Above::new(&encoded.clauses);
    let mut nodes = Vec::new();
    let mut rigid = RigidMeaning::default();
    let mut of_fact = Vec::with_capacity(facts.len());
    // Another derivation may be easier.
    let time = session.control().remaining();
    let deadline = time.map(|time| Instant::now() + time / 2);
    for fact in facts {
        session.control().check()?;
        for &premise in &fact.premises {
            above.learn(facts[premise].predicate);
        }
        let mut resolution = Resolution {
            above: &above,
            session,
            graph,
            encoded,
            facts,
            fact,
            of_fact: &of_fact,
            used: vec![false; fact.premises.len()],
            instances: Vec::new(),
            most: 0,
            solver: session.brief_solver(),
            questions: 0,
            deadline,
            nodes: &mut nodes,
            rigid: &mut rigid,
        };
        let root = Goal {
            predicate: fact.predicate,
            args: fact.args.clone(),
            wanted: None,
        };
        let goals = [root];
        let mut is_derived = false;
        for most in MOST_CLAUSES {
            resolution.most = most;
            is_derived = resolution.derive(&goals)?;
            if is_derived {
                break;
            }
        }
        drop(resolution);
        if !is_derived {
            return Ok(None);
        }
        of_fact.push(nodes.len() - 1);
    }
    Ok(Some((nodes, rigid)))
}

/// Something to derive.
#[derive(Clone)]
struct Goal {
    /// `None` is falsity.
    predicate: Option<usize>,
    args: Vec<Term>,
    /// Which atom of which instance it is; `None` for the fact itself.
    wanted: Option<(usize, usize)>,
}

/// A clause with variables of its own.
struct Instance {
    clause: usize,
    renamed: HashMap<Term, Term>,
    /// For each atom, what derives it.
    atoms: Vec<Derived>,
}

/// What derives an atom.
#[derive(Clone, Copy)]
enum Derived {
    Fact(usize),
    Instance(usize),
}

/// For predicates, which ones depend on them: from these, clauses lead to the predicate.
struct Above {
    /// For each predicate, those about which a clause with it among its premises concludes something.
    heads: Vec<Vec<usize>>,
    known: HashMap<usize, Vec<bool>>,
}

impl Above {
    fn new(clauses: &Clauses) -> Above {
        let mut heads: Vec<Vec<usize>> = vec![Vec::new(); clauses.predicates.len()];
        for clause in &clauses.clauses {
            if let Some(head) = &clause.head {
                for atom in &clause.body {
                    heads[atom.predicate].push(head.predicate);
                }
            }
        }
        Above {
            heads,
            known: HashMap::new(),
        }
    }

    fn learn(&mut self, predicate: Option<usize>) {
        let Some(predicate) = predicate.filter(|number| !self.known.contains_key(number)) else {
            return;
        };
        let mut found = vec![false; self.heads.len()];
        let mut work = vec![predicate];
        while let Some(number) = work.pop() {
            for &head in &self.heads[number] {
                if !std::mem::replace(&mut found[head], true) {
                    work.push(head);
                }
            }
        }
        self.known.insert(predicate, found);
    }

    /// Whether a goal may need a fact about the predicate.
    fn may_need(&self, goal: &Goal, predicate: usize) -> bool {
        let depends = |number: usize| self.known.get(&predicate).is_none_or(|known| known[number]);
        goal.predicate
            .is_none_or(|number| number == predicate || depends(number))
    }
}

struct Resolution<'a, 't> {
    above: &'a Above,
    session: &'a Session<'t>,
    graph: &'a ProgramGraph,
    encoded: &'a Encoded,
    facts: &'a [Fact],
    /// What is derived.
    fact: &'a Fact,
    /// The nodes of earlier facts.
    of_fact: &'a [usize],
    /// Which of its premises are used.
    used: Vec<bool>,
    instances: Vec<Instance>,
    /// How many instances there may be.
    most: usize,
    solver: Solver<'a, 't>,
    questions: u32,
    deadline: Option<Instant>,
    nodes: &'a mut Vec<Node>,
    rigid: &'a mut RigidMeaning,
}

impl Resolution<'_, '_> {
    /// Derives all goals, and adds the nodes of the instances that do so after the others.
    fn derive(&mut self, goals: &[Goal]) -> Result<bool, Reason> {
        let Some((goal, rest)) = goals.split_first() else {
            let model = self.solver.model()?;
            self.write(&model)?;
            return Ok(true);
        };
        Ok(self.by_premise(goal, rest)? || self.by_clause(goal, rest)?)
    }

    /// Whether each premise that is not used yet may be needed for some goal.
    fn is_possible(&self, goals: &[Goal]) -> bool {
        let unused = (0..self.used.len()).filter(|&place| !self.used[place]);
        let mut unused = unused.filter_map(|place| self.facts[self.fact.premises[place]].predicate);
        unused.all(|number| goals.iter().any(|goal| self.above.may_need(goal, number)))
    }

    /// Takes a premise of the fact for the goal.
    fn by_premise(&mut self, goal: &Goal, rest: &[Goal]) -> Result<bool, Reason> {
        let Some((instance, atom)) = goal.wanted else {
            return Ok(false);
        };
        for place in 0..self.used.len() {
            let number = self.fact.premises[place];
            let premise = &self.facts[number];
            if self.used[place] || premise.predicate != goal.predicate {
                continue;
            }
            self.used[place] = true;
            self.instances[instance].atoms[atom] = Derived::Fact(number);
            let equations = self.equations(&goal.args, &premise.args);
            if self.under(&equations, rest)? {
                return Ok(true);
            }
            self.used[place] = false;
        }
        Ok(false)
    }

    /// Takes what some clause concludes for the goal.
    fn by_clause(&mut self, goal: &Goal, rest: &[Goal]) -> Result<bool, Reason> {
        let number = self.instances.len();
        if number >= self.most {
            return Ok(false);
        }
        for clause in 0..self.encoded.clauses.clauses.len() {
            let head = self.encoded.clauses.clauses[clause].head.as_ref();
            if head.map(|head| head.predicate) != goal.predicate {
                continue;
            }
            let (instance, mut assumed, goals) = self.instance(clause, goal, number);
            self.instances.push(instance);
            if let Some((parent, atom)) = goal.wanted {
                self.instances[parent].atoms[atom] = Derived::Instance(number);
            }
            assumed.retain(|&formula| formula != self.session.terms().tt());
            let goals: Vec<Goal> = goals.into_iter().chain(rest.iter().cloned()).collect();
            if self.under(&assumed, &goals)? {
                return Ok(true);
            }
            self.instances.truncate(number);
        }
        Ok(false)
    }

    /// An instance of a clause that concludes the goal: what it assumes, and the goals that it needs.
    fn instance(
        &self,
        clause_number: usize,
        goal: &Goal,
        number: usize,
    ) -> (Instance, Vec<Term>, Vec<Goal>) {
        let terms = self.session.terms();
        let clause = &self.encoded.clauses.clauses[clause_number];
        let mut renamed = HashMap::new();
        for term in terms.free_vars(&clause.terms()) {
            if let Some(var) = terms.as_var(term) {
                let fresh = terms.fresh_aux(var.name.clone(), terms.sort(term).clone());
                renamed.insert(term, fresh);
            }
        }
        let own = |args: &[Term]| -> Vec<Term> {
            let args = args.iter();
            args.map(|&arg| terms.substitute(arg, &renamed)).collect()
        };
        let mut assumed = match &clause.head {
            Some(head) => self.equations(&own(&head.args), &goal.args),
            None => Vec::new(),
        };
        assumed.push(terms.substitute(clause.condition, &renamed));
        let goal_of = |(place, atom): (usize, &Atom)| Goal {
            predicate: Some(atom.predicate),
            args: own(&atom.args),
            wanted: Some((number, place)),
        };
        let goals = clause.body.iter().enumerate().map(goal_of).collect();
        let instance = Instance {
            clause: clause_number,
            atoms: vec![Derived::Fact(0); clause.body.len()],
            renamed,
        };
        (instance, assumed, goals)
    }

    fn equations(&self, left: &[Term], right: &[Term]) -> Vec<Term> {
        let pairs = left.iter().zip(right);
        pairs
            .map(|(&a, &b)| self.session.terms().eq(a, b))
            .collect()
    }

    /// Derives goals under more assumptions.
    fn under(&mut self, assumed: &[Term], goals: &[Goal]) -> Result<bool, Reason> {
        let is_late = self
            .deadline
            .is_some_and(|deadline| Instant::now() > deadline);
        if is_late || self.questions >= MOST_QUESTIONS || !self.is_possible(goals) {
            return Ok(false);
        }
        self.questions += 1;
        self.solver.push();
        for &formula in assumed {
            self.solver.assert(formula)?;
        }
        let found = match self.solver.check(&[], Some(limits::DERIVED_PATH)) {
            Answer::Sat => self.derive(goals)?,
            Answer::Unsat => false,
            Answer::Unknown(failure) => return Err(failure.into()),
        };
        self.solver.pop();
        Ok(found)
    }

    /// Adds the nodes of the instances after the others; what a node needs comes before it.
    fn write(&mut self, model: &Model<'_, '_>) -> Result<(), Reason> {
        let mut of_instance = vec![0; self.instances.len()];
        for number in (0..self.instances.len()).rev() {
            let instance = &self.instances[number];
            let atoms = instance.atoms.iter().map(|&from| match from {
                Derived::Fact(number) => self.of_fact[number],
                Derived::Instance(number) => of_instance[number],
            });
            let atoms: Vec<usize> = atoms.collect();
            let instance_there = InModel {
                session: self.session,
                graph: self.graph,
                renamed: &instance.renamed,
                model,
            };
            let node = instance_there.node(self.encoded, instance.clause, &atoms)?;
            of_instance[number] = self.nodes.len();
            self.nodes.push(node);
        }
        // What is said of a symbol first counts. Where facts need other meanings of it, the trace is not confirmed.
        let terms = self.session.terms();
        for instance in &self.instances {
            let clause = &self.encoded.clauses.clauses[instance.clause];
            for term in terms.post_order(&clause.terms()) {
                let Op::Apply(function) = terms.op(term) else {
                    continue;
                };
                let own = |term: Term| model.value(terms.substitute(term, &instance.renamed));
                let args = terms.args(term).iter().map(|&arg| own(arg));
                let (Ok(args), Ok(value)) = (args.collect(), own(term)) else {
                    // It is about what is bound.
                    continue;
                };
                let known = match self.rigid.functions.entry(function.name.clone()) {
                    Entry::Vacant(unknown) => unknown.insert(model.function(function)?),
                    Entry::Occupied(known) => known.into_mut(),
                };
                known.entries.entry(args).or_insert(value);
            }
        }
        // What no clause speaks about may mean anything.
        if self.of_fact.len() + 1 == self.facts.len() {
            for function in &self.graph.functions {
                if let Entry::Vacant(unknown) = self.rigid.functions.entry(function.name.clone()) {
                    unknown.insert(model.function(function)?);
                }
            }
        }
        Ok(())
    }
}

/// An instance in a model.
struct InModel<'a, 't, 'm> {
    session: &'a Session<'t>,
    graph: &'a ProgramGraph,
    renamed: &'a HashMap<Term, Term>,
    model: &'a Model<'m, 't>,
}

impl InModel<'_, '_, '_> {
    /// The node of an instance of a clause, from those of its atoms.
    fn node(&self, encoded: &Encoded, clause: usize, atoms: &[usize]) -> Result<Node, Reason> {
        let mut atoms = atoms.iter().copied();
        let Some(edge) = encoded.edges[clause] else {
            return Ok(Node {
                source: Err(self.state(Version::Current)?),
                step: None,
                premises: Vec::new(),
            });
        };
        let mut next = |location: LocationId| match encoded.locations.contains(&location) {
            true => atoms.next(),
            // No predicate says anything about it.
            false => None,
        };
        let from = self.graph.graph.edge_endpoints(edge).map(|(from, _)| from);
        let source = match next(from.unwrap_or_default()) {
            Some(node) => Ok(node),
            None => Err(self.state(Version::Current)?),
        };
        let mut premises = Vec::new();
        for premise in &self.graph.graph[edge].premises {
            premises.push(match next(premise.location) {
                Some(node) => Ok(node),
                None => {
                    let mut state = self.state(Version::Current)?;
                    for (name, &term) in &premise.state {
                        state.insert(name.clone(), self.value(term)?);
                    }
                    Err(state)
                }
            });
        }
        Ok(Node {
            source,
            step: Some(self.step(edge)?),
            premises,
        })
    }

    fn step(&self, edge: EdgeId) -> Result<LastStep, Reason> {
        let terms = self.session.terms();
        let label = &self.graph.graph[edge];
        let mut taken = LastStep {
            edge,
            aux: BTreeMap::new(),
            values: State::new(),
        };
        for term in terms.free_vars(&label.terms()) {
            if let Some(Version::Aux(number)) = terms.as_var(term).map(|var| var.version) {
                taken.aux.insert(number, self.value(term)?);
            }
        }
        for name in &label.transition.changed {
            if let Some(variable) = self.graph.variable(terms, name, Version::Next) {
                taken.values.insert(name.clone(), self.value(variable)?);
            }
        }
        Ok(taken)
    }

    /// The values of all variables.
    fn state(&self, version: Version) -> Result<State, Reason> {
        let terms = self.session.terms();
        let mut state = State::new();
        for name in self.graph.variables.keys() {
            if let Some(variable) = self.graph.variable(terms, name, version) {
                state.insert(name.clone(), self.value(variable)?);
            }
        }
        Ok(state)
    }

    /// The value of a term over the variables of the clause.
    fn value(&self, term: Term) -> Result<Value, Reason> {
        let own = self.session.terms().substitute(term, self.renamed);
        Ok(self.model.value(own)?)
    }
}
