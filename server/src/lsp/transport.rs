//! Reads and writes messages on standard input and output, in the framing of the base protocol.
//!
//! Frames are read here rather than by the library, which ends the session at the first frame that
//! is not JSON. Here such a frame gets an error response, and reading continues.

use std::io::{self, BufRead, BufReader, Read, Write};
use std::sync::mpsc::Receiver;
use std::thread;

use serde_json::Value;
use tokio::sync::{mpsc, oneshot};
use tracing::{error, warn};

/// The maximum number of messages waiting to be handled.
const QUEUE: usize = 1024;

/// The maximum length of a header line, in bytes.
const MAX_HEADER: u64 = 8 << 10;

/// The maximum size of a message, in bytes: enough for a document of
/// [`crate::read_text::MAX_FILE_SIZE`] as JSON.
const MAX_BODY: u64 = 1 << 30;

/// A received frame.
#[derive(Debug)]
pub(super) enum IncomingMessage {
    /// A JSON value.
    Message(Value),
    /// Invalid data, with a description for the log.
    Garbage(String),
}

/// Reads standard input on a separate thread until its end.
pub(super) fn read_stdin() -> io::Result<mpsc::Receiver<IncomingMessage>> {
    let (sender, receiver) = mpsc::channel(QUEUE);
    let reader = thread::Builder::new().name("standard input".to_owned());
    reader.spawn(move || {
        let input = BufReader::with_capacity(64 << 10, io::stdin().lock());
        let mut frames = FrameReader::new(input);
        loop {
            match frames.next() {
                Ok(Some(incoming)) => {
                    if sender.blocking_send(incoming).is_err() {
                        break;
                    }
                }
                Ok(None) => break,
                Err(error) => {
                    error!("cannot read standard input: {error}");
                    break;
                }
            }
        }
    })?;
    Ok(receiver)
}

/// Writes messages to standard output on a separate thread until the channel is closed. The
/// returned receiver is notified then, or when writing fails.
pub(super) fn write_stdout(messages: Receiver<Vec<u8>>) -> io::Result<oneshot::Receiver<()>> {
    let (done, receiver) = oneshot::channel();
    let writer = thread::Builder::new().name("standard output".to_owned());
    writer.spawn(move || {
        let mut out = crate::terminal::stdout();
        if let Err(error) = write_frames(&messages, &mut out) {
            error!("cannot write to standard output: {error}");
        }
        // The receiver may have been dropped.
        let _ = done.send(());
    })?;
    Ok(receiver)
}

fn write_frames(messages: &Receiver<Vec<u8>>, out: &mut impl Write) -> io::Result<()> {
    while let Ok(first) = messages.recv() {
        let mut next = Some(first);
        while let Some(message) = next {
            write!(out, "Content-Length: {}\r\n\r\n", message.len())?;
            out.write_all(&message)?;
            next = messages.try_recv().ok();
        }
        out.flush()?;
    }
    Ok(())
}

/// Reads frames from an input.
struct FrameReader<R> {
    input: R,
    /// Whether the last header was invalid, so that the reader has to resynchronize.
    must_resync: bool,
    /// The number of bytes left of a skipped message.
    to_skip: u64,
}

impl<R: BufRead> FrameReader<R> {
    fn new(input: R) -> Self {
        FrameReader {
            input,
            must_resync: false,
            to_skip: 0,
        }
    }

    /// Returns the next frame, or `None` at the end of the input.
    fn next(&mut self) -> io::Result<Option<IncomingMessage>> {
        let to_skip = std::mem::take(&mut self.to_skip);
        io::copy(&mut (&mut self.input).take(to_skip), &mut io::sink())?;
        if std::mem::take(&mut self.must_resync) {
            self.skip_to_header()?;
        }
        let length = match self.read_header()? {
            FrameHeader::End => return Ok(None),
            FrameHeader::Length(length) => length,
            FrameHeader::Invalid(line) => {
                self.must_resync = true;
                return Ok(Some(IncomingMessage::Garbage(format!(
                    "invalid header: {line}"
                ))));
            }
        };
        if length > MAX_BODY {
            // Respond before the body arrives: the length may be wrong.
            self.to_skip = length;
            let garbage = format!("message too large: {length} bytes");
            return Ok(Some(IncomingMessage::Garbage(garbage)));
        }
        let mut body = Vec::new();
        let mut input = (&mut self.input).take(length);
        if input.read_to_end(&mut body)? as u64 != length {
            warn!("unexpected end of standard input inside a message");
            return Ok(None);
        }
        // Some editors send invalid UTF-8 as is: a replacement character is better than a lost
        // edit.
        let body = String::from_utf8_lossy(&body);
        Ok(Some(match serde_json::from_str(&body) {
            Ok(value) => IncomingMessage::Message(value),
            Err(error) => IncomingMessage::Garbage(format!("invalid JSON in message: {error}")),
        }))
    }

    /// Reads all header fields and the empty line after them.
    fn read_header(&mut self) -> io::Result<FrameHeader> {
        let mut length = None;
        loop {
            let next = self.input.fill_buf()?.first().copied();
            match next {
                None => return Ok(FrameHeader::End),
                Some(b'\r' | b'\n') => {}
                Some(byte) if byte.is_ascii_alphabetic() => {}
                // Not consumed, because the next header may follow in the same buffer.
                Some(byte) => return Ok(FrameHeader::Invalid(char::from(byte).to_string())),
            }
            let mut line = Vec::new();
            (&mut self.input)
                .take(MAX_HEADER)
                .read_until(b'\n', &mut line)?;
            let line = String::from_utf8_lossy(&line);
            let line = line.trim_end_matches(['\r', '\n']);
            if line.is_empty() {
                return Ok(match length {
                    Some(length) => FrameHeader::Length(length),
                    None => FrameHeader::Invalid("an empty line".to_owned()),
                });
            }
            let bad = || FrameHeader::Invalid(line.chars().take(80).collect());
            let Some((name, value)) = line.split_once(':') else {
                return Ok(bad());
            };
            if name.eq_ignore_ascii_case("Content-Length") {
                match value.trim().parse() {
                    Ok(value) => length = Some(value),
                    Err(_) => return Ok(bad()),
                }
            }
        }
    }

    /// Skips to the next header, so that the session can continue. A header that crosses the end of
    /// the buffer may be missed; in this case the following one is found.
    fn skip_to_header(&mut self) -> io::Result<()> {
        loop {
            let buffer = self.input.fill_buf()?;
            if buffer.is_empty() {
                return Ok(());
            }
            let next = memchr::memmem::find(buffer, b"Content-Length:");
            let skipped = next.unwrap_or(buffer.len());
            self.input.consume(skipped);
            if next.is_some() {
                return Ok(());
            }
        }
    }
}

enum FrameHeader {
    /// The length of the body, in bytes.
    Length(u64),
    /// An invalid header, with its text.
    Invalid(String),
    /// The end of the input.
    End,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn frames(input: &[u8]) -> Vec<String> {
        let mut input = FrameReader::new(input);
        let mut frames = Vec::new();
        while let Ok(Some(frame)) = input.next() {
            frames.push(match frame {
                IncomingMessage::Message(value) => value.to_string(),
                IncomingMessage::Garbage(_) => "garbage".to_owned(),
            });
        }
        frames
    }

    #[test]
    fn reads_frames() {
        let input = b"Content-Length: 2\r\n\r\n{}\
            content-length:4\r\nContent-Type: x; charset=utf-8\r\nOther: y\r\n\r\nnull";
        assert_eq!(frames(input), ["{}", "null"]);
    }

    #[test]
    fn reports_and_skips_garbage() {
        let good = "Content-Length: 2\r\n\r\n{}";
        for bad in [
            "nonsense\r\n",
            "Content-Length: -1\r\n\r\n{}",
            "Content-Length: 3\r\n\r\n{]}",
            "Content-Length: 2\r\n\r\n\u{e9}",
            "Content-Type: x\r\n\r\n",
            "\r\n",
            "{\"jsonrpc\":\"2.0\"}",
        ] {
            let input = [good, bad, good].concat();
            assert_eq!(frames(input.as_bytes()), ["{}", "garbage", "{}"], "{bad:?}");
        }
    }

    #[test]
    fn replaces_invalid_utf8() {
        assert_eq!(
            frames(b"Content-Length: 4\r\n\r\n\"\xf0\x9f\""),
            ["\"\u{fffd}\""]
        );
    }

    #[test]
    fn rejects_too_large_messages_before_reading_them() {
        let large = (MAX_BODY + 1) as usize;
        let header = format!("Content-Length: {large}\r\n\r\n");
        let (body, good) = (
            io::repeat(b' ').take(large as u64),
            b"Content-Length: 2\r\n\r\n{}",
        );
        let input = header.as_bytes().chain(body).chain(&good[..]);
        let mut frames = FrameReader::new(BufReader::new(input));
        assert!(matches!(
            frames.next(),
            Ok(Some(IncomingMessage::Garbage(_)))
        ));
        assert!(matches!(
            frames.next(),
            Ok(Some(IncomingMessage::Message(_)))
        ));
        assert!(matches!(frames.next(), Ok(None)));
    }

    #[test]
    fn input_can_end_inside_a_message() {
        assert_eq!(
            frames(b"Content-Length: 10\r\n\r\n{}"),
            Vec::<String>::new()
        );
        assert_eq!(frames(b"Content-Le"), ["garbage"]);
    }
}
