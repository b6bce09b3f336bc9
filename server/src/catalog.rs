//! `pupil catalog`: compiles catalogs and prints them.

mod data_places;
mod error;
mod json;
mod place;
mod request;
mod text;
mod value;
mod view;

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

/// The exit status if Puppet would reject a catalog.
const REJECTED: u8 = 1;

/// Runs the command.
pub(crate) fn run(arguments: &CatalogArgs) -> Result<ExitCode, Failure> {
    match &arguments.command {
        Some(CatalogCommand::Diff(_)) => Err(Failure::Message("not yet".to_owned())),
        None => print(&arguments.selection, arguments.format),
    }
}

/// A compiled catalog, or the errors with which Puppet rejects it.
struct Compiled<'a> {
    request: CatalogRequest<'a>,
    outcome: Result<CatalogView, Vec<CompileError>>,
}

/// Compiles the selected catalogs and prints them.
fn print(selection: &CatalogSelection, format: CatalogFormat) -> Result<ExitCode, Failure> {
    let environment = load(selection);
    let facts = selected_facts(selection, &environment)?;
    let requests = requests(selection, &[&environment], &facts)?;
    let is_each_node = selection.node.is_empty() && selection.class.is_empty() && selection.code.is_none();
    if is_each_node {
        note_patterns(&environment, requests.len());
    }
    let compiled = compile_all(requests, &environment)?;
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
            return Err(Failure::Message("not yet".to_owned()));
        }
    }
    let is_rejected = compiled.iter().any(|it| it.outcome.is_err());
    Ok(match is_rejected {
        true => ExitCode::from(REJECTED),
        false => ExitCode::SUCCESS,
    })
}

fn load(selection: &CatalogSelection) -> LoadedEnvironment {
    let puppet = &selection.puppet;
    LoadedEnvironment::load(&selection.environment, &puppet.modulepath, puppet.version())
}

/// Compiles catalogs on all threads.
fn compile_all<'a>(
    requests: Vec<CatalogRequest<'a>>,
    environment: &LoadedEnvironment,
) -> Result<Vec<Compiled<'a>>, Failure> {
    let name = environment.name();
    let progress = Progress::new("Compiling", requests.len(), "catalogs");
    let compile = |environment: &mut LoadedEnvironment, request: CatalogRequest<'a>| {
        let compilation = request.compile(environment, &name)?;
        let outcome = match compilation.errors.is_empty() {
            true => Ok(CatalogView::new(
                &compilation.catalog,
                &request,
                environment,
                &name,
            )),
            false => Err(compilation.errors),
        };
        progress.advance();
        Ok(Compiled { request, outcome })
    };
    let compiled = requests.into_par_iter();
    let compiled = compiled.map_with(environment.clone(), compile);
    let compiled: Result<Vec<Compiled<'a>>, Failure> = compiled.collect();
    progress.finish();
    compiled
}

/// Says which node definitions need a name.
fn note_patterns(environment: &LoadedEnvironment, count: usize) {
    let patterns = node_patterns(environment);
    if patterns.is_empty() {
        return;
    }
    let patterns: Vec<String> = patterns.iter().map(|it| format!("`/{it}/`")).collect();
    let patterns = patterns.join(", ");
    match count {
        0 => terminal::print_error(&format_args!(
            "the main manifests name no node; choose one that matches {patterns} with `--node`"
        )),
        _ => terminal::print_note(&format_args!(
            "to compile the catalogs of nodes that match {patterns}, name them with `--node`"
        )),
    }
}
