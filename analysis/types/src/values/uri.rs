//! URIs.

use std::fmt;
use std::sync::Arc;

use super::Value;
use crate::UriConstraints;

/// A URI, split into its components.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct Uri {
    /// The scheme, in lower case.
    pub scheme: Option<Arc<str>>,
    /// The user information before the `@`.
    pub userinfo: Option<Arc<str>>,
    /// The host, as written.
    pub host: Option<Arc<str>>,
    /// The port, including the default port of the scheme.
    pub port: Option<u16>,
    /// The path; a URI with a host always has one, possibly empty.
    pub path: Option<Arc<str>>,
    /// The query after the `?`.
    pub query: Option<Arc<str>>,
    /// The fragment after the `#`.
    pub fragment: Option<Arc<str>>,
    /// The scheme-specific part of a URI that is not hierarchical.
    pub opaque: Option<Arc<str>>,
}

/// The names of the components, in order.
pub(super) const PARTS: [&str; 8] = [
    "scheme", "userinfo", "host", "port", "path", "query", "fragment", "opaque",
];

impl Uri {
    /// Parses a URI as Ruby does; returns `None` if it is invalid.
    pub fn parse(text: &str) -> Option<Uri> {
        let (rest, fragment) = match text.split_once('#') {
            Some((rest, fragment)) => (rest, Some(fragment)),
            None => (text, None),
        };
        let valid = |it: &str, extra: &str| {
            it.bytes().all(|byte| {
                byte.is_ascii_alphanumeric()
                    || b"-._~!$&'()*+,;=:@%".contains(&byte)
                    || extra.as_bytes().contains(&byte)
            }) && percent_encoded(it)
        };
        if !fragment.is_none_or(|it| valid(it, "/?")) {
            return None;
        }
        let (scheme, rest) = split_scheme(rest);
        let mut uri = Uri {
            scheme: scheme.map(|it| it.to_ascii_lowercase().into()),
            fragment: fragment.map(Into::into),
            ..Uri::default()
        };
        if scheme.is_some() && !rest.starts_with('/') && !rest.is_empty() && !rest.starts_with('?')
        {
            if !valid(rest, "/?") {
                return None;
            }
            uri.opaque = Some(rest.into());
            return Some(uri);
        }
        let (rest, query) = match rest.split_once('?') {
            Some((rest, query)) => (rest, Some(query)),
            None => (rest, None),
        };
        if !query.is_none_or(|it| valid(it, "/?")) {
            return None;
        }
        uri.query = query.map(Into::into);
        let path = match rest.strip_prefix("//") {
            Some(rest) => {
                let end = rest.find('/').unwrap_or(rest.len());
                uri.authority(&rest[..end])?;
                &rest[end..]
            }
            None => rest,
        };
        // A colon in the first segment would end a scheme.
        let first = path.split('/').next().unwrap_or_default();
        let relative = uri.scheme.is_none() && uri.host.is_none();
        if !valid(path, "/") || relative && first.contains(':') {
            return None;
        }
        // In Ruby, the path of an FTP URI starts after the slash.
        let path = match uri.is_ftp() {
            true => path.strip_prefix('/').unwrap_or(path),
            false => path,
        };
        uri.path = Some(path.into());
        // Except for `file`, an empty host counts as missing.
        if uri.host.as_deref() == Some("") && uri.scheme.as_deref() != Some("file") {
            uri.host = None;
        }
        uri.port = uri.port.or_else(|| uri.default_port());
        Some(uri)
    }

    fn authority(&mut self, text: &str) -> Option<()> {
        let allowed = |it: &str, extra: &[u8]| {
            it.bytes().all(|byte| {
                byte.is_ascii_alphanumeric()
                    || b"-._~!$&'()*+,;=%".contains(&byte)
                    || extra.contains(&byte)
            }) && percent_encoded(it)
        };
        let (userinfo, address) = match text.rsplit_once('@') {
            Some((userinfo, address)) => (Some(userinfo), address),
            None => (None, text),
        };
        if !userinfo.is_none_or(|it| allowed(it, b":")) {
            return None;
        }
        let (host, port) = match address.rsplit_once(':') {
            Some((host, port)) if port.bytes().all(|it| it.is_ascii_digit()) => (host, Some(port)),
            _ => (address, None),
        };
        let bracketed = host.strip_prefix('[').and_then(|it| it.strip_suffix(']'));
        let host_valid = match bracketed {
            Some(inner) => inner
                .bytes()
                .all(|it| it.is_ascii_hexdigit() || b":.".contains(&it)),
            None => allowed(host, b""),
        };
        if !host_valid {
            return None;
        }
        self.userinfo = userinfo.map(Into::into);
        self.host = Some(host.into());
        self.port = match port {
            None | Some("") => None,
            Some(port) => Some(port.parse().ok()?),
        };
        Some(())
    }

    /// Resolves a reference against this base URI. Returns `None` if both are relative, or this URI
    /// is not hierarchical.
    pub fn merge(&self, other: &Uri) -> Option<Uri> {
        if other.scheme.is_some() {
            return Some(other.clone());
        }
        if self.scheme.is_none() || self.opaque.is_some() {
            return None;
        }
        let mut merged = self.clone();
        merged.fragment = other.fragment.clone();
        let path = other.path.as_deref().unwrap_or_default();
        if other.host.is_some() {
            merged.userinfo = other.userinfo.clone();
            merged.host = other.host.clone();
            merged.port = other.port.or_else(|| merged.default_port());
            merged.path = other.path.clone();
        } else if !path.is_empty() {
            let base = self.path.as_deref().unwrap_or_default();
            merged.path = Some(resolve(base, path).into());
        }
        if other.query.is_some() || other.host.is_some() || !path.is_empty() {
            merged.query = other.query.clone();
        }
        Some(merged)
    }

    fn is_ftp(&self) -> bool {
        self.scheme.as_deref() == Some("ftp")
    }

    fn default_port(&self) -> Option<u16> {
        match self.scheme.as_deref()? {
            "http" | "ws" => Some(80),
            "https" | "wss" => Some(443),
            "ftp" => Some(21),
            "ldap" => Some(389),
            "ldaps" => Some(636),
            _ => None,
        }
    }

    /// Returns a component by name, `undef` if it is missing; `None` if there is no such component.
    pub fn named_part(&self, name: &str) -> Option<Value> {
        PARTS.contains(&name).then(|| self.part(name))
    }

    /// Returns a component by name, `undef` if it is missing.
    pub fn part(&self, name: &str) -> Value {
        let text = |it: &Option<Arc<str>>| it.clone().map_or(Value::Undef, Value::String);
        match name {
            "scheme" => text(&self.scheme),
            "userinfo" => text(&self.userinfo),
            "host" => text(&self.host),
            "port" => self
                .port
                .map_or(Value::Undef, |it| Value::Integer(it.into())),
            "path" => text(&self.path),
            "query" => text(&self.query),
            "fragment" => text(&self.fragment),
            "opaque" => text(&self.opaque),
            _ => Value::Undef,
        }
    }

    /// Returns the constraints of the type of this URI: its components without those implied by the
    /// scheme.
    pub fn type_constraints(&self) -> Option<UriConstraints> {
        let web_port = match self.scheme.as_deref() {
            Some("http") => Some(80),
            Some("https") => Some(443),
            _ => None,
        };
        let constraint = |name: &&str| {
            let value = match *name {
                "host" => self
                    .host
                    .as_ref()
                    .map(|it| it.to_lowercase())
                    .filter(|it| !it.is_empty()),
                "port" => self
                    .port
                    .filter(|it| Some(*it) != web_port)
                    .map(|it| it.to_string()),
                "path" => self
                    .path
                    .as_ref()
                    .map(ToString::to_string)
                    .filter(|it| !it.is_empty()),
                name => self.part(name).as_str().map(ToOwned::to_owned),
            };
            Some((Arc::from(*name), Value::from(value?)))
        };
        let constraints: Vec<(Arc<str>, Value)> = PARTS.iter().filter_map(constraint).collect();
        (!constraints.is_empty()).then(|| constraints.into())
    }
}

/// Resolves a path against another one, removing `.` and `..`.
fn resolve(base: &str, path: &str) -> String {
    let joined = match base.rfind('/') {
        _ if path.starts_with('/') => path.to_owned(),
        Some(end) => format!("{}{path}", &base[..=end]),
        None => format!("/{path}"),
    };
    let mut out: Vec<&str> = Vec::new();
    let segments: Vec<&str> = joined.split('/').skip(1).collect();
    for (index, segment) in segments.iter().enumerate() {
        let last = index + 1 == segments.len();
        match *segment {
            ".." => {
                out.pop();
            }
            "." => {}
            segment => out.push(segment),
        }
        if last && matches!(*segment, "." | "..") {
            out.push("");
        }
    }
    format!("/{}", out.join("/"))
}

/// Checks whether every percent sign starts a valid escape.
fn percent_encoded(text: &str) -> bool {
    let bytes = text.as_bytes();
    bytes
        .iter()
        .enumerate()
        .filter(|(_, it)| **it == b'%')
        .all(|(at, _)| {
            let digit = |offset: usize| bytes.get(at + offset).is_some_and(u8::is_ascii_hexdigit);
            digit(1) && digit(2)
        })
}

fn split_scheme(text: &str) -> (Option<&str>, &str) {
    let Some((scheme, rest)) = text.split_once(':') else {
        return (None, text);
    };
    let first = scheme.starts_with(|it: char| it.is_ascii_alphabetic());
    let valid = scheme
        .bytes()
        .all(|it| it.is_ascii_alphanumeric() || b"+-.".contains(&it));
    if first && valid {
        (Some(scheme), rest)
    } else {
        (None, text)
    }
}

impl fmt::Display for Uri {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(scheme) = &self.scheme {
            write!(f, "{scheme}:")?;
        }
        if let Some(opaque) = &self.opaque {
            f.write_str(opaque)?;
        } else {
            if let Some(host) = &self.host {
                f.write_str("//")?;
                if let Some(userinfo) = &self.userinfo {
                    write!(f, "{userinfo}@")?;
                }
                f.write_str(host)?;
                if let Some(port) = self.port.filter(|it| Some(*it) != self.default_port()) {
                    write!(f, ":{port}")?;
                }
            }
            let path = self.path.as_deref().unwrap_or_default();
            match path.strip_prefix('/').filter(|_| self.is_ftp()) {
                Some(absolute) => write!(f, "/%2F{absolute}")?,
                None if self.is_ftp() => write!(f, "/{path}")?,
                None => f.write_str(path)?,
            }
            if let Some(query) = &self.query {
                write!(f, "?{query}")?;
            }
        }
        if let Some(fragment) = &self.fragment {
            write!(f, "#{fragment}")?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parses_and_formats_uris() {
        for text in [
            "http://Bob@Example.com/a?b#c",
            "urn:a:b:c",
            "/a/b",
            "a/b",
            "file:///etc",
            "",
        ] {
            assert_eq!(Uri::parse(text).expect("a URI").to_string(), text);
        }
        let uri = Uri::parse("http://a.b:80/c").expect("a URI");
        assert_eq!(
            (uri.port, uri.to_string()),
            (Some(80), "http://a.b/c".to_owned())
        );
        assert_eq!(Uri::parse("http://a b/"), None);
        assert_eq!(Uri::parse("http://a/%zz"), None);
    }

    #[test]
    fn merges_uris() {
        let merge = |base: &str, other: &str| {
            let (base, other) = (Uri::parse(base)?, Uri::parse(other)?);
            base.merge(&other).map(|it| it.to_string())
        };
        assert_eq!(
            merge("http://a.b/x/y", "/c/d").as_deref(),
            Some("http://a.b/c/d")
        );
        assert_eq!(
            merge("http://a.b/x/y", "c/d").as_deref(),
            Some("http://a.b/x/c/d")
        );
        assert_eq!(merge("http://a.b", "c").as_deref(), Some("http://a.b/c"));
        assert_eq!(
            merge("http://a.b/x/y?q", "../z#f").as_deref(),
            Some("http://a.b/z#f")
        );
        assert_eq!(merge("/a", "b"), None);
    }

    #[test]
    fn type_constraints_are_the_components() {
        let uri = Uri::parse("http://Bob@Example.com:80/a?b#c").expect("a URI");
        let constraints = uri.type_constraints().expect("constraints");
        let names: Vec<&str> = constraints.iter().map(|(name, _)| &**name).collect();
        assert_eq!(
            names,
            ["scheme", "userinfo", "host", "path", "query", "fragment"]
        );
        assert_eq!(constraints[2].1, Value::from("example.com"));
    }
}
