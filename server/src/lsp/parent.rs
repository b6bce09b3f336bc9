//! Watching the client: a server must not outlive it.

use tokio::sync::watch;

/// Tells `gone` when the process is no more. Where processes cannot be watched, the end of
/// standard input has to do.
pub(super) fn watch(process: u32, gone: watch::Sender<bool>) {
    #[cfg(unix)]
    unix::watch(process, gone);
    #[cfg(not(unix))]
    let _ = (process, gone);
}

#[cfg(unix)]
mod unix {
    use std::time::Duration;

    use rustix::io::Errno;
    use rustix::process::{Pid, test_kill_process};
    use tokio::sync::watch;

    /// How long a server outlives its client at most.
    const INTERVAL: Duration = Duration::from_secs(1);

    pub(super) fn watch(process: u32, gone: watch::Sender<bool>) {
        let Some(process) = i32::try_from(process).ok().and_then(Pid::from_raw) else {
            return tracing::warn!("the client says that it is process {process}: not watched");
        };
        tokio::spawn(async move {
            // Others are there too if we may not send them a signal.
            while test_kill_process(process) != Err(Errno::SRCH) {
                tokio::time::sleep(INTERVAL).await;
            }
            tracing::warn!("the client's process is gone");
            gone.send_replace(true);
        });
    }
}
