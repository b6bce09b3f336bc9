//! `pupil debug infer`: the inferred type of every expression, as claims that tests compare with
//! the real Puppet.

use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

use analysis::ide::{InferredType, TypedRangeKind};
use analysis::{types, values};
use rayon::prelude::*;
use serde::Serialize;

use crate::args::PuppetArgs;
use crate::loaded_workspace::LoadedWorkspace;
use crate::paths::absolute;
use crate::terminal::{self, Failure};

#[derive(Serialize)]
struct InferredRange<'a> {
    file: &'a str,
    start: u32,
    end: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    kind: Option<&'static str>,
    #[serde(rename = "type")]
    type_: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    value: Option<String>,
}

/// Writes one claim per line, in file and source order.
pub(super) fn run(paths: &[PathBuf], puppet: &PuppetArgs) -> Result<ExitCode, Failure> {
    let workspace = LoadedWorkspace::load(paths, &puppet.modulepath, puppet.version(paths)?);
    let found = crate::find_files::find(paths).files;
    let files = &workspace.files;
    let claims: Vec<Vec<u8>> = found
        .par_iter()
        .map_with(workspace.analysis.clone(), |analysis, path| {
            let Some(file) = files.id(path) else {
                return Vec::new();
            };
            // A file may have several paths: Puppet reports the canonical one.
            let path = std::fs::canonicalize(path).unwrap_or_else(|_| absolute(path));
            let name = path.to_string_lossy();
            lines(&name, &analysis.inferred_types(file))
        })
        .collect();
    let mut out = terminal::stdout();
    for lines in claims {
        out.write_all(&lines)?;
    }
    out.flush()?;
    Ok(ExitCode::SUCCESS)
}

fn lines(file: &str, places: &[InferredType]) -> Vec<u8> {
    let mut lines = Vec::new();
    for place in places {
        let inferred = InferredRange {
            file,
            start: place.range.start().into(),
            end: place.range.end().into(),
            kind: match place.kind {
                TypedRangeKind::Parameter => Some("Parameter"),
                TypedRangeKind::Assigned => Some("VariableExpression"),
                TypedRangeKind::Expression => None,
            },
            type_: types::display_readable(&place.type_),
            value: place.value.as_ref().and_then(values::source),
        };
        // Writing to memory cannot fail.
        let _ = serde_json::to_writer(&mut lines, &inferred);
        lines.push(b'\n');
    }
    lines
}
