//! Lowers the tree of an item to its [`Body`], in one pass in source order.

use syntax::ast::{
    AccessExpr, Assignment, AstNode, Attribute, AttributeOperation, CallExpr, CaseOption,
    CollectExpr, EppParameters, Expr, Heredoc, HeredocBodies, Inherits, MethodCall, Parameter,
    QualifiedReference, ResourceBody, ResourceDefaults, ResourceExpr, ResourceOverride,
    VariableExpr,
};
use syntax::{SyntaxKind, SyntaxNode, SyntaxToken, TextRange, TextSize};

use super::super::item::{canonical_name, is_definition, template_parameters};
use super::guards::{self, Guard, VersionRead};
use super::{
    AttributeUse, Binding, Body, Branch, BranchId, ClassUse, Exit, PathKind, Reference,
    ReferenceName, Resource, ResourceForm, Scope, ScopeId, Title, implicit_names,
};
use library::KnownFunction;
use syntax::ast::assigned_variables;

/// Lowers the tree of an item; `module` is the value of `$module_name`, if it is known.
pub(super) fn lower(root: &SyntaxNode, module: Option<&str>) -> Body {
    let body = lower_with(root, module);
    // A lambda parameter may shadow `$module_name`.
    match module.is_some() && body.scopes.iter().any(|it| it.binds("module_name")) {
        true => lower_with(root, None),
        false => body,
    }
}

fn lower_with(root: &SyntaxNode, module: Option<&str>) -> Body {
    let mut cx = LoweringContext {
        root: root.clone(),
        module,
        heredocs: None,
        version_reads: None,
        body: Body {
            scopes: vec![Scope::default()],
            branches: vec![Branch::default()],
            ..Body::default()
        },
        context: NodeContext::default(),
        targets: Vec::new(),
        guards: Vec::new(),
    };
    cx.children(root);
    if root.children().any(|it| EppParameters::can_cast(it.kind())) {
        cx.body.template_parameters = Some(template_parameters(root));
    }
    cx.body.references.sort_by_key(|it| it.range.start());
    cx.body
}

/// The scope and branch of a node.
#[derive(Clone, Copy, Default)]
struct NodeContext {
    scope: ScopeId,
    branch: BranchId,
    guarded: bool,
}

struct LoweringContext<'a> {
    root: SyntaxNode,
    /// The value of `$module_name`, if it is known.
    module: Option<&'a str>,
    /// Computed at the first heredoc tag, since most items have none.
    heredocs: Option<HeredocBodies>,
    /// Computed at the first condition.
    version_reads: Option<Vec<VersionRead>>,
    body: Body,
    context: NodeContext,
    /// The ranges of the variables that the enclosing assignments bind.
    targets: Vec<TextRange>,
    /// The names that the enclosing conditions test.
    guards: Vec<Guard>,
}

impl LoweringContext<'_> {
    fn children(&mut self, node: &SyntaxNode) {
        for child in node.children() {
            self.node(&child);
        }
    }

    fn node(&mut self, node: &SyntaxNode) {
        base::with_growing_stack(|| self.node_on_stack(node));
    }

    fn node_on_stack(&mut self, node: &SyntaxNode) {
        use SyntaxKind::*;
        let kind = node.kind();
        if is_definition(kind) {
            return;
        }
        match kind {
            // Heredoc bodies are visited at their tags.
            HEREDOC_BODY => {}
            ERROR => {
                self.body.incomplete = true;
                self.children(node);
            }
            HEREDOC => self.heredoc(node),
            VARIABLE_EXPR => self.variable(node),
            PARAMETER => self.parameter(node),
            ASSIGNMENT => self.assignment(node),
            LAMBDA => self.lambda(node),
            QUALIFIED_REFERENCE => self.type_name(node),
            ACCESS_EXPR => self.access(node),
            CALL_EXPR => self.call(node),
            METHOD_CALL => self.method_call(node),
            RESOURCE_EXPR => self.resource(node),
            RESOURCE_DEFAULTS | RESOURCE_OVERRIDE | COLLECT_EXPR => self.modified_resource(node),
            INHERITS => self.inherits(node),
            ATTRIBUTE => self.attribute(node),
            IF_EXPR | UNLESS_EXPR => self.condition(node),
            SELECTOR_EXPR => self.selector(node),
            // The blocks of several `apply` calls are compiled to catalogs of their own.
            CASE_OPTION | SELECTOR_ENTRY | APPLY_EXPR => {
                self.branch(|it| it.children(node));
            }
            CASE_EXPR => self.case(node),
            BINARY_EXPR => self.binary(node),
            _ => self.children(node),
        }
    }

    /// Visits nodes in another context.
    fn with_context<T>(&mut self, context: NodeContext, work: impl FnOnce(&mut Self) -> T) -> T {
        let outer = std::mem::replace(&mut self.context, context);
        let result = work(self);
        self.context = outer;
        result
    }

    /// Visits code that runs conditionally, and returns its exit.
    fn branch(&mut self, work: impl FnOnce(&mut Self)) -> Option<Exit> {
        let branch = self.body.branches.len();
        let parent = Some(self.context.branch);
        self.body.branches.push(Branch { parent, exit: None });
        self.with_context(
            NodeContext {
                branch,
                ..self.context
            },
            work,
        );
        self.body.branches[branch].exit
    }

    /// Records that a statement always leaves code.
    fn exit(&mut self, end: TextSize, leaves: TextRange) {
        let exit = &mut self.body.branches[self.context.branch].exit;
        exit.get_or_insert(Exit { end, leaves });
    }

    /// Records that a condition always leaves code if each of its branches does: the code that all of them leave.
    fn exit_from_all(&mut self, condition: &SyntaxNode, exits: &[Option<Exit>]) {
        let exits: Option<Vec<Exit>> = exits.iter().copied().collect();
        let ranges = exits.into_iter().flatten().map(|it| it.leaves);
        if let Some(leaves) = ranges.min_by_key(|it| it.len()) {
            self.exit(condition.text_range().end(), leaves);
        }
    }

    fn add_reference(&mut self, range: TextRange, name: ReferenceName) {
        let NodeContext { scope, branch, .. } = self.context;
        let guarded = self.guards.iter().any(|it| it.covers(&name, self.module));
        self.body.references.push(Reference {
            range,
            scope,
            branch,
            guarded,
            deferred: false,
            name,
        });
    }

    fn bind(&mut self, variable: &SyntaxToken, parameter: bool) {
        let name = variable.text();
        let name = name.strip_prefix('$').unwrap_or(name);
        let binding = Binding {
            name: name.to_owned(),
            parameter,
            range: variable.text_range(),
            branch: self.context.branch,
            guarded: self.guards.iter().any(|it| it.tests_variable(name)),
        };
        self.body.scopes[self.context.scope].bind(binding);
    }

    fn heredoc(&mut self, node: &SyntaxNode) {
        let heredoc = Heredoc::cast(node.clone());
        let root = &self.root;
        let heredocs = self.heredocs.get_or_insert_with(|| HeredocBodies::of(root));
        let lines = heredoc.and_then(|it| heredocs.body(&it).cloned());
        match lines {
            Some(lines) => self.children(lines.syntax()),
            None => self.body.incomplete = true,
        }
    }

    fn variable(&mut self, node: &SyntaxNode) {
        let variable = VariableExpr::cast(node.clone());
        let Some((name, token)) = variable.and_then(|it| Some((it.name()?, it.token()?))) else {
            return;
        };
        if !self.targets.contains(&token.text_range()) {
            self.add_reference(token.text_range(), ReferenceName::Variable(name));
        }
    }

    fn parameter(&mut self, node: &SyntaxNode) {
        self.children(node);
        if let Some(variable) = Parameter::cast(node.clone()).and_then(|it| it.variable()) {
            self.bind(&variable, true);
        }
    }

    fn assignment(&mut self, node: &SyntaxNode) {
        let variables = Assignment::cast(node.clone()).map(|it| assigned_variables(&it));
        let variables = variables.unwrap_or_default();
        let known = self.targets.len();
        self.targets
            .extend(variables.iter().map(|it| it.text_range()));
        self.children(node);
        self.targets.truncate(known);
        for variable in &variables {
            self.bind(variable, false);
        }
    }

    fn lambda(&mut self, node: &SyntaxNode) {
        let scope = self.body.scopes.len();
        self.body.scopes.push(Scope {
            parent: Some(self.context.scope),
            ..Scope::default()
        });
        self.branch(|it| {
            it.with_context(
                NodeContext {
                    scope,
                    ..it.context
                },
                |it| it.children(node),
            );
        });
    }

    fn type_name(&mut self, node: &SyntaxNode) {
        let range = node.text_range();
        self.add_reference(range, ReferenceName::Type(node.text().to_string()));
    }

    fn inherits(&mut self, node: &SyntaxNode) {
        let name = Inherits::cast(node.clone()).and_then(|it| it.name()?.token());
        if let Some(name) = name {
            let class = ReferenceName::Class(canonical_name(name.text()), ClassUse::Inherited);
            self.add_reference(name.text_range(), class);
        }
    }

    /// Visits the names in strings such as `'Service[ntp]'`, which refer to resources.
    fn text_references(&mut self, value: &Expr) {
        for (text, range) in implicit_names::literal_strings(value) {
            let name = text.split_once('[').filter(|it| it.1.ends_with(']'));
            let Some((type_, title)) = name else {
                continue;
            };
            let name = match canonical_name(type_).as_str() {
                "class" => {
                    let class = canonical_name(title.strip_suffix(']').unwrap_or(title));
                    ReferenceName::Class(class, ClassUse::Referenced)
                }
                type_ => ReferenceName::ResourceType(type_.to_owned()),
            };
            self.add_reference(range, name);
        }
    }

    /// Visits `source => 'puppet:///modules/…'`, where only a single source is a reference, since
    /// Puppet takes the first one that exists, and `require => 'Service[ntp]'`.
    fn attribute(&mut self, node: &SyntaxNode) {
        let attribute = Attribute::cast(node.clone());
        let name = attribute.as_ref().and_then(|it| it.name_token());
        let name = name.as_ref().map(|it| it.text());
        if name.is_some_and(|it| library::RELATIONSHIPS.contains(&it))
            && let Some(value) = attribute.as_ref().and_then(|it| it.value())
        {
            self.text_references(&value);
        }
        let is_source = |it: &Attribute| it.name_token().is_some_and(|it| it.text() == "source");
        let value = attribute.filter(is_source).and_then(|it| it.value());
        let only = value.and_then(|it| implicit_names::single_path(&it, self.module));
        if let Some((url, range)) = only
            && let Some(path) = url.strip_prefix("puppet:///modules/")
        {
            self.add_reference(
                range,
                ReferenceName::Path(PathKind::Source, path.to_owned()),
            );
        }
        self.children(node);
    }

    /// Visits `Class['a']`, `File['a']`, `$x['a']`.
    fn access(&mut self, node: &SyntaxNode) {
        let access = AccessExpr::cast(node.clone());
        let base = access.as_ref().and_then(AccessExpr::base);
        let type_ = match &base {
            Some(Expr::QualifiedReference(it)) => canonical_name(&it.text()),
            _ => return self.children(node),
        };
        let keys = access.map(|it| it.keys()).unwrap_or_default();
        match type_.as_str() {
            "class" => self.classes(&keys, ClassUse::Referenced),
            "resource" => {
                // The keys after the first are titles.
                let types = keys.first().map(implicit_names::literal_strings);
                if let Some((type_, range)) = types.into_iter().flatten().next() {
                    self.add_reference(range, ReferenceName::ResourceType(canonical_name(&type_)));
                }
            }
            _ => {
                for (title, range) in keys.iter().flat_map(implicit_names::literal_strings) {
                    self.add_reference(range, ReferenceName::Title(type_.clone(), title));
                }
            }
        }
        self.children(node);
    }

    fn classes(&mut self, names: &[Expr], use_: ClassUse) {
        for (name, range) in names.iter().flat_map(implicit_names::literal_strings) {
            self.add_reference(range, ReferenceName::Class(canonical_name(&name), use_));
        }
    }

    fn call(&mut self, node: &SyntaxNode) {
        let Some(call) = CallExpr::cast(node.clone()) else {
            return;
        };
        let callee = call.callee();
        if let Some(Expr::QualifiedReference(type_)) = &callee {
            self.deferred_call(type_, call.arguments().first());
        }
        let is_name = matches!(callee, None | Some(Expr::QualifiedName(_)));
        let Some(name) = call.name_token().filter(|_| is_name) else {
            return self.children(node);
        };
        self.function_call(node, &name, call.arguments());
        if let Some(leaves) = self.left_by(node, name.text()) {
            self.exit(node.text_range().end(), leaves);
        }
    }

    /// Adds the function that a `Deferred` calls.
    fn deferred_call(&mut self, type_: &QualifiedReference, function: Option<&Expr>) {
        if let Some((range, name)) = implicit_names::deferred_function(type_, function) {
            self.add_reference(range, name);
            let added = self.body.references.last_mut();
            added.into_iter().for_each(|it| it.deferred = true);
        }
    }

    /// Returns the code that a call of a function leaves.
    fn left_by(&self, call: &SyntaxNode, name: &str) -> Option<TextRange> {
        let whole = self.root.text_range();
        match KnownFunction::from_name(name)? {
            KnownFunction::Fail | KnownFunction::Return => Some(whole),
            KnownFunction::Next | KnownFunction::Break => {
                let lambda = call.ancestors().find(|it| it.kind() == SyntaxKind::LAMBDA);
                Some(lambda.map_or(whole, |it| it.text_range()))
            }
            _ => None,
        }
    }

    fn method_call(&mut self, node: &SyntaxNode) {
        let Some(call) = MethodCall::cast(node.clone()) else {
            return;
        };
        let Some(name) = call.name_token() else {
            return self.children(node);
        };
        let arguments = call.receiver().into_iter().chain(call.arguments());
        self.function_call(node, &name, arguments.collect());
    }

    fn function_call(&mut self, node: &SyntaxNode, name: &SyntaxToken, arguments: Vec<Expr>) {
        let function = canonical_name(name.text());
        self.add_reference(name.text_range(), ReferenceName::Function(function.clone()));
        let known = KnownFunction::from_name(&function);
        if let (Some(KnownFunction::New), Some(Expr::QualifiedReference(type_))) =
            (known, arguments.first())
        {
            self.deferred_call(type_, arguments.get(1));
        }
        let guards = (known == Some(KnownFunction::Defined)).then_some(Guard::Argument);
        self.guarded(guards, |it| {
            for (range, name) in
                implicit_names::names_in_arguments(&function, &arguments, it.module)
            {
                it.add_reference(range, name);
            }
            it.children(node);
        });
    }

    /// Visits code that runs only if tests for names allow it.
    fn guarded<T>(
        &mut self,
        guards: impl IntoIterator<Item = Guard>,
        work: impl FnOnce(&mut Self) -> T,
    ) -> T {
        let outer = self.guards.len();
        self.guards.extend(guards);
        let context = NodeContext {
            guarded: self.context.guarded || self.guards.len() > outer,
            ..self.context
        };
        let result = self.with_context(context, work);
        self.guards.truncate(outer);
        result
    }

    /// Returns the tests in a condition.
    fn guards_in(&mut self, condition: &SyntaxNode) -> Vec<Guard> {
        let root = &self.root;
        let versions = self
            .version_reads
            .get_or_insert_with(|| guards::version_reads(root));
        guards::in_condition(condition, versions)
    }

    /// Visits `if` and `unless`. If the condition tests whether a name is defined, the branches are
    /// guarded.
    fn condition(&mut self, node: &SyntaxNode) {
        let condition = node
            .children()
            .take_while(|it| it.kind() != SyntaxKind::BLOCK);
        let guards: Vec<Guard> = condition.flat_map(|it| self.guards_in(&it)).collect();
        let mut exits = Vec::new();
        let mut has_else = false;
        for child in node.children() {
            match child.kind() {
                SyntaxKind::BLOCK | SyntaxKind::ELSE_CLAUSE => {
                    let exit = self.guarded(guards.clone(), |it| it.branch(|it| it.node(&child)));
                    exits.push(exit);
                    has_else |= child.kind() == SyntaxKind::ELSE_CLAUSE;
                }
                _ => self.node(&child),
            }
        }
        if has_else {
            self.exit_from_all(node, &exits);
        }
    }

    /// Visits a `case` expression.
    fn case(&mut self, node: &SyntaxNode) {
        let mut exits = Vec::new();
        let mut has_default = false;
        for child in node.children() {
            let Some(option) = CaseOption::cast(child.clone()) else {
                self.node(&child);
                continue;
            };
            exits.push(self.branch(|it| it.children(&child)));
            has_default |= option.values().any(|it| it.is_default());
        }
        if has_default {
            self.exit_from_all(node, &exits);
        }
    }

    /// Visits a selector. If its subject tests whether a name is defined, the options are guarded.
    fn selector(&mut self, node: &SyntaxNode) {
        let subject = node.first_child();
        let mut tested = subject.iter().flat_map(|it| it.descendants());
        let guards = tested.any(|it| implicit_names::tests_definedness(&it));
        for (index, child) in node.children().enumerate() {
            let guarded = self.context.guarded || guards && index > 0;
            let context = NodeContext {
                guarded,
                ..self.context
            };
            self.with_context(context, |it| it.node(&child));
        }
    }

    /// Visits a binary operator. The right operand of `and` and `or` runs conditionally.
    fn binary(&mut self, node: &SyntaxNode) {
        let lazy = node
            .children_with_tokens()
            .any(|it| matches!(it.kind(), SyntaxKind::AND_KW | SyntaxKind::OR_KW));
        let guards = match lazy {
            true => self.guards_in(node),
            false => Vec::new(),
        };
        for (index, child) in node.children().enumerate() {
            if lazy && index > 0 {
                self.guarded(guards.clone(), |it| it.branch(|it| it.node(&child)));
            } else {
                self.node(&child);
            }
        }
    }

    fn resource(&mut self, node: &SyntaxNode) {
        let Some(resource) = ResourceExpr::cast(node.clone()) else {
            return;
        };
        let (type_, type_range) = match (resource.class_keyword(), resource.type_name()) {
            (Some(keyword), _) => (Some("class".to_owned()), keyword.text_range()),
            (None, Some(name)) => (
                implicit_names::resource_type(&name),
                name.syntax().text_range(),
            ),
            (None, None) => (None, TextRange::default()),
        };
        let is_class = type_.as_deref() == Some("class");
        if let Some(name) = type_.as_ref().filter(|_| !is_class) {
            self.add_reference(type_range, ReferenceName::ResourceType(name.clone()));
        }
        let first = self.body.resources.len();
        let mut defaults = Vec::new();
        let mut splat = false;
        for body in resource.bodies() {
            let title = body.title();
            if let Some(title) = title.as_ref().filter(|_| is_class) {
                self.classes(std::slice::from_ref(title), ClassUse::Declared);
            }
            let is_default = title.as_ref().is_some_and(Expr::is_default);
            let found = self.resource_body(&body, type_.clone(), type_range, is_default);
            // The titles of the metatype `resources` are names of types.
            if type_.as_deref() == Some("resources")
                && !found.splat
                && found.attributes.iter().all(|it| it.name != "name")
            {
                for title in &found.titles {
                    let type_ = canonical_name(&title.text);
                    self.add_reference(title.range, ReferenceName::ResourceType(type_));
                }
            }
            if is_default {
                defaults.extend(found.attributes.iter().map(|it| it.name.clone()));
                splat |= found.splat;
            }
            self.body.resources.push(found);
        }
        for found in &mut self.body.resources[first..] {
            found.default_attributes.clone_from(&defaults);
            found.splat |= splat;
        }
        // The type is not a value; its name has been recorded above.
        let names = |it: &SyntaxNode| {
            it.kind() == SyntaxKind::QUALIFIED_NAME || it.kind() == SyntaxKind::QUALIFIED_REFERENCE
        };
        for child in node.children().filter(|it| !names(it)) {
            self.node(&child);
        }
    }

    fn resource_body(
        &self,
        body: &ResourceBody,
        type_: Option<String>,
        type_range: TextRange,
        is_default: bool,
    ) -> Resource {
        let form = if is_default {
            ResourceForm::DefaultBody
        } else {
            ResourceForm::Declaration
        };
        let mut found = self.attributes(form, body.operations(), body.syntax().text_range());
        found.type_ = type_;
        found.type_range = type_range;
        if let Some(title) = body.title().filter(|_| !is_default) {
            let texts = implicit_names::literal_strings(&title).into_iter();
            found.titles = texts.map(|(text, range)| Title { text, range }).collect();
            found.has_only_literal_titles = implicit_names::has_only_literal_strings(&title);
        }
        found
    }

    fn attributes(
        &self,
        form: ResourceForm,
        operations: impl Iterator<Item = AttributeOperation>,
        range: TextRange,
    ) -> Resource {
        let mut attributes = Vec::new();
        let mut splat = false;
        for operation in operations {
            match operation {
                AttributeOperation::Attribute(it) => {
                    if let Some(name) = it.name_token() {
                        attributes.push(AttributeUse {
                            name: name.text().to_owned(),
                            range: name.text_range(),
                        });
                    }
                }
                AttributeOperation::AttributeSplat(_) => splat = true,
            }
        }
        Resource {
            form,
            type_: None,
            type_range: TextRange::default(),
            titles: Vec::new(),
            has_only_literal_titles: false,
            attributes,
            splat,
            default_attributes: Vec::new(),
            range,
            scope: self.context.scope,
            branch: self.context.branch,
            guarded: self.context.guarded,
        }
    }

    /// Visits `File { … }`, `File['a'] { … }`, `File <| … |> { … }`.
    fn modified_resource(&mut self, node: &SyntaxNode) {
        let range = node.text_range();
        let (form, type_, operations): (_, _, Vec<_>) =
            if let Some(it) = ResourceDefaults::cast(node.clone()) {
                (
                    ResourceForm::Defaults,
                    it.type_ref(),
                    it.operations().collect(),
                )
            } else if let Some(it) = ResourceOverride::cast(node.clone()) {
                (
                    ResourceForm::Override,
                    it.resources(),
                    it.operations().collect(),
                )
            } else if let Some(it) = CollectExpr::cast(node.clone()) {
                (
                    ResourceForm::Collector,
                    it.type_expr(),
                    it.operations().collect(),
                )
            } else {
                return;
            };
        let mut found = self.attributes(form, operations.into_iter(), range);
        let base = match &type_ {
            Some(Expr::AccessExpr(it)) => it.base(),
            _ => type_.clone(),
        };
        if let Some(Expr::QualifiedReference(it)) = base {
            found.type_ = Some(canonical_name(&it.text()));
            found.type_range = it.syntax().text_range();
        }
        if let Some(Expr::AccessExpr(it)) = &type_ {
            let texts = it.keys();
            let texts = texts.iter().flat_map(implicit_names::literal_strings);
            found.titles = texts.map(|(text, range)| Title { text, range }).collect();
            found.has_only_literal_titles = it
                .keys()
                .iter()
                .all(implicit_names::has_only_literal_strings);
        }
        self.body.resources.push(found);
        self.children(node);
    }
}
