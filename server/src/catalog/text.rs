//! Catalogs as trees of resources.

use std::collections::{BTreeMap, HashSet};
use std::io::{self, Write};

use anstyle::{AnsiColor, Style};

use super::place::PlaceView;
use super::text_line::plural;
use super::value_lines::value_text;
use super::view::{CatalogView, GapView, OriginKind, ParameterView, ResourceView};
use super::{Compiled, error};
use crate::display_path::one_line;
use crate::lookup::environment::LoadedEnvironment;
use crate::terminal::{self, paint};

/// The limit of the column in which origins are aligned.
const MAX_COLUMN: usize = 56;

/// The resources of every catalog, which are shown only if they contain others.
const BUILT_IN: [&str; 3] = ["Class[Settings]", "Class[main]", "Stage[main]"];

/// Writes catalogs; `is_short` writes a line for each.
pub(super) fn write(
    compiled: &[Compiled<'_>],
    environment: &LoadedEnvironment,
    is_short: bool,
    colors: bool,
) -> io::Result<()> {
    let mut out = terminal::stdout();
    for (index, it) in compiled.iter().enumerate() {
        if index > 0 && !is_short {
            writeln!(out)?;
        }
        let title = paint(Style::new().bold(), it.request.title(), colors);
        match &it.outcome {
            Ok(view) if is_short => writeln!(out, "{title}: {}", summary(view))?,
            Ok(view) => {
                writeln!(out, "{title}: {}\n", summary(view))?;
                for line in tree(view, colors) {
                    writeln!(out, "{}", line.text)?;
                }
            }
            Err(errors) => {
                writeln!(out, "{title}: Puppet rejects this catalog")?;
                for it_error in errors {
                    let text = error::render(it_error, &it.request, environment, colors);
                    out.write_all(text.as_bytes())?;
                }
            }
        }
    }
    out.flush()
}

/// A line of a tree.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct TreeLine {
    pub(crate) text: String,
    /// The code or data that the line is about.
    pub(crate) place: Option<PlaceView>,
}

/// Returns the resources of a catalog as a tree, and after it the cycles and the parts with unknown effects.
pub(crate) fn tree(view: &CatalogView, colors: bool) -> Vec<TreeLine> {
    let mut tree = Tree::new(view, colors);
    tree.add_all();
    tree.lines
}

/// Returns the numbers of resources of a catalog.
pub(crate) fn summary(view: &CatalogView) -> String {
    let is_container = |it: &ResourceView| matches!(&*it.key.type_name, "Class" | "Node" | "Stage");
    let is_own_class =
        |it: &ResourceView| it.key.type_name == "Class" && !BUILT_IN.contains(&&*it.reference);
    let count = |is_counted: &dyn Fn(&ResourceView) -> bool| {
        let counted = view.resources.iter().filter(|it| is_counted(it));
        counted.count()
    };
    let classes = count(&|it| is_own_class(it) && it.is_certain);
    let certain = count(&|it| !is_container(it) && it.is_certain);
    let possible = count(&|it| !it.is_certain);
    let mut parts = vec![
        plural(certain, "resource", "resources"),
        plural(classes, "class", "classes"),
    ];
    if possible > 0 {
        parts.push(plural(possible, "possible resource", "possible resources"));
    }
    if !view.gaps.is_empty() {
        parts.push(plural(view.gaps.len(), "unknown part", "unknown parts"));
    }
    if !view.cycles.is_empty() {
        parts.push(plural(
            view.cycles.len(),
            "dependency cycle",
            "dependency cycles",
        ));
    }
    parts.join(", ")
}

/// A catalog with the resources in each container.
struct Tree<'a> {
    view: &'a CatalogView,
    children: BTreeMap<&'a str, Vec<&'a ResourceView>>,
    roots: Vec<&'a ResourceView>,
    colors: bool,
    lines: Vec<TreeLine>,
}

impl<'a> Tree<'a> {
    fn new(view: &'a CatalogView, colors: bool) -> Tree<'a> {
        let known: HashSet<&str> = view.resources.iter().map(|it| &*it.reference).collect();
        let mut children: BTreeMap<&str, Vec<&ResourceView>> = BTreeMap::new();
        let mut roots = Vec::new();
        for it in &view.resources {
            match it.shown_in().filter(|it| known.contains(it)) {
                Some(container) => children.entry(container).or_default().push(it),
                None => roots.push(it),
            }
        }
        Tree {
            view,
            children,
            roots,
            colors,
            lines: Vec::new(),
        }
    }

    fn add(&mut self, text: String, place: Option<&PlaceView>) {
        let place = place.cloned();
        self.lines.push(TreeLine { text, place });
    }

    fn add_all(&mut self) {
        let mut added = HashSet::new();
        for root in std::mem::take(&mut self.roots) {
            self.add_resources(root, &mut added);
        }
        // Containers that contain each other have no root.
        for it in &self.view.resources {
            self.add_resources(it, &mut added);
        }
        self.add_cycles();
        self.add_gaps();
    }

    /// Adds a resource with those in it. Defined types can be nested deeply: the stack is a list.
    fn add_resources(&mut self, root: &'a ResourceView, added: &mut HashSet<&'a str>) {
        let mut open = vec![(root, 0)];
        while let Some((resource, depth)) = open.pop() {
            if !added.insert(&resource.reference) || !self.is_shown(resource) {
                continue;
            }
            self.add_resource(resource, depth);
            let inside = self.inside(resource).iter().rev();
            open.extend(inside.map(|it| (*it, depth + 1)));
        }
    }

    fn inside(&self, resource: &ResourceView) -> &[&'a ResourceView] {
        let inside = self.children.get(&*resource.reference);
        inside.map_or(&[], Vec::as_slice)
    }

    fn is_shown(&self, resource: &ResourceView) -> bool {
        !BUILT_IN.contains(&&*resource.reference) || !self.inside(resource).is_empty()
    }

    fn add_resource(&mut self, resource: &ResourceView, depth: usize) {
        let indent = "  ".repeat(depth);
        let name = one_line(&resource.reference);
        let style = match &*resource.key.type_name {
            "Class" | "Stage" | "Node" => Style::new().bold(),
            _ => AnsiColor::Cyan.on_default(),
        };
        let mut heading = format!("{indent}{}", paint(style, &name, self.colors));
        let states = states(resource);
        if !states.is_empty() {
            let states = format!(" ({})", states.join(", "));
            let yellow = AnsiColor::Yellow.on_default();
            heading.push_str(&paint(yellow, states, self.colors).to_string());
        }
        if let Some(place) = &resource.place {
            let place = self.dimmed(format!("# {place}"));
            heading.push_str(&format!("  {place}"));
        }
        self.add(heading, resource.place.as_ref());
        self.add_parameters(resource, &indent);
    }

    fn add_parameters(&mut self, resource: &ResourceView, indent: &str) {
        let file = resource.place.as_ref().map(|it| &*it.file);
        let shown = resource.parameters.iter();
        let shown: Vec<&ParameterView> = shown.filter(|it| is_shown(it)).collect();
        let width = shown.iter().map(|it| it.name.chars().count()).max();
        let width = width.unwrap_or(0);
        let lines: Vec<String> = shown.iter().map(|it| line(it, width)).collect();
        let widths = lines.iter().map(|it| it.chars().count());
        let column = widths.filter(|it| *it <= MAX_COLUMN).max().unwrap_or(0);
        for (line, parameter) in lines.into_iter().zip(shown) {
            let mut text = format!("{indent}    {line}");
            if let Some(origin) = origin(parameter, file) {
                let blanks = " ".repeat(column.saturating_sub(line.chars().count()));
                let origin = self.dimmed(format!("# {origin}"));
                text.push_str(&format!("{blanks}  {origin}"));
            }
            self.add(text, parameter.place.as_ref());
        }
    }

    fn add_cycles(&mut self) {
        for cycle in &self.view.cycles {
            let red = AnsiColor::Red.on_default().bold();
            let label = paint(red, "dependency cycle", self.colors);
            let first = cycle.first().into_iter();
            let path: Vec<String> = cycle.iter().chain(first).map(|it| one_line(it)).collect();
            let text = format!("{label}: {}", path.join(" => "));
            let mut resources = self.view.resources.iter();
            let start = resources.find(|it| Some(&it.reference) == cycle.first());
            self.add(String::new(), None);
            self.add(text, start.and_then(|it| it.place.as_ref()));
        }
    }

    fn add_gaps(&mut self) {
        if self.view.gaps.is_empty() {
            return;
        }
        let yellow = AnsiColor::Yellow.on_default().bold();
        let label = paint(yellow, "unknown parts", self.colors);
        let heading = format!("{label}: this code may add resources or parameters");
        self.add(String::new(), None);
        self.add(heading, None);
        let mut gaps: Vec<&GapView> = self.view.gaps.iter().collect();
        gaps.sort_by_key(|it| {
            let place = it.place.as_ref();
            place.map(|it| (&it.file, it.line))
        });
        // A line may have several parts that are unknown for the same reason.
        gaps.dedup_by_key(|it| gap_text(it));
        for gap in gaps {
            self.add(format!("  {}", gap_text(gap)), gap.place.as_ref());
        }
    }

    fn dimmed(&self, text: String) -> impl std::fmt::Display {
        paint(Style::new().dimmed(), text, self.colors)
    }
}

/// Returns the place and the reason of a part with unknown effects.
pub(super) fn gap_text(gap: &GapView) -> String {
    match &gap.place {
        Some(place) => format!("{place}: {}", gap.why),
        None => gap.why.clone(),
    }
}

/// Titles are in the headings of the resources, and a relationship that may be one of any resource is among the unknown
/// parts.
fn is_shown(parameter: &ParameterView) -> bool {
    match parameter.origin {
        OriginKind::Title => false,
        OriginKind::Relationship => parameter.value.is_ok() || parameter.place.is_some(),
        _ => true,
    }
}

fn states(resource: &ResourceView) -> Vec<String> {
    let possible = match &resource.condition {
        Some(condition) => format!("possible, if {condition}"),
        None => "possible".to_owned(),
    };
    let states = [
        (!resource.is_certain, possible),
        (resource.is_exported, "exported".to_owned()),
        (
            resource.is_virtual && !resource.is_exported,
            "virtual".to_owned(),
        ),
    ];
    let states = states.into_iter().filter(|it| it.0);
    let others = resource.contained_in.iter().skip(1);
    let others = others.map(|it| format!("also contained in {}", one_line(it)));
    states.map(|it| it.1).chain(others).collect()
}

fn line(parameter: &ParameterView, width: usize) -> String {
    format!(
        "{:width$} => {}",
        parameter.name,
        value_text(&parameter.name, &parameter.value)
    )
}

/// Describes what sets a parameter of a resource in a file.
fn origin(parameter: &ParameterView, file: Option<&str>) -> Option<String> {
    let kind = match parameter.origin {
        OriginKind::Title | OriginKind::Declaration => "",
        OriginKind::Data if parameter.place.is_none() => {
            return Some(format!("Hiera, {}", parameter.key.as_deref()?));
        }
        OriginKind::Data => "",
        OriginKind::DefaultValue => "default",
        OriginKind::ResourceDefault => "resource default",
        OriginKind::Override => "override",
        OriginKind::Relationship => "relationship",
    };
    let place = parameter.place.as_ref().map(|it| place_text(it, file));
    match (kind, place) {
        ("", place) => place,
        (kind, None) => Some(kind.to_owned()),
        (kind, Some(place)) => Some(format!("{kind}, {place}")),
    }
}

/// Returns the line of a place in a file, with the path if it is another one.
fn place_text(place: &PlaceView, file: Option<&str>) -> String {
    match file == Some(&*place.file) {
        true => format!("line {}", place.line),
        false => place.to_string(),
    }
}
