//! Variables with arbitrary values: which steps read them.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::Arc;

use ult_core::formula::{Sort, Version};
use ult_core::graph::EdgeId;
use ult_lang::span::Span;
use ult_lower::origin::Step;

use super::BackTranslation;

/// Variables with arbitrary values: the steps that made them so, and the places to be told.
#[derive(Default)]
pub(super) struct Unset(BTreeMap<Arc<str>, (Span, Span)>);

/// The variables whose values before and after a step the formula of its edge mentions.
pub(super) struct Reads {
    current: BTreeSet<Arc<str>>,
    constrained: BTreeSet<Arc<str>>,
}

impl BackTranslation<'_> {
    /// The variables with arbitrary values that a step reads, and what it leaves of them. Maps are left out: their
    /// elements have histories of their own. `call` is the call whose result the step makes arbitrary, if it is one.
    pub(super) fn reads_unset(
        &self,
        edge: EdgeId,
        call: Option<Span>,
        unset: &mut Unset,
        reads: &mut HashMap<EdgeId, Reads>,
    ) -> Vec<(String, Span)> {
        let Some(edge_weight) = self.unit.graph.graph.edge_weight(edge) else {
            return Vec::new();
        };
        let transition = &edge_weight.transition;
        let reads = reads.entry(edge).or_insert_with(|| {
            let names = |version| self.terms.names_of(&[transition.formula], version);
            Reads {
                current: names(Version::Current).into_keys().collect(),
                constrained: names(Version::Next).into_keys().collect(),
            }
        });
        let Some(info) = self.origin(edge) else {
            return Vec::new();
        };
        let mut read = Vec::new();
        if !unset.0.is_empty() {
            for name in &reads.current {
                // The assumption that the value is one of the type belongs to the place that makes it arbitrary.
                let is_range =
                    |made: &Span| matches!(info.step, Step::Assume) && *made == info.span;
                let Some((step, made)) = unset.0.get(name).filter(|(step, _)| !is_range(step))
                else {
                    continue;
                };
                debug_assert!(step.start <= made.start);
                let shown = self.unit.displayed.get(name);
                let shown = shown.map_or(name.to_string(), |shown| shown.name.to_string());
                read.push((shown, *made));
            }
        }
        let is_havoc = matches!(info.step, Step::Havoc);
        for name in &transition.changed {
            let is_map = self
                .unit
                .graph
                .variables
                .get(name)
                .is_none_or(|sort| matches!(sort, Sort::Map(..)));
            if is_havoc && !is_map && !reads.constrained.contains(name) {
                unset
                    .0
                    .insert(name.clone(), (info.span, call.unwrap_or(info.span)));
            } else {
                unset.0.remove(name);
            }
        }
        read
    }
}
