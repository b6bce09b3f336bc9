//! Node definitions: which one is that of a node.

use eval::{FlowResult, Scope};
use hir::{ItemKind, items};
use syntax::ast::{AstNode, HasBody, NodeDefinition};
use syntax::{SyntaxKind, SyntaxNode};
use types::values::Regexp;

use crate::data::{Resource, ResourceKey};
use crate::state::{Code, Compiler, ScopeData, ScopeKind, TOP};
use crate::values::error;

/// The nodes that a definition is for.
enum Matcher {
    Name(String),
    Regex(String),
    Default,
}

impl Matcher {
    fn of(text: &str) -> Matcher {
        let quoted = |quote: char| text.strip_prefix(quote)?.strip_suffix(quote);
        if let Some(name) = quoted('\'').or_else(|| quoted('"')) {
            Matcher::Name(name.to_owned())
        } else if let Some(source) = quoted('/') {
            Matcher::Regex(source.to_owned())
        } else if text == "default" {
            Matcher::Default
        } else {
            Matcher::Name(text.to_owned())
        }
    }

    fn is_name(&self, name: &str) -> bool {
        matches!(self, Matcher::Name(it) if it.eq_ignore_ascii_case(name))
    }

    fn is_match(&self, name: &str) -> bool {
        matches!(self, Matcher::Regex(it) if Regexp::new(it).is_match(name) == Ok(true))
    }

    fn is_default(&self) -> bool {
        matches!(self, Matcher::Default)
    }

    /// Returns the title of the resource of the node.
    fn title(&self) -> String {
        match self {
            Matcher::Name(name) => name.to_lowercase(),
            // As in Puppet, without the characters that are not part of names.
            Matcher::Regex(source) => {
                let is_kept = |it: &char| it.is_alphanumeric() || matches!(it, '_' | '.' | '-');
                let kept: String = source.to_lowercase().chars().filter(is_kept).collect();
                format!("__node_regexp__{}", kept.trim_matches('.'))
            }
            Matcher::Default => "default".to_owned(),
        }
    }
}

fn matchers(definition: &SyntaxNode) -> Vec<Matcher> {
    let matchers = definition.children();
    let matchers = matchers.filter(|it| it.kind() == SyntaxKind::HOST_NAME);
    let matchers = matchers.map(|it| Matcher::of(&it.text().to_string()));
    matchers.collect()
}

impl Compiler<'_> {
    /// Evaluates the definition of the node, if there are definitions of nodes.
    pub(crate) fn evaluate_node(
        &self,
        own: Option<&SyntaxNode>,
        names: &[String],
    ) -> FlowResult<()> {
        let nodes = self.nodes(own);
        if nodes.is_empty() {
            return Ok(());
        }
        let find = |is_wanted: &dyn Fn(&Matcher) -> bool| {
            nodes.iter().find_map(|code| {
                let mut matchers = matchers(&code.syntax).into_iter();
                Some((code, matchers.find(is_wanted)?))
            })
        };
        let by_name = names.iter().find_map(|name| {
            let exact = find(&|it| it.is_name(name));
            exact.or_else(|| find(&|it| it.is_match(name)))
        });
        let Some((code, matcher)) = by_name.or_else(|| find(&Matcher::is_default)) else {
            let names = names.join("`, `");
            let message = format!("no node definition for `{names}`, and no `default`");
            return Err(error(message));
        };
        self.evaluate_definition(code, &matcher.title())
    }

    fn nodes(&self, own: Option<&SyntaxNode>) -> Vec<Code> {
        if let Some(own) = own {
            let nodes = own
                .children()
                .filter(|it| NodeDefinition::can_cast(it.kind()));
            let codes = nodes.map(|syntax| Code {
                syntax,
                file: None,
                start: 0.into(),
                module: None,
            });
            return codes.collect();
        }
        let files = self.environment.manifests(self.db).iter();
        let items = files.flat_map(|file| items(self.db, *file));
        let nodes = items.filter(|it| it.kind(self.db) == ItemKind::Node);
        nodes.map(|it| self.code(*it)).collect()
    }

    fn evaluate_definition(&self, code: &Code, title: &str) -> FlowResult<()> {
        let key = ResourceKey::new("Node", title);
        let resource = Resource::named(None, Some(ResourceKey::new("Class", "main")), title);
        {
            let mut state = self.state.borrow_mut();
            state.catalog.resources.insert(key.clone(), resource);
            state.catalog.classes.push(title.to_owned());
        }
        let scope = self.new_scope(ScopeData::new(ScopeKind::Node, Some(TOP), key));
        self.set_origin(scope, code.file, code.start);
        let definition = NodeDefinition::cast(code.syntax.clone());
        if let Some(body) = definition.and_then(|it| it.body()) {
            self.evaluate(scope, Scope::default(), body.statements())?;
        }
        Ok(())
    }
}
