//! Which sub-terms deserve a name, so that the text of a shared term is not much longer than the
//! term is large, and not nested deeply.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::rc::Rc;

use indexmap::IndexMap;

use super::term::{Op, Term, Terms, Version};

/// A sub-term with more nodes than this is named where it would be written more than once.
const SMALL: u32 = 5;

/// A sub-term nested deeper than this is named even if it is used only once.
const DEEP: u32 = 60;

/// Sub-terms to be named.
#[derive(Debug, Default)]
pub struct Sharing {
    /// Those without free bound variables, each before its users.
    pub closed: Vec<Term>,
    /// Those that mention the variables of a binder, and of binders around it, but of none within
    /// it: to be defined at the beginning of its body. Each before its users.
    pub inside: IndexMap<Term, Vec<Term>>,
}

/// The bound variables that occur free in a term.
type Free = Rc<BTreeSet<Term>>;

impl Terms {
    /// Chooses the sub-terms of the roots, roots excluded, that should be written once and used
    /// by name.
    pub fn sharing(&self, roots: &[Term]) -> Sharing {
        let order = self.post_order(roots);
        let free = self.free_bound(&order);
        let mut result = Sharing::default();
        // Most formulas have no binders at all.
        for &term in &order {
            if let Op::Bind(binder) = self.op(term) {
                let vars: BTreeSet<Term> = binder.vars.iter().copied().collect();
                let inside = self.shared_inside(term, &vars, &free);
                if !inside.is_empty() {
                    result.inside.insert(term, inside);
                }
            }
        }
        let roots: HashSet<Term> = roots.iter().copied().collect();
        result.closed = self.choose(&order, |term| {
            !roots.contains(&term) && free.get(&term).is_none_or(|vars| vars.is_empty())
        });
        result
    }

    /// The free bound variables of each term that has any.
    fn free_bound(&self, order: &[Term]) -> HashMap<Term, Free> {
        let mut free: HashMap<Term, Free> = HashMap::new();
        for &term in order {
            if let Op::Var(var) = self.op(term) {
                if matches!(var.version, Version::Bound(_)) {
                    free.insert(term, Rc::new(BTreeSet::from([term])));
                }
                continue;
            }
            let mut all: Option<Free> = None;
            for arg in self.args(term) {
                let Some(vars) = free.get(arg) else { continue };
                match &mut all {
                    None => all = Some(vars.clone()),
                    Some(all) if Rc::ptr_eq(all, vars) || vars.is_subset(all) => {}
                    Some(all) => Rc::make_mut(all).extend(vars.iter().copied()),
                }
            }
            if let (Some(all), Op::Bind(binder)) = (&mut all, self.op(term)) {
                let all = Rc::make_mut(all);
                for var in &binder.vars {
                    all.remove(var);
                }
            }
            if let Some(all) = all.filter(|all| !all.is_empty()) {
                free.insert(term, all);
            }
        }
        free
    }

    /// The sub-terms to be named at the beginning of a binder's body.
    fn shared_inside(
        &self,
        binder: Term,
        vars: &BTreeSet<Term>,
        free: &HashMap<Term, Free>,
    ) -> Vec<Term> {
        let (body, triggers) = match self.args(binder) {
            [body, triggers @ ..] => (*body, triggers),
            [] => return Vec::new(),
        };
        let mentions = |term: Term| free.get(&term).is_some_and(|f| !f.is_disjoint(vars));
        let outer = free.get(&binder);
        // A trigger is written out, and so are its parts wherever they occur.
        let in_triggers: HashSet<Term> = self.post_order(triggers).into_iter().collect();
        let mut order = self.post_order(&[body]);
        order.retain(|&term| mentions(term));
        self.choose(&order, |term| {
            term != body
                && !in_triggers.contains(&term)
                && free.get(&term).is_some_and(|f| {
                    f.iter().all(|var| {
                        vars.contains(var) || outer.is_some_and(|outer| outer.contains(var))
                    })
                })
        })
    }

    /// Of the terms, which are listed before their users, those that may be named and should be.
    fn choose(&self, order: &[Term], may_be_named: impl Fn(Term) -> bool) -> Vec<Term> {
        let mut uses: HashMap<Term, u32> = HashMap::with_capacity(order.len());
        for &term in order {
            for &arg in self.args(term) {
                *uses.entry(arg).or_default() += 1;
            }
        }
        // Nodes and nesting of the text of each term, names counted as one.
        let mut extent: HashMap<Term, (u32, u32)> = HashMap::with_capacity(order.len());
        let mut chosen = Vec::new();
        for &term in order {
            let mut size = 1u32;
            let mut depth = 0;
            for arg in self.args(term) {
                let (arg_size, arg_depth) = extent.get(arg).copied().unwrap_or((1, 1));
                size = size.saturating_add(arg_size);
                depth = depth.max(arg_depth);
            }
            depth += 1;
            let used = uses.get(&term).copied().unwrap_or(0);
            if ((used > 1 && size > SMALL) || depth > DEEP) && may_be_named(term) {
                chosen.push(term);
                (size, depth) = (1, 1);
            }
            extent.insert(term, (size, depth));
        }
        chosen
    }
}
