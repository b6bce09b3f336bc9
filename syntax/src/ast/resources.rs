//! Views of resources, collectors and templates.

use super::{ArgumentList, AstNode, Expr, HasBody, ast_enum, ast_node, exprs, support};
use crate::{SyntaxKind, SyntaxToken};

ast_node!(
    /// `@…` or `@@…` before a resource.
    VirtualExpr,
    VIRTUAL_EXPR
);
ast_node!(
    /// `file { 'a': … }`, `class { 'a': … }`.
    ResourceExpr,
    RESOURCE_EXPR
);
ast_node!(
    /// `'a': k => v, …`.
    ResourceBody,
    RESOURCE_BODY
);
ast_node!(
    /// `File { k => v }`.
    ResourceDefaults,
    RESOURCE_DEFAULTS
);
ast_node!(
    /// `File['a'] { k => v }`.
    ResourceOverride,
    RESOURCE_OVERRIDE
);
ast_node!(
    /// `name { k => v }`: a name and a hash, possibly a resource without a title.
    UntitledResource,
    UNTITLED_RESOURCE
);
ast_node!(
    /// `k => v` or `k +> v`.
    Attribute,
    ATTRIBUTE
);
ast_node!(
    /// `* => v`.
    AttributeSplat,
    ATTRIBUTE_SPLAT
);
ast_enum!(
    /// An element of a list of attributes.
    AttributeOperation {
        /// `k => v`.
        Attribute,
        /// `* => v`.
        AttributeSplat,
    }
);
ast_node!(
    /// `File <| q |> { … }`.
    CollectExpr,
    COLLECT_EXPR
);
ast_node!(
    /// `<| q |>` or `<<| q |>>`.
    CollectQuery,
    COLLECT_QUERY
);
ast_node!(
    /// `apply(…) { … }`.
    ApplyExpr,
    APPLY_EXPR
);
ast_node!(
    /// Literal text of a template.
    RenderString,
    RENDER_STRING
);
ast_node!(
    /// `<%= … %>`.
    RenderExpr,
    RENDER_EXPR
);

impl VirtualExpr {
    /// Checks whether the resource is exported: `@@`.
    pub fn is_exported(&self) -> bool {
        support::token(self.syntax(), SyntaxKind::AT_AT).is_some()
    }

    /// Returns the resource.
    pub fn resource(&self) -> Option<Expr> {
        support::child(self.syntax())
    }
}

impl ResourceExpr {
    /// Returns the type, usually a name. `None` for `class`; see [`ResourceExpr::class_keyword`].
    pub fn type_name(&self) -> Option<Expr> {
        support::child(self.syntax())
    }

    /// Returns the keyword of `class { … }`.
    pub fn class_keyword(&self) -> Option<SyntaxToken> {
        support::first_token(self.syntax()).filter(|it| it.kind() == SyntaxKind::CLASS_KW)
    }

    /// Returns the bodies in order.
    pub fn bodies(&self) -> impl Iterator<Item = ResourceBody> + use<> {
        support::children(self.syntax())
    }
}

impl ResourceBody {
    /// Returns the title.
    pub fn title(&self) -> Option<Expr> {
        support::child(self.syntax())
    }

    /// Returns the attributes in order.
    pub fn operations(&self) -> impl Iterator<Item = AttributeOperation> + use<> {
        support::children(self.syntax())
    }
}

impl ResourceDefaults {
    /// Returns the type.
    pub fn type_ref(&self) -> Option<Expr> {
        support::child(self.syntax())
    }

    /// Returns the attributes in order.
    pub fn operations(&self) -> impl Iterator<Item = AttributeOperation> + use<> {
        support::children(self.syntax())
    }
}

impl ResourceOverride {
    /// Returns the references to the resources.
    pub fn resources(&self) -> Option<Expr> {
        support::child(self.syntax())
    }

    /// Returns the attributes in order.
    pub fn operations(&self) -> impl Iterator<Item = AttributeOperation> + use<> {
        support::children(self.syntax())
    }
}

impl UntitledResource {
    /// Returns the name.
    pub fn name(&self) -> Option<Expr> {
        support::child(self.syntax())
    }

    /// Returns the entries, in the form of attributes.
    pub fn operations(&self) -> impl Iterator<Item = AttributeOperation> + use<> {
        support::children(self.syntax())
    }

    /// `{`.
    pub fn l_brace(&self) -> Option<SyntaxToken> {
        support::token(self.syntax(), SyntaxKind::L_BRACE)
    }
}

impl Attribute {
    /// Returns the name, which may be a keyword.
    pub fn name_token(&self) -> Option<SyntaxToken> {
        support::first_token(self.syntax())
    }

    /// `=>` or `+>`.
    pub fn operator(&self) -> Option<SyntaxToken> {
        support::any_token(self.syntax(), |it| {
            matches!(it, SyntaxKind::FAT_ARROW | SyntaxKind::PLUS_ARROW)
        })
    }

    /// Returns the value.
    pub fn value(&self) -> Option<Expr> {
        support::child(self.syntax())
    }
}

impl AttributeSplat {
    /// Returns the hash.
    pub fn value(&self) -> Option<Expr> {
        support::child(self.syntax())
    }
}

impl CollectExpr {
    /// Returns the type.
    pub fn type_expr(&self) -> Option<Expr> {
        support::child(self.syntax())
    }

    /// Returns the query with its brackets.
    pub fn query(&self) -> Option<CollectQuery> {
        support::child(self.syntax())
    }

    /// Returns the attributes in order.
    pub fn operations(&self) -> impl Iterator<Item = AttributeOperation> + use<> {
        support::children(self.syntax())
    }
}

impl CollectQuery {
    /// Returns the condition; without one, everything is collected.
    pub fn expr(&self) -> Option<Expr> {
        support::child(self.syntax())
    }

    /// Checks whether exported resources are collected: `<<| … |>>`.
    pub fn is_exported(&self) -> bool {
        support::token(self.syntax(), SyntaxKind::LL_COLLECT).is_some()
    }
}

impl HasBody for ApplyExpr {}

impl ApplyExpr {
    /// Returns the arguments.
    pub fn arguments(&self) -> Vec<Expr> {
        support::child::<ArgumentList>(self.syntax())
            .map(|it| it.arguments().collect())
            .unwrap_or_default()
    }
}

impl RenderExpr {
    /// Returns the printed expression; `None` for statements in braces.
    pub fn expr(&self) -> Option<Expr> {
        exprs(self).next()
    }
}

impl HasBody for RenderExpr {}

impl RenderString {
    /// Returns the text with `<%%` and `%%>` resolved.
    pub fn value(&self) -> String {
        let mut value = String::new();
        for token in self
            .syntax()
            .children_with_tokens()
            .filter_map(|it| it.into_token())
        {
            if token.kind() == SyntaxKind::EPP_TEXT {
                value.push_str(&token.text().replace("<%%", "<%").replace("%%>", "%>"));
            }
        }
        value
    }
}
