//! Graphs for Graphviz.

use analysis::catalog::EdgeKind;

use super::Graph;
use crate::display_path::one_line;

/// Describes a graph. Containers are clusters, each with an invisible node that edges lead to.
pub(super) fn document(graph: &Graph<'_>) -> String {
    let mut lines = vec![
        "digraph catalog {".to_owned(),
        "  compound=true;".to_owned(),
        "  rankdir=LR;".to_owned(),
        "  graph [fontname=\"sans-serif\", fontsize=10];".to_owned(),
        "  node [shape=box, fontname=\"sans-serif\", fontsize=10];".to_owned(),
    ];
    for root in &graph.roots {
        add_resource(graph, *root, 1, &mut lines);
    }
    for it in &graph.edges {
        let mut attributes = Vec::new();
        if graph.is_container(it.from) {
            attributes.push(format!("ltail=cluster{}", it.from));
        }
        if graph.is_container(it.to) {
            attributes.push(format!("lhead=cluster{}", it.to));
        }
        if it.edge.kind == EdgeKind::Notify {
            attributes.push("color=darkorange".to_owned());
        }
        if it.edge.is_automatic {
            attributes.push("style=dotted".to_owned());
        }
        let attributes = match attributes.is_empty() {
            true => String::new(),
            false => format!(" [{}]", attributes.join(", ")),
        };
        lines.push(format!("  n{} -> n{}{attributes};", it.from, it.to));
    }
    lines.push("}".to_owned());
    lines.join("\n") + "\n"
}

fn add_resource(graph: &Graph<'_>, number: usize, depth: usize, lines: &mut Vec<String>) {
    let resource = graph.resources[number];
    let indent = "  ".repeat(depth);
    let label = quoted(&resource.reference);
    let style = match (resource.is_certain, resource.is_virtual) {
        (false, _) => "dashed",
        (true, true) => "dotted",
        (true, false) => "solid",
    };
    if !graph.is_container(number) {
        lines.push(format!("{indent}n{number} [label={label}, style={style}];"));
        return;
    }
    lines.push(format!("{indent}subgraph cluster{number} {{"));
    lines.push(format!("{indent}  label={label}; style={style};"));
    lines.push(format!("{indent}  n{number} [shape=point, style=invis];"));
    for child in &graph.children[number] {
        add_resource(graph, *child, depth + 1, lines);
    }
    lines.push(format!("{indent}}}"));
}

/// Quotes a label. Graphviz replaces entities of HTML in it.
fn quoted(text: &str) -> String {
    let text = one_line(text).replace('\\', "\\\\").replace('"', "\\\"");
    format!("\"{}\"", text.replace('&', "&amp;"))
}
