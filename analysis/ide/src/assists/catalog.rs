//! All assists with their descriptions, from which the book lists them.

/// The description of an assist.
struct AssistPage {
    id: &'static str,
    /// The title in the menu of the editor; `…` is a name or a type.
    title: &'static str,
    summary: &'static str,
}

const fn page(id: &'static str, title: &'static str, summary: &'static str) -> AssistPage {
    AssistPage { id, title, summary }
}

// The book reads these lines, see `docs/preprocessor.rb`.
#[rustfmt::skip]
const PAGES: [AssistPage; 26] = [
    page("extract-variable", "Extract into variable …", "Assigns the selected expression to a new variable, and uses it there"),
    page("inline-variable", "Inline variable `…`", "Replaces a variable by its value, and removes the assignment"),
    page("extract-parameter", "Extract into parameter …", "Turns the selected constant into the default of a new parameter"),
    page("add-parameter", "Add the parameter `…`", "Declares an unknown variable as a parameter of the class or defined type"),
    page("add-type", "Add the data type `…`", "Declares the type of a parameter, as its default and its uses imply it"),
    page("add-required", "Add the missing parameter…", "Adds the attributes or parameters that a resource or class requires"),
    page("document", "Add a documentation comment", "Adds a summary and the tags of puppet-strings above a definition"),
    page("document-rest", "Document the …", "Adds the missing tags to the documentation of a definition"),
    page("case-to-selector", "Convert `case` to selector", "Turns a `case` that assigns one variable into a selector"),
    page("selector-to-case", "Convert selector to `case`", "Turns an assignment of a selector into a `case`"),
    page("if-to-case", "Convert `if` to `case`", "Turns an `if` with `elsif` that compares one value with constants into a `case`"),
    page("class-to-include", "Convert to `include`", "Turns the declaration of a class without parameters into `include`"),
    page("invert-if", "Invert `if`", "Negates the condition, and exchanges the two branches"),
    page("if-to-unless", "Convert `if` to `unless`", "Replaces `if` with a negated condition"),
    page("unless-to-if", "Convert `unless` to `if`", "Replaces `unless`, and negates the condition"),
    page("merge-ifs", "Merge with nested `if`", "Joins two nested conditions with `and`"),
    page("single-quotes", "Use single quotes", "For a string that interpolates nothing"),
    page("double-quotes", "Use double quotes", "For a string in single quotes with a `$` or an escape; special characters are escaped"),
    page("quote", "Add quotes", "Turns a bare word into a string"),
    page("unquote", "Remove quotes", "Turns a string into a bare word, where it is one of the values of an attribute, such as `present`"),
    page("add-braces", "Add braces", "Turns `$name` in a string into `${name}`"),
    page("create-file", "Create the …", "Creates the file of an unknown class, defined type, function, template or file of an own module"),
    page("rename-to-path", "Rename to `…`, which fits the path", "Renames a definition that Puppet does not find because of the path of its file"),
    page("add-data", "Add `…` to …", "Adds the key of a class parameter to a data file of Hiera"),
    page("add-missing-data", "Add the missing keys of `…` to …", "Adds the keys that a class requires to a data file of Hiera"),
    page("move-to-data", "Move the default of `…` to …", "Moves the default of a class parameter to the data that all nodes read"),
];

/// Checks whether an assist is described with its title.
pub(super) fn is_described(id: &str, title: &str) -> bool {
    PAGES.iter().any(|it| {
        let fixed = it.title.split('…').next().unwrap_or_default();
        it.id == id && !it.summary.is_empty() && title.starts_with(fixed.trim_end())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn assists_are_described_once() {
        for it in &PAGES {
            let same = PAGES.iter().filter(|other| other.id == it.id);
            assert_eq!(same.count(), 1, "{}", it.id);
            assert!(
                !it.summary.is_empty() && !it.summary.ends_with('.'),
                "{}",
                it.id
            );
        }
    }
}
