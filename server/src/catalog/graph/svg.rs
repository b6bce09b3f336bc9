//! Drawings of graphs.

use analysis::catalog::EdgeKind;

use super::layout::{LINE, Rect, boxes};
use super::{Graph, GraphEdge};
use crate::display_path::one_line;

/// The maximum number of characters of a label. Tooltips show the whole title.
const MAX_LABEL: usize = 48;

const STYLE: &str = "\
text{font:12px ui-monospace,Menlo,Consolas,'DejaVu Sans Mono',monospace;fill:#1f2328}\
rect{fill:#fff;stroke:#57606a}\
.container{fill:#818b98;fill-opacity:.08;stroke:#818b98}\
.container+text{font-weight:600}\
.possible{stroke-dasharray:6 3}\
.virtual{stroke-dasharray:2 3}\
.edge{fill:none;stroke:#57606a}\
.notify{stroke:#bc4c00}\
.automatic{stroke-dasharray:2 3}";

/// Draws a graph.
pub(super) fn document(graph: &Graph<'_>) -> String {
    let references = graph.resources.iter().map(|it| label(&it.reference));
    let labels: Vec<String> = references.collect();
    let (rects, size) = boxes(graph, &labels);
    let (width, height) = (size.width, size.height);
    let mut lines = vec![
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width:.0}\" height=\"{height:.0}\" \
             viewBox=\"0 0 {width:.0} {height:.0}\">"
        ),
        format!("<style>{STYLE}</style>"),
        format!(
            "<defs>{}{}</defs>",
            marker("before", "#57606a"),
            marker("notify", "#bc4c00")
        ),
        "<rect width=\"100%\" height=\"100%\" style=\"stroke:none\"/>".to_owned(),
    ];
    for root in &graph.roots {
        add_resource(graph, *root, (&labels, &rects), &mut lines);
    }
    lines.extend(graph.edges.iter().filter_map(|it| arrow(graph, it, &rects)));
    lines.push("</svg>".to_owned());
    lines.join("\n") + "\n"
}

fn marker(id: &str, color: &str) -> String {
    format!(
        "<marker id=\"{id}\" viewBox=\"0 0 8 8\" refX=\"8\" refY=\"4\" markerWidth=\"7\" markerHeight=\"7\" \
         orient=\"auto\"><path d=\"M0 0 8 4 0 8z\" fill=\"{color}\"/></marker>"
    )
}

fn add_resource(
    graph: &Graph<'_>,
    number: usize,
    (labels, rects): (&[String], &[Rect]),
    lines: &mut Vec<String>,
) {
    let resource = graph.resources[number];
    let rect = rects[number];
    let classes = [
        (graph.is_container(number), "container"),
        (!resource.is_certain, "possible"),
        (resource.is_virtual, "virtual"),
    ];
    let classes = classes.iter().filter(|it| it.0).map(|it| it.1);
    let classes: Vec<&str> = classes.collect();
    let place = resource.place.as_ref();
    let place = place.map_or_else(String::new, |it| format!("\n{it}"));
    let tooltip = format!("{}{place}", one_line(&resource.reference));
    lines.push(format!(
        "<g><title>{}</title><rect class=\"{}\" x=\"{:.0}\" y=\"{:.0}\" width=\"{:.0}\" height=\"{:.0}\" \
         rx=\"4\"/><text x=\"{:.0}\" y=\"{:.0}\">{}</text></g>",
        escaped(&tooltip),
        classes.join(" "),
        rect.x,
        rect.y,
        rect.width,
        rect.height,
        rect.x + 10.0,
        rect.y + LINE * 0.68,
        escaped(&labels[number]),
    ));
    for child in &graph.children[number] {
        add_resource(graph, *child, (labels, rects), lines);
    }
}

/// Draws an edge from the right of a box to the left of another; `None` if one contains the other.
fn arrow(graph: &Graph<'_>, edge: &GraphEdge<'_>, rects: &[Rect]) -> Option<String> {
    let is_inside = |inner: usize, outer: usize| graph.containers(inner).any(|it| it == outer);
    if is_inside(edge.from, edge.to) || is_inside(edge.to, edge.from) {
        return None;
    }
    let (from, to) = (rects[edge.from], rects[edge.to]);
    let (x1, y1) = (from.x + from.width, from.y + middle(from));
    let (x2, y2) = (to.x, to.y + middle(to));
    let bend = ((x2 - x1).abs() / 2.0).clamp(20.0, 80.0);
    let name = match edge.edge.kind == EdgeKind::Notify {
        true => "notify",
        false => "before",
    };
    let automatic = match edge.edge.is_automatic {
        true => " automatic",
        false => "",
    };
    let tooltip = format!(
        "{} {name} {}",
        one_line(&edge.edge.from),
        one_line(&edge.edge.to)
    );
    Some(format!(
        "<path class=\"edge {name}{automatic}\" marker-end=\"url(#{name})\" d=\"M{x1:.0} {y1:.0}C{:.0} {y1:.0} \
         {:.0} {y2:.0} {x2:.0} {y2:.0}\"><title>{}</title></path>",
        x1 + bend,
        x2 - bend,
        escaped(&tooltip),
    ))
}

/// Returns the middle of the first line of a box.
fn middle(rect: Rect) -> f64 {
    rect.height.min(LINE) / 2.0
}

/// Shortens a title. Its start and its end distinguish it.
fn label(text: &str) -> String {
    let text = one_line(text);
    let length = text.chars().count();
    if length <= MAX_LABEL {
        return text;
    }
    let half = MAX_LABEL / 2;
    let start: String = text.chars().take(half).collect();
    let end: String = text.chars().skip(length - half + 1).collect();
    format!("{start}…{end}")
}

fn escaped(text: &str) -> String {
    let text = text.replace('&', "&amp;").replace('<', "&lt;");
    text.replace('>', "&gt;").replace('"', "&quot;")
}
