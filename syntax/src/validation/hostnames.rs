//! Checks of the names of node definitions.

use super::checker::Checker;
use crate::model::{Kind, Node};

impl Checker<'_> {
    pub(super) fn host_name(&mut self, host: &Node) {
        match &host.kind {
            Kind::String(name) => self.host_characters(host, name),
            Kind::Concat(segments) => {
                let dynamic = segments.iter().find_map(|it| match &it.kind {
                    Kind::Unary { expr, .. } => Some(&**expr),
                    _ => None,
                });
                let node = dynamic.unwrap_or(host);
                let message = "interpolation is not allowed in a node name";
                self.error("ILLEGAL_HOSTNAME_INTERPOLATION", node, message);
            }
            Kind::Regex(_) | Kind::Default | Kind::Integer { .. } | Kind::Float(_) => {}
            _ => self.error(
                "ILLEGAL_EXPRESSION",
                host,
                "invalid node name: expected a string, a regular expression or `default`",
            ),
        }
    }

    fn host_characters(&mut self, host: &Node, name: &str) {
        let is_allowed = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.');
        if let Some(wrong) = name.chars().find(|&c| !is_allowed(c)) {
            let message = format!(
                "invalid character `{wrong}` in node name: only letters, digits, `-`, `_` and `.` are allowed"
            );
            self.error("ILLEGAL_HOSTNAME_CHARS", host, message);
        }
    }
}
