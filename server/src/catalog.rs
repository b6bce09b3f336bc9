//! `pupil catalog`: compiles catalogs and prints them.

mod data_places;
mod diff;
pub(crate) mod error;
mod graph;
pub(crate) mod json;
pub(crate) mod place;
pub(crate) mod request;
mod revision;
pub(crate) mod text;
mod text_line;
mod value;
pub(crate) mod value_lines;
pub(crate) mod view;

use std::io::Write;
use std::process::ExitCode;

use analysis::catalog::CompileError;
use rayon::prelude::*;

use crate::args::{CatalogArgs, CatalogCommand, CatalogFormat, CatalogSelection};
use crate::lookup::environment::LoadedEnvironment;
use crate::progress::Progress;
use crate::terminal::{self, Failure};
use request::{CatalogRequest, node_patterns, requests, selected_facts};
use view::CatalogView;

/// The limit of patterns in a note.
const MAX_PATTERNS: usize = 3;

/// The exit status if Puppet would reject a catalog, or the agent would because of a dependency cycle.
const REJECTED: u8 = 1;

/// Runs the command.
pub(crate) fn run(arguments: &CatalogArgs) -> Result<ExitCode, Failure> {
    match &arguments.command {
        Some(CatalogCommand::Diff(arguments)) => diff::run(arguments),
        None => print(&arguments.selection, arguments.format),
    }
}

/// A compiled catalog, or the errors with which Puppet rejects it.
pub(crate) struct Compiled<'a> {
    pub(crate) request: CatalogRequest<'a>,
    pub(crate) outcome: Result<CatalogView, Vec<CompileError>>,
}

impl<'a> Compiled<'a> {
    /// Compiles a catalog in an environment, which the node knows by a name.
    pub(crate) fn new(
        request: CatalogRequest<'a>,
        environment: &LoadedEnvironment,
        name: &str,
    ) -> Result<Compiled<'a>, Failure> {
        let compilation = request.compile(environment, name)?;
        let outcome = match compilation.errors.is_empty() {
            true => Ok(CatalogView::new(
                &compilation.catalog,
                &request,
                environment,
                name,
            )),
            false => {
                let mut errors = compilation.errors;
                for error in &mut errors {
                    data_places::point_at_data(error, &request, environment, name);
                }
                Err(errors)
            }
        };
        Ok(Compiled { request, outcome })
    }

    /// Checks whether Puppet or the agent rejects the catalog.
    fn is_rejected(&self) -> bool {
        let has_cycles = |it: &CatalogView| !it.cycles.is_empty();
        self.outcome.as_ref().is_ok_and(has_cycles) || self.outcome.is_err()
    }

    /// Checks whether parts of the catalog are unknown.
    fn is_incomplete(&self) -> bool {
        let has_gaps = |it: &CatalogView| !it.gaps.is_empty();
        self.outcome.as_ref().is_ok_and(has_gaps)
    }
}

/// Compiles the selected catalogs and prints them.
fn print(selection: &CatalogSelection, format: CatalogFormat) -> Result<ExitCode, Failure> {
    let environment = load(selection)?;
    let facts = selected_facts(selection, &environment)?;
    let requests = requests(selection, &[&environment], &facts)?;
    let is_each_node =
        selection.node.is_empty() && selection.class.is_empty() && selection.code.is_none();
    if is_each_node {
        note_patterns(&environment, requests.len());
    }
    let progress = Progress::new("Compiling", requests.len(), "catalogs");
    let compiled = compile_all(requests, &environment, &environment.name(), &progress)?;
    progress.finish();
    let colors = terminal::stdout_has_colors(selection.color);
    match format {
        CatalogFormat::Text => {
            let is_short = is_each_node && compiled.len() > facts.len().max(1);
            text::write(&compiled, &environment, is_short, colors)?;
        }
        CatalogFormat::Json => {
            let mut out = terminal::stdout();
            writeln!(out, "{:#}", json::document(&compiled, &environment))?;
            out.flush()?;
        }
        CatalogFormat::Dot | CatalogFormat::Svg | CatalogFormat::Mermaid => {
            return print_graph(&compiled, &environment, format);
        }
    }
    if facts.is_empty() && compiled.iter().any(Compiled::is_incomplete) {
        terminal::print_note(
            &"facts are unknown; choose a fact set with `--facts`, such as `--facts debian12`",
        );
    }
    let is_rejected = compiled.iter().any(Compiled::is_rejected);
    Ok(match is_rejected {
        true => ExitCode::from(REJECTED),
        false => ExitCode::SUCCESS,
    })
}

/// Prints the graph of the only catalog.
fn print_graph(
    compiled: &[Compiled<'_>],
    environment: &LoadedEnvironment,
    format: CatalogFormat,
) -> Result<ExitCode, Failure> {
    let [compiled] = compiled else {
        let message = format!(
            "expected one catalog to draw, found {}; use `--node` or `--class`, and `--facts` once",
            compiled.len()
        );
        return Err(Failure::Message(message));
    };
    let view = match &compiled.outcome {
        Ok(view) => view,
        Err(errors) => {
            for it in errors {
                let text = error::render(it, &compiled.request, environment, false);
                terminal::print_status(&text.trim_end());
            }
            return Ok(ExitCode::from(REJECTED));
        }
    };
    if view.resources.len() > graph::MANY {
        let hint = match compiled.request.is_of_class() {
            true => "",
            false => "; that of a class is easier to read: `--class`",
        };
        terminal::print_note(&format_args!(
            "the graph has {} resources{hint}",
            view.resources.len()
        ));
    }
    if !view.gaps.is_empty() {
        let parts = text_line::plural(view.gaps.len(), "part", "parts");
        terminal::print_note(&format_args!(
            "the graph is incomplete: {parts} of the code may add resources; `--format text` lists them"
        ));
    }
    if !view.unknown_edges.is_empty() {
        let edges = view.unknown_edges.iter();
        let edges: Vec<String> = edges
            .map(|it| format!("`{}` -> `{}`", it.from, it.to))
            .collect();
        terminal::print_note(&format_args!(
            "the graph is incomplete: resource types compute dependencies: {}",
            edges.join(", ")
        ));
    }
    let mut out = terminal::stdout();
    out.write_all(graph::draw(view, format).as_bytes())?;
    out.flush()?;
    Ok(match compiled.is_rejected() {
        true => ExitCode::from(REJECTED),
        false => ExitCode::SUCCESS,
    })
}

fn load(selection: &CatalogSelection) -> Result<LoadedEnvironment, Failure> {
    let (folder, puppet) = (&selection.environment, &selection.puppet);
    let version = puppet.version(std::slice::from_ref(folder))?;
    Ok(LoadedEnvironment::load(folder, &puppet.modulepath, version))
}

/// Compiles catalogs in an environment, which nodes know by a name, on all threads.
fn compile_all<'a>(
    requests: Vec<CatalogRequest<'a>>,
    environment: &LoadedEnvironment,
    name: &str,
    progress: &Progress,
) -> Result<Vec<Compiled<'a>>, Failure> {
    let compile = |environment: &mut LoadedEnvironment, request: CatalogRequest<'a>| {
        let compiled = Compiled::new(request, environment, name)?;
        progress.advance();
        Ok(compiled)
    };
    let compiled = requests.into_par_iter();
    let compiled = compiled.map_with(environment.clone(), compile);
    compiled.collect()
}

/// Says which node definitions need a name.
fn note_patterns(environment: &LoadedEnvironment, count: usize) {
    let patterns = node_patterns(environment);
    if patterns.is_empty() {
        return;
    }
    let mut shown: Vec<String> = patterns
        .iter()
        .take(MAX_PATTERNS)
        .map(|it| format!("`/{it}/`"))
        .collect();
    if patterns.len() > MAX_PATTERNS {
        shown.push(format!("{} more patterns", patterns.len() - MAX_PATTERNS));
    }
    let patterns = shown.join(", ");
    match count {
        0 => terminal::print_error(&format_args!(
            "the main manifests name no node; choose one that matches {patterns} with `--node`"
        )),
        _ => terminal::print_note(&format_args!(
            "to compile the catalogs of nodes that match {patterns}, name them with `--node`"
        )),
    }
}
