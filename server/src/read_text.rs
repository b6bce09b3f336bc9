//! Reads source files, with a size limit and an error for everything that is not UTF-8 text.

use std::fmt;
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

/// The maximum size of a file, in bytes: far above any manifest, well below the largest offset.
pub(crate) const MAX_FILE_SIZE: u64 = 256 << 20;

/// Why a file could not be read.
#[derive(Debug)]
pub(crate) enum ReadError {
    /// The file does not exist (any more).
    NotFound,
    /// The path refers to a directory, a pipe or a device.
    NotAFile(&'static str),
    /// Permission is denied.
    Denied,
    /// The file exceeds the limit. The fields are its size and the limit, in bytes.
    TooLarge(u64, u64),
    /// The file is not valid UTF-8.
    NotUtf8(InvalidUtf8),
    /// Any other I/O error.
    Io(io::Error),
}

/// The content of a file that is not valid UTF-8.
#[derive(Debug)]
pub(crate) struct InvalidUtf8 {
    bytes: Vec<u8>,
    /// The offset of the first invalid byte.
    valid_up_to: usize,
}

impl InvalidUtf8 {
    /// Returns the text before the first invalid byte.
    pub(crate) fn text_before(&self) -> &str {
        std::str::from_utf8(&self.bytes[..self.valid_up_to]).unwrap_or_default()
    }

    /// Returns the whole content, with U+FFFD in place of invalid bytes.
    pub(crate) fn lossy(&self) -> String {
        String::from_utf8_lossy(&self.bytes).into_owned()
    }

    /// Returns the error message.
    pub(crate) fn message(&self) -> String {
        let byte = self.bytes.get(self.valid_up_to).copied().unwrap_or(0);
        format!("invalid UTF-8: unexpected byte 0x{byte:02X}")
    }
}

impl fmt::Display for ReadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ReadError::NotFound => f.write_str("no such file or directory"),
            ReadError::NotAFile(what) => write!(f, "expected a file, found {what}"),
            ReadError::Denied => f.write_str("permission denied"),
            ReadError::TooLarge(size, limit) => {
                let (unit, shift) = if *limit < 1 << 20 {
                    ("KiB", 10)
                } else {
                    ("MiB", 20)
                };
                let (size, limit) = (size >> shift, limit >> shift);
                write!(
                    f,
                    "file is too large: {size} {unit} (the limit is {limit} {unit})"
                )
            }
            ReadError::NotUtf8(invalid) => f.write_str(&invalid.message()),
            ReadError::Io(error) => f.write_str(&without_number(error)),
        }
    }
}

impl From<io::Error> for ReadError {
    fn from(error: io::Error) -> Self {
        match error.kind() {
            // A path below a file does not exist either.
            io::ErrorKind::NotFound | io::ErrorKind::NotADirectory => ReadError::NotFound,
            io::ErrorKind::PermissionDenied => ReadError::Denied,
            io::ErrorKind::IsADirectory => ReadError::NotAFile("a directory"),
            _ => ReadError::Io(error),
        }
    }
}

/// Returns the reason of an error of the system, in the words of [`ReadError`].
pub(crate) fn reason(error: io::Error) -> String {
    ReadError::from(error).to_string()
}

/// Returns the message of an error of the system in lower case, without its number.
fn without_number(error: &io::Error) -> String {
    let message = error.to_string();
    let message = message.split(" (os error").next().unwrap_or_default();
    let mut chars = message.chars();
    match chars.next() {
        Some(first) => first.to_lowercase().chain(chars).collect(),
        None => String::new(),
    }
}

/// Reads a file of at most [`MAX_FILE_SIZE`] bytes.
pub(crate) fn read_text(path: &Path) -> Result<String, ReadError> {
    read_text_up_to(path, MAX_FILE_SIZE)
}

/// Reads a file of at most `limit` bytes.
pub(crate) fn read_text_up_to(path: &Path, limit: u64) -> Result<String, ReadError> {
    String::from_utf8(read_bytes(path, limit)?).map_err(|error| {
        let valid_up_to = error.utf8_error().valid_up_to();
        ReadError::NotUtf8(InvalidUtf8 {
            bytes: error.into_bytes(),
            valid_up_to,
        })
    })
}

/// Reads a file of at most `limit` bytes, which need not be text.
pub(crate) fn read_bytes(path: &Path, limit: u64) -> Result<Vec<u8>, ReadError> {
    // Checked before opening: opening a pipe would block until it has a writer.
    let size = check_size(path, limit)?;
    let mut bytes = Vec::with_capacity(usize::try_from(size).unwrap_or(0) + 1);
    // The file may have grown since.
    File::open(path)?.take(limit + 1).read_to_end(&mut bytes)?;
    let size = bytes.len() as u64;
    if size > limit {
        return Err(ReadError::TooLarge(size, limit));
    }
    Ok(bytes)
}

/// Checks that a path refers to a file of at most `limit` bytes, without opening it. Returns its
/// size.
pub(crate) fn check_size(path: &Path, limit: u64) -> Result<u64, ReadError> {
    let kind = std::fs::metadata(path)?;
    if kind.is_dir() {
        return Err(ReadError::NotAFile("a directory"));
    }
    if !kind.is_file() {
        return Err(ReadError::NotAFile("a device or pipe"));
    }
    if kind.len() > limit {
        return Err(ReadError::TooLarge(kind.len(), limit));
    }
    Ok(kind.len())
}

/// Checks whether a file is binary: its beginning contains a NUL byte.
pub(crate) fn is_binary(text: &str) -> bool {
    let start = &text.as_bytes()[..text.len().min(8 << 10)];
    memchr::memchr(0, start).is_some()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn system_errors_have_reasons() {
        let missing = File::open("/no/such/file").expect_err("it does not exist");
        assert_eq!(reason(missing), "no such file or directory");
        let full = io::Error::from_raw_os_error(28);
        assert!(!reason(full).contains("os error"));
        assert_eq!(reason(io::Error::other("Broken lock")), "broken lock");
    }
}
