//! The loader thread, which reads the disk in the background.

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

use super::outgoing::{self, OutgoingMessage, ProgressStep};
use super::session::Event;
use crate::workspace::{Loader, WorkspaceRequest};

/// How long to wait for further changes before loading. A branch switch causes many at once.
const DEBOUNCE: Duration = Duration::from_millis(30);

/// The maximum delay between the first change and loading.
const MAX_DEBOUNCE: Duration = Duration::from_millis(500);

/// The minimum number of files for which progress is reported.
const MIN_FILES_FOR_PROGRESS: usize = 200;

/// A request to load the workspace.
#[derive(Debug, Default)]
pub(super) struct LoadJob {
    pub(super) request: WorkspaceRequest,
    /// The files and folders reported as changed.
    pub(super) changed: Vec<PathBuf>,
    /// Whether further changes are likely to follow immediately.
    pub(super) is_debounced: bool,
    /// Whether the client supports progress reports.
    pub(super) shows_progress: bool,
}

/// Starts the thread, which sends its updates to the session.
pub(super) fn start(
    events: Sender<Event>,
    outgoing: outgoing::Sender,
) -> io::Result<Sender<LoadJob>> {
    let (jobs, incoming) = channel();
    thread::Builder::new()
        .name("disk".to_owned())
        .stack_size(crate::STACK_SIZE)
        .spawn(move || {
            let mut loader = Loader::default();
            while let Some(job) = next(&incoming) {
                // A panic must not end the session.
                let loaded = catch_unwind(AssertUnwindSafe(|| load(&mut loader, &job, &outgoing)));
                match loaded {
                    Ok(event) => {
                        if events.send(event).is_err() {
                            break;
                        }
                    }
                    Err(_) => {
                        error!("loading the workspace panicked");
                        loader = Loader::default();
                    }
                }
            }
        })?;
    Ok(jobs)
}

/// Returns the next job, merged with those that follow within a short time.
fn next(incoming: &Receiver<LoadJob>) -> Option<LoadJob> {
    let mut job = incoming.recv().ok()?;
    let mut changed = BTreeSet::from_iter(std::mem::take(&mut job.changed));
    let until = Instant::now() + MAX_DEBOUNCE;
    loop {
        let left = until.saturating_duration_since(Instant::now());
        let pause = if job.is_debounced {
            DEBOUNCE
        } else {
            Duration::ZERO
        };
        match incoming.recv_timeout(pause.min(left)) {
            Ok(mut more) => {
                changed.extend(std::mem::take(&mut more.changed));
                more.is_debounced &= !left.is_zero();
                job = more;
            }
            Err(RecvTimeoutError::Timeout | RecvTimeoutError::Disconnected) => break,
        }
    }
    job.changed = changed.into_iter().collect();
    Some(job)
}

fn load(loader: &mut Loader, job: &LoadJob, outgoing: &outgoing::Sender) -> Event {
    let start = Instant::now();
    let steps: Mutex<Option<mpsc::UnboundedSender<ProgressStep>>> = Mutex::default();
    let progress = |done: usize, total: usize| {
        if !job.shows_progress
            || total < MIN_FILES_FOR_PROGRESS
            || !done.is_multiple_of((total / 20).max(1))
        {
            return;
        }
        let Ok(mut steps) = steps.lock() else { return };
        let steps = steps.get_or_insert_with(|| {
            let (sender, receiver) = mpsc::unbounded_channel();
            // The receiver is dropped only at shutdown.
            let _ = outgoing.send(OutgoingMessage::Progress("Reading Puppet code", receiver));
            sender
        });
        let percentage = u32::try_from(done * 100 / total).unwrap_or(100);
        let message = format!("{done}/{total} files");
        let _ = steps.send(ProgressStep {
            message,
            percentage,
        });
    };
    let update = loader.load(&job.request, &job.changed, &progress);
    debug!(
        "read {} files in {:?}, {} notes",
        update.texts.len(),
        start.elapsed(),
        update.notes.len()
    );
    Event::Loaded(update)
}
