//! `--format gitlab`: a GitLab Code Quality report, which merge requests show. It has the fields that Code
//! Climate requires too.
//!
//! GitLab compares fingerprints to find the diagnostics that a merge request adds and removes.
//! Fingerprints are therefore independent of line numbers and of the machine.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use analysis::rules::{self, Group};
use rustc_hash::FxHashMap;
use serde::Serialize;
use sha2::{Digest, Sha256};
use syntax::Severity;

use super::Report;
use super::finding::Finding;
use super::line_texts::LineTexts;
use crate::paths::absolute;

#[derive(Serialize)]
struct Issue<'a> {
    /// Code Climate has no other type.
    r#type: &'static str,
    description: &'a str,
    check_name: &'static str,
    categories: [&'static str; 1],
    fingerprint: String,
    severity: &'static str,
    location: Location,
}

#[derive(Serialize)]
struct Location {
    /// Relative to the root of the repository, separated by slashes.
    path: String,
    lines: Lines,
}

#[derive(Serialize)]
struct Lines {
    /// One-based.
    begin: u32,
    end: u32,
}

/// Writes the report as a JSON array; `paths` are those of the reports.
pub(super) fn write(out: &mut impl Write, paths: &[PathBuf], reports: &[Report]) -> io::Result<()> {
    let root = root_of(&absolute(Path::new(".")));
    let mut findings = Vec::new();
    for (path, report) in paths.iter().zip(reports) {
        let path = name(path, &root);
        let mut fingerprints = Fingerprints::new(&path, &report.lines);
        findings.extend(report.findings.iter().map(|it| Issue {
            r#type: "issue",
            description: &it.message,
            check_name: it.code,
            categories: [category(it.code)],
            fingerprint: fingerprints.next(it),
            severity: severity(it.severity),
            location: Location {
                path: path.clone(),
                lines: Lines {
                    begin: it.span.line,
                    end: it.span.end_line,
                },
            },
        }));
    }
    serde_json::to_writer_pretty(&mut *out, &findings)?;
    writeln!(out)
}

/// Returns the GitLab severity, one of info, minor, major, critical and blocker.
fn severity(severity: Severity) -> &'static str {
    match severity {
        Severity::Error => "major",
        Severity::Warning => "minor",
        Severity::Info | Severity::Hint => "info",
    }
}

/// Returns the category of a rule, as Code Climate calls it.
fn category(code: &str) -> &'static str {
    match rules::rule(code).map(|it| it.group) {
        Some(Group::Style | Group::Docs) => "Style",
        Some(Group::Security) => "Security",
        Some(Group::Correctness) | None => "Bug Risk",
    }
}

/// Returns the root of the repository that contains a directory, or else the directory itself.
fn root_of(folder: &Path) -> PathBuf {
    let mut ancestors = folder.ancestors();
    // In worktrees and submodules, `.git` is a file.
    let root = ancestors.find(|it| it.join(".git").exists());
    root.unwrap_or(folder).to_owned()
}

/// Returns the path of a file relative to the repository, or its absolute path if it is outside.
fn name(path: &Path, root: &Path) -> String {
    let path = absolute(path);
    let below = |path: &Path, root: &Path| path.strip_prefix(root).ok().map(Path::to_owned);
    let inside = below(&path, root).or_else(|| {
        // The given path may go through a symbolic link to the repository.
        below(&path.canonicalize().ok()?, &root.canonicalize().ok()?)
    });
    inside
        .unwrap_or(path)
        .to_string_lossy()
        .replace(std::path::MAIN_SEPARATOR, "/")
}

/// Generates the fingerprints of one file.
struct Fingerprints<'a> {
    path: &'a str,
    lines: &'a LineTexts,
    /// The number of diagnostics so far with the same code and line text, and the hash of the two, which is
    /// computed once: the line may be long.
    seen: FxHashMap<(&'static str, usize), (Sha256, usize)>,
}

impl<'a> Fingerprints<'a> {
    fn new(path: &'a str, lines: &'a LineTexts) -> Fingerprints<'a> {
        Fingerprints {
            path,
            lines,
            seen: FxHashMap::default(),
        }
    }

    /// Returns the fingerprint of the next diagnostic in the file.
    fn next(&mut self, finding: &Finding) -> String {
        let (code, line) = (finding.code, self.lines.index(finding));
        let (hash, count) = self.seen.entry((code, line)).or_insert_with(|| {
            let parts = [code, self.path, self.lines.text(line)];
            (parts.into_iter().fold(Sha256::new(), with_part), 0)
        });
        let fingerprint = fingerprint(hash.clone(), *count);
        *count += 1;
        fingerprint
    }
}

fn with_part(mut hash: Sha256, part: &str) -> Sha256 {
    hash.update(part);
    // A separator that no part contains, so that different parts never hash the same input.
    hash.update([0]);
    hash
}

/// Returns the fingerprint of the diagnostic after `count` others with the same hash of code, path and line.
fn fingerprint(hash: Sha256, count: usize) -> String {
    format!("{:x}", with_part(hash, &count.to_string()).finalize())
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use sha2::{Digest, Sha256};

    use super::{name, root_of, with_part};

    fn fingerprint(code: &str, path: &str, line: &str, count: usize) -> String {
        let hash = [code, path, line]
            .into_iter()
            .fold(Sha256::new(), with_part);
        super::fingerprint(hash, count)
    }

    /// GitLab compares fingerprints with those of earlier releases: a change here makes every
    /// diagnostic of every project a new one.
    #[test]
    fn fingerprints_are_stable() {
        assert_eq!(
            fingerprint("unknown-variable", "manifests/a.pp", "notice($x)", 0),
            "65e970db9d992b49c4fdca3e865d670c63d00eff8c4d3447d5fe097ae93e9d13"
        );
    }

    #[test]
    fn fingerprint_parts_are_separated() {
        let all = [
            fingerprint("a", "b", "c", 0),
            fingerprint("a", "b", "c", 1),
            fingerprint("ab", "", "c", 0),
            fingerprint("a", "bc", "", 0),
        ];
        for (index, one) in all.iter().enumerate() {
            assert!(!all[..index].contains(one), "{index}");
        }
    }

    #[test]
    fn names_are_relative_to_the_repository() {
        let folder = tempfile::tempdir().expect("a folder");
        let inner = folder.path().join("site/web");
        std::fs::create_dir_all(&inner).expect("folders");
        assert_eq!(root_of(&inner), inner);
        std::fs::write(folder.path().join(".git"), "gitdir: elsewhere\n").expect("a file");
        assert_eq!(root_of(&inner), folder.path());
        let file = inner.join("./a b.pp");
        assert_eq!(name(&file, folder.path()), "site/web/a b.pp");
        let outside = name(Path::new("/elsewhere/x.pp"), folder.path());
        assert!(outside.ends_with("/elsewhere/x.pp"), "{outside}");
    }

    #[cfg(unix)]
    #[test]
    fn follows_links_to_the_repository() {
        let folder = tempfile::tempdir().expect("a folder");
        let (root, link) = (folder.path().join("root"), folder.path().join("link"));
        std::fs::create_dir(&root).expect("a folder");
        std::fs::write(root.join("a.pp"), "").expect("a file");
        std::os::unix::fs::symlink(&root, &link).expect("a link");
        assert_eq!(name(&link.join("a.pp"), &root), "a.pp");
        assert_eq!(name(&root.join("a.pp"), &link), "a.pp");
    }
}
