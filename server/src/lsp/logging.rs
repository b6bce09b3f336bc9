//! The log: on standard error or in a file, never on standard output.

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

use super::outgoing::{self, Outgoing};
use crate::terminal::Failure;

/// The variable that says how much is logged: `error`, `warn`, `info`, `debug` or `trace`.
const LEVEL: &str = "PUPIL_LOG";

/// What our own lines begin with, before their text.
const OURS: [&str; 3] = ["pupil", "analysis", "syntax"];

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

/// Sends lines of the log to the client as well from now on.
pub(super) fn tell(outgoing: outgoing::Sender) {
    // There is one client, and it is the first.
    let _ = CLIENT.set(outgoing);
}

/// The client has said hello, and may be talked to.
pub(super) fn client_listens() {
    LISTENS.store(true, Ordering::Relaxed);
}

static LISTENS: AtomicBool = AtomicBool::new(false);

/// The way to the client.
static CLIENT: OnceLock<outgoing::Sender> = OnceLock::new();

/// Sends what the server itself logs to the client. What the library below it logs may be about
/// this very sending.
struct ToClient;

impl<S: Subscriber> Layer<S> for ToClient {
    fn on_event(&self, event: &Event<'_>, _: Context<'_, S>) {
        let metadata = event.metadata();
        let Some(client) = CLIENT.get() else { return };
        if !LISTENS.load(Ordering::Relaxed) || !metadata.target().starts_with("pupil") {
            return;
        }
        let level = match *metadata.level() {
            Level::ERROR => MessageType::ERROR,
            Level::WARN => MessageType::WARNING,
            Level::INFO => MessageType::INFO,
            _ => MessageType::LOG,
        };
        let mut message = Message::default();
        event.record(&mut message);
        // Nobody listens any more only at the very end.
        let _ = client.send(Outgoing::Log(level, message.0));
    }
}

/// The text of an event.
#[derive(Default)]
struct Message(String);

impl Visit for Message {
    fn record_debug(&mut self, field: &Field, value: &dyn Debug) {
        if field.name() == "message" {
            self.0 = format!("{value:?}");
        }
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
    // What the libraries do step by step is nothing to who reads the log.
    let ours = filter_fn(|it| {
        let is_ours = OURS.iter().any(|name| it.target().starts_with(name));
        is_ours || *it.level() <= Level::WARN
    });
    tracing_subscriber::registry()
        .with(level)
        .with(ours)
        .with(lines)
        .with(ToClient)
        .init();
    // There is one log, and it lasts as long as the process.
    let _ = RELOAD.set(Box::new(move |level| drop(handle.reload(level))));
    std::panic::set_hook(Box::new(log_panic));
    Ok(())
}

/// Logs where something panicked: whoever catches it does not know that any more.
fn log_panic(info: &PanicHookInfo<'_>) {
    let trace = Backtrace::capture();
    match trace.status() {
        BacktraceStatus::Captured => tracing::error!("{info}\n{trace}"),
        _ => tracing::error!("{info}"),
    }
}
