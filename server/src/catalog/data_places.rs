//! The files and lines of Hiera data that set parameters.

use std::collections::{BTreeSet, HashMap};
use std::path::Path;
use std::sync::Arc;

use analysis::FileId;
use analysis::catalog::{Catalog, CompileError, Origin, Place};
use analysis::hiera::interpolation::{Expression, interpolations};
use analysis::hiera::{DataFile, DataFormat};
use analysis::ide::{LookupAnswer, LookupCode, LookupQuery, NodeVariables};
use syntax::TextRange;

use super::place::PlaceView;
use super::request::CatalogRequest;
use crate::lookup::environment::LoadedEnvironment;
use crate::source::{LineBreaks, PositionEncoding, Source};

/// The places of values, by key.
pub(super) struct DataPlaces {
    by_key: HashMap<String, DataPlace>,
}

/// The place of a value.
#[derive(Clone)]
struct DataPlace {
    /// The line of its key.
    line: PlaceView,
    /// The value if it is on one line, else its key; `None` if the key is not in the file.
    value: Option<Place>,
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
        DataPlaces::of_keys(keys, request, environment, name)
    }

    fn of_keys(
        keys: BTreeSet<&str>,
        request: &CatalogRequest<'_>,
        environment: &LoadedEnvironment,
        name: &str,
    ) -> DataPlaces {
        let mut by_key = HashMap::new();
        if keys.is_empty() {
            return DataPlaces { by_key };
        }
        let variables = request.node().variables(name);
        let query = LookupQuery {
            keys: keys.into_iter().map(str::to_owned).collect(),
            merge: None,
            code: depends_on_code(environment, &variables).then(|| LookupCode {
                source: request.source(),
                names: request.node().names(),
                is_in_node: true,
            }),
            node: variables,
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
        self.by_key.get(key).map(|it| it.line.clone())
    }
}

/// Moves an error about a value in data to the value. The parameter becomes the related place.
pub(super) fn point_at_data(
    error: &mut CompileError,
    request: &CatalogRequest<'_>,
    environment: &LoadedEnvironment,
    name: &str,
) {
    let Some(key) = error.key.as_deref() else {
        return;
    };
    let places = DataPlaces::of_keys(BTreeSet::from([key]), request, environment, name);
    if let Some(value) = places.by_key.get(key).and_then(|it| it.value) {
        error.related = error.place.replace(value);
    }
}

/// Checks whether code assigns a variable in the paths of `hiera.yaml`.
fn depends_on_code(environment: &LoadedEnvironment, variables: &NodeVariables) -> bool {
    let config = environment.file_at(&environment.root().join("hiera.yaml"));
    let text = config.and_then(|it| environment.text(it));
    let text = text.as_deref().unwrap_or_default();
    interpolations(text).any(|it| match it.expression {
        Expression::Variable(name) => {
            let name = name.strip_prefix("::").unwrap_or(name);
            let root = name.split('.').next().unwrap_or(name);
            !variables.top_scope.contains_key(root)
        }
        _ => false,
    })
}

/// The data files, by path.
#[derive(Default)]
struct Files {
    known: HashMap<String, KeyPlaces>,
}

/// The root keys of a data file.
#[derive(Default)]
struct KeyPlaces {
    file: Option<FileId>,
    keys: HashMap<String, KeyPlace>,
}

/// The place of a root key.
#[derive(Clone, Copy)]
struct KeyPlace {
    line: usize,
    range: TextRange,
    /// The range of the value if it is on one line, else that of the key.
    value: TextRange,
}

impl Files {
    fn place(
        &mut self,
        key: &str,
        answer: &LookupAnswer,
        environment: &LoadedEnvironment,
    ) -> Option<DataPlace> {
        let explanation = answer.explanation.as_ref()?;
        let sources = explanation.sources(key);
        let (path, _) = sources.first()?;
        let path = Path::new(path);
        let known = self.known.entry(path.to_string_lossy().into_owned());
        let places = known.or_insert_with(|| key_places(path, environment));
        let found = places.keys.get(key);
        let range = found.map_or_else(TextRange::default, |it| it.range);
        let line = PlaceView {
            file: environment.shown_path(path),
            line: found.map_or(1, |it| it.line),
            target: places.file.map(|it| (it, range)),
        };
        let value = found.zip(places.file).map(|(it, file)| Place {
            file: Some(file),
            range: it.value,
        });
        Some(DataPlace { line, value })
    }
}

fn key_places(path: &Path, environment: &LoadedEnvironment) -> KeyPlaces {
    let file = environment.file_at(path);
    let format = match path.extension().is_some_and(|it| it == "json") {
        true => DataFormat::Json,
        false => DataFormat::Yaml,
    };
    let Some(text) = file.and_then(|it| environment.text(it)) else {
        return KeyPlaces::default();
    };
    let root = DataFile::parse(&text, format).root;
    let entries = root
        .as_ref()
        .and_then(|it| it.entries())
        .unwrap_or_default();
    let source = Source::new(Arc::clone(&text), LineBreaks::Puppet);
    let keys = entries.iter().map(|it| {
        let line = |at| source.line_column(at, PositionEncoding::Utf8).line;
        let value = it.value.range;
        let is_on_one_line = line(value.start()) == line(value.end());
        let place = KeyPlace {
            line: line(it.key_range.start()) as usize + 1,
            range: it.key_range,
            value: if is_on_one_line { value } else { it.key_range },
        };
        (it.name().to_owned(), place)
    });
    KeyPlaces {
        file,
        keys: keys.collect(),
    }
}
