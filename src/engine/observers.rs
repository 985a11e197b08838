//! Observers of an engine that refines: one sees each step, one may explain why paths are infeasible.
//!
//! An engine works alone as a rule. In the laboratory somebody watches each step and may say why a path is infeasible.
//! Neither is trusted: what the engine makes of it is a claim like any other, and the checker proves it or does not.

use std::sync::Arc;

use crate::path::{Adviser, Decision, Path};
use crate::record::Watcher;
use ult_core::reason::Reason;

/// The observers of an engine; by default there are none.
#[derive(Clone, Debug, Default)]
pub struct Observers {
    /// Is told of each step.
    pub watcher: Option<Arc<dyn Watcher>>,
    /// May explain infeasible paths.
    pub adviser: Option<Arc<dyn Adviser>>,
}

impl Observers {
    /// What is decided about a path after the adviser, if there is one, was heard about an infeasible one.
    pub(crate) fn advised(&self, path: &Path<'_, '_>, decision: Decision) -> Decision {
        let Some(adviser) = &self.adviser else {
            return decision;
        };
        let own = match decision {
            Decision::Interpolants(own) => Ok(own),
            Decision::Open(reason @ Reason::Interpolation(_)) => Err(reason),
            Decision::Run(_) | Decision::Open(_) => return decision,
        };
        match adviser.explain(path, own) {
            Ok(interpolants) => Decision::Interpolants(interpolants),
            Err(reason) => Decision::Open(reason),
        }
    }
}

impl PartialEq for Observers {
    fn eq(&self, other: &Observers) -> bool {
        fn same<T: ?Sized>(one: Option<&Arc<T>>, other: Option<&Arc<T>>) -> bool {
            match (one, other) {
                (Some(one), Some(other)) => Arc::ptr_eq(one, other),
                (one, other) => one.is_none() && other.is_none(),
            }
        }
        same(self.watcher.as_ref(), other.watcher.as_ref())
            && same(self.adviser.as_ref(), other.adviser.as_ref())
    }
}

impl Eq for Observers {}
