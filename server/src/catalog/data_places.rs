//! The files and lines of Hiera data that set parameters.

use std::collections::{BTreeSet, HashMap};
use std::path::Path;
use std::sync::Arc;

use analysis::catalog::{Catalog, Origin};
use analysis::hiera::{DataFile, DataFormat};
use analysis::ide::{LookupAnswer, LookupQuery};

use super::place::{PlaceView, relative};
use super::request::CatalogRequest;
use crate::lookup::environment::LoadedEnvironment;
use crate::source::{LineBreaks, PositionEncoding, Source};

/// The places of values, by key.
pub(super) struct DataPlaces {
    by_key: HashMap<String, PlaceView>,
}

impl DataPlaces {
    /// Finds the places of the values that set parameters of a catalog. If several files are merged, the
    /// first one counts.
    pub(super) fn find(
        catalog: &Catalog,
        request: &CatalogRequest<'_>,
        environment: &LoadedEnvironment,
        name: &str,
    ) -> DataPlaces {
        let parameters = catalog.resources.values();
        let parameters = parameters.flat_map(|it| it.parameters.values());
        let keys: BTreeSet<&str> = parameters
            .filter_map(|it| match &it.origin {
                Origin::Data { key } => Some(key.as_str()),
                _ => None,
            })
            .collect();
        let mut by_key = HashMap::new();
        if keys.is_empty() {
            return DataPlaces { by_key };
        }
        let query = LookupQuery {
            keys: keys.into_iter().map(str::to_owned).collect(),
            merge: None,
            node: request.node().variables(name),
            explain: true,
        };
        let answers = environment.look_up(&query).unwrap_or_default();
        let mut files = Files::default();
        for (key, answer) in query.keys.iter().zip(&answers) {
            if let Some(place) = files.place(key, answer, environment) {
                by_key.insert(key.clone(), place);
            }
        }
        DataPlaces { by_key }
    }

    /// Returns the place of the value of a key.
    pub(super) fn get(&self, key: &str) -> Option<PlaceView> {
        self.by_key.get(key).cloned()
    }
}

/// The lines of the root keys of data files.
#[derive(Default)]
struct Files {
    lines: HashMap<String, HashMap<String, usize>>,
}

impl Files {
    fn place(
        &mut self,
        key: &str,
        answer: &LookupAnswer,
        environment: &LoadedEnvironment,
    ) -> Option<PlaceView> {
        let explanation = answer.explanation.as_ref()?;
        let sources = explanation.sources(key);
        let (path, _) = sources.first()?;
        let known = self.lines.entry((*path).to_owned());
        let lines = known.or_insert_with(|| key_lines(Path::new(path), environment));
        Some(PlaceView {
            file: relative(Path::new(path), environment),
            line: lines.get(key).copied().unwrap_or(1),
        })
    }
}

fn key_lines(path: &Path, environment: &LoadedEnvironment) -> HashMap<String, usize> {
    let text: Option<Arc<str>> = environment.text_at(path);
    let format = match path.extension().is_some_and(|it| it == "json") {
        true => DataFormat::Json,
        false => DataFormat::Yaml,
    };
    let Some(text) = text else {
        return HashMap::new();
    };
    let root = DataFile::parse(&text, format).root;
    let entries = root
        .as_ref()
        .and_then(|it| it.entries())
        .unwrap_or_default();
    let source = Source::new(Arc::clone(&text), LineBreaks::Puppet);
    let lines = entries.iter().map(|it| {
        let start = source.line_column(it.key_range.start(), PositionEncoding::Utf8);
        (it.name().to_owned(), start.line as usize + 1)
    });
    lines.collect()
}
