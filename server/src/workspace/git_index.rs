//! Reads the index of a Git repository: the list of tracked files.
//!
//! Git is never run. The index of a linked worktree is outside of the workspace, so it is not read;
//! nor is one that is reached through a link.
//! The format is documented in Git's `index-format`.

use std::path::{Path, PathBuf};

use super::limits::MAX_DEPTH;
use crate::read_text::read_bytes;

/// The maximum size of an index, in bytes.
const MAX_INDEX: u64 = 64 << 20;

/// The size of the fields of an entry before the hash: times, device, inode, mode, owner and size.
const BEFORE_HASH: usize = 40;

/// The sizes of the hashes of Git's object formats: SHA-1 and SHA-256.
const HASH_SIZES: [usize; 2] = [20, 32];

/// The flag of entries with two more bytes of flags.
const EXTENDED: u16 = 0x4000;

/// The tracked files of the repository that contains a directory.
pub(super) struct GitIndex {
    /// The directory of the repository.
    pub(super) root: PathBuf,
    /// The paths relative to `root`, with slashes. Skips paths that are not UTF-8.
    pub(super) files: Vec<String>,
}

impl GitIndex {
    /// Reads the index of the repository that contains `folder`; `None` if there is none, or if it
    /// cannot be read.
    pub(super) fn find(folder: &Path) -> Option<GitIndex> {
        let mut folders = folder.ancestors().take(MAX_DEPTH);
        let root = folders.find(|it| it.join(".git").exists())?;
        let (folder, index) = (root.join(".git"), root.join(".git/index"));
        let is_link = |it: &Path| it.symlink_metadata().is_ok_and(|it| it.is_symlink());
        if is_link(&folder) || is_link(&index) {
            return None;
        }
        let bytes = read_bytes(&index, MAX_INDEX).ok()?;
        Some(GitIndex {
            root: root.to_owned(),
            files: parse(&bytes)?,
        })
    }

    /// Checks whether files in a directory are tracked.
    pub(super) fn has_files_in(&self, folder: &Path) -> bool {
        let Ok(folder) = folder.strip_prefix(&self.root) else {
            return false;
        };
        self.files
            .iter()
            .any(|it| Path::new(it).starts_with(folder))
    }
}

/// Parses an index of version 2, 3 or 4.
fn parse(bytes: &[u8]) -> Option<Vec<String>> {
    let mut sizes = HASH_SIZES.into_iter();
    sizes.find_map(|it| Reader { bytes, at: 0 }.files(it))
}

struct Reader<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl<'a> Reader<'a> {
    fn files(mut self, hash_size: usize) -> Option<Vec<String>> {
        if self.take(4)? != b"DIRC" {
            return None;
        }
        let version = self.number()?;
        let count = self.number()?;
        if !(2..=4).contains(&version) {
            return None;
        }
        let mut files = Vec::new();
        let mut path = Vec::new();
        for _ in 0..count {
            self.path(version, hash_size, &mut path)?;
            files.extend(String::from_utf8(path.clone()));
        }
        Some(files)
    }

    /// Reads the next entry into `path`, which must hold the path of the previous entry: version 4 stores only the
    /// difference.
    fn path(&mut self, version: u32, hash_size: usize, path: &mut Vec<u8>) -> Option<()> {
        let start = self.at;
        let fields = self.take(BEFORE_HASH)?;
        let mode = u32::from_be_bytes(fields.get(24..28)?.try_into().ok()?);
        // Other modes mean that the hash has another size.
        if !matches!(mode >> 12, 0o4 | 0o10 | 0o12 | 0o16) || mode >> 16 != 0 {
            return None;
        }
        self.take(hash_size)?;
        let flags = u16::from_be_bytes(self.take(2)?.try_into().ok()?);
        if flags & EXTENDED != 0 {
            self.take(2)?;
        }
        if version == 4 {
            let kept = path.len().checked_sub(self.offset()?)?;
            path.truncate(kept);
            path.extend(self.until_nul()?);
            return Some(());
        }
        path.clear();
        path.extend(self.until_nul()?);
        // Entries are padded with NUL to a multiple of eight bytes.
        let end = start + (self.at - start).next_multiple_of(8);
        self.take(end - self.at)?;
        Some(())
    }

    fn take(&mut self, count: usize) -> Option<&'a [u8]> {
        let end = self.at.checked_add(count)?;
        let taken = self.bytes.get(self.at..end)?;
        self.at = end;
        Some(taken)
    }

    fn number(&mut self) -> Option<u32> {
        Some(u32::from_be_bytes(self.take(4)?.try_into().ok()?))
    }

    /// Reads the bytes before the next NUL, and the NUL.
    fn until_nul(&mut self) -> Option<&'a [u8]> {
        let rest = self.bytes.get(self.at..)?;
        let length = memchr::memchr(0, rest)?;
        let taken = self.take(length)?;
        self.take(1)?;
        Some(taken)
    }

    /// Reads a number in the variable-length encoding of offsets in pack files.
    fn offset(&mut self) -> Option<usize> {
        let mut byte = *self.take(1)?.first()?;
        let mut value = usize::from(byte & 0x7f);
        while byte & 0x80 != 0 {
            byte = *self.take(1)?.first()?;
            value = value.checked_add(1)?.checked_mul(128)? | usize::from(byte & 0x7f);
        }
        Some(value)
    }
}

/// Writes an index of entries with a common prefix, as Git does.
#[cfg(test)]
pub(super) fn index(version: u32, hash_size: usize, paths: &[&str]) -> Vec<u8> {
    let mut bytes = b"DIRC".to_vec();
    bytes.extend(version.to_be_bytes());
    bytes.extend(u32::try_from(paths.len()).unwrap_or(0).to_be_bytes());
    let mut before = "";
    for path in paths {
        let start = bytes.len();
        bytes.extend([1; 24]);
        bytes.extend(0o100_644_u32.to_be_bytes());
        bytes.extend([1; 12]);
        bytes.extend(vec![7; hash_size]);
        let extended = if version == 3 { EXTENDED } else { 0 };
        let length = u16::try_from(path.len()).unwrap_or(0);
        bytes.extend((extended | length).to_be_bytes());
        if version == 3 {
            bytes.extend([0, 0]);
        }
        if version == 4 {
            let same = before.bytes().zip(path.bytes());
            let same = same.take_while(|(a, b)| a == b).count();
            bytes.push(u8::try_from(before.len() - same).unwrap_or(0));
            bytes.extend(path[same..].bytes().chain([0]));
        } else {
            bytes.extend(path.bytes());
            let length = bytes.len() - start;
            bytes.resize(start + (length + 1).next_multiple_of(8), 0);
        }
        before = path;
    }
    bytes.extend([0; 20]);
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_all_versions() {
        let paths = ["a/b.pp", "a/bc.pp", "d.pp"];
        for version in 2..=4 {
            for size in HASH_SIZES {
                let bytes = index(version, size, &paths);
                let found = parse(&bytes).expect("it is valid");
                assert_eq!(found, paths, "{version} {size}");
            }
        }
    }

    #[test]
    fn rejects_damaged_indexes() {
        let bytes = index(2, 20, &["a.pp"]);
        for end in 0..bytes.len() - 24 {
            assert_eq!(parse(&bytes[..end]), None, "{end}");
        }
        assert_eq!(parse(&index(5, 20, &[])), None);
        assert_eq!(parse(b"DIRC\0\0\0\x04\xff\xff\xff\xff"), None);
    }
}
