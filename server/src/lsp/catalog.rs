//! `pupil/catalog`: the catalog of the class or node definition at a position, compiled from the documents as
//! they are in the editor.

use std::collections::BTreeSet;
use std::sync::Arc;

use analysis::FileId;
use analysis::catalog::{CompileError, EdgeKind, Place};
use analysis::ide::{CatalogSubject, CatalogSubjectKind, NodeMatcher, NodeSelector};
use serde::{Deserialize, Deserializer, Serialize};
use syntax::TextRange;
use tower_lsp::jsonrpc::{Error, ErrorCode, Result};
use tower_lsp::ls_types::{Location, Position, Range, TextDocumentIdentifier, Uri};

use super::backend::Backend;
use super::snapshot::{LocatedFiles, Snapshot};
use super::{from_proto, to_proto};
use crate::catalog::Compiled;
use crate::catalog::error;
use crate::catalog::json::origin_name;
use crate::catalog::place::PlaceView;
use crate::catalog::request::{CatalogRequest, NodeName, Subject};
use crate::catalog::text;
use crate::catalog::value_lines::value_text;
use crate::catalog::view::{CatalogView, EdgeView, ResourceView};
use crate::default_facts::default_set;
use crate::fact_sets::{FactSet, FactSets};
use crate::lookup::environment::LoadedEnvironment;
use crate::source::Source;
use crate::terminal::Failure;

/// The error code `RequestFailed` of the protocol.
const REQUEST_FAILED: i64 = -32803;

/// The parameters of `pupil/catalog`.
#[derive(Deserialize, Clone, Debug)]
#[serde(rename_all = "camelCase")]
pub(super) struct CatalogParams {
    text_document: TextDocumentIdentifier,
    position: Option<Position>,
    #[serde(default)]
    facts: FactsChoice,
    /// The name of the node.
    node: Option<String>,
    #[serde(default)]
    format: Format,
}

/// The facts of the node.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
enum FactsChoice {
    /// The default facts of the project or module.
    #[default]
    Default,
    Unknown,
    /// The fact set with a name.
    Named(String),
}

impl<'de> Deserialize<'de> for FactsChoice {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> std::result::Result<Self, D::Error> {
        let name = Option::<String>::deserialize(deserializer)?;
        Ok(name.map_or(FactsChoice::Unknown, FactsChoice::Named))
    }
}

/// The form of a catalog.
#[derive(Deserialize, Clone, Copy, PartialEq, Eq, Debug, Default)]
#[serde(rename_all = "lowercase")]
enum Format {
    #[default]
    Json,
    Text,
}

/// The parameters of `pupil/catalogChoices`.
#[derive(Deserialize, Clone, Debug)]
#[serde(rename_all = "camelCase")]
pub(super) struct ChoicesParams {
    text_document: TextDocumentIdentifier,
}

/// The fact sets and nodes for which catalogs can be compiled.
#[derive(Serialize, Clone, PartialEq, Eq, Debug)]
#[serde(rename_all = "camelCase")]
pub(super) struct Choices {
    facts: Vec<String>,
    /// The fact set of requests that choose none; `None` if facts are unknown then.
    default_facts: Option<String>,
    /// The names in the node definitions of the main manifests.
    nodes: Vec<String>,
}

/// A catalog, or the errors with which Puppet rejects it.
#[derive(Serialize, Clone, PartialEq, Debug)]
pub(super) struct CatalogAnswer {
    title: String,
    /// The name of the fact set; `None` if facts are unknown.
    facts: Option<String>,
    /// Whether the request left the choice of the facts to the server.
    #[serde(rename = "hasDefaultFacts")]
    has_default_facts: bool,
    #[serde(flatten)]
    subject: SubjectAnswer,
    /// The numbers of resources; `None` if Puppet rejects the catalog.
    summary: Option<String>,
    errors: Vec<ErrorAnswer>,
    #[serde(flatten)]
    body: Body,
}

/// The class or node definition.
#[derive(Serialize, Clone, PartialEq, Debug)]
struct SubjectAnswer {
    uri: Uri,
    /// The range of the name.
    range: Range,
    definition: Range,
}

#[derive(Serialize, Clone, PartialEq, Debug)]
#[serde(untagged)]
enum Body {
    Json {
        resources: Vec<ResourceAnswer>,
        edges: Vec<EdgeAnswer>,
        cycles: Vec<Vec<String>>,
        gaps: Vec<GapAnswer>,
    },
    Text {
        lines: Vec<LineAnswer>,
    },
}

#[derive(Serialize, Clone, PartialEq, Debug)]
struct ErrorAnswer {
    message: String,
    #[serde(flatten)]
    place: Option<Location>,
    related: Option<Location>,
}

#[derive(Serialize, Clone, PartialEq, Debug)]
#[serde(rename_all = "camelCase")]
struct ResourceAnswer {
    reference: String,
    #[serde(rename = "type")]
    type_name: String,
    title: String,
    container: Option<String>,
    is_certain: bool,
    condition: Option<String>,
    is_virtual: bool,
    is_exported: bool,
    parameters: Vec<ParameterAnswer>,
    #[serde(flatten)]
    place: Option<Location>,
}

#[derive(Serialize, Clone, PartialEq, Debug)]
#[serde(rename_all = "camelCase")]
struct ParameterAnswer {
    name: String,
    /// The value in Puppet's notation, on one line and shortened; or why it is unknown.
    value: String,
    is_known: bool,
    origin: &'static str,
    /// The Hiera key of the value.
    key: Option<String>,
    #[serde(flatten)]
    place: Option<Location>,
}

#[derive(Serialize, Clone, PartialEq, Debug)]
#[serde(rename_all = "camelCase")]
struct EdgeAnswer {
    from: String,
    to: String,
    kind: &'static str,
    is_automatic: bool,
    #[serde(flatten)]
    place: Option<Location>,
}

#[derive(Serialize, Clone, PartialEq, Debug)]
struct GapAnswer {
    reason: String,
    #[serde(flatten)]
    place: Option<Location>,
}

#[derive(Serialize, Clone, PartialEq, Debug)]
struct LineAnswer {
    text: String,
    #[serde(flatten)]
    place: Option<Location>,
}

impl Backend {
    /// Handles `pupil/catalog`. Returns `None` without a class or node definition at the position.
    pub(super) async fn catalog(&self, params: CatalogParams) -> Result<Option<CatalogAnswer>> {
        let uri = params.text_document.uri.clone();
        let compute = move |snapshot: &Snapshot, file: FileId, source: &Source| {
            catalog(snapshot, (file, source), &params).transpose()
        };
        self.compute_slowly(uri, compute).await?.transpose()
    }

    /// Handles `pupil/catalogChoices`.
    pub(super) async fn catalog_choices(&self, params: ChoicesParams) -> Result<Option<Choices>> {
        let uri = params.text_document.uri;
        let compute = |snapshot: &Snapshot, file: FileId, _: &Source| Some(choices(snapshot, file));
        self.compute_slowly(uri, compute).await?.transpose()
    }
}

fn choices(snapshot: &Snapshot, file: FileId) -> Result<Choices> {
    let environment = environment(snapshot, file)?;
    let sets = environment.fact_sets();
    let nodes = environment.node_matchers().into_iter();
    let names = nodes.filter_map(|it| match it {
        NodeMatcher::Name(name) => Some(name),
        NodeMatcher::Regex(_) | NodeMatcher::Default => None,
    });
    let names: BTreeSet<String> = names.collect();
    Ok(Choices {
        facts: sets.names().map_err(request_failed)?,
        default_facts: default_facts(&sets, &environment, file)?,
        nodes: names.into_iter().collect(),
    })
}

fn environment(snapshot: &Snapshot, file: FileId) -> Result<LoadedEnvironment> {
    let found = LoadedEnvironment::of_file(
        file,
        snapshot.analysis.clone(),
        Arc::clone(&snapshot.discovery),
        Arc::clone(&snapshot.paths),
        snapshot.version,
    );
    found.ok_or_else(|| request_failed("the file does not belong to a module or an environment"))
}

fn catalog(
    snapshot: &Snapshot,
    (file, source): (FileId, &Source),
    params: &CatalogParams,
) -> Result<Option<CatalogAnswer>> {
    let encoding = snapshot.client.position_encoding;
    let offset = params.position;
    let offset = offset.map(|it| from_proto::offset(it, source, encoding));
    let analysis = &snapshot.analysis;
    let Some(subject) = analysis.catalog_subject(file, offset) else {
        return Ok(None);
    };
    let environment = environment(snapshot, file)?;
    let facts = facts(&params.facts, &environment, file)?;
    let request = request(
        &subject,
        params.node.as_deref(),
        facts.as_ref(),
        &environment,
    )?;
    let range = subject.target.name_range;
    let to_range = |it| to_proto::range(it, source, encoding);
    let definition = SubjectAnswer {
        uri: params.text_document.uri.clone(),
        range: to_range(range),
        definition: to_range(subject.target.range),
    };
    let mut answer = compiled(
        snapshot,
        (file, range),
        (request, definition),
        &environment,
        params.format,
    )?;
    answer.has_default_facts = params.facts == FactsChoice::Default;
    Ok(Some(answer))
}

/// Compiles a catalog for the definition whose name is at a place.
fn compiled(
    snapshot: &Snapshot,
    (file, range): (FileId, TextRange),
    (request, definition): (CatalogRequest<'_>, SubjectAnswer),
    environment: &LoadedEnvironment,
    format: Format,
) -> Result<CatalogAnswer> {
    let mut writer = Writer {
        files: LocatedFiles::new(snapshot),
    };
    let parse = snapshot.analysis.parse(file);
    let broken = parse
        .iter()
        .flat_map(|it| CompileError::of_syntax(Some(file), it.errors()));
    let broken: Vec<ErrorAnswer> = broken.map(|it| writer.error(&it)).collect();
    if !broken.is_empty() {
        return Ok(rejected(&request, definition, broken, format));
    }
    let compiled = Compiled::new(request, environment, &environment.name()).map_err(failed)?;
    let request = compiled.request;
    let code = Place {
        file: Some(file),
        range,
    };
    let code = error::place(Some(code), &request, environment);
    let errors = match compiled.outcome {
        Ok(mut view) => {
            if let Some(code) = &code {
                view.replace_code(code);
            }
            return Ok(writer.answer(&request, definition, &view, format));
        }
        Err(errors) => errors.iter().map(|it| writer.error(it)).collect(),
    };
    Ok(rejected(&request, definition, errors, format))
}

/// Reads the facts that a request chooses.
fn facts(
    choice: &FactsChoice,
    environment: &LoadedEnvironment,
    file: FileId,
) -> Result<Option<FactSet>> {
    let sets = environment.fact_sets();
    let name = match choice {
        FactsChoice::Default => default_facts(&sets, environment, file)?,
        FactsChoice::Unknown => None,
        FactsChoice::Named(name) => Some(name.clone()),
    };
    let set = name.map(|it| sets.read_named(&it).map_err(Error::invalid_params));
    set.transpose()
}

/// Returns the name of the fact set for a file if the user has chosen none.
fn default_facts(
    sets: &FactSets,
    environment: &LoadedEnvironment,
    file: FileId,
) -> Result<Option<String>> {
    let Some(path) = environment.path(file) else {
        return Ok(None);
    };
    default_set(sets, environment, path).map_err(request_failed)
}

/// Returns the request for the catalog of a class or node definition.
fn request<'a>(
    subject: &CatalogSubject,
    node: Option<&str>,
    facts: Option<&'a FactSet>,
    environment: &LoadedEnvironment,
) -> Result<CatalogRequest<'a>> {
    let (subject, node) = match &subject.kind {
        CatalogSubjectKind::Class(name) => {
            let node = node.map(|it| NodeName::Name(it.to_owned()));
            (
                Subject::Class(name.clone()),
                node.unwrap_or(NodeName::Unnamed),
            )
        }
        CatalogSubjectKind::Nodes(matchers) => {
            let node = node_of(matchers, node, environment)?;
            (Subject::Manifests, node)
        }
    };
    Ok(CatalogRequest {
        subject,
        node,
        facts,
    })
}

/// Returns the node whose definition has the matchers: the wanted one if they match it, else the first one that
/// they name.
fn node_of(
    matchers: &[NodeMatcher],
    wanted: Option<&str>,
    environment: &LoadedEnvironment,
) -> Result<NodeName> {
    let is_default = matchers.contains(&NodeMatcher::Default);
    if let Some(wanted) = wanted {
        let all = environment.node_matchers().into_iter();
        let selector = NodeSelector::new(all.map(|it| (it.clone(), it)));
        if selector
            .select(wanted)
            .is_some_and(|it| matchers.contains(it))
        {
            return Ok(NodeName::Name(wanted.to_owned()));
        }
    }
    let first = matchers.iter().find_map(|it| match it {
        NodeMatcher::Name(name) => Some(NodeName::Name(name.clone())),
        NodeMatcher::Regex(_) | NodeMatcher::Default => None,
    });
    let default = || is_default.then_some(NodeName::DefaultDefinition);
    first.or_else(default).ok_or_else(|| {
        let patterns = matchers.iter().filter_map(|it| match it {
            NodeMatcher::Regex(regex) => Some(format!("`/{regex}/`")),
            NodeMatcher::Name(_) | NodeMatcher::Default => None,
        });
        let patterns: Vec<String> = patterns.collect();
        let patterns = patterns.join(" or ");
        request_failed(format!("choose a node whose name matches {patterns}"))
    })
}

/// Converts a catalog to the types of the protocol.
struct Writer<'a> {
    files: LocatedFiles<'a>,
}

impl Writer<'_> {
    fn location(&mut self, place: Option<&PlaceView>) -> Option<Location> {
        let (file, range) = place?.target?;
        self.files.location(file, range)
    }

    fn answer(
        &mut self,
        request: &CatalogRequest<'_>,
        subject: SubjectAnswer,
        view: &CatalogView,
        format: Format,
    ) -> CatalogAnswer {
        let summary = text::summary(view);
        let title = request.title();
        let body = match format {
            Format::Json => self.json(view),
            Format::Text => self.text(&format!("{title}: {summary}"), view),
        };
        CatalogAnswer {
            title,
            facts: request.facts.map(|it| it.name.clone()),
            has_default_facts: false,
            subject,
            summary: Some(summary),
            errors: Vec::new(),
            body,
        }
    }

    fn json(&mut self, view: &CatalogView) -> Body {
        let gaps = view.gaps.iter().map(|it| GapAnswer {
            reason: it.why.clone(),
            place: self.location(it.place.as_ref()),
        });
        Body::Json {
            gaps: gaps.collect(),
            cycles: view.cycles.clone(),
            edges: view.edges.iter().map(|it| self.edge(it)).collect(),
            resources: view.resources.iter().map(|it| self.resource(it)).collect(),
        }
    }

    fn text(&mut self, title: &str, view: &CatalogView) -> Body {
        let title = [line(title), line("")];
        let tree = text::tree(view, false).into_iter();
        let tree = tree.map(|it| LineAnswer {
            place: self.location(it.place.as_ref()),
            text: it.text,
        });
        Body::Text {
            lines: title.into_iter().chain(tree).collect(),
        }
    }

    fn resource(&mut self, resource: &ResourceView) -> ResourceAnswer {
        let parameters = resource.parameters.iter().map(|it| ParameterAnswer {
            name: it.name.clone(),
            value: value_text(&it.name, &it.value),
            is_known: it.value.is_ok(),
            origin: origin_name(it.origin),
            key: it.key.clone(),
            place: self.location(it.place.as_ref()),
        });
        ResourceAnswer {
            reference: resource.reference.clone(),
            type_name: resource.key.type_name.clone(),
            title: resource.key.title.clone(),
            container: resource.shown_in().map(str::to_owned),
            is_certain: resource.is_certain,
            condition: resource.condition.clone(),
            is_virtual: resource.is_virtual,
            is_exported: resource.is_exported,
            parameters: parameters.collect(),
            place: self.location(resource.place.as_ref()),
        }
    }

    fn edge(&mut self, edge: &EdgeView) -> EdgeAnswer {
        EdgeAnswer {
            from: edge.from.clone(),
            to: edge.to.clone(),
            kind: EdgeKind::as_str(edge.kind),
            is_automatic: edge.is_automatic,
            place: self.location(edge.place.as_ref()),
        }
    }

    fn error(&mut self, error: &CompileError) -> ErrorAnswer {
        let mut location = |place: Option<Place>| {
            let place = place?;
            self.files.location(place.file?, place.range)
        };
        ErrorAnswer {
            place: location(error.place),
            related: location(error.related),
            message: error.message.clone(),
        }
    }
}

/// Returns the answer for a catalog that Puppet rejects.
fn rejected(
    request: &CatalogRequest<'_>,
    subject: SubjectAnswer,
    errors: Vec<ErrorAnswer>,
    format: Format,
) -> CatalogAnswer {
    let title = request.title();
    let body = match format {
        Format::Json => Body::Json {
            resources: Vec::new(),
            edges: Vec::new(),
            cycles: Vec::new(),
            gaps: Vec::new(),
        },
        Format::Text => {
            let heading = format!("{title}: Puppet rejects this catalog");
            let errors = errors.iter().map(|it| LineAnswer {
                text: format!("  error: {}", it.message),
                place: it.place.clone(),
            });
            let lines = [line(&heading), line("")].into_iter().chain(errors);
            Body::Text {
                lines: lines.collect(),
            }
        }
    };
    CatalogAnswer {
        title,
        facts: request.facts.map(|it| it.name.clone()),
        has_default_facts: false,
        subject,
        summary: None,
        errors,
        body,
    }
}

fn line(text: &str) -> LineAnswer {
    LineAnswer {
        text: text.to_owned(),
        place: None,
    }
}

fn request_failed(message: impl Into<String>) -> Error {
    let mut error = Error::new(ErrorCode::ServerError(REQUEST_FAILED));
    error.message = message.into().into();
    error
}

fn failed(failure: Failure) -> Error {
    match failure {
        Failure::Message(message) => request_failed(message),
        Failure::OutputClosed | Failure::Reported => request_failed("internal error"),
    }
}
