use base::suggest::{hint, similar};
use library::ruby::{Puppetfile, PuppetfileCall, puppetfile};
use rustc_hash::FxHashMap;
use syntax::{Severity, TextRange};

use crate::project::dependencies::{is_module_name, short_name};
use crate::project::{ProjectChecker, ProjectFile};
use crate::rule::{Check, Rule, declare_rule};

declare_rule! {
    /// Reports mistakes in a `Puppetfile` that make r10k or Code Manager reject it.
    ///
    /// ## What it does
    ///
    /// Checks for Ruby syntax errors, invalid module names, duplicate modules, modules with neither
    /// an author nor a source, missing commas between strings, and misspellings of `mod`, `forge`, `moduledir` and the
    /// options of modules. The file is parsed, but never run.
    ///
    /// ## Why it matters
    ///
    /// The tool fails and does not deploy the modules. r10k only warns of an option that it does not know, and may
    /// deploy another branch than the intended one.
    ///
    /// ## Example
    ///
    /// ```Puppetfile wrong
    /// mdo 'puppetlabs/stdlib', '9.4.0' # <-
    /// mod 'puppetlabs/concat', '9.0.0'
    /// mod 'concat', git: 'https://example.com/concat' # <-
    /// mod 'mine' # <-
    /// mod 'my module', local: true # <-
    /// mod 'puppetlabs/apt' '9.4.0' # <-
    /// mod 'stdlib', git: 'https://example.com/stdlib', brnach: 'main' # <-
    /// ```
    ///
    /// Use instead:
    ///
    /// ```Puppetfile right
    /// forge 'https://forge.puppet.com'
    /// moduledir 'external'
    /// mod 'puppetlabs/stdlib', '8.5.0'
    /// mod 'puppetlabs-concat'
    /// mod 'mine', git: 'https://example.com/mine', branch: 'main'
    /// ```
    ///
    /// ## Exceptions
    ///
    /// * The names of modules in files for librarian-puppet, which also accepts names such as
    ///   `my-puppet-foo`.
    /// * Unknown options that are not similar to a known one: other tools may know them.
    /// * Unknown method calls in files that contain other Ruby code, which may define them.
    ///
    /// ## Fix
    ///
    /// No fix is available: the intended module is unknown.
    ///
    /// ## Suppression
    ///
    /// Add `# pupil: ignore[invalid-puppetfile]` at the end of the line, or on a line of its own
    /// above it. To turn the rule off for a project, add this to `pupil.toml`:
    ///
    /// ```toml
    /// [rules]
    /// invalid-puppetfile = "off"
    /// ```
    pub(crate) static INVALID_PUPPETFILE = {
        code: "invalid-puppetfile",
        severity: Error,
        since: "0.1.0",
        checks: [Check::ProjectFile(check)],
    }
}

/// The directives that r10k and Code Manager support.
const KNOWN: [&str; 3] = ["mod", "forge", "moduledir"];

/// Further options that r10k, Code Manager and g10k support.
const OTHER_OPTIONS: [&str; 14] = [
    "default_branch",
    "default_branch_override",
    "exclude_spec",
    "fallback",
    "ignore-unreachable",
    "install_path",
    "link",
    "password",
    "rev",
    "revision",
    "sha256sum",
    "subdir",
    "username",
    "version",
];

/// The options that say where a module comes from.
const SOURCES: [&str; 6] = ["git", "local", "source", "svn", "tarball", "type"];

/// The options that choose a commit of a repository.
const COMMITS: [&str; 4] = ["branch", "commit", "ref", "tag"];

fn check(checker: &mut ProjectChecker<'_>) {
    if checker.file != ProjectFile::Puppetfile {
        return;
    }
    let Some(file) = puppetfile(checker.text) else {
        return;
    };
    if let Some(at) = file.broken {
        return checker.report(&INVALID_PUPPETFILE, at, "invalid Ruby syntax");
    }
    let is_librarian = is_of_librarian(&file, checker.text);
    let mut seen: FxHashMap<String, TextRange> = FxHashMap::default();
    for call in &file.calls {
        if call.name != "mod" {
            // Other code in the file may define the method.
            let near = similar(&call.name, KNOWN).filter(|_| !file.has_code);
            if near.is_some() && !KNOWN.contains(&call.name.as_str()) {
                let message = format!("unknown directive `{}`{}", call.name, hint(near));
                checker.report(&INVALID_PUPPETFILE, call.name_range, message);
            }
            continue;
        }
        for [first, second] in &call.joined {
            let text = |it: &TextRange| checker.text.get(std::ops::Range::from(*it));
            if let (Some(left), Some(right)) = (text(first), text(second)) {
                let message =
                    format!("missing `,` between `{left}` and `{right}`, which Ruby joins");
                checker.report(&INVALID_PUPPETFILE, *second, message);
            }
        }
        let Some((name, at)) = call.text(0) else {
            continue;
        };
        // The name of a module is that after the last dash or slash for librarian-puppet.
        if is_librarian {
            continue;
        }
        check_options(checker, call);
        if !is_module_name(name) {
            let message = format!("invalid module name `{name}`: expected `author/name`");
            checker.report(&INVALID_PUPPETFILE, at, message);
            continue;
        }
        let short = short_name(name);
        if seen.insert(short.to_owned(), at).is_some() {
            let message = format!("duplicate module `{short}`");
            checker.report(&INVALID_PUPPETFILE, at, message);
        }
        if call.count == 1 && short == name {
            let message = format!("module `{name}` has neither an author nor a source");
            checker.report(&INVALID_PUPPETFILE, at, message);
        }
    }
}

/// Reports misspelled options, keys that are strings, and options beside a version.
fn check_options(checker: &mut ProjectChecker<'_>, call: &PuppetfileCall) {
    let is_one_of = |names: &[&str]| {
        let mut options = call.options.iter().filter(|it| !it.is_string);
        options.any(|it| names.contains(&it.name.as_str()))
    };
    // r10k ignores what it does not know, unless the source is missing then.
    let severity = match is_one_of(&SOURCES) {
        true => Severity::Warning,
        false => INVALID_PUPPETFILE.severity,
    };
    let known = || SOURCES.into_iter().chain(COMMITS).chain(OTHER_OPTIONS);
    for option in &call.options {
        let name = option.name.as_str();
        let message = if known().any(|it| it == name) {
            if !option.is_string {
                continue;
            }
            format!("option `{name}` is a string: expected a symbol; write `{name}:`")
        } else {
            match similar(name, known()) {
                None => continue,
                near => format!("unknown option `{name}`{}", hint(near)),
            }
        };
        checker.report_as(&INVALID_PUPPETFILE, severity, option.range, message);
    }
    // librarian-puppet takes a version of a module from a repository.
    if let (Some((version, _)), Some(first)) = (call.text(1), call.options.first())
        && is_one_of(&COMMITS)
        && !is_one_of(&SOURCES)
    {
        let message = format!(
            "option `{}` beside version `{version}`: expected a version or options, not both",
            first.name
        );
        checker.report(&INVALID_PUPPETFILE, first.range, message);
    }
}

/// Checks whether a file is written for librarian-puppet: it uses a directive, an option or a version
/// requirement that r10k does not have.
fn is_of_librarian(file: &Puppetfile, text: &str) -> bool {
    const DIRECTIVES: [&str; 3] = ["metadata", "modulefile", "exclusion"];
    const OPTIONS: [&str; 2] = ["github_tarball", "path"];
    let is_range = |it: &str| it.starts_with(['<', '>', '~', '=', '!']) || it.ends_with(".x");
    let mut calls = file.calls.iter();
    calls.any(|it| {
        let version = it.text(1).filter(|_| it.name == "mod");
        let mut options = it.options.iter();
        DIRECTIVES.contains(&it.name.as_str())
            || version.is_some_and(|it| is_range(it.0))
            || options.any(|it| OPTIONS.contains(&it.name.as_str()))
    }) || text.lines().any(|it| DIRECTIVES.contains(&it.trim()))
}

#[cfg(test)]
mod tests {
    use crate::project::ProjectFile;
    use crate::testing::project_messages;

    fn messages(text: &str) -> Vec<String> {
        project_messages(ProjectFile::Puppetfile, text, None)
    }

    #[test]
    fn reports_invalid_and_duplicate_modules() {
        let text =
            "mdo 'a/b'\nmod 'a/b', '1.0.0'\nmod 'c/b'\nmod 'b c'\nmod 'd'\nmod 'e/e' '1.0.0'\n";
        assert_eq!(
            messages(text),
            [
                "unknown directive `mdo`; did you mean `mod`?",
                "duplicate module `b`",
                "invalid module name `b c`: expected `author/name`",
                "module `d` has neither an author nor a source",
                "missing `,` between `'e/e'` and `'1.0.0'`, which Ruby joins",
            ]
        );
    }

    #[test]
    fn reports_misspelled_and_misplaced_options() {
        let text = "mod 'a', :git => 'x', :branc => 'y'\nmod 'b', gti: 'x'\n\
                    mod 'c', git: 'x', 'ref' => 'v1'\nmod 'd/d', '1.0.0', branch: 'x'\n\
                    mod 'e/e', '1.0.0', sha256sum: 'x'\nmod 'f', { git: 'x', install_path: 'y' }\n";
        assert_eq!(
            messages(text),
            [
                "unknown option `branc`; did you mean `branch`?",
                "unknown option `gti`; did you mean `git`?",
                "option `ref` is a string: expected a symbol; write `ref:`",
                "option `branch` beside version `1.0.0`: expected a version or options, not both",
            ]
        );
    }

    #[test]
    fn ignores_what_only_librarian_accepts() {
        for text in [
            "metadata\nmod 'my-puppet-foo', :git => 'x'\n",
            "mod 'my-puppet-foo', :github_tarball => 'x/y'\n",
            "mod 'puppetlabs/stdlib', '>= 4.0'\nmod 'x-y-z', '1.0'\n",
            "mod 'local',\n  :path => './local'\n",
        ] {
            assert_eq!(messages(text), [""; 0], "{text}");
        }
    }

    #[test]
    fn ignores_unknown_content() {
        let text = "mod 'a/b', '1.0.0'\nmod \"x#{y}\"\nif true\n  mdo 'x'\nend\nmdo 'y'\n";
        assert_eq!(messages(text), [""; 0]);
    }
}
