//! Views of definitions and their parts.

use super::{
    AstNode, Expr, HasBody, HasName, HasParameters, QualifiedReference, ast_enum, ast_node, exprs,
    support,
};
use rowan::{GreenNodeData, Language};

use crate::{
    NodeOrToken, PuppetLanguage, SyntaxKind, SyntaxNode, SyntaxToken, TextRange, TextSize,
};

ast_enum!(
    /// A definition of any kind.
    Definition {
        /// `class`.
        ClassDefinition,
        /// `define`.
        DefineDefinition,
        /// `plan`.
        PlanDefinition,
        /// `function`.
        FunctionDefinition,
        /// `node`.
        NodeDefinition,
        /// `type A = T`.
        TypeAlias,
        /// `type Runtime[…] = T`.
        TypeMapping,
        /// `type A { … }`.
        TypeDefinition,
    }
);

ast_node!(
    /// `class a::b (…) inherits c { … }`.
    ClassDefinition,
    CLASS_DEFINITION
);
ast_node!(
    /// `define a::b (…) { … }`.
    DefineDefinition,
    DEFINE_DEFINITION
);
ast_node!(
    /// `plan a::b (…) { … }`.
    PlanDefinition,
    PLAN_DEFINITION
);
ast_node!(
    /// `function a::b (…) >> T { … }`.
    FunctionDefinition,
    FUNCTION_DEFINITION
);
ast_node!(
    /// `node 'a', /b/ { … }`.
    NodeDefinition,
    NODE_DEFINITION
);
ast_node!(
    /// `type A = T`.
    TypeAlias,
    TYPE_ALIAS
);
ast_node!(
    /// `type Runtime[…] = T`.
    TypeMapping,
    TYPE_MAPPING
);
ast_node!(
    /// `type A { … }`, which Puppet parses but rejects.
    TypeDefinition,
    TYPE_DEFINITION
);
ast_node!(
    /// The name in a definition.
    DefinitionName,
    DEFINITION_NAME
);
ast_node!(
    /// `inherits c`.
    Inherits,
    INHERITS
);
ast_node!(
    /// One name of a node definition.
    HostName,
    HOST_NAME
);
ast_node!(
    /// `(…)` of a definition, or `|…|`.
    ParameterList,
    PARAMETER_LIST
);
ast_node!(
    /// `T *$x = v`.
    Parameter,
    PARAMETER
);
ast_node!(
    /// `>> T`.
    ReturnType,
    RETURN_TYPE
);
ast_node!(
    /// `{ … }` around statements.
    Block,
    BLOCK
);
ast_node!(
    /// `| … |` at the start of a template.
    EppParameters,
    EPP_PARAMETERS
);

impl HasName for ClassDefinition {}
impl HasName for DefineDefinition {}
impl HasName for PlanDefinition {}
impl HasName for FunctionDefinition {}
impl HasName for TypeAlias {}
impl HasName for TypeDefinition {}
impl HasParameters for ClassDefinition {}
impl HasParameters for DefineDefinition {}
impl HasParameters for PlanDefinition {}
impl HasParameters for FunctionDefinition {}
impl HasParameters for EppParameters {}
impl HasBody for ClassDefinition {}
impl HasBody for DefineDefinition {}
impl HasBody for PlanDefinition {}
impl HasBody for FunctionDefinition {}
impl HasBody for NodeDefinition {}
impl HasBody for TypeDefinition {}

impl Definition {
    /// Returns the definitions of a tree in preorder, including the root. As few nodes are
    /// definitions, the search uses the green tree, which does not allocate a cursor for each node.
    pub fn all_in(root: &SyntaxNode) -> Vec<Definition> {
        let green = root.green();
        let mut found: Vec<TextRange> = Vec::new();
        let mut waiting: Vec<(&GreenNodeData, TextSize)> =
            vec![(&green, root.text_range().start())];
        while let Some((node, start)) = waiting.pop() {
            if Definition::can_cast(PuppetLanguage::kind_from_raw(node.kind())) {
                found.push(TextRange::at(start, node.text_len()));
            }
            let siblings = waiting.len();
            let mut at = start;
            for child in node.children() {
                if let NodeOrToken::Node(child) = child {
                    waiting.push((child, at));
                }
                at += child.text_len();
            }
            waiting[siblings..].reverse();
        }
        // The enclosing definitions: the search continues from the innermost one.
        let mut around: Vec<SyntaxNode> = Vec::new();
        let at = |range: TextRange| {
            while around
                .last()
                .is_some_and(|it| !it.text_range().contains_range(range))
            {
                around.pop();
            }
            let inner = match around.last().unwrap_or(root).covering_element(range) {
                NodeOrToken::Node(it) => it,
                NodeOrToken::Token(it) => it.parent()?,
            };
            let mut all = inner.ancestors().filter_map(Definition::cast);
            let definition = all.find(|it| it.syntax().text_range() == range)?;
            around.push(definition.syntax().clone());
            Some(definition)
        };
        found.into_iter().filter_map(at).collect()
    }

    /// Returns the name as written, except for nodes and type mappings.
    pub fn name(&self) -> Option<DefinitionName> {
        support::child(self.syntax())
    }
}

impl ClassDefinition {
    /// `inherits c`.
    pub fn inherits(&self) -> Option<Inherits> {
        support::child(self.syntax())
    }
}

impl FunctionDefinition {
    /// `>> T`.
    pub fn return_type(&self) -> Option<ReturnType> {
        support::child(self.syntax())
    }
}

impl NodeDefinition {
    /// Returns the names, except for the one after `inherits`.
    pub fn host_names(&self) -> impl Iterator<Item = HostName> + use<> {
        support::children(self.syntax())
    }

    /// `inherits 'x'`, which Puppet parses but rejects.
    pub fn inherits(&self) -> Option<Inherits> {
        support::child(self.syntax())
    }
}

impl TypeAlias {
    /// Returns the aliased type. For `type A = T { … }` this is `T`; see
    /// [`TypeAlias::object_hash`].
    pub fn type_expr(&self) -> Option<Expr> {
        support::child_after(self.syntax(), SyntaxKind::EQ)
    }

    /// Returns the hash of `type A = T { … }`.
    pub fn object_hash(&self) -> Option<Expr> {
        exprs(self).nth(1)
    }
}

impl TypeMapping {
    /// Returns the `Runtime[…]` on the left.
    pub fn runtime(&self) -> Option<Expr> {
        support::child_before(self.syntax(), SyntaxKind::EQ)
    }

    /// Returns the type on the right.
    pub fn mapping(&self) -> Option<Expr> {
        support::child_after(self.syntax(), SyntaxKind::EQ)
    }
}

impl TypeDefinition {
    /// Returns the parent after `inherits`.
    pub fn parent(&self) -> Option<QualifiedReference> {
        support::child(self.syntax())
    }
}

impl DefinitionName {
    /// Returns the token of the name.
    pub fn token(&self) -> Option<SyntaxToken> {
        support::first_token(self.syntax())
    }

    /// Returns the name as written.
    pub fn text(&self) -> String {
        self.token()
            .map(|it| it.text().to_owned())
            .unwrap_or_default()
    }
}

impl Inherits {
    /// Returns the name of the parent class, or `default`.
    pub fn name(&self) -> Option<DefinitionName> {
        support::child(self.syntax())
    }

    /// Returns the parent of a node.
    pub fn host_name(&self) -> Option<HostName> {
        support::child(self.syntax())
    }
}

impl HostName {
    /// Returns the value: a string, a regular expression or `default`; `None` for a bare dotted
    /// name.
    pub fn expr(&self) -> Option<Expr> {
        support::child(self.syntax())
    }

    /// Returns a bare dotted name, such as `a.example.com`.
    pub fn dotted_name(&self) -> Option<String> {
        let parts: Vec<_> = self
            .syntax()
            .children_with_tokens()
            .filter_map(|it| it.into_token())
            .filter(|it| !it.kind().is_trivia())
            .collect();
        (!parts.is_empty()).then(|| parts.iter().map(|it| it.text()).collect())
    }
}

impl ParameterList {
    /// Returns the parameters in order.
    pub fn parameters(&self) -> impl Iterator<Item = Parameter> + use<> {
        support::children(self.syntax())
    }
}

impl Parameter {
    /// Returns the `$x`.
    pub fn variable(&self) -> Option<SyntaxToken> {
        support::token(self.syntax(), SyntaxKind::VARIABLE)
    }

    /// Returns the name without the dollar sign.
    pub fn name(&self) -> Option<String> {
        self.variable().map(|it| it.text()[1..].to_owned())
    }

    /// Returns the declared type.
    pub fn type_expr(&self) -> Option<Expr> {
        support::child_before(self.syntax(), SyntaxKind::VARIABLE)
    }

    /// Returns the default value.
    pub fn default(&self) -> Option<Expr> {
        support::child_after(self.syntax(), SyntaxKind::EQ)
    }

    /// Checks whether it takes all remaining arguments: `*$x`.
    pub fn captures_rest(&self) -> bool {
        support::token(self.syntax(), SyntaxKind::STAR).is_some()
    }
}

impl ReturnType {
    /// Returns the type.
    pub fn type_expr(&self) -> Option<Expr> {
        support::child(self.syntax())
    }
}

impl Block {
    /// Returns the statements in order.
    pub fn statements(&self) -> impl Iterator<Item = Expr> + use<> {
        support::children(self.syntax())
    }

    /// `{`.
    pub fn l_brace(&self) -> Option<SyntaxToken> {
        support::token(self.syntax(), SyntaxKind::L_BRACE)
    }

    /// `}`.
    pub fn r_brace(&self) -> Option<SyntaxToken> {
        support::token(self.syntax(), SyntaxKind::R_BRACE)
    }
}

#[cfg(test)]
mod tests {
    use super::{AstNode, Definition};
    use crate::{Dialect, parse};

    #[test]
    fn finds_all_definitions() {
        for text in [
            "",
            "$x = 1",
            "type A = Integer",
            "class a { class b { define c { } } function f() { } }\nnode x { } class d { }",
            "if $x { class a { notice(1) } } else { define b { $c.each |$d| { class e { } } } }",
            "class a { class b { } type C = Any",
            "function f",
        ] {
            let root = parse(text, Dialect::default()).syntax();
            let all = Definition::all_in(&root);
            let slow: Vec<_> = root.descendants().filter_map(Definition::cast).collect();
            assert_eq!(all, slow, "{text}");
            let inner = root
                .descendants()
                .find(|it| Definition::can_cast(it.kind()));
            let inside = inner.map(|it| Definition::all_in(&it).len());
            assert!(
                inside.is_none_or(|it| (1..=all.len()).contains(&it)),
                "{text}"
            );
        }
    }
}
