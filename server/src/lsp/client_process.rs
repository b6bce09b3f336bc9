//! Watches the client process, which the server must not outlive.

use tokio::sync::watch;

/// Notifies `gone` when the process has exited. On platforms where processes cannot be watched, the
/// server relies on the end of standard input.
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

    /// The polling interval, and thus the maximum time that the server outlives its client.
    const INTERVAL: Duration = Duration::from_secs(1);

    pub(super) fn watch(process: u32, gone: watch::Sender<bool>) {
        let Some(process) = i32::try_from(process).ok().and_then(Pid::from_raw) else {
            return tracing::warn!("cannot watch the client: invalid process ID {process}");
        };
        tokio::spawn(async move {
            // Any other error means that the process exists but must not be signaled.
            while test_kill_process(process) != Err(Errno::SRCH) {
                tokio::time::sleep(INTERVAL).await;
            }
            tracing::warn!("client process exited");
            gone.send_replace(true);
        });
    }
}
