//! The variables and facts that ERB templates read: `@kernel`, `scope['::kernel']`, `@facts['kernel']`. Ruby is
//! not parsed, only searched for these forms.

use base::FileInput;
use salsa::Database;

/// A variable or a fact that a template reads.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct ErbRead {
    /// The name without `::`.
    pub(crate) name: String,
    /// Whether it is a key of `$facts`, and not a variable.
    pub(crate) is_key: bool,
}

/// The variable that contains all facts.
const FACTS: &str = "facts";

/// Returns the reads of a template with constant names, sorted and without duplicates.
#[salsa::tracked]
pub(crate) fn erb_reads(db: &dyn Database, file: FileInput) -> Vec<ErbRead> {
    let text = file.text(db).as_deref().unwrap_or_default();
    let mut found: Vec<_> = ruby_code(text).flat_map(reads).collect();
    let mut assigned = Vec::new();
    found.retain(|(read, is_assigned)| {
        assigned.extend(is_assigned.then(|| read.clone()));
        !is_assigned
    });
    let mut found: Vec<_> = found.into_iter().map(|it| it.0).collect();
    found.retain(|it| !assigned.contains(it));
    found.sort();
    found.dedup();
    found
}

/// Returns the Ruby code of a template: everything between `<%` and `%>`, except comments.
fn ruby_code(text: &str) -> impl Iterator<Item = &str> {
    let parts = text.split("<%").skip(1);
    let parts = parts.filter(|it| !it.starts_with(['#', '%']));
    parts.map(|it| it.split("%>").next().unwrap_or_default())
}

/// Returns the reads in code, each with whether it is assigned instead.
fn reads(code: &str) -> Vec<(ErbRead, bool)> {
    let mut found = Vec::new();
    for (at, _) in code.match_indices('@') {
        let before = code[..at].chars().next_back();
        let is_text = |it: char| is_word(it) || matches!(it, '@' | '\'' | '"' | '.');
        if before.is_some_and(is_text) {
            continue;
        }
        let rest = &code[at + 1..];
        let end = rest.find(|it| !is_word(it)).unwrap_or(rest.len());
        found.extend(read(&rest[..end], &rest[end..]));
    }
    for form in ["scope[", "scope.lookupvar("] {
        for (at, _) in code.match_indices(form) {
            let is_part = code[..at].chars().next_back().is_some_and(is_word);
            let key = literal(&code[at + form.len()..]).filter(|_| !is_part);
            found.extend(key.and_then(|(name, rest)| read(name, rest.get(1..)?)));
        }
    }
    found
}

/// Returns the read of a variable, given the code after it.
fn read(variable: &str, after: &str) -> Option<(ErbRead, bool)> {
    let variable = variable.strip_prefix("::").unwrap_or(variable);
    let (name, is_key) = match variable {
        FACTS => (literal(after.strip_prefix('[')?)?.0, true),
        variable => (variable, false),
    };
    let after = after.trim_start();
    let is_assigned = after.starts_with("||=")
        || after.starts_with('=') && !after.starts_with("==") && !after.starts_with("=~");
    let name = name.to_owned();
    (!name.is_empty()).then_some((ErbRead { name, is_key }, is_assigned))
}

/// Returns the text of the string literal at the start of code, and the code after it.
fn literal(code: &str) -> Option<(&str, &str)> {
    let quote = code.chars().next().filter(|it| matches!(it, '\'' | '"'))?;
    let (text, rest) = code[1..].split_once(quote)?;
    (!text.contains("#{")).then_some((text, rest))
}

fn is_word(it: char) -> bool {
    it.is_alphanumeric() || it == '_'
}

#[cfg(test)]
mod tests {
    use super::{reads, ruby_code};

    #[test]
    fn reads_variables_and_facts() {
        let text = "@a <%# @b %> <%= @c + scope['::d'] -%> <% if @facts['e'] == scope[\"facts\"]['f'] %>\n\
                    <%= scope.lookupvar('g') %> <% @h = 'x@y' %> <%= \"@z\" %> <%% @q %>";
        let all: Vec<_> = ruby_code(text).flat_map(reads).collect();
        let all = all.iter().map(|(it, is_assigned)| {
            let kind = if it.is_key { "fact" } else { "variable" };
            format!("{kind} {}{}", it.name, if *is_assigned { " =" } else { "" })
        });
        assert_eq!(
            all.collect::<Vec<_>>(),
            [
                "variable c",
                "variable d",
                "fact e",
                "fact f",
                "variable g",
                "variable h ="
            ]
        );
    }
}
