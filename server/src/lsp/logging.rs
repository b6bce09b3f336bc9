//! The log: on standard error or in a file, never on standard output.

use std::fs::OpenOptions;
use std::path::Path;
use std::sync::Mutex;

use tracing::level_filters::LevelFilter;

use crate::terminal::Failure;

/// The variable that says how much is logged: `error`, `warn`, `info`, `debug` or `trace`.
const LEVEL: &str = "PUPIL_LOG";

/// Starts to log: to a file more than to standard error, which some editors show.
pub(super) fn start(file: Option<&Path>) -> Result<(), Failure> {
    let usual = if file.is_some() {
        LevelFilter::INFO
    } else {
        LevelFilter::WARN
    };
    let level = std::env::var(LEVEL).ok().and_then(|it| it.parse().ok());
    let log = tracing_subscriber::fmt()
        .with_max_level(level.unwrap_or(usual))
        .with_ansi(false);
    match file {
        None => log.with_writer(std::io::stderr).init(),
        Some(path) => {
            let file = OpenOptions::new().create(true).append(true).open(path);
            let file = file.map_err(|error| {
                Failure::Message(format!("cannot write the log {}: {error}", path.display()))
            })?;
            log.with_writer(Mutex::new(file)).init();
        }
    }
    Ok(())
}
