//! Logging to standard error or a file, never to standard output, and to the client.

use std::backtrace::{Backtrace, BacktraceStatus};
use std::fmt::Debug;
use std::fs::OpenOptions;
use std::panic::PanicHookInfo;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, OnceLock};

use tower_lsp::ls_types::MessageType;
use tracing::field::{Field, Visit};
use tracing::level_filters::LevelFilter;
use tracing::{Event, Level, Subscriber};
use tracing_subscriber::filter::filter_fn;
use tracing_subscriber::fmt::writer::BoxMakeWriter;
use tracing_subscriber::layer::{Context, SubscriberExt as _};
use tracing_subscriber::util::SubscriberInitExt as _;
use tracing_subscriber::{Layer, fmt, reload};

use super::outgoing::{self, OutgoingMessage};
use crate::read_text::reason;
use crate::terminal::Failure;

/// The environment variable with the log level: `error`, `warn`, `info`, `debug` or `trace`.
const LEVEL: &str = "PUPIL_LOG";

/// Prefixes of the targets of our own crates.
const OUR_CRATES: [&str; 3] = ["pupil", "analysis", "syntax"];

/// Changes the log level at run time.
static RELOAD: OnceLock<SetLevel> = OnceLock::new();

type SetLevel = Box<dyn Fn(LevelFilter) + Send + Sync>;

/// Sets the log level, unless the environment variable determines it.
pub(super) fn set_level(level: LevelFilter) {
    if std::env::var_os(LEVEL).is_none()
        && let Some(set) = RELOAD.get()
    {
        set(level);
    }
}

/// Sends log messages to the client as well.
pub(super) fn connect_client(outgoing: outgoing::Sender) {
    // A server has only one client.
    let _ = CLIENT.set(outgoing);
}

/// Enables messages to the client, which are not allowed before `initialize`.
pub(super) fn start_client_log() {
    CLIENT_LISTENS.store(true, Ordering::Relaxed);
}

static CLIENT_LISTENS: AtomicBool = AtomicBool::new(false);

/// The channel to the client.
static CLIENT: OnceLock<outgoing::Sender> = OnceLock::new();

/// Sends log messages of this crate to the client. Those of the LSP library are excluded because
/// sending may itself cause them.
struct ClientLayer;

impl<S: Subscriber> Layer<S> for ClientLayer {
    fn on_event(&self, event: &Event<'_>, _: Context<'_, S>) {
        let metadata = event.metadata();
        let Some(client) = CLIENT.get() else { return };
        if !CLIENT_LISTENS.load(Ordering::Relaxed) || !metadata.target().starts_with("pupil") {
            return;
        }
        let level = match *metadata.level() {
            Level::ERROR => MessageType::ERROR,
            Level::WARN => MessageType::WARNING,
            Level::INFO => MessageType::INFO,
            _ => MessageType::LOG,
        };
        let mut message = MessageVisitor::default();
        event.record(&mut message);
        // The receiver is dropped only at shutdown.
        let _ = client.send(OutgoingMessage::Log(level, message.0));
    }
}

/// Collects the message of an event.
#[derive(Default)]
struct MessageVisitor(String);

impl Visit for MessageVisitor {
    fn record_debug(&mut self, field: &Field, value: &dyn Debug) {
        if field.name() == "message" {
            self.0 = format!("{value:?}");
        }
    }
}

/// Starts logging. The default level is higher for a file than for standard error, which some
/// editors show to the user.
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
                let reason = reason(error);
                Failure::Message(format!("cannot open log file {}: {reason}", path.display()))
            })?;
            BoxMakeWriter::new(Mutex::new(file))
        }
    };
    let (level, handle) = reload::Layer::new(level.unwrap_or(usual));
    let lines = fmt::layer().with_writer(writer).with_ansi(false);
    // Informational messages of libraries are noise.
    let own_events = filter_fn(|it| {
        let is_own = OUR_CRATES.iter().any(|name| it.target().starts_with(name));
        is_own || *it.level() <= Level::WARN
    });
    tracing_subscriber::registry()
        .with(level)
        .with(own_events)
        .with(lines)
        .with(ClientLayer)
        .init();
    // Logging is started only once.
    let _ = RELOAD.set(Box::new(move |level| drop(handle.reload(level))));
    std::panic::set_hook(Box::new(log_panic));
    Ok(())
}

/// Logs a panic with its location, which is no longer known where it is caught.
fn log_panic(info: &PanicHookInfo<'_>) {
    let trace = Backtrace::capture();
    match trace.status() {
        BacktraceStatus::Captured => tracing::error!("{info}\n{trace}"),
        _ => tracing::error!("{info}"),
    }
}
