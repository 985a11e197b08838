//! `ult explain`

use super::args::ExplainArgs;
use super::exit::Exit;
use super::output::{self, complain};
use ult_report::explain::{find, topics};

/// Runs the command.
pub(crate) fn run(args: &ExplainArgs) -> Exit {
    let text = match &args.id {
        None => topics()
            .iter()
            .map(|topic| format!("{:<22} {}\n", topic.id, topic.title))
            .collect(),
        Some(id) => match find(id) {
            Some(topic) => {
                let heading = format!("{}: {}", topic.id, topic.title);
                // Some pages begin with it.
                let page = topic.page.trim();
                let page = page.strip_prefix(&format!("# {heading}")).unwrap_or(page);
                format!("{heading}\n\n{}\n", page.trim())
            }
            None => {
                complain(&format!(
                    "there is no page on `{id}`; `ult explain --list` shows what there is"
                ));
                return Exit::Usage;
            }
        },
    };
    match output::stdout(&text) {
        Ok(()) => Exit::Safe,
        Err(exit) => exit,
    }
}
