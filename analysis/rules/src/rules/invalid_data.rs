use base::suggest::{hint, similar};
use std::ops::Range;
use std::sync::Arc;

use hiera::document::{Data, Node, Scalar};
use hiera::{DataErrorKind, DataFormat, LOOKUP_OPTIONS, RUBY_SYMBOL, RootValue};
use syntax::{Severity, TextRange, TextSize};

use crate::data::DataChecker;
use crate::data::strings::each_string;
use crate::rule::{Check, Rule, declare_rule};

declare_rule! {
    /// Reports data files that Puppet cannot load.
    ///
    /// ## What it does
    ///
    /// Checks for YAML and JSON syntax errors, for files that contain no hash, and for values that
    /// Ruby's YAML parser does not load: dates, timestamps and Ruby objects. Values that Puppet rejects when their
    /// key is looked up are reported, too: Ruby symbols such as `:name`. Content after the
    /// first document of a YAML file, which Puppet does not read, is reported as a warning. In
    /// levels of `eyaml_lookup_key`, checks that encrypted values are complete: `ENC[METHOD,…]`
    /// with Base64. In other levels, which do not decrypt them, encrypted values are reported as
    /// warnings.
    ///
    /// ## Why it matters
    ///
    /// Every lookup that reads the file fails, even for keys of other files, and the compilation of
    /// the catalog fails with it.
    ///
    /// ## Example
    ///
    /// ```data/common.yaml wrong
    /// valid_until: 2030-01-01 # <-
    /// ```
    ///
    /// ```data/common.yaml wrong
    /// - ntp_servers # <-
    /// ```
    ///
    /// Use instead:
    ///
    /// ```data/common.yaml right
    /// valid_until: '2030-01-01'
    /// ```
    ///
    /// ## Exceptions
    ///
    /// * Empty files, which Puppet accepts.
    /// * Files that no level of `hiera.yaml` reads.
    ///
    /// ## Fix
    ///
    /// Suggested: quotes a date or a Ruby symbol.
    ///
    /// ## Suppression
    ///
    /// Add `# pupil: ignore[invalid-data]` at the end of the line, or on a line of its own above it. To turn
    /// the rule off for a project, add this to `pupil.toml`:
    ///
    /// ```toml
    /// [rules]
    /// invalid-data = "off"
    /// ```
    pub(crate) static INVALID_DATA = {
        code: "invalid-data",
        severity: Error,
        since: "0.2.0",
        checks: [Check::DataFile(check)],
    }
}

fn check(checker: &mut DataChecker<'_>) {
    if !checker.is_read() {
        return;
    }
    let data = Arc::clone(&checker.data);
    let format = checker.place.levels.first().map(|it| it.format);
    let Err(problem) = &data.values else {
        if format == Some(DataFormat::Yaml) {
            check_rest(checker);
            check_rejected(checker);
        }
        return check_encrypted(checker);
    };
    let language = match format {
        Some(DataFormat::Json) => "JSON",
        _ => "YAML",
    };
    let message = match &problem.kind {
        DataErrorKind::Syntax(reason) => format!("invalid {language}: {reason}"),
        DataErrorKind::Refused(what) => format!("{what} is not allowed in data"),
        DataErrorKind::NotAHash => not_a_hash(checker.source(problem.range)),
        DataErrorKind::Cycle => "this alias is inside of the value that it refers to".to_owned(),
    };
    let is_date = matches!(
        problem.kind,
        DataErrorKind::Refused("a date" | "a timestamp")
    );
    let written = checker.source(problem.range);
    let fix = is_date.then(|| {
        let label = "Quote the value".to_owned();
        checker.suggested(label, problem.range, format!("'{written}'"))
    });
    let found = checker.report(&INVALID_DATA, problem.range, message);
    found.fixes.extend(fix);
}

/// Reports values that contain something that Puppet rejects when their key is looked up.
fn check_rejected(checker: &mut DataChecker<'_>) {
    let data = Arc::clone(&checker.data);
    let rejected = data
        .values
        .iter()
        .flatten()
        .filter_map(|(key, value)| match value {
            RootValue::Rejected(what) => Some((key, what)),
            _ => None,
        });
    for (key, what) in rejected.filter(|it| **it.0 != *LOOKUP_OPTIONS) {
        let entry = data.entries().iter().find(|it| it.name() == &**key);
        let Some(range) = entry.and_then(|it| rejected_part(&it.value)) else {
            continue;
        };
        let message = format!("{what} is not allowed in a value: lookups of `{key}` fail");
        let label = "Quote the value".to_owned();
        let text = format!("'{}'", checker.source(range));
        let fix = (*what == RUBY_SYMBOL).then(|| checker.suggested(label, range, text));
        checker
            .report(&INVALID_DATA, range, message)
            .fixes
            .extend(fix);
    }
}

/// Returns the symbol or the key that makes Puppet reject a value; `None` if an alias refers to it.
fn rejected_part(value: &Node) -> Option<TextRange> {
    match &value.data {
        Data::Scalar(Scalar::Symbol(name)) => (**name != *"default").then_some(value.range),
        Data::Scalar(_) | Data::Alias(_) => None,
        Data::List(items) => items.iter().find_map(rejected_part),
        Data::Map(entries) => entries.iter().find_map(|it| match it.key_scalar {
            Scalar::Null | Scalar::Boolean(_) => Some(it.key_range),
            _ => rejected_part(&it.value),
        }),
    }
}

/// Reports content after the first document of a YAML file, which Puppet does not read.
fn check_rest(checker: &mut DataChecker<'_>) {
    let Some(range) = ignored_line(checker.text) else {
        return;
    };
    let size = |it: usize| TextSize::try_from(it).unwrap_or_default();
    let range = TextRange::new(size(range.start), size(range.end));
    let message = "this is not read: the document of the file ends before";
    checker.report_as(&INVALID_DATA, Severity::Warning, range, message);
}

/// Returns the first line with content after the first document of a YAML file: after a second `---` or after `...`, or
/// after the braces of an empty hash.
fn ignored_line(text: &str) -> Option<Range<usize>> {
    let mut at = 0;
    let mut has_started = false;
    let mut has_content = false;
    let mut is_over = false;
    for line in text.split_inclusive('\n') {
        let start = at;
        at += line.len();
        let mut content = line.trim();
        let is_directive = line.starts_with('%') && !has_content;
        if content.is_empty() || content.starts_with('#') || is_directive {
            continue;
        }
        let marker = |it: &str| {
            let rest = line.strip_prefix(it)?;
            (rest.trim().is_empty() || rest.starts_with([' ', '\t'])).then(|| rest.trim())
        };
        if let Some(rest) = marker("---") {
            is_over |= has_content || has_started;
            has_started = true;
            content = rest;
        } else if marker("...").is_some() {
            is_over = has_content || has_started;
            continue;
        }
        let content = match content.starts_with('#') {
            true => "",
            false => content,
        };
        if content.is_empty() {
            continue;
        }
        if is_over {
            return Some(start..start + line.trim_end().len());
        }
        is_over = !has_content && content == "{}";
        has_content = true;
    }
    None
}

/// Reports encrypted values that `eyaml` cannot decrypt, whatever the key is.
fn check_encrypted(checker: &mut DataChecker<'_>) {
    if !checker.place.levels.iter().any(|it| it.may_be_encrypted) {
        return check_plain(checker);
    }
    let data = Arc::clone(&checker.data);
    let text = checker.text;
    let mut found = Vec::new();
    for entry in data.entries() {
        each_string(&entry.value, text, &mut |at| {
            for (range, problem) in encryption_problems(at.string) {
                found.push((at.part(range), problem));
            }
        });
    }
    for (range, message) in found {
        checker.report(&INVALID_DATA, range, message);
    }
}

/// Reports values that are encrypted for `hiera-eyaml` in files that no level decrypts.
fn check_plain(checker: &mut DataChecker<'_>) {
    if !checker.text.contains("ENC[PKCS7,") {
        return;
    }
    let data = Arc::clone(&checker.data);
    let text = checker.text;
    let mut found = Vec::new();
    for entry in data.entries() {
        each_string(&entry.value, text, &mut |at| {
            if at.string.starts_with("ENC[PKCS7,") && at.string.ends_with(']') {
                found.push(at.part(0..at.string.len()));
            }
        });
    }
    let path = &checker.place.path;
    let message =
        format!("`{path}` is read without `eyaml_lookup_key`: the value is not decrypted");
    for range in found {
        checker.report_as(&INVALID_DATA, Severity::Warning, range, message.clone());
    }
}

/// The methods of encryption of `hiera-eyaml` and its plugins.
const METHODS: [&str; 6] = ["GKMS", "GPG", "KMS", "PKCS7", "TWOFAC", "VAULT"];

/// Returns the mistakes in the encrypted parts of a string, with their ranges. The values themselves are
/// never shown.
fn encryption_problems(string: &str) -> Vec<(Range<usize>, String)> {
    let mut found = Vec::new();
    for (start, _) in string.match_indices("ENC[") {
        let content = start + 4;
        let rest = &string[content..];
        let Some(length) = rest.find(']') else {
            let method = rest.split_once(',').map(|it| it.0);
            if method.is_some_and(|it| METHODS.contains(&it)) {
                found.push((start..string.len(), "unclosed `ENC[`".to_owned()));
            }
            continue;
        };
        let inside = &string[content..content + length];
        let range = start..content + length + 1;
        let (method, encoded) = match inside.split_once(',') {
            Some((method, encoded)) => (Some(method), encoded),
            None => (None, inside),
        };
        if let Some(method) = method
            && let Some(near) = similar(method, METHODS)
            && !METHODS.contains(&method)
        {
            let message = format!("unknown encryption method `{method}`{}", hint(Some(near)));
            found.push((range, message));
        } else if !is_base64(encoded) {
            let message = "invalid encrypted value: its content is not Base64".to_owned();
            found.push((range, message));
        }
    }
    found
}

/// Checks whether a string is Base64, perhaps in several lines.
fn is_base64(text: &str) -> bool {
    let bytes: Vec<u8> = text
        .bytes()
        .filter(|it| !it.is_ascii_whitespace())
        .collect();
    let content = bytes
        .iter()
        .rposition(|it| *it != b'=')
        .map_or(0, |it| it + 1);
    let is_digit = |it: &u8| it.is_ascii_alphanumeric() || matches!(it, b'+' | b'/');
    let padding = bytes.len() - content;
    content > 0
        && bytes.len().is_multiple_of(4)
        && padding <= 2
        && bytes[..content].iter().all(is_digit)
}

/// Describes a file without a hash, which often is a key without a space after its colon.
fn not_a_hash(written: &str) -> String {
    let first = written.lines().next().unwrap_or_default();
    let is_key = first.contains(':') && !first.starts_with('-') && !first.contains(": ");
    match is_key {
        true => "expected a hash, found a string; add a space after the colon".to_owned(),
        false => "expected a hash of keys and values".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::INVALID_DATA;
    use crate::data::tests::messages;

    #[test]
    fn checks_encrypted_values() {
        let check = |function: &str, value: &str| {
            let config = format!(
                "//- hiera.yaml\nversion: 5\nhierarchy:\n- {{name: a, path: common.yaml, {function}}}\n"
            );
            messages(
                &INVALID_DATA,
                &format!("{config}//- data/common.yaml\na: {value}\n"),
            )
        };
        let eyaml = "lookup_key: eyaml_lookup_key";
        for right in [
            "ENC[PKCS7,aGVsbG8=]",
            "ENC[aGVsbG8=]",
            "ENC[GPG,aGVs]",
            "ENC[OTHERS,aGVs]",
            ">\n  ENC[PKCS7,aGVs\n  bG8=]",
            "x ENC[PKCS7,aGVs] ENC[KMS,aGVs]",
        ] {
            assert_eq!(check(eyaml, right), [""; 0], "{right}");
        }
        for wrong in [
            "ENC[PKCS7,aGVsb]",
            "ENC[PKC7,aGVs]",
            "ENC[PKCS7,aGVs",
            "ENC[PKCS7,a b_c]",
            "ENC[PKCS7,]",
        ] {
            assert_eq!(check(eyaml, wrong).len(), 1, "{wrong}");
            let plain = check("data_hash: yaml_data", wrong);
            assert!(
                plain.iter().all(|it| it.ends_with("is not decrypted")),
                "{plain:?}"
            );
        }
    }

    #[test]
    fn reports_values_that_lookups_reject() {
        let check =
            |data: &str| messages(&INVALID_DATA, &format!("//- data/common.yaml\n{data}\n"));
        for data in ["a: :foo", "a:\n- x\n- :foo", "a:\n  k:\n  - l: :foo"] {
            let expected = "a Ruby symbol is not allowed in a value: lookups of `a` fail";
            let found = check(data);
            assert!(
                found.len() == 1 && found[0].contains(expected),
                "{data}: {found:?}"
            );
        }
        let found = check("a: { true: 1 }");
        assert!(
            found.len() == 1 && found[0].contains("is not allowed in a value"),
            "{found:?}"
        );
        for data in [
            "a: ':foo'",
            "a:\n  :foo: 1",
            "a: :default",
            ":a: x",
            "a: 'b: :c'",
        ] {
            assert_eq!(check(data), [""; 0], "{data}");
        }
    }

    #[test]
    fn finds_encrypted_values_that_nothing_decrypts() {
        let check = |value: &str| {
            messages(
                &INVALID_DATA,
                &format!("//- data/common.yaml\na: {value}\n"),
            )
        };
        let found = check("ENC[PKCS7,aGVsbG8=]");
        assert_eq!(found.len(), 1, "{found:?}");
        assert!(found[0].contains("is not decrypted"), "{found:?}");
        for right in ["a ENC[PKCS7,aGVsbG8=] b", "ENC[PKCS7]", "ENC[x]"] {
            assert_eq!(check(right), [""; 0], "{right}");
        }
    }

    #[test]
    fn finds_the_start_of_unclosed_quotes() {
        let check = |text: &str| messages(&INVALID_DATA, &format!("//- data/common.yaml\n{text}"));
        for (text, quote) in [
            ("a: \"x\nb: 1\nc: \"y\"\n", '"'),
            ("a:\n  - 'x\n  - y: 1\n  - 'z'\n", '\''),
            ("a:\n  b:   'c'\n  d:   'x\n  e:   f\ng:\n  - 'h'\n", '\''),
        ] {
            assert_eq!(
                check(text),
                [format!("`{quote}`: invalid YAML: unclosed `{quote}`")],
                "{text}"
            );
        }
        let found = check("a: \"x\n  y\" z\n");
        assert!(
            found.len() == 1 && !found[0].contains("unclosed"),
            "{found:?}"
        );
    }

    #[test]
    fn finds_tabs() {
        let text = "//- data/common.yaml\na:\n  b: c\n\td: e\n";
        assert_eq!(
            messages(&INVALID_DATA, text),
            ["`\t`: invalid YAML: a tab cannot be indentation"]
        );
    }

    #[test]
    fn finds_content_after_the_document() {
        let check = |text: &str| messages(&INVALID_DATA, &format!("//- data/common.yaml\n{text}"));
        for (text, line) in [
            ("--- {}\n# keys\na: 1\n", "a: 1"),
            ("{}\na: 1\n", "a: 1"),
            ("a: 1\n---\n# more\nb: 2\n", "b: 2"),
            ("---\na: 1\n...\nb: 2\n", "b: 2"),
            ("a: 1\n--- {b: 2}\n", "--- {b: 2}"),
            ("# a\n---\n# b\n---\na: 1\n", "a: 1"),
        ] {
            let message = "this is not read: the document of the file ends before";
            assert_eq!(check(text), [format!("`{line}`: {message}")], "{text}");
        }
        for text in [
            "--- {}\n# keys\n",
            "%YAML 1.1\n---\na: 1\n",
            "# a\n---\n# b\na: 1\n",
            "a: 1\n---\n# none\n",
            "a: 1\n...\n",
            "a:\n  - ---\nb: {}\nc: 1\n",
            "a: |\n  ---\n  b\nc: 1\n",
            "--- # start\na: 1\n",
        ] {
            assert_eq!(check(text), [""; 0], "{text}");
        }
    }

    #[test]
    fn finds_the_start_of_unclosed_brackets() {
        let check = |text: &str| messages(&INVALID_DATA, &format!("//- data/common.yaml\n{text}"));
        assert_eq!(
            check("a: [b, c\nd: e\n"),
            ["`[`: invalid YAML: unclosed `[`"]
        );
        assert_eq!(
            check("a:\n  b: {{c: d}\n  e: {f: g}\n"),
            ["`{`: invalid YAML: unclosed `{`"]
        );
        let found = check("a: [\n  b,\n  c: d: e,\n]\n");
        assert!(
            found.len() == 1 && !found[0].contains("unclosed"),
            "{found:?}"
        );
    }
}
