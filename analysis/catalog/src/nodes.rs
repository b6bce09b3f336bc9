//! Node definitions: which one is that of a node.

use eval::{FlowResult, Scope};
use hir::{Item, ItemKind, NodeMatcher, NodeSelector, items, matchers_of};
use syntax::SyntaxNode;
use syntax::ast::{AstNode, HasBody, NodeDefinition};
use types::values::{Regexp, Value};

use crate::data::{Resource, ResourceKey};
use crate::state::{Code, Compiler, ScopeData, ScopeKind, TOP};
use crate::values::error;

/// Returns the scope that a definition is evaluated in: its regular expression sets `$0`, `$1`, ….
fn match_scope(matcher: &NodeMatcher, names: &[String]) -> Scope {
    let mut scope = Scope::default();
    let NodeMatcher::Regex(source) = matcher else {
        return scope;
    };
    let regexp = Regexp::new(source);
    let captures = names.iter().find_map(|it| regexp.captures(it).ok()?);
    if let Some(captures) = captures {
        scope.push_match(captures);
    }
    scope
}

/// Returns the title of the resource of the node.
fn title(matcher: &NodeMatcher) -> String {
    match matcher {
        NodeMatcher::Name(name) => name.to_lowercase(),
        // As in Puppet (`Puppet::Resource::Type#name`), without the characters that are not part of names.
        NodeMatcher::Regex(source) => {
            let is_kept =
                |it: &char| it.is_ascii_alphanumeric() || matches!(it, '_' | '.' | '-' | ':');
            let kept: String = source.to_lowercase().chars().filter(is_kept).collect();
            format!("__node_regexp__{}", kept.trim_start_matches('.'))
        }
        NodeMatcher::Default => "default".to_owned(),
    }
}

impl<'db> Compiler<'db> {
    /// Evaluates the main manifests, and a definition of a node in them.
    pub(crate) fn evaluate_node_definition(&self, definition: Item<'_>) -> FlowResult<()> {
        self.evaluate_main()?;
        let code = self.code(definition);
        let syntax = NodeDefinition::cast(code.syntax.clone());
        let matchers: Vec<NodeMatcher> = syntax.iter().flat_map(matchers_of).collect();
        let name = self.certificate_name();
        let names = name.as_slice();
        let selector = NodeSelector::new(matchers.iter().map(|it| (it.clone(), it)));
        let selected = name.as_deref().and_then(|it| selector.select_named(it));
        let Some(matcher) = selected.copied().or(matchers.first()) else {
            return Ok(());
        };
        let locals = match_scope(matcher, names);
        self.evaluate_definition(&code, &title(matcher), locals)
    }

    /// Returns the name of the node in its certificate, if it is known.
    fn certificate_name(&self) -> Option<String> {
        if self.node.unknown.contains(&"trusted") {
            return None;
        }
        let Value::Hash(trusted) = self.node.top_scope.get("trusted")? else {
            return None;
        };
        trusted.get_str("certname")?.as_str().map(str::to_owned)
    }

    /// Evaluates the definition of the node, if there are node definitions.
    pub(crate) fn evaluate_node(
        &self,
        own: Option<&SyntaxNode>,
        names: &[String],
    ) -> FlowResult<()> {
        let nodes = self.nodes(own);
        if nodes.is_empty() {
            return Ok(());
        }
        let definitions = nodes.iter().flat_map(|code| {
            let definition = NodeDefinition::cast(code.syntax.clone());
            let matchers = definition.into_iter().flat_map(|it| matchers_of(&it));
            matchers.map(move |it| (it.clone(), (code, it)))
        });
        let selector = NodeSelector::new(definitions);
        let Some((code, matcher)) = selector.select_any(names) else {
            let names = names.join("`, `");
            let message = format!("no node definition for `{names}`, and no `default`");
            return Err(error(message));
        };
        self.evaluate_definition(code, &title(matcher), match_scope(matcher, names))
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

    fn evaluate_definition(&self, code: &Code, title: &str, locals: Scope) -> FlowResult<()> {
        let key = ResourceKey::new("Node", title);
        let resource = Resource::named(None, Some(ResourceKey::new("Class", "main")), title);
        {
            let mut state = self.state.borrow_mut();
            state.insert(key.clone(), resource);
            state.effects.catalog.classes.push(title.to_owned());
        }
        let scope = self.new_scope(ScopeData::new(ScopeKind::Node, Some(TOP), key));
        self.set_origin(scope, code.file, code.start);
        self.state.borrow_mut().node = Some(scope);
        let definition = NodeDefinition::cast(code.syntax.clone());
        if let Some(body) = definition.and_then(|it| it.body()) {
            self.evaluate(scope, locals, body.statements())?;
        }
        Ok(())
    }
}
