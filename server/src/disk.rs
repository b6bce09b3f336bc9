//! Reading files, whatever the disk holds.

use std::fmt;
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

/// The largest file that is read: far beyond any manifest, well below what offsets can say.
pub(crate) const MAX_FILE_SIZE: u64 = 256 << 20;

/// Why a file has no text.
#[derive(Debug)]
pub(crate) enum ReadError {
    /// It is not there (any more).
    NotFound,
    /// It is a directory, a pipe, a device.
    NotAFile(&'static str),
    /// It may not be read.
    Denied,
    /// It is larger than what is read; its size and the limit, in bytes.
    TooLarge(u64, u64),
    /// It is not text in UTF-8.
    NotUtf8(InvalidUtf8),
    /// The disk says no.
    Io(io::Error),
}

/// Bytes that are not UTF-8.
#[derive(Debug)]
pub(crate) struct InvalidUtf8 {
    /// The bytes.
    bytes: Vec<u8>,
    /// Where the first wrong one is.
    valid_up_to: usize,
}

impl InvalidUtf8 {
    /// What comes before the first wrong byte.
    pub(crate) fn text_before(&self) -> &str {
        std::str::from_utf8(&self.bytes[..self.valid_up_to]).unwrap_or_default()
    }

    /// All of it, with U+FFFD in the place of what is wrong.
    pub(crate) fn lossy(&self) -> String {
        String::from_utf8_lossy(&self.bytes).into_owned()
    }

    /// What is wrong, for people.
    pub(crate) fn message(&self) -> String {
        let byte = self.bytes.get(self.valid_up_to).copied().unwrap_or(0);
        format!("this is not UTF-8: the byte 0x{byte:02X} cannot stand here")
    }
}

impl fmt::Display for ReadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ReadError::NotFound => f.write_str("no such file or directory"),
            ReadError::NotAFile(what) => write!(f, "it is {what}, not a file"),
            ReadError::Denied => f.write_str("permission denied"),
            ReadError::TooLarge(size, limit) => write!(
                f,
                "it is too large ({} MiB; at most {} MiB are read)",
                size >> 20,
                limit >> 20
            ),
            ReadError::NotUtf8(invalid) => f.write_str(&invalid.message()),
            ReadError::Io(error) => write!(f, "{error}"),
        }
    }
}

impl From<io::Error> for ReadError {
    fn from(error: io::Error) -> Self {
        match error.kind() {
            // Below a file there is nothing either.
            io::ErrorKind::NotFound | io::ErrorKind::NotADirectory => ReadError::NotFound,
            io::ErrorKind::PermissionDenied => ReadError::Denied,
            io::ErrorKind::IsADirectory => ReadError::NotAFile("a directory"),
            _ => ReadError::Io(error),
        }
    }
}

/// The text of a file.
pub(crate) fn read_text(path: &Path) -> Result<String, ReadError> {
    read_text_up_to(path, MAX_FILE_SIZE)
}

/// The text of a file of at most `limit` bytes.
pub(crate) fn read_text_up_to(path: &Path, limit: u64) -> Result<String, ReadError> {
    // Asked before opening: to open a pipe would wait for someone to write into it.
    let kind = std::fs::metadata(path)?;
    if kind.is_dir() {
        return Err(ReadError::NotAFile("a directory"));
    }
    if !kind.is_file() {
        return Err(ReadError::NotAFile("a device or pipe"));
    }
    let too_large = |size| Err(ReadError::TooLarge(size, limit));
    if kind.len() > limit {
        return too_large(kind.len());
    }
    let mut bytes = Vec::with_capacity(usize::try_from(kind.len()).unwrap_or(0) + 1);
    // It may have grown since.
    File::open(path)?.take(limit + 1).read_to_end(&mut bytes)?;
    let size = bytes.len() as u64;
    if size > limit {
        return too_large(size);
    }
    String::from_utf8(bytes).map_err(|error| {
        let valid_up_to = error.utf8_error().valid_up_to();
        ReadError::NotUtf8(InvalidUtf8 {
            bytes: error.into_bytes(),
            valid_up_to,
        })
    })
}
