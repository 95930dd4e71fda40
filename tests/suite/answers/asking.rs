//! Asks questions in child processes.
//!
//! Starting a process and the driver takes most of the time that a question takes. So a child asks many, one after another,
//! each on a thread of its own, and releases objects after each. Questions that end the use of the driver are asked alone. A
//! question with an unexpected answer is asked again alone, and the second answer counts.

use super::{Answers, Question, questions};
use cuda_rt::error::Code;
use cuda_sim::Machine;
use cuda_suite::{Choice, driver, raw};
use cuda_sys::CUresult;
use std::collections::BTreeMap;
use std::process::Command;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

/// Set in a child process: the names of the questions to ask, with commas between.
const CHILD: &str = "CUDA_SUITE_QUESTION";
/// Set in a child process that is not to wait for long: see [`patience`].
const HASTY: &str = "CUDA_SUITE_HASTY";

/// The number of questions of one process.
const TOGETHER: usize = 24;
/// A child that has no answer for so long ends itself.
const LONGEST: Duration = Duration::from_secs(60);

/// The time after which a call counts as waiting. A call that was too slow for the short time is asked again.
pub(super) fn patience() -> Duration {
    let is_hasty = std::env::var_os(HASTY).is_some();
    Duration::from_millis(if is_hasty { 200 } else { 2000 })
}

/// A question, and the answer that is expected.
pub(super) type Asked = (&'static Question, String);

/// Asks questions, of the software driver as `configuration` says. Returns what is answered otherwise than expected. With
/// `printing`, all answers are printed instead, and each question is asked alone.
#[allow(clippy::print_stdout)]
pub(super) fn ask(asked: &[Asked], on: Choice, configuration: &str, printing: bool) -> Vec<String> {
    let (alone, together): (Vec<_>, Vec<_>) =
        asked.iter().partition(|(_, expected)| printing || ends_process(on, expected));
    let again = Mutex::new(alone);
    in_parallel(&together.chunks(TOGETHER).collect::<Vec<_>>(), |asked| {
        let names: Vec<&str> = asked.iter().map(|(question, _)| question.name).collect();
        let answers = child(&names, configuration, true).unwrap_or_default();
        let is_wrong = |(question, expected): &&&Asked| answers.get(question.name) != Some(expected);
        again.lock().unwrap().extend(asked.iter().filter(is_wrong));
    });
    let wrong = Mutex::new(Vec::new());
    in_parallel(&again.into_inner().unwrap(), |(question, expected)| {
        let answer = child(&[question.name], configuration, false)
            .and_then(|mut answers| answers.remove(question.name).ok_or_else(|| "no answer".to_owned()));
        if printing {
            println!("{}\t{}", question.name, answer.unwrap_or_else(|error| error));
        } else if answer.as_ref() != Ok(expected) {
            wrong.lock().unwrap().push(format!("{}: {answer:?}, not {expected}", question.name));
        }
    });
    wrong.into_inner().unwrap()
}

/// Returns whether an answer shows that the process is of no use afterwards. After a sticky error that is so of the machine's driver;
/// the software driver is reset.
fn ends_process(on: Choice, expected: &str) -> bool {
    let is_sticky = |word: &str| {
        let code = word.parse().ok().and_then(|number| Code::new(CUresult(number)));
        code.is_some_and(Code::is_sticky)
    };
    expected == "crash" || on == Choice::Real && expected.split(' ').any(is_sticky)
}

fn in_parallel<T: Sync>(work: &[T], each: impl Fn(&T) + Sync) {
    let next = AtomicUsize::new(0);
    std::thread::scope(|scope| {
        for _ in 0..std::thread::available_parallelism().map_or(1, usize::from).min(24) {
            scope.spawn(|| {
                while let Some(one) = work.get(next.fetch_add(1, Ordering::Relaxed)) {
                    each(one);
                }
            });
        }
    });
}

/// Asks in a child process. The answers by the names of the questions.
fn child(names: &[&str], configuration: &str, is_hasty: bool) -> Result<BTreeMap<String, String>, String> {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.args(["--exact", "answers::asking::question", "--ignored", "--nocapture"]);
    command.env(CHILD, names.join(",")).env("CUDA_SIM", configuration);
    command.envs(is_hasty.then_some((HASTY, "1")));
    let child = command.output().unwrap();
    let out = String::from_utf8_lossy(&child.stdout);
    #[cfg(unix)]
    if std::os::unix::process::ExitStatusExt::signal(&child.status) == Some(libc::SIGSEGV) && names.len() == 1
    {
        return Ok(BTreeMap::from([(names[0].to_owned(), "crash".to_owned())]));
    }
    // The software driver counts its own errors, and the process fails for them.
    if !child.status.success() {
        return Err(format!("{out}\n{}", String::from_utf8_lossy(&child.stderr)));
    }
    let answers = out.lines().filter_map(|line| line.strip_prefix("answer: ")?.split_once(": "));
    Ok(answers.map(|(name, answer)| (name.to_owned(), answer.to_owned())).collect())
}

#[test]
#[ignore = "runs in a child process"]
#[allow(clippy::print_stdout)]
fn question() {
    let Ok(wanted) = std::env::var(CHILD) else { return };
    let on = driver();
    static ANSWERED: AtomicUsize = AtomicUsize::new(0);
    std::thread::spawn(|| {
        let mut before = usize::MAX;
        loop {
            let answered = ANSWERED.load(Ordering::Relaxed);
            if answered == before {
                std::process::exit(3);
            }
            before = answered;
            std::thread::sleep(LONGEST);
        }
    });
    let names: Vec<String> = wanted.split(',').map(str::to_owned).collect();
    for name in &names {
        let question = questions().find(|question| question.name == name).unwrap();
        let asking = std::thread::spawn(move || {
            let mut answers = Answers::default();
            (question.ask)(&mut answers);
            println!("\nanswer: {}: {}", question.name, answers.0.join(" "));
            match on {
                Choice::Sim => Machine::current().reset(),
                Choice::Real => raw::destroy_contexts(),
            }
        });
        if asking.join().is_err() && names.len() == 1 {
            std::process::exit(101);
        }
        ANSWERED.fetch_add(1, Ordering::Relaxed);
    }
    // Nothing can be released after a fault.
    std::process::exit(0);
}
