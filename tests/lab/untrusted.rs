//! Whoever advises an engine is believed nothing: bad advice costs an answer, and never makes a wrong one.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use ult_check::Verdict;
use ult_core::control::Control;
use ult_core::formula::{Sort, Term, Terms};
use ult_core::reason::Reason;
use ult_core::stats::Statistics;
use ult_engine::invariants::Auxiliary;
use ult_engine::observers::Observers;
use ult_engine::path::{Adviser, Path};
use ult_engine::verify::{Method, Settings, verify_unit};
use ult_engine::{Common, EngineKind};
use ult_lower::graph::lower_graphs;

/// It counts to 3, and that is the error.
const COUNT: &str = "graph count {
  var x: int;

  init start;
  error bad \"three\";

  start -> loop: x' == 0;
  loop -> loop: x < 3 && x' == x + 1;
  loop -> bad: x == 3;
}
";

/// Says `x <= 1` first, and then that from there nothing else is reached, which is not so.
#[derive(Debug, Default)]
struct Liar(AtomicUsize);

impl Adviser for Liar {
    fn explain(
        &self,
        path: &Path<'_, '_>,
        _: Result<Vec<Term>, Reason>,
    ) -> Result<Vec<Term>, Reason> {
        self.0.fetch_add(1, Ordering::SeqCst);
        let terms = path.session().terms();
        let inner = path.edges().len() - 1;
        if inner == 1 {
            let x = terms.current("x", Sort::Int);
            return Ok(vec![terms.le(x, terms.int(1))]);
        }
        let mut lies = vec![terms.tt(); inner];
        lies[inner - 1] = terms.ff();
        Ok(lies)
    }
}

fn verdict(kind: EngineKind, adviser: Option<Arc<dyn Adviser>>) -> Verdict {
    let terms = Terms::new();
    let (program, diagnostics) = ult_lang::analyze_graph(COUNT);
    assert!(diagnostics.iter().all(|d| !d.is_error()), "{diagnostics:?}");
    let unit = lower_graphs(&terms, &program).pop().unwrap();
    let settings = Settings {
        method: Method::Engine(kind),
        common: Common {
            auxiliary: Auxiliary::None,
            observers: Observers {
                watcher: None,
                adviser,
            },
            ..Common::default()
        },
        ..Settings::default()
    };
    let mut stats = Statistics::default();
    let control = Control::unlimited();
    let verdicts = verify_unit(&terms, &unit.graph, &settings, &control, &mut stats);
    verdicts.into_values().next().unwrap()
}

#[test]
fn lies_about_a_path_make_no_proof() {
    for kind in [
        EngineKind::Slicing,
        EngineKind::Impact,
        EngineKind::Predicate,
    ] {
        assert!(matches!(verdict(kind, None), Verdict::Unsafe(_)), "{kind}");
        let liar = Arc::new(Liar::default());
        let told = verdict(kind, Some(liar.clone()));
        assert!(liar.0.load(Ordering::SeqCst) > 0, "{kind}: it was asked");
        assert!(!matches!(told, Verdict::Safe(_)), "{kind}: {told:?}");
        if kind == EngineKind::Slicing {
            // It believed the lie, and the checker did not.
            let refused = matches!(told, Verdict::Unknown(Reason::ProofRejected(_)));
            assert!(refused, "{told:?}");
        }
    }
}
