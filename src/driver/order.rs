//! Which unit comes first where time is short.
//!
//! Each unit gets its share of the time that is left, and what it leaves is the next one's. So those that look easy come first,
//! and a hard one gets what all of them left. The order decides nothing else: verdicts are shown in the order of the text.

use ult_lang::hir::visit::statements;
use ult_lang::hir::{Program, StmtKind};
use ult_lower::UnitPlan;

/// How hard a unit looks: how often it may go elsewhere than to the next statement (loops, jumps, calls), and its statements.
pub(crate) fn difficulty(program: &Program, plan: UnitPlan) -> (usize, usize) {
    let (mut turns, mut length) = (0, 0);
    let bodies = (program.procedures.get(plan.procedure.index()))
        .map(|procedure| procedure.implementations.as_slice())
        .unwrap_or_default();
    for body in bodies {
        let Some(body) = program.implementations.get(body.index()) else {
            continue;
        };
        statements(&body.body, &mut |statement| {
            length += 1;
            if matches!(
                statement.kind,
                StmtKind::While { .. } | StmtKind::Goto(_) | StmtKind::Call { .. }
            ) {
                turns += 1;
            }
        });
    }
    (turns, length)
}

#[cfg(test)]
mod tests {
    use ult_lang::hir::ProcedureId;
    use ult_lower::Queue;

    use super::difficulty;

    #[test]
    fn loops_and_calls_are_harder_than_what_is_long() {
        let text = "\
procedure loops(n: int) { var i: int; i := 0; while (i < n) { i := i + 1; } assert i >= n; }
procedure long() { var i: int; i := 1; i := 2; i := 3; i := 4; i := 5; assert i == 5; }
procedure short() { assert true; }
procedure calls() { call loops(1); }
procedure none();
";
        let program = ult_lang::analyze_boogie(text).0;
        let entries: Vec<_> = (0..4).map(ProcedureId::new).collect();
        let mut order: Vec<_> = Queue::new(&entries).collect();
        order.sort_by_cached_key(|plan| difficulty(&program, *plan));
        let order = order.iter().map(|plan| plan.procedure.index());
        assert_eq!(order.collect::<Vec<_>>(), [2, 1, 3, 0]);
    }
}
