//! The items of a file: its definitions, each with a syntax tree of its own.
//!
//! Queries about an item depend only on its tree, which does not change when the surrounding source
//! does. Its offset is a separate field, which only queries that need positions in the file read.

use salsa::Database;
use syntax::ast::{
    AstNode, ClassDefinition, Definition, Expr, FunctionDefinition, HasParameters, NodeDefinition,
    Parameter, detached_documentation, documentation,
};
use syntax::{GreenNode, NodeOrToken, SyntaxKind, SyntaxNode, TextRange, TextSize};

use base::FileInput;
use library::signatures::Doc;

/// A definition, or all code of a file outside of definitions.
#[salsa::tracked(debug)]
pub struct Item<'db> {
    #[returns(copy)]
    pub file: FileInput,
    #[returns(copy)]
    pub kind: ItemKind,
    /// The qualified name in lower case, without a leading `::`; empty for [`ItemKind::Main`], and
    /// the source of the node matcher for nodes.
    pub name: String,
    /// The tree without the body.
    #[tracked]
    pub header: GreenNode,
    /// The complete tree; for [`ItemKind::Main`], the tree of the file.
    #[tracked]
    pub tree: GreenNode,
    /// The comment above the definition.
    #[tracked]
    pub comment: Option<String>,
    /// The documentation above the definition that empty lines separate from it.
    #[tracked]
    pub detached_comment: Option<String>,
    /// The start of the tree in the file.
    #[tracked]
    #[returns(copy)]
    pub offset: TextSize,
}

/// Returns the definition that contains a range of a file, and the range in its tree.
pub fn item_at(
    db: &dyn Database,
    file: FileInput,
    range: TextRange,
) -> Option<(Item<'_>, TextRange)> {
    items(db, file).iter().find_map(|item| {
        let range = range.checked_sub(item.offset(db))?;
        let is_inside = item.syntax(db).text_range().contains_range(range);
        is_inside.then_some((*item, range))
    })
}

/// The kind of an [`Item`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, salsa::SalsaValue)]
pub enum ItemKind {
    Class,
    /// A defined type.
    DefinedType,
    /// A function in the Puppet language.
    Function,
    Plan,
    TypeAlias,
    /// A node definition.
    Node,
    /// The code outside of definitions, or a template.
    Main,
}

impl ItemKind {
    /// Checks whether manifests can declare it, as a class or as resources: then its code runs in a scope of its own, and its
    /// parameters are set like attributes.
    #[must_use]
    pub fn is_declarable(self) -> bool {
        matches!(self, ItemKind::Class | ItemKind::DefinedType)
    }

    /// Returns the name of the kind in messages.
    #[must_use]
    pub fn noun(self) -> &'static str {
        match self {
            ItemKind::Class => "class",
            ItemKind::DefinedType => "defined type",
            ItemKind::Function => "function",
            ItemKind::Plan => "plan",
            ItemKind::TypeAlias => "type alias",
            ItemKind::Node => "node",
            ItemKind::Main => "main manifest",
        }
    }
}

impl<'db> Item<'db> {
    /// Returns the root of the item's tree, which starts at offset 0.
    pub fn syntax(self, db: &'db dyn Database) -> SyntaxNode {
        SyntaxNode::new_root(self.tree(db).clone())
    }

    /// Translates a range of the item's tree to a range of the file.
    pub fn in_file(self, db: &'db dyn Database, range: TextRange) -> TextRange {
        range + self.offset(db)
    }

    /// Returns the value of `$module_name` in the code of a class or defined type: the name of its
    /// module. `None` in the main manifest, where it is an empty string, and in functions and
    /// templates.
    pub fn module_name(self, db: &'db dyn Database) -> Option<&'db str> {
        let has_own = self.kind(db).is_declarable();
        let module = has_own.then(|| self.file(db).module(db)).flatten();
        module.map(|it| &**it.name(db))
    }

    /// Returns the parsed documentation comment.
    pub fn doc(self, db: &'db dyn Database) -> Doc {
        let comment = self.comment(db).as_deref();
        comment.map_or_else(Doc::default, Doc::parse)
    }

    /// Returns the parsed documentation that empty lines separate from the definition.
    pub fn detached_doc(self, db: &'db dyn Database) -> Doc {
        let comment = self.detached_comment(db).as_deref();
        comment.map_or_else(Doc::default, Doc::parse)
    }
}

/// Returns the items of a file in source order, [`ItemKind::Main`] last.
#[salsa::tracked]
pub fn items<'db>(db: &'db dyn Database, file: FileInput) -> Vec<Item<'db>> {
    let root = base::parse(db, file).syntax();
    let mut found = Vec::new();
    // The namespaces of the enclosing classes, with their ends.
    let mut around: Vec<(TextSize, String)> = Vec::new();
    for definition in Definition::all_in(&root) {
        let range = definition.syntax().text_range();
        around.retain(|it| it.0 > range.start());
        let namespace = around.last().map(|it| it.1.as_str());
        let Some((kind, name)) = kind_and_name(&definition, namespace) else {
            continue;
        };
        if kind == ItemKind::Class {
            around.push((range.end(), name.clone()));
        }
        let tree: GreenNode = definition.syntax().green().into_owned();
        let comment = documentation(&definition);
        let offset = range.start();
        found.push(Item::new(
            db,
            file,
            kind,
            name,
            header(&tree),
            tree,
            comment,
            detached_documentation(&definition).map(|it| it.text),
            offset,
        ));
    }
    if has_main(&root) {
        let tree: GreenNode = root.green().into_owned();
        let empty = header(&GreenNode::new(
            rowan::SyntaxKind(SyntaxKind::SOURCE_FILE as u16),
            [],
        ));
        let start = TextSize::new(0);
        found.push(Item::new(
            db,
            file,
            ItemKind::Main,
            String::new(),
            empty,
            tree,
            None,
            None,
            start,
        ));
    }
    found
}

/// Returns the item that corresponds to a definition in another version of the file, by kind and
/// name; without a definition, the code outside of definitions.
pub fn corresponding_item<'db>(
    db: &'db dyn Database,
    file: FileInput,
    definition: Option<&Definition>,
) -> Option<Item<'db>> {
    let (kind, name) = match definition {
        Some(it) => full_name(it)?,
        None => (ItemKind::Main, String::new()),
    };
    let mut all = items(db, file).iter();
    all.find(|it| it.kind(db) == kind && *it.name(db) == name)
        .copied()
}

/// Returns the kind of a definition, and its name qualified by the enclosing classes.
fn full_name(definition: &Definition) -> Option<(ItemKind, String)> {
    let around = definition.syntax().ancestors().skip(1);
    let classes: Vec<_> = around.filter_map(ClassDefinition::cast).collect();
    let mut namespace: Option<String> = None;
    for class in classes.into_iter().rev() {
        let class = Definition::ClassDefinition(class);
        namespace = Some(kind_and_name(&class, namespace.as_deref())?.1);
    }
    kind_and_name(definition, namespace.as_deref())
}

fn has_main(root: &SyntaxNode) -> bool {
    root.children().any(|it| !Definition::can_cast(it.kind()))
}

fn kind_and_name(definition: &Definition, namespace: Option<&str>) -> Option<(ItemKind, String)> {
    let kind = match definition {
        Definition::ClassDefinition(_) => ItemKind::Class,
        Definition::DefineDefinition(_) => ItemKind::DefinedType,
        Definition::PlanDefinition(_) => ItemKind::Plan,
        Definition::FunctionDefinition(_) => ItemKind::Function,
        Definition::TypeAlias(_) => ItemKind::TypeAlias,
        Definition::NodeDefinition(it) => return Some((ItemKind::Node, node_name(it))),
        Definition::TypeMapping(_) | Definition::TypeDefinition(_) => return None,
    };
    let name = canonical_name(&definition.name()?.text());
    // Classes and defined types in a class are qualified by its name.
    let name = match namespace {
        Some(namespace) if kind.is_declarable() => {
            format!("{namespace}::{name}")
        }
        _ => name,
    };
    Some((kind, name))
}

fn node_name(node: &NodeDefinition) -> String {
    let names = node.host_names().map(|it| it.syntax().text().to_string());
    names.collect::<Vec<_>>().join(", ")
}

/// Returns the canonical form of a name: in lower case, without a leading `::`.
pub fn canonical_name(name: &str) -> String {
    let name = name.strip_prefix("::").unwrap_or(name);
    name.to_ascii_lowercase()
}

/// Checks whether a name without a leading `::` may be that of a class.
pub fn is_class_name(name: &str) -> bool {
    let is_part = |it: &str| {
        it.starts_with(|it: char| it.is_ascii_lowercase())
            && it
                .bytes()
                .all(|it| it.is_ascii_lowercase() || it.is_ascii_digit() || it == b'_')
    };
    name.split("::").all(is_part)
}

/// Returns a tree without its body. The ranges of the remaining nodes are unchanged.
fn header(tree: &GreenNode) -> GreenNode {
    let is_body = |it: &rowan::NodeOrToken<&rowan::GreenNodeData, &rowan::GreenTokenData>| {
        it.kind() == rowan::SyntaxKind(SyntaxKind::BLOCK as u16)
    };
    let kept = tree.children().take_while(|it| !is_body(it));
    let kept: Vec<_> = kept
        .map(|it| match it {
            NodeOrToken::Node(it) => NodeOrToken::Node(it.to_owned()),
            NodeOrToken::Token(it) => NodeOrToken::Token(it.to_owned()),
        })
        .collect();
    GreenNode::new(tree.kind(), kept)
}

/// The declaration of an item, without its body.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Signature {
    /// The range of the name in the tree of the item.
    pub name_range: TextRange,
    /// The parameters in source order.
    pub parameters: Vec<ParameterSignature>,
    /// The parent class, in canonical form.
    pub inherits: Option<String>,
    /// The declared return type of a function, or the type that an alias stands for.
    pub returns: Option<String>,
}

/// A parameter of an item.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ParameterSignature {
    /// The name without the dollar sign.
    pub name: String,
    /// The source of the declared type.
    pub type_: Option<String>,
    /// The source of the default.
    pub default: Option<String>,
    /// Whether the parameter captures the remaining arguments.
    pub captures_rest: bool,
    /// The range of the name in the tree of the item, including the dollar sign.
    pub name_range: TextRange,
    /// The range of the parameter in the tree of the item.
    pub range: TextRange,
}

impl Signature {
    pub fn parameter(&self, name: &str) -> Option<&ParameterSignature> {
        self.parameters.iter().find(|it| it.name == name)
    }
}

impl ParameterSignature {
    /// Checks whether the parameter is required.
    pub fn is_required(&self) -> bool {
        self.default.is_none() && !self.captures_rest
    }

    fn of(parameter: &Parameter) -> Option<ParameterSignature> {
        let text = |it: Expr| it.syntax().text().to_string();
        Some(ParameterSignature {
            name: parameter.name()?,
            type_: parameter.type_expr().map(text),
            default: parameter.default().map(text),
            captures_rest: parameter.captures_rest(),
            name_range: parameter.variable()?.text_range(),
            range: parameter.syntax().text_range(),
        })
    }
}

/// Returns the declaration of an item.
#[salsa::tracked]
pub fn signature<'db>(db: &'db dyn Database, item: Item<'db>) -> Signature {
    let root = SyntaxNode::new_root(item.header(db).clone());
    let list = root
        .children()
        .find(|it| it.kind() == SyntaxKind::PARAMETER_LIST);
    let parameters = list.into_iter().flat_map(|it| it.children());
    let parameters = parameters.filter_map(Parameter::cast);
    let name = Definition::cast(root.clone()).and_then(|it| it.name());
    let name = name.and_then(|it| it.token());
    let class = ClassDefinition::cast(root.clone());
    let inherits = class.and_then(|it| it.inherits()?.name());
    Signature {
        name_range: name.map_or_else(|| keyword_range(&root), |it| it.text_range()),
        parameters: parameters
            .filter_map(|it| ParameterSignature::of(&it))
            .collect(),
        inherits: inherits.map(|it| canonical_name(&it.text())),
        returns: returns(root),
    }
}

fn returns(root: SyntaxNode) -> Option<String> {
    let type_ = match Definition::cast(root)? {
        Definition::FunctionDefinition(it) => FunctionDefinition::return_type(&it)?.type_expr(),
        Definition::TypeAlias(it) => it.type_expr(),
        _ => None,
    };
    type_.map(|it| it.syntax().text().to_string())
}

/// Returns the range of the first word, for items without a name such as nodes.
fn keyword_range(root: &SyntaxNode) -> TextRange {
    let tokens = root.children_with_tokens().filter_map(|it| it.into_token());
    let mut words = tokens.filter(|it| !it.kind().is_trivia());
    words
        .next()
        .map_or_else(TextRange::default, |it| it.text_range())
}

/// Returns the parameters of a template.
pub(crate) fn template_parameters(root: &SyntaxNode) -> Vec<ParameterSignature> {
    let views = root.children().filter_map(syntax::ast::EppParameters::cast);
    let parameters = views.flat_map(|it| it.parameters());
    parameters
        .filter_map(|it| ParameterSignature::of(&it))
        .collect()
}

pub(super) fn is_definition(kind: SyntaxKind) -> bool {
    Definition::can_cast(kind)
}
