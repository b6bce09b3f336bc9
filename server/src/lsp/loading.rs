//! The thread that reads the disk, so that nobody else waits for it.

use std::collections::BTreeSet;
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::sync::Mutex;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread;
use std::time::{Duration, Instant};

use tokio::sync::mpsc;
use tracing::{debug, error};

use super::outgoing::{self, Outgoing, Step};
use super::session::Event;
use crate::workspace::{Loader, Request};

/// The disk is read when it has been quiet for this long: another branch is many changes,
const QUIET: Duration = Duration::from_millis(30);

/// or when the first change is this old.
const PATIENCE: Duration = Duration::from_millis(500);

/// Fewer files are read without telling how far that is.
const WORTH_TELLING: usize = 200;

/// What is to be read.
#[derive(Debug, Default)]
pub(super) struct Job {
    /// What to find.
    pub(super) request: Request,
    /// Files and folders that are said to have changed.
    pub(super) changed: Vec<PathBuf>,
    /// Whether more changes are likely to follow at once.
    pub(super) in_bulk: bool,
    /// Whether the client shows progress.
    pub(super) shows_progress: bool,
}

/// Starts the thread; what it reads goes to the session.
pub(super) fn start(events: Sender<Event>, outgoing: outgoing::Sender) -> io::Result<Sender<Job>> {
    let (jobs, incoming) = channel();
    thread::Builder::new()
        .name("disk".to_owned())
        .stack_size(crate::STACK_SIZE)
        .spawn(move || {
            let mut loader = Loader::default();
            while let Some(job) = next(&incoming) {
                // Whatever the disk holds, the session goes on.
                let loaded = catch_unwind(AssertUnwindSafe(|| load(&mut loader, &job, &outgoing)));
                match loaded {
                    Ok(event) => {
                        if events.send(event).is_err() {
                            break;
                        }
                    }
                    Err(_) => {
                        error!("reading the disk panicked");
                        loader = Loader::default();
                    }
                }
            }
        })?;
    Ok(jobs)
}

/// The next job: all that come close together are one.
fn next(incoming: &Receiver<Job>) -> Option<Job> {
    let mut job = incoming.recv().ok()?;
    let mut changed = BTreeSet::from_iter(std::mem::take(&mut job.changed));
    let until = Instant::now() + PATIENCE;
    loop {
        let left = until.saturating_duration_since(Instant::now());
        let pause = if job.in_bulk { QUIET } else { Duration::ZERO };
        match incoming.recv_timeout(pause.min(left)) {
            Ok(mut more) => {
                changed.extend(std::mem::take(&mut more.changed));
                more.in_bulk &= !left.is_zero();
                job = more;
            }
            Err(RecvTimeoutError::Timeout | RecvTimeoutError::Disconnected) => break,
        }
    }
    job.changed = changed.into_iter().collect();
    Some(job)
}

fn load(loader: &mut Loader, job: &Job, outgoing: &outgoing::Sender) -> Event {
    let start = Instant::now();
    let steps: Mutex<Option<mpsc::UnboundedSender<Step>>> = Mutex::default();
    let progress = |done: usize, total: usize| {
        if !job.shows_progress || total < WORTH_TELLING || !done.is_multiple_of((total / 20).max(1))
        {
            return;
        }
        let Ok(mut steps) = steps.lock() else { return };
        let steps = steps.get_or_insert_with(|| {
            let (sender, receiver) = mpsc::unbounded_channel();
            // Nobody listens any more only at the very end.
            let _ = outgoing.send(Outgoing::Progress("Reading Puppet code", receiver));
            sender
        });
        let percentage = u32::try_from(done * 100 / total).unwrap_or(100);
        let message = format!("{done} of {total} files");
        let _ = steps.send(Step {
            message,
            percentage,
        });
    };
    let update = loader.load(&job.request, &job.changed, &progress);
    debug!(
        "read {} texts in {:?}, {} notes",
        update.texts.len(),
        start.elapsed(),
        update.notes.len()
    );
    Event::Loaded(update)
}
