//! The options about many files, and about many machines.

use std::num::{NonZeroU32, NonZeroUsize};
use std::path::PathBuf;
use std::str::FromStr;

use clap::{Args, ValueEnum};

/// The heading above the options in help texts.
const MANY: &str = "Many files";

/// `ult check`, about many files.
#[derive(Args, Debug, Clone, Default)]
pub struct ManyArgs {
    /// Check this many files at a time, each in a process of its own; what `--memory` allows is divided among them
    #[arg(help_heading = MANY, long, value_name = "NUMBER")]
    pub jobs: Option<NonZeroUsize>,
    /// Check only every N-th file, beginning with the K-th; of one Boogie program every N-th procedure
    #[arg(help_heading = MANY, long, value_name = "K/N", hide_short_help = true)]
    pub shard: Option<Shard>,
    /// Write what is found to this file, one line for each file as soon as it is decided, for `ult merge`. What stands there from the same command is not checked again
    #[arg(help_heading = MANY, long, value_name = "FILE", hide_short_help = true)]
    pub records: Option<PathBuf>,
    /// Take options and expected verdicts from this project file; without it, from the first `ult.toml` in the folder of each checked file or above
    #[arg(help_heading = MANY, long, value_name = "FILE", conflicts_with = "no_project", hide_short_help = true)]
    pub project: Option<PathBuf>,
    /// Look for no project file
    #[arg(help_heading = MANY, long, hide_short_help = true)]
    pub no_project: bool,
    /// Check one task for another process of `ult`, and print a record
    #[arg(long, value_enum, hide = true)]
    pub worker: Option<WorkerArg>,
    /// For a worker: a text with this SHA-256 need not be checked
    #[arg(long, hide = true, requires = "worker")]
    pub known: Option<String>,
}

/// `--worker`
#[derive(ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
pub enum WorkerArg {
    /// The task is a file
    File,
    /// The task is one procedure of a file
    Procedure,
}

/// One of several parts of a list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shard {
    /// Which part, counted from 1.
    pub part: NonZeroU32,
    /// How many parts there are.
    pub of: NonZeroU32,
}

impl Shard {
    /// All of it.
    pub const WHOLE: Shard = Shard {
        part: NonZeroU32::MIN,
        of: NonZeroU32::MIN,
    };

    /// Whether the task with this index, counted from 0, belongs to it.
    pub fn has(self, index: usize) -> bool {
        let of = usize::try_from(self.of.get()).unwrap_or(usize::MAX);
        u32::try_from(index % of).is_ok_and(|left| left == self.part.get() - 1)
    }
}

impl FromStr for Shard {
    type Err = String;

    fn from_str(text: &str) -> Result<Shard, String> {
        let parsed = text.split_once('/').and_then(|(part, of)| {
            Some(Shard {
                part: part.parse().ok()?,
                of: of.parse().ok()?,
            })
        });
        parsed
            .filter(|shard| shard.part <= shard.of)
            .ok_or_else(|| "a part and how many there are, such as 2/8".to_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::Shard;

    #[test]
    fn each_task_belongs_to_one_shard() {
        for of in 1..9 {
            let shards: Vec<Shard> = (1..=of)
                .map(|part| format!("{part}/{of}").parse().unwrap())
                .collect();
            for index in 0..40 {
                let owners = shards.iter().filter(|shard| shard.has(index));
                assert_eq!(owners.count(), 1, "{index} of {of}");
            }
        }
        for wrong in [
            "0/1", "2/1", "1/0", "1", "/", "1/", "a/b", "-1/2", "1/2/3", "1 / 2",
        ] {
            assert!(wrong.parse::<Shard>().is_err(), "{wrong}");
        }
    }
}
