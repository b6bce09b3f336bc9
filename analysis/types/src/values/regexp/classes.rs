//! Character classes by their names in Ruby: `[[:name:]]` and `\p{name}`.
//!
//! Classes are included only if they are known to contain the same characters in Ruby and here.

/// Returns the contents of a class for `[:name:]` or `\p{name}`, with the name in lower case and
/// without whitespace, dashes and underscores.
pub(super) fn property(name: &str) -> Option<String> {
    let category = CATEGORIES.iter().find(|it| it.eq_ignore_ascii_case(name));
    match category {
        Some(category) => Some(format!("\\p{{{category}}}")),
        None if SCRIPTS.contains(&name) => Some(format!("\\p{{{name}}}")),
        None => bracket(name).map(str::to_owned),
    }
}

/// General categories, by their short names.
const CATEGORIES: [&str; 37] = [
    "L", "Lu", "Ll", "Lt", "Lm", "Lo", "M", "Mn", "Mc", "Me", "N", "Nd", "Nl", "No", "P", "Pc",
    "Pd", "Ps", "Pe", "Pi", "Pf", "Po", "S", "Sm", "Sc", "Sk", "So", "Z", "Zs", "Zl", "Zp", "C",
    "Cc", "Cf", "Co", "Cn", "LC",
];

const SCRIPTS: [&str; 11] = [
    "latin", "greek", "cyrillic", "han", "hiragana", "katakana", "hebrew", "arabic", "thai",
    "hangul", "armenian",
];

fn bracket(name: &str) -> Option<&'static str> {
    Some(match name {
        "alnum" => r"\p{Alphabetic}\p{M}\p{Nd}",
        "alpha" => r"\p{Alphabetic}\p{M}",
        "ascii" => r"\x00-\x7F",
        "blank" => r"\p{Zs}\t",
        "cntrl" => r"\p{Cc}",
        "digit" => r"\p{Nd}",
        "graph" => r"[^\p{White_Space}\p{Cc}\p{Cn}]",
        "lower" => r"\p{Lowercase}",
        "space" => r"\p{White_Space}",
        "upper" => r"\p{Uppercase}",
        "word" => r"\p{Alphabetic}\p{M}\p{Nd}\p{Pc}",
        "xdigit" => "0-9a-fA-F",
        _ => return None,
    })
}
