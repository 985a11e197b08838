//! Bodies that are in the graph once, however many calls there are: [`CallPolicy::Once`] and [`CallPolicy::Stack`].
//!
//! A call gives the parameters their values, notes where it is to return to, and goes to the body; behind the body an edge
//! leads to each call, for the runs that came from there. One copy of the variables is enough, since a procedure that does
//! not reach itself is active once at a time. So the graph grows with the text of the program, not with the number of ways
//! to call (F-SOFT: Ivancic et al., "Efficient SAT-based bounded model checking for software verification", 2008). For
//! those who do not look at values, each call may return to any other; an engine has to find the variable important.
//!
//! The place to return to is a number in binary, each digit a truth value: so it adds no theory to the program's own.
//!
//! Of a recursive procedure several activations may be there at a time. With [`CallPolicy::Stack`], a call pushes what the
//! variables of its activation hold, the place to return to included, and the return pops it: for each variable there is a
//! map from depths to values. So the graph has exactly the traces of the program, however deep the recursion goes. Such maps
//! cost a proof a lot, and one who follows traces nothing.

use std::collections::BTreeSet;
use std::sync::Arc;

use ult_lang::hir::{Procedure, ProcedureId};

use super::activation::{Activation, Body, Call, Key, Site};
use super::builder::Builder;
use super::frame::Frame;
use super::options::CallPolicy;
use super::origin::Step;
use super::sorts::TypeEnv;
use super::unit::Displayed;
use ult_core::formula::{Sort, Term, Terms, Version};
use ult_core::graph::{EdgeId, Transition};

/// What holds the variables of the activations of a recursive procedure but for the last one.
struct Stack {
    /// How many there are.
    depth: Arc<str>,
    saved: Vec<Saved>,
}

/// A variable of the procedure.
struct Saved {
    name: Arc<str>,
    sort: Sort,
    /// The map with its values in the other activations.
    values: Arc<str>,
}

impl Saved {
    fn values(&self, t: &Terms, version: Version) -> Term {
        let sort = Sort::map(vec![Sort::Int], self.sort.clone());
        t.var(self.values.clone(), version, sort)
    }
}

impl Stack {
    /// Puts the values before an edge on the stack.
    fn push(&self, t: &Terms, edge: &mut Transition) {
        let depth = t.current(self.depth.clone(), Sort::Int);
        let deeper = t.eq(
            t.next(self.depth.clone(), Sort::Int),
            t.add(&[depth, t.int(1)]),
        );
        let saved = self.saved.iter().map(|saved| {
            let value = t.current(saved.name.clone(), saved.sort.clone());
            let before = saved.values(t, Version::Current);
            t.eq(
                saved.values(t, Version::Next),
                t.store(before, &[depth], value),
            )
        });
        let equations: Vec<Term> = [edge.formula, deeper].into_iter().chain(saved).collect();
        edge.formula = t.and(equations);
        edge.changed.insert(self.depth.clone());
        (edge.changed).extend(self.saved.iter().map(|saved| saved.values.clone()));
    }

    /// Takes the values from the stack, but for variables that the edge changes: the results of a call.
    fn pop(&self, t: &Terms, edge: &mut Transition) {
        let depth = t.sub(t.current(self.depth.clone(), Sort::Int), t.int(1));
        let mut equations = vec![
            edge.formula,
            t.eq(t.next(self.depth.clone(), Sort::Int), depth),
        ];
        for saved in &self.saved {
            if edge.changed.insert(saved.name.clone()) {
                let value = t.select(saved.values(t, Version::Current), &[depth]);
                let after = t.next(saved.name.clone(), saved.sort.clone());
                equations.push(t.eq(after, value));
            }
        }
        edge.formula = t.and(equations);
        edge.changed.insert(self.depth.clone());
    }
}

impl<'a> Builder<'_, 'a> {
    /// Whether the body is in the graph once. Bodies of a library are not, since their errors are reported at the call, and neither
    /// are recursive procedures with type parameters, which may call themselves with ever new types.
    pub fn is_shared(&self, id: ProcedureId, callee: &Procedure) -> bool {
        let options = &self.lowering.options;
        let is_library = |from| callee.span.start >= from;
        let is_recursive = self.lowering.is_recursive(id);
        let may_be = match options.calls {
            CallPolicy::Once => !is_recursive,
            CallPolicy::Stack => !is_recursive || callee.type_params.is_empty(),
            CallPolicy::Auto | CallPolicy::Inline | CallPolicy::Contract => false,
        };
        may_be && !options.modular && !options.library_from.is_some_and(is_library)
    }

    /// A call of such a procedure. The first one brings the body.
    pub fn call_shared(
        &mut self,
        caller: &Frame,
        call: &Call<'_>,
        callee: &'a Procedure,
        types: TypeEnv,
    ) {
        let origin = self.call_origin(caller, call, callee);
        let key: Key = (call.callee, types, self.is_checked(caller, call));
        let (activation, begin, is_first) = match self.shared_bodies.0.get(&key) {
            Some(body) => (body.activation.clone(), body.entry, false),
            None => {
                let types = key.1.clone();
                let activation = self.activation(caller, call, callee, types, origin);
                let wish = format!("{}entry", activation.frame.prefix);
                self.chain.push(call.callee);
                let begin = self.location(&wish);
                self.chain.pop();
                let body = Body {
                    activation: activation.clone(),
                    entry: begin,
                    exit: None,
                    sites: Vec::new(),
                };
                self.shared_bodies.0.insert(key.clone(), body);
                (activation, begin, true)
            }
        };
        let entry = self.enter(caller, call, &activation, origin);
        let into = self.origins.add(call.span, Step::Skip, caller.id);
        self.jump(begin, into);
        let exit = is_first.then(|| {
            self.go_on_at(begin);
            self.execute(&activation, call);
            self.here()
        });
        let (results, origin) = self.results(caller, call, &activation);
        let after = self.numbered_location("l");
        if let Some(body) = self.shared_bodies.0.get_mut(&key) {
            body.exit = exit.or(body.exit);
            body.sites.push(Site {
                entry,
                results,
                origin,
                after,
            });
        }
        self.go_on_at(after);
    }

    /// Leads the ends of these bodies back to their calls, now that all of them are known. The edge is the one on which the unit is
    /// entered.
    pub fn return_to_callers(&mut self, start: EdgeId) {
        let t = self.terms();
        for ((id, ..), body) in std::mem::take(&mut self.shared_bodies).0 {
            let Some(exit) = body.exit else { continue };
            let frame = &body.activation.frame;
            let digits = self.digits(frame, body.sites.len());
            for site in &body.sites {
                self.remember_olds(frame, site.entry);
            }
            let stack = (self.lowering.is_recursive(id))
                .then(|| self.stack(&body.activation, &digits, start));
            for (number, site) in body.sites.into_iter().enumerate() {
                let here = |version| {
                    let digits = digits.iter().enumerate();
                    let literals = digits.map(|(position, name)| {
                        let digit = t.var(name.clone(), version, Sort::Bool);
                        match number >> position & 1 {
                            0 => t.not(digit),
                            _ => digit,
                        }
                    });
                    t.and(literals.collect::<Vec<Term>>())
                };
                let noted = here(Version::Next);
                let entering = &mut self.graph.graph[site.entry].transition;
                entering.formula = t.and([entering.formula, noted]);
                entering.changed.extend(digits.iter().cloned());
                let mut results = site.results;
                results.formula = t.and([here(Version::Current), results.formula]);
                if let Some(stack) = &stack {
                    stack.push(t, entering);
                    stack.pop(t, &mut results);
                }
                self.go_on_at(exit);
                self.edge_to(site.after, results, site.origin);
            }
        }
    }

    /// A stack for the activations of a procedure, which is empty at the start.
    fn stack(&mut self, activation: &Activation<'_>, digits: &[Arc<str>], start: EdgeId) -> Stack {
        let t = self.terms();
        let frame = &activation.frame;
        let bodies = activation.bodies.iter().flat_map(|(body, _)| &body.locals);
        let locals = frame.locals.iter().chain(bodies).flatten();
        let used = frame.olds_used.borrow();
        let olds = used
            .iter()
            .filter_map(|id| frame.olds.get(id)?.as_ref().ok());
        let names: BTreeSet<Arc<str>> = (locals.chain(olds).map(|(name, _)| name))
            .chain(digits)
            .cloned()
            .collect();
        drop(used);
        let depth = self.made_up(frame, &frame.prefix, "depth~", Sort::Int);
        let saved = names.into_iter().filter_map(|name| {
            let sort = self.graph.variables.get(&name)?.clone();
            let on_stack = Sort::map(vec![Sort::Int], sort.clone());
            let values = self.made_up(frame, &format!("{name}."), "stack~", on_stack);
            Some(Saved { name, values, sort })
        });
        let saved = saved.collect();
        let begun = &mut self.graph.graph[start].transition;
        let empty = t.eq(t.next(depth.clone(), Sort::Int), t.int(0));
        begun.formula = t.and([begun.formula, empty]);
        begun.changed.insert(depth.clone());
        Stack { depth, saved }
    }

    /// The digits of a number less than `count` that says where a body is to return to, the lowest first.
    fn digits(&mut self, frame: &Frame, count: usize) -> Vec<Arc<str>> {
        let needed = count.saturating_sub(1).checked_ilog2();
        let numbers = 0..needed.map_or(0, |highest| highest + 1);
        let digits = numbers.map(|number| {
            self.made_up(
                frame,
                &frame.prefix,
                &format!("return~{number}"),
                Sort::Bool,
            )
        });
        digits.collect()
    }

    /// Declares a variable that is not in the source.
    fn made_up(&mut self, frame: &Frame, prefix: &str, name: &str, sort: Sort) -> Arc<str> {
        let displayed = Displayed {
            name: name.into(),
            procedure: Some(frame.name.clone()),
            old: false,
        };
        self.declare(&format!("{prefix}{name}"), sort, displayed)
    }
}
