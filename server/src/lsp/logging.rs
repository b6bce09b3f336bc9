//! The log: on standard error or in a file, never on standard output.

use std::fs::OpenOptions;
use std::path::Path;
use std::sync::{Mutex, OnceLock};

use tracing::level_filters::LevelFilter;
use tracing_subscriber::fmt::writer::BoxMakeWriter;
use tracing_subscriber::layer::SubscriberExt as _;
use tracing_subscriber::util::SubscriberInitExt as _;
use tracing_subscriber::{fmt, reload};

use crate::terminal::Failure;

/// The variable that says how much is logged: `error`, `warn`, `info`, `debug` or `trace`.
const LEVEL: &str = "PUPIL_LOG";

/// Changes how much is logged.
static RELOAD: OnceLock<SetLevel> = OnceLock::new();

type SetLevel = Box<dyn Fn(LevelFilter) + Send + Sync>;

/// Logs this much from now on, unless the environment says how much.
pub(super) fn set_level(level: LevelFilter) {
    if std::env::var_os(LEVEL).is_none()
        && let Some(set) = RELOAD.get()
    {
        set(level);
    }
}

/// Starts to log: to a file more than to standard error, which some editors show.
pub(super) fn start(file: Option<&Path>) -> Result<(), Failure> {
    let usual = if file.is_some() {
        LevelFilter::INFO
    } else {
        LevelFilter::WARN
    };
    let level = std::env::var(LEVEL).ok().and_then(|it| it.parse().ok());
    let writer = match file {
        None => BoxMakeWriter::new(std::io::stderr),
        Some(path) => {
            let file = OpenOptions::new().create(true).append(true).open(path);
            let file = file.map_err(|error| {
                Failure::Message(format!("cannot write the log {}: {error}", path.display()))
            })?;
            BoxMakeWriter::new(Mutex::new(file))
        }
    };
    let (level, handle) = reload::Layer::new(level.unwrap_or(usual));
    let lines = fmt::layer().with_writer(writer).with_ansi(false);
    tracing_subscriber::registry()
        .with(level)
        .with(lines)
        .init();
    // There is one log, and it lasts as long as the process.
    let _ = RELOAD.set(Box::new(move |level| drop(handle.reload(level))));
    Ok(())
}
