//! Functions about IP addresses, and those of the module `openstacklib`.

use std::net::{Ipv4Addr, Ipv6Addr};

use library::KnownFunction as F;
use types::values::Value;

use crate::values::flattened;

/// Calls a function; `None` if it is another one, or the result is unknown.
pub(super) fn call(function: F, args: &[Value]) -> Option<Value> {
    match (function, args) {
        // Of the module `openstacklib`.
        (F::IsServiceDefault, [value]) => {
            Some(Value::Boolean(value.as_str() == Some("<SERVICE DEFAULT>")))
        }
        (F::NormalizeIpForUri, [Value::Array(items)]) if items.len() != 1 => {
            let enclosed = items.iter().map(enclosed).collect::<Option<_>>()?;
            Some(Value::array(enclosed))
        }
        (F::NormalizeIpForUri, [Value::Array(items)]) => enclosed(items.first()?),
        (F::NormalizeIpForUri, [value]) => enclosed(value),
        (F::Inet6Prefix, [Value::Array(items)]) if items.len() != 1 => {
            let prefixed = items.iter().map(with_inet6).collect::<Option<_>>()?;
            Some(Value::array(prefixed))
        }
        (F::Inet6Prefix, [Value::Array(items)]) => with_inet6(items.first()?),
        (F::Inet6Prefix, [value]) => with_inet6(value),
        (F::EncloseIpv6, [value @ (Value::String(_) | Value::Array(_))]) => enclose_ipv6(value),
        _ => None,
    }
}

/// Adds brackets to IPv6 addresses.
fn enclosed(value: &Value) -> Option<Value> {
    let text = value.as_str()?;
    if text.parse::<Ipv6Addr>().is_ok() {
        return Some(Value::from(format!("[{text}]").as_str()));
    }
    // Ruby also accepts prefixes and zones.
    let is_other = !text.contains(':') || text.starts_with('[');
    is_other.then(|| value.clone())
}

/// Adds the prefix of the libraries for `memcached` to IPv6 addresses, with brackets that a port may follow.
fn with_inet6(value: &Value) -> Option<Value> {
    let text = value.as_str()?;
    if text.starts_with("inet6:") {
        return (text.len() > "inet6:".len()).then(|| value.clone());
    }
    let is_separator = |it: char| it.is_ascii_whitespace() || matches!(it, '[' | ']');
    let mut parts = text.split(is_separator).filter(|it| !it.is_empty());
    let address = parts.next().unwrap_or_default();
    if address.parse::<Ipv6Addr>().is_ok() {
        let rest: String = parts.collect();
        return Some(Value::from(format!("inet6:[{address}]{rest}").as_str()));
    }
    // Ruby also accepts prefixes and zones.
    (!address.contains("::") && !address.contains(['/', '%'])).then(|| value.clone())
}

/// Adds brackets to the IPv6 addresses of a list, which Ruby also writes in their shortest form.
fn enclose_ipv6(value: &Value) -> Option<Value> {
    let mut found: Vec<Value> = Vec::new();
    for it in flattened([value]) {
        let text = it.as_str()?;
        let enclosed = match text.parse::<Ipv6Addr>() {
            Ok(address) => Value::from(format!("[{}]", shortest(address)?).as_str()),
            Err(_) if text == "*" || text.parse::<Ipv4Addr>().is_ok() => it.clone(),
            Err(_) => return None,
        };
        if !found.contains(&enclosed) {
            found.push(enclosed);
        }
    }
    Some(Value::array(found))
}

/// Returns the text of an address; `None` for those that Ruby writes like IPv4 addresses.
fn shortest(address: Ipv6Addr) -> Option<String> {
    let [a, b, c, d, e, f, g, _] = address.segments();
    let is_compatible = [a, b, c, d, e, f] == [0; 6] && g != 0;
    (!is_compatible).then(|| address.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn list(items: &[&str]) -> Value {
        Value::array(items.iter().map(|it| Value::from(*it)).collect())
    }

    #[test]
    fn encloses_addresses() {
        let given = list(&["2001:DB8:0:0:0:0:0:1", "10.0.0.1", "*", "2001:db8::1"]);
        let wanted = list(&["[2001:db8::1]", "10.0.0.1", "*"]);
        assert_eq!(enclose_ipv6(&given), Some(wanted));
        assert_eq!(enclose_ipv6(&"::1:2".into()), None);
        assert_eq!(enclose_ipv6(&"10.0.0.0/8".into()), None);
    }
}
