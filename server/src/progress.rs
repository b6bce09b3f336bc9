//! The progress bar of long commands.

use std::io::{self, IsTerminal};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// The delay before the bar is shown.
const DELAY: Duration = Duration::from_millis(500);

/// A progress bar on standard error, if that is a terminal, shown after [`DELAY`].
pub(crate) struct Progress {
    bar: Option<ProgressBar>,
    started: Instant,
    shown: AtomicBool,
}

impl Progress {
    /// Creates the bar of a command, such as "Checking", that processes some things, such as "files".
    pub(crate) fn new(verb: &str, count: usize, things: &str) -> Progress {
        let bar = io::stderr().is_terminal().then(|| {
            let template = format!("{verb} {{bar:30}} {{pos}}/{{len}} {things} {{eta}}");
            let style = ProgressStyle::with_template(&template)
                .unwrap_or_else(|_| ProgressStyle::default_bar());
            let target = ProgressDrawTarget::hidden();
            ProgressBar::with_draw_target(Some(count as u64), target).with_style(style)
        });
        Progress {
            bar,
            started: Instant::now(),
            shown: AtomicBool::new(false),
        }
    }

    /// Counts one more.
    pub(crate) fn advance(&self) {
        let Some(bar) = &self.bar else { return };
        bar.inc(1);
        let due = self.started.elapsed() > DELAY;
        if due && !self.shown.swap(true, Ordering::Relaxed) {
            bar.set_draw_target(ProgressDrawTarget::stderr());
        }
    }

    /// Removes the bar.
    pub(crate) fn finish(&self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}
