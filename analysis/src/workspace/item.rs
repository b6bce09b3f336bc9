//! The definitions of a file, each with a tree of its own.
//!
//! What is computed about an item depends on its tree only, which does not change when text around
//! it does. Its offset is a field that only those read who need places in the file.

use salsa::Database;
use syntax::ast::{
    AstNode, ClassDefinition, Definition, Expr, FunctionDefinition, HasParameters, NodeDefinition,
    Parameter, documentation,
};
use syntax::{GreenNode, NodeOrToken, SyntaxKind, SyntaxNode, TextRange, TextSize};

use crate::db::{self, FileInput};
use crate::declared::Doc;

/// A definition, or all that stands outside of definitions in a file.
#[salsa::tracked(debug)]
pub(crate) struct Item<'db> {
    /// The file it is in.
    #[returns(copy)]
    pub(crate) file: FileInput,
    /// What it is.
    #[returns(copy)]
    pub(crate) kind: ItemKind,
    /// Its full name in lower case, without a leading `::`; empty for [`ItemKind::Main`] and of
    /// nodes what is written.
    pub(crate) name: String,
    /// Its tree without the body.
    #[tracked]
    pub(crate) header: GreenNode,
    /// All of its tree. That of [`ItemKind::Main`] is the file's.
    #[tracked]
    pub(crate) tree: GreenNode,
    /// The comment above it.
    #[tracked]
    pub(crate) comment: Option<String>,
    /// Where its tree starts in the file.
    #[tracked]
    #[returns(copy)]
    pub(crate) offset: TextSize,
}

/// What an [`Item`] is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, salsa::SalsaValue)]
pub(crate) enum ItemKind {
    /// A class.
    Class,
    /// A defined type.
    Define,
    /// A function in Puppet's language.
    Function,
    /// A plan.
    Plan,
    /// A type alias.
    TypeAlias,
    /// A node definition.
    Node,
    /// What stands outside of definitions, and templates.
    Main,
}

impl<'db> Item<'db> {
    /// The root of its own tree, which starts at 0.
    pub(crate) fn syntax(self, db: &'db dyn Database) -> SyntaxNode {
        SyntaxNode::new_root(self.tree(db).clone())
    }

    /// A range of its tree as one of the file.
    pub(crate) fn in_file(self, db: &'db dyn Database, range: TextRange) -> TextRange {
        range + self.offset(db)
    }

    /// What `$module_name` is in its code: of a class or a defined type of a module, that module.
    /// Nothing in the main manifest, where Puppet has an empty text, and in functions and templates.
    pub(crate) fn module_name(self, db: &'db dyn Database) -> Option<&'db str> {
        let has_own = matches!(self.kind(db), ItemKind::Class | ItemKind::Define);
        let module = has_own.then(|| self.file(db).module(db)).flatten();
        module.map(|it| &**it.name(db))
    }

    /// What the comment above it says.
    pub(crate) fn doc(self, db: &'db dyn Database) -> Doc {
        let comment = self.comment(db).as_deref();
        comment.map_or_else(Doc::default, Doc::parse)
    }
}

/// The items of a file, in the order of its text, [`ItemKind::Main`] last.
#[salsa::tracked]
pub(crate) fn items<'db>(db: &'db dyn Database, file: FileInput) -> Vec<Item<'db>> {
    let root = db::parse(db, file).syntax();
    let mut found = Vec::new();
    // The namespaces of the classes around, with where they end.
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
            start,
        ));
    }
    found
}

/// The item of a file that a definition in another version of its text is, by its kind and name;
/// without a definition, what stands outside of them.
pub(crate) fn item_like<'db>(
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

/// What a definition is, and its name with those of the classes around it.
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
        Definition::DefineDefinition(_) => ItemKind::Define,
        Definition::PlanDefinition(_) => ItemKind::Plan,
        Definition::FunctionDefinition(_) => ItemKind::Function,
        Definition::TypeAlias(_) => ItemKind::TypeAlias,
        Definition::NodeDefinition(it) => return Some((ItemKind::Node, node_name(it))),
        Definition::TypeMapping(_) | Definition::TypeDefinition(_) => return None,
    };
    let name = canonical(&definition.name()?.text());
    // Classes and defined types in a class get its name in front.
    let name = match namespace {
        Some(namespace) if matches!(kind, ItemKind::Class | ItemKind::Define) => {
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

/// A name as it is looked up: in lower case, without a leading `::`.
pub(crate) fn canonical(name: &str) -> String {
    let name = name.strip_prefix("::").unwrap_or(name);
    name.to_ascii_lowercase()
}

/// A tree without its body. The ranges of what is left are the same.
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

/// What an item says about itself before its body.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Signature {
    /// The place of the name in the tree of the item.
    pub(crate) name_range: TextRange,
    /// The parameters in order.
    pub(crate) parameters: Vec<ParameterSignature>,
    /// The class it inherits from, in canonical form.
    pub(crate) inherits: Option<String>,
    /// The declared type of a function's result; of an alias, what it stands for.
    pub(crate) returns: Option<String>,
}

/// A parameter of an item.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct ParameterSignature {
    /// Its name, without a dollar sign.
    pub(crate) name: String,
    /// The declared type as written.
    pub(crate) type_: Option<String>,
    /// The default as written.
    pub(crate) default: Option<String>,
    /// Whether it takes all remaining arguments.
    pub(crate) captures_rest: bool,
    /// The place of its name in the tree of the item, with the dollar sign.
    pub(crate) name_range: TextRange,
    /// All of it in the tree of the item.
    pub(crate) range: TextRange,
}

impl Signature {
    /// A parameter.
    pub(crate) fn parameter(&self, name: &str) -> Option<&ParameterSignature> {
        self.parameters.iter().find(|it| it.name == name)
    }
}

impl ParameterSignature {
    /// Whether it must be given.
    pub(crate) fn is_required(&self) -> bool {
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

/// What an item says about itself before its body.
#[salsa::tracked]
pub(crate) fn signature<'db>(db: &'db dyn Database, item: Item<'db>) -> Signature {
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
        name_range: name.map_or_else(|| keyword(&root), |it| it.text_range()),
        parameters: parameters
            .filter_map(|it| ParameterSignature::of(&it))
            .collect(),
        inherits: inherits.map(|it| canonical(&it.text())),
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

/// Of what has no name, such as a node, the first word.
fn keyword(root: &SyntaxNode) -> TextRange {
    let tokens = root.children_with_tokens().filter_map(|it| it.into_token());
    let mut words = tokens.filter(|it| !it.kind().is_trivia());
    words
        .next()
        .map_or_else(TextRange::default, |it| it.text_range())
}

/// The parameters of a template, in its tree.
pub(crate) fn template_parameters(root: &SyntaxNode) -> Vec<ParameterSignature> {
    let views = root.children().filter_map(syntax::ast::EppParameters::cast);
    let parameters = views.flat_map(|it| it.parameters());
    parameters
        .filter_map(|it| ParameterSignature::of(&it))
        .collect()
}

/// Whether a definition stands in this node.
pub(super) fn is_definition(kind: SyntaxKind) -> bool {
    Definition::can_cast(kind)
}
