//! Bodies that are in the graph once, however many calls there are: [`CallPolicy::Once`].
//!
//! A call gives the parameters their values, notes where it is to return to, and goes to the body; behind the body an edge
//! leads to each call, for the runs that came from there. One copy of the variables is enough, since a procedure that does
//! not reach itself is active once at a time. So the graph grows with the text of the program, not with the number of ways
//! to call (F-SOFT: Ivancic et al., "Efficient SAT-based bounded model checking for software verification", 2008). For
//! those who do not look at values, each call may return to any other; an engine has to find the variable important.
//!
//! The place to return to is a number in binary, each digit a truth value: so it adds no theory to the program's own.

use std::sync::Arc;

use ult_lang::hir::{Procedure, ProcedureId};

use super::activation::{Body, Call, Key, Site};
use super::builder::Builder;
use super::frame::Frame;
use super::options::CallPolicy;
use super::origin::Step;
use super::sorts::TypeEnv;
use super::unit::Displayed;
use ult_core::formula::{Sort, Term, Version};

impl<'a> Builder<'_, 'a> {
    /// Whether the body is in the graph once. Of recursive procedures several activations may be there at a time, and what
    /// a library does wrong is told at the call.
    pub fn is_shared(&self, id: ProcedureId, callee: &Procedure) -> bool {
        let options = &self.lowering.options;
        let is_library = |from| callee.span.start >= from;
        options.calls == CallPolicy::Once
            && !options.modular
            && !self.lowering.is_recursive(id)
            && !options.library_from.is_some_and(is_library)
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

    /// Leads the ends of these bodies back to their calls, now that all of them are known.
    pub fn return_to_callers(&mut self) {
        let t = self.terms();
        for (_, body) in std::mem::take(&mut self.shared_bodies).0 {
            let Some(exit) = body.exit else { continue };
            let frame = &body.activation.frame;
            let digits = self.digits(frame, body.sites.len());
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
                self.remember_olds(frame, site.entry);
                self.go_on_at(exit);
                let mut results = site.results;
                results.formula = t.and([here(Version::Current), results.formula]);
                self.edge_to(site.after, results, site.origin);
            }
        }
    }

    /// The digits of a number less than `count` that says where a body is to return to, the lowest first.
    fn digits(&mut self, frame: &Frame, count: usize) -> Vec<Arc<str>> {
        let needed = count.saturating_sub(1).checked_ilog2();
        let numbers = 0..needed.map_or(0, |highest| highest + 1);
        let digits = numbers.map(|number| {
            let name = format!("return~{number}");
            let displayed = Displayed {
                name: name.as_str().into(),
                procedure: Some(frame.name.clone()),
                old: false,
            };
            self.declare(&format!("{}{name}", frame.prefix), Sort::Bool, displayed)
        });
        digits.collect()
    }
}
