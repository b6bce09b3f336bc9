//! Graphs for Mermaid.

use analysis::catalog::EdgeKind;

use super::Graph;
use crate::display_path::one_line;

/// Describes a graph. Containers are subgraphs.
pub(super) fn document(graph: &Graph<'_>) -> String {
    let mut lines = vec!["flowchart LR".to_owned()];
    for root in &graph.roots {
        add_resource(graph, *root, 1, &mut lines);
    }
    for it in &graph.edges {
        let arrow = match (it.edge.is_automatic, it.edge.kind == EdgeKind::Notify) {
            (true, _) => "-.->",
            (false, true) => "==>",
            (false, false) => "-->",
        };
        lines.push(format!("  n{} {arrow} n{}", it.from, it.to));
    }
    lines.join("\n") + "\n"
}

fn add_resource(graph: &Graph<'_>, number: usize, depth: usize, lines: &mut Vec<String>) {
    let indent = "  ".repeat(depth);
    let label = escaped(&graph.resources[number].reference);
    if !graph.is_container(number) {
        lines.push(format!("{indent}n{number}[\"{label}\"]"));
        return;
    }
    lines.push(format!("{indent}subgraph n{number}[\"{label}\"]"));
    for child in &graph.children[number] {
        add_resource(graph, *child, depth + 1, lines);
    }
    lines.push(format!("{indent}end"));
}

/// Replaces the characters with a meaning in Mermaid, Markdown or HTML by their codes.
fn escaped(text: &str) -> String {
    let is_plain = |it: char| it.is_alphanumeric() || " []:/._-".contains(it);
    let escape = |it: char| match is_plain(it) {
        true => it.to_string(),
        false => format!("#{};", u32::from(it)),
    };
    one_line(text).chars().map(escape).collect()
}
