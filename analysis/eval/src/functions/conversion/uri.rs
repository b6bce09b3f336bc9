//! `URI(…)`.

use std::sync::Arc;

use super::conversion_error;
use crate::control_flow::{ControlFlow, FlowResult};
use types::values::{self, HashValue, Uri, Value};

pub(super) fn uri(args: &[Value]) -> FlowResult {
    match args {
        [Value::String(text)] => {
            let uri = Uri::parse(text);
            let refused = || conversion_error(format!("invalid URI `{}`", values::quote(text)));
            Ok(Value::Uri(Arc::new(uri.ok_or_else(refused)?)))
        }
        [Value::Hash(parts)] => from_parts(parts).map_or_else(
            || Err(ControlFlow::unknown("unsupported parts of a URI")),
            |it| Ok(Value::Uri(Arc::new(it))),
        ),
        _ => Err(conversion_error("expected a string or a hash")),
    }
}

/// Creates a URI from parts that need no escaping, for the schemes `http` and `https`. For others,
/// Ruby's result depends on the scheme.
fn from_parts(parts: &HashValue) -> Option<Uri> {
    let text = |name| parts.get_str(name).and_then(Value::as_str);
    let plain = |it: &str, extra: &str| {
        it.chars()
            .all(|it| it.is_ascii_alphanumeric() || extra.contains(it))
    };
    let scheme = text("scheme")?.to_ascii_lowercase();
    if !matches!(&*scheme, "http" | "https") || parts.contains_key(&Value::from("opaque")) {
        return None;
    }
    let host = text("host").filter(|it| plain(it, "-."))?;
    let path = text("path").unwrap_or_default();
    if !path.is_empty() && !path.starts_with('/') || path.starts_with("//") || !plain(path, "/-._")
    {
        return None;
    }
    let port = match parts.get_str("port") {
        Some(Value::Integer(port)) => format!(":{}", u16::try_from(*port).ok()?),
        _ => String::new(),
    };
    let mut address = format!("{scheme}://");
    if let Some(user) = text("userinfo") {
        address += &format!("{}@", Some(user).filter(|it| plain(it, "-._:"))?);
    }
    address += &format!("{host}{port}{path}");
    for (name, sign) in [("query", '?'), ("fragment", '#')] {
        if let Some(part) = text(name) {
            address += &format!("{sign}{}", Some(part).filter(|it| plain(it, "-._=&"))?);
        }
    }
    Uri::parse(&address)
}

#[cfg(test)]
mod tests {
    use super::super::tests::run;

    #[test]
    fn uris() {
        assert_eq!(run("URI('http://a.b/c').host"), "'a.b'");
        assert_eq!(run("URI('a b')"), "error");
        assert_eq!(
            run("URI({ scheme => 'https', host => 'a.b', port => 81, path => '/c' })"),
            "URI('https://a.b:81/c')"
        );
        assert_eq!(run("URI({ scheme => 'mailto', opaque => 'a@b' })"), "?");
        assert_eq!(run("URI({ scheme => 1 })"), "error");
    }
}
