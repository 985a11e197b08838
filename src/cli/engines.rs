//! `ult engines`

use super::args::check::PORTFOLIO;
use super::exit::Exit;
use super::output;
use clap::ValueEnum;
use ult_engine::EngineKind;
use ult_engine::invariants::Auxiliary;
use ult_engine::{circuit, reach};
use ult_interpolate::Strategy;
use ult_reduce::Blocks;

/// Runs the command.
pub(crate) fn run() -> Exit {
    let mut text = String::new();
    let mut section = |title: &str, lines: Vec<(String, String)>| {
        if !text.is_empty() {
            text.push('\n');
        }
        text += &format!("{title}\n");
        for (name, meaning) in lines {
            text += &format!("  {name:<18} {meaning}\n");
        }
    };
    let mut engines = vec![("portfolio".to_owned(), PORTFOLIO.to_owned())];
    engines.extend(
        EngineKind::ALL
            .iter()
            .map(|(kind, meaning)| (kind.to_string(), (*meaning).to_owned())),
    );
    section("Engines (--engine)", engines);
    section(
        "Blocks (-Z blocks)",
        Blocks::ALL
            .iter()
            .map(|(blocks, meaning)| (blocks.to_string(), (*meaning).to_owned()))
            .chain([("a number".to_owned(), Blocks::NUMBER.to_owned())])
            .collect(),
    );
    section(
        "Interpolation (-Z interpolation)",
        Strategy::ALL
            .iter()
            .map(|(strategy, meaning)| (strategy.to_string(), (*meaning).to_owned()))
            .chain([(
                "external:CMD".to_owned(),
                "a solver that reads SMT-LIB".to_owned(),
            )])
            .collect(),
    );
    section("Auxiliary invariants (-Z auxiliary)", values::<Auxiliary>());
    section(
        "Choices about impact and predicate (-Z with)",
        reach::Part::all()
            .into_iter()
            .map(|(part, meaning)| (part.to_string(), meaning.to_owned()))
            .collect(),
    );
    section(
        "Choices about bits-bmc and ic3 (-Z circuit)",
        (circuit::Part::ALL.iter())
            .map(|(_, name, meaning)| ((*name).to_owned(), (*meaning).to_owned()))
            .collect(),
    );
    match output::stdout(&text) {
        Ok(()) => Exit::Safe,
        Err(exit) => exit,
    }
}

/// The values of an option, with their help.
fn values<T: ValueEnum>() -> Vec<(String, String)> {
    T::value_variants()
        .iter()
        .filter_map(|value| {
            let value = value.to_possible_value()?;
            let help = value.get_help().map(ToString::to_string);
            Some((value.get_name().to_owned(), help.unwrap_or_default()))
        })
        .collect()
}
