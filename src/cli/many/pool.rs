//! Processes that each check one task, several at a time.
//!
//! A crash, a limit of memory, or the end of one of them costs its own task and no other. Each is in a group of its own, so
//! that Ctrl-C reaches this process only, which asks them to stop and waits for what they know. If this process is killed,
//! they notice that nobody reads what they say, and end.

use std::collections::VecDeque;
use std::ffi::OsString;
use std::io::Read;
use std::process::{Command, ExitStatus, Stdio};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::thread;
use std::time::{Duration, Instant};

use super::task::Task;
use super::words::assigned;
use crate::args::WorkerArg;
use crate::exit::Exit;
use crate::process::end_at_once;
use crate::{limits, output, watch};
use ult_core::control::Stop;
use ult_core::reason::Reason;
use ult_report::record::{self, Record};
use ult_smt::processes::Group;

/// So much of what a process says besides its record is kept.
const MOST_COMPLAINTS: usize = 1 << 16;

/// How the work is distributed.
pub(crate) struct Pool {
    /// How many processes there are at a time.
    pub jobs: usize,
    /// Words that all of them get.
    pub words: Vec<OsString>,
    /// The time for all tasks together.
    pub timeout: Option<Duration>,
    /// The megabytes of memory for all processes together.
    pub memory: Option<u64>,
    /// A folder for the questions to the solver; each task gets one inside of it.
    pub questions: Option<std::path::PathBuf>,
    /// Whether to say on the terminal what is being done.
    pub progress: bool,
}

/// What became of a task.
pub(crate) struct Finished {
    /// The index of the task.
    pub index: usize,
    /// What is told about it.
    pub outcome: Outcome,
    /// What was said besides, such as complaints.
    pub said: String,
    /// How the process ended, if that was neither a verdict nor what a verdict says.
    pub exit: Option<Exit>,
}

/// What a process told.
pub(crate) enum Outcome {
    /// A record.
    Record(Box<Record>),
    /// The text is the one that is known.
    Unchanged,
    /// Nothing: it complained about the task, or there was no way to start it.
    Nothing,
    /// It ended, or was ended, before it could say anything.
    Lost(Reason),
}

/// One process.
struct Working {
    index: usize,
    group: Group,
    name: String,
    /// What it has printed, on stdout and on stderr, when it has closed both.
    printed: [Option<Vec<u8>>; 2],
    closed_since: Option<Instant>,
    /// When it began, and how much time it has.
    since: Instant,
    time: Option<Duration>,
}

/// What threads that read say: whose output, which stream, and all of it.
struct Printed {
    index: usize,
    stream: usize,
    bytes: Vec<u8>,
}

/// Work that waits: the index of the task, and the SHA-256 of a text that need not be checked.
pub(crate) type Waiting = VecDeque<(usize, Option<String>)>;

impl Pool {
    /// Does the tasks that wait, and hands over what becomes of each as it is known, in any order. Tasks that were not begun
    /// stay in the list; then there is a reason.
    pub(crate) fn run(
        &self,
        tasks: &[Task],
        waiting: &mut Waiting,
        done: &mut dyn FnMut(Finished),
    ) -> Option<Stop> {
        let start = Instant::now();
        watch::listen_to_interrupts();
        let all = waiting.len();
        let (sender, printed) = mpsc::channel();
        let mut working: Vec<Working> = Vec::new();
        let mut stopped: Option<(Stop, Instant)> = None;
        let mut line = Line::new(self.progress);
        loop {
            while stopped.is_none() && working.len() < self.jobs && !waiting.is_empty() {
                let share = match self.share(start, waiting.len(), working.len()) {
                    Ok(share) => share,
                    Err(stop) => {
                        stopped = Some((stop, Instant::now()));
                        break;
                    }
                };
                let Some((index, known)) = waiting.pop_front() else {
                    break;
                };
                let Some(task) = tasks.get(index) else {
                    continue;
                };
                match self.start(index, task, known, share, &sender) {
                    Ok(process) => working.push(process),
                    Err(error) => done(Finished {
                        index,
                        outcome: Outcome::Nothing,
                        said: format!("ult: error: cannot start a process: {error}\n"),
                        exit: Some(Exit::Internal),
                    }),
                }
            }
            if working.is_empty() {
                line.clear();
                let stop = stopped.map(|(stop, _)| stop);
                return stop.filter(|_| !waiting.is_empty() || watch::interrupted());
            }
            receive(&printed, &mut working);
            let mut index = 0;
            while index < working.len() {
                match working[index].end() {
                    Some(status) => {
                        let process = working.swap_remove(index);
                        line.clear();
                        done(process.finished(status, stopped.is_some()));
                    }
                    None => index += 1,
                }
            }
            if watch::interrupts() > 1 {
                line.clear();
                end_at_once(Exit::Interrupted);
            }
            match stopped {
                None if watch::interrupted() || output::is_unread() => {
                    stopped = Some((Stop::Cancelled, Instant::now()));
                    working.iter_mut().for_each(Working::ask_to_stop);
                }
                Some((_, since)) if since.elapsed() > limits::WORKER => {
                    working.iter_mut().for_each(|process| process.group.end());
                }
                _ => {}
            }
            let names: Vec<&str> = working.iter().map(|process| &*process.name).collect();
            line.show(all - waiting.len() - working.len(), all, &names);
        }
    }

    /// The time for the next task: what is left, divided among those that wait, of which several are done at a time.
    fn share(
        &self,
        start: Instant,
        waiting: usize,
        working: usize,
    ) -> Result<Option<Duration>, Stop> {
        let Some(timeout) = self.timeout else {
            return Ok(None);
        };
        let left = timeout.saturating_sub(start.elapsed());
        if left.is_zero() {
            return Err(Stop::Timeout);
        }
        let at_a_time = self.jobs.min(waiting + working).max(1);
        let rounds = (waiting + working).div_ceil(at_a_time).max(1);
        Ok(Some(left / u32::try_from(rounds).unwrap_or(u32::MAX)))
    }

    fn start(
        &self,
        index: usize,
        task: &Task,
        known: Option<String>,
        share: Option<Duration>,
        printed: &Sender<Printed>,
    ) -> std::io::Result<Working> {
        let mut command = Command::new(std::env::current_exe()?);
        command.arg("check").args(task.words()).args(&self.words);
        let kind = match task.entry {
            None => WorkerArg::File,
            Some(_) => WorkerArg::Procedure,
        };
        command.arg(match kind {
            WorkerArg::File => "--worker=file",
            WorkerArg::Procedure => "--worker=procedure",
        });
        command.arg("--no-project");
        command.args(known.map(|known| assigned("known", known)));
        let time = share.into_iter().chain(task.timeout).min();
        let time = time.map(|time| time.max(limits::TICK));
        command.args(time.map(|time| format!("--timeout={}", time.as_secs_f64())));
        let part = u64::try_from(self.jobs).unwrap_or(u64::MAX);
        let part = self.memory.map(|memory| (memory / part).max(1));
        let memory = part.into_iter().chain(task.memory).min();
        command.args(memory.map(|memory| format!("--memory={memory}")));
        let questions = self.questions.as_ref();
        let questions = questions.map(|folder| folder.join(format!("{:04}", index + 1)));
        command.args(questions.map(|folder| assigned("log-queries", folder)));
        command.arg("--").arg(&task.file);
        command.stdin(Stdio::null());
        command.stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut group = Group::start(&mut command)?;
        let child = group.child();
        if let Some(stdout) = child.stdout.take() {
            read(stdout, usize::MAX, index, 0, printed.clone())?;
        }
        if let Some(stderr) = child.stderr.take() {
            read(stderr, MOST_COMPLAINTS, index, 1, printed.clone())?;
        }
        Ok(Working {
            index,
            group,
            name: task.name(),
            printed: [None, None],
            closed_since: None,
            since: Instant::now(),
            time,
        })
    }
}

/// Reads a stream to its end on a thread of its own, and keeps the first bytes.
fn read(
    mut stream: impl Read + Send + 'static,
    most: usize,
    index: usize,
    number: usize,
    printed: Sender<Printed>,
) -> std::io::Result<()> {
    let thread = thread::Builder::new().name("read".into());
    thread.spawn(move || {
        let mut bytes = Vec::new();
        let mut piece = [0; 1 << 14];
        loop {
            match stream.read(&mut piece) {
                Ok(0) | Err(_) => break,
                Ok(length) => {
                    let room = most.saturating_sub(bytes.len()).min(length);
                    bytes.extend_from_slice(&piece[..room]);
                }
            }
        }
        // If nobody waits, the process is about to end.
        let _ = printed.send(Printed {
            index,
            stream: number,
            bytes,
        });
    })?;
    Ok(())
}

/// Waits for a moment, or until some process has closed a stream.
fn receive(printed: &Receiver<Printed>, working: &mut [Working]) {
    let mut next = printed.recv_timeout(limits::TICK);
    loop {
        match next {
            Ok(Printed {
                index,
                stream,
                bytes,
            }) => {
                let process = working.iter_mut().find(|process| process.index == index);
                if let Some(place) = process.and_then(|process| process.printed.get_mut(stream)) {
                    *place = Some(bytes);
                }
            }
            Err(RecvTimeoutError::Timeout | RecvTimeoutError::Disconnected) => return,
        }
        next = printed.recv_timeout(Duration::ZERO);
    }
}

impl Working {
    /// How it ended, if it has, and all that it printed is here. What others that it left behind may still print is not waited
    /// for.
    fn end(&mut self) -> Option<ExitStatus> {
        let status = self.group.status()?;
        let since = *self.closed_since.get_or_insert_with(Instant::now);
        let is_read = self.printed.iter().all(Option::is_some);
        (is_read || since.elapsed() > limits::WORKER).then_some(status)
    }

    /// As Ctrl-C does.
    fn ask_to_stop(&mut self) {
        #[cfg(unix)]
        if !self.group.has_ended()
            && let Ok(id) = i32::try_from(self.group.child().id())
        {
            use nix::sys::signal::{Signal, kill};
            // It may have ended just now.
            let _ = kill(nix::unistd::Pid::from_raw(id), Signal::SIGINT);
        }
    }

    fn finished(self, status: ExitStatus, stopped: bool) -> Finished {
        let [stdout, stderr] = self.printed.map(Option::unwrap_or_default);
        let line = String::from_utf8(stdout).unwrap_or_default();
        let mut said = String::from_utf8_lossy(&stderr).into_owned();
        let code = status.code().and_then(Exit::of_code);
        let is_unchanged = line == record::sealed(UNCHANGED);
        let outcome = match Record::of_line(&line) {
            Some(record) => Outcome::Record(Box::new(record)),
            None if is_unchanged => Outcome::Unchanged,
            None => match code {
                // While it was reading, or without memory for a record.
                Some(Exit::Unknown) => Outcome::Lost(
                    match self.time.is_some_and(|time| self.since.elapsed() >= time) {
                        true => Reason::Timeout,
                        false => Reason::Memory,
                    },
                ),
                Some(Exit::Interrupted) => Outcome::Lost(Reason::Cancelled),
                Some(Exit::Usage | Exit::Solver) => Outcome::Nothing,
                _ if stopped => Outcome::Lost(Reason::Cancelled),
                _ => Outcome::Lost(Reason::Internal(format!(
                    "the process that checked it ended without a result ({status})"
                ))),
            },
        };
        let exit = match (&outcome, code) {
            // What it printed is whole; what it did then was not all right.
            (Outcome::Record(_) | Outcome::Unchanged, None) => {
                said += &format!(
                    "ult: error: {}: the process ended with {status} after its result\n",
                    self.name
                );
                Some(Exit::Internal)
            }
            (_, Some(exit @ (Exit::Usage | Exit::Solver | Exit::Internal))) => Some(exit),
            _ => None,
        };
        Finished {
            index: self.index,
            outcome,
            said,
            exit,
        }
    }
}

/// What a worker says about a text that is known.
pub(crate) const UNCHANGED: &str = "\"unchanged\"";

/// A line on the terminal that says what is being done.
pub(crate) struct Line {
    on: bool,
    start: Instant,
    shown: Option<Instant>,
}

impl Line {
    pub(crate) fn new(wanted: bool) -> Line {
        Line {
            on: wanted && output::stderr_is_terminal(),
            start: Instant::now(),
            shown: None,
        }
    }

    fn show(&mut self, done: usize, all: usize, names: &[&str]) {
        let due = self.shown.unwrap_or(self.start).elapsed() >= limits::PROGRESS;
        if !self.on || !due {
            return;
        }
        let names: String = names.join(", ").chars().take(60).collect();
        let seconds = self.start.elapsed().as_secs_f64();
        output::stderr(&format!(
            "\r\x1b[K{done} of {all} done in {seconds:.1} s: {names}"
        ));
        self.shown = Some(Instant::now());
    }

    pub(crate) fn clear(&mut self) {
        if self.shown.take().is_some() {
            output::stderr("\r\x1b[K");
        }
    }
}
