//! `SemVer(…)` and `SemVerRange(…)`.

use std::sync::Arc;

use super::{beyond_64_bits, conversion_error};
use crate::control_flow::FlowResult;
use types::values::{self, Value, Version, VersionRange};

/// Returns the arguments by position, or those of a hash in the order of `names`. Missing keys are
/// `undef`.
fn positional(args: &[Value], names: &[&str]) -> Vec<Value> {
    match args {
        [Value::Hash(named)] => {
            let value = |name: &&str| named.get_str(name).cloned().unwrap_or(Value::Undef);
            names.iter().map(value).collect()
        }
        args => args.to_vec(),
    }
}

pub(super) fn version(args: &[Value]) -> FlowResult {
    if let [Value::String(text)] = args {
        let version = Version::parse(text).ok_or_else(beyond_64_bits)?;
        return Ok(Value::SemVer(Arc::new(version)));
    }
    let args = positional(args, &["major", "minor", "patch", "prerelease", "build"]);
    let number = |index: usize| {
        let number = args.get(index).and_then(Value::as_integer);
        let number = number.and_then(|it| u64::try_from(it).ok());
        number.ok_or_else(|| conversion_error("expected a number as part of the version"))
    };
    let word = |index: usize| args.get(index).and_then(Value::as_str);
    let version = Version::new(number(0)?, number(1)?, number(2)?).with_words(word(3), word(4));
    Ok(Value::SemVer(Arc::new(version)))
}

/// A number with at least this number of digits may not fit into 64 bits.
const LONGEST: usize = 19;

pub(super) fn range(args: &[Value]) -> FlowResult {
    if let [Value::String(text)] = args {
        let range = VersionRange::parse(text);
        let refused = || {
            let long = text.split(|it: char| !it.is_ascii_digit());
            if long.map(str::len).max().unwrap_or(0) >= LONGEST {
                return beyond_64_bits();
            }
            conversion_error(format!("invalid version range `{}`", values::quote(text)))
        };
        return Ok(Value::SemVerRange(range.ok_or_else(refused)?));
    }
    let args = positional(args, &["min", "max", "exclude_max"]);
    let end = |index: usize| match args.get(index) {
        Some(Value::SemVer(version)) => Some(&**version),
        _ => None,
    };
    let excluded = matches!(args.get(2), Some(Value::Boolean(true)));
    let range = VersionRange::from_ends(end(0), end(1), excluded);
    Ok(Value::SemVerRange(range))
}

#[cfg(test)]
mod tests {
    use super::super::tests::run;

    #[test]
    fn versions_and_ranges() {
        assert_eq!(run("SemVer('1.2.3-rc1+b')"), "SemVer('1.2.3-rc1+b')");
        assert_eq!(run("SemVer(1, 2, 3, 'rc.1')"), "SemVer('1.2.3-rc.1')");
        assert_eq!(
            run("SemVer({ major => 1, minor => 2, patch => 3 })"),
            "SemVer('1.2.3')"
        );
        assert_eq!(run("SemVer('1.2')"), "error");
        assert_eq!(
            run("SemVerRange('>=1.0.0 <2.0.0')"),
            "SemVerRange('>=1.0.0 <2.0.0')"
        );
        assert_eq!(
            run("SemVer('1.5.0') in SemVerRange(SemVer('1.0.0'), SemVer('2.0.0'))"),
            "true"
        );
    }
}
