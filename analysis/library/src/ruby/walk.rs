//! Interprets the statements of a Ruby file as far as their effects are statically known: calls,
//! loops over known lists, methods and modules of the file. A [`Dsl`] defines the meaning of calls.

use tree_sitter::Node;

use super::calls::Call;
use super::evaluate::Reader;
use super::resource_types::is_harmless_module;
use super::source::{MUTATORS, children, is_surveyed, visit};
use super::value::Value;

/// The maximum nesting depth of blocks, loops and calls of methods of the file.
const DEPTH: usize = 60;
/// The maximum number of iterations of a loop.
const TURNS: usize = 2000;

/// The meaning of calls in a context: the body of a type, of a function, of an attribute.
pub(super) trait Dsl<'t> {
    /// Handles a call; returns whether it was recognized.
    fn call(&mut self, reader: &mut Reader<'t>, call: &Call<'t>, depth: usize) -> bool;

    /// Returns the methods that define something in this context. Statements without any of them
    /// are harmless.
    fn words(&self) -> &'static [&'static str];

    /// Called for code that may define something unknown.
    fn unreadable(&mut self);

    /// Checks whether code that may run counts as code that runs: all conditions, methods and
    /// blocks are interpreted.
    fn looks_everywhere(&self) -> bool {
        false
    }

    /// `@name = value`.
    fn assign(&mut self, _reader: &mut Reader<'t>, _name: &str, _value: Node<'t>) {}

    /// `def name` (or `def self.name`).
    fn method(
        &mut self,
        _reader: &mut Reader<'t>,
        _name: &'t str,
        _of_class: bool,
        _node: Node<'t>,
    ) {
    }
}

impl<'t> Reader<'t> {
    /// Interprets the statements in a node.
    pub(super) fn run(&mut self, body: Node<'t>, dsl: &mut dyn Dsl<'t>, depth: usize) {
        if depth > DEPTH {
            dsl.unreadable();
            return;
        }
        for statement in children(body) {
            if !self.spend(1) {
                dsl.unreadable();
                return;
            }
            self.statement(statement, dsl, depth);
        }
    }

    fn statement(&mut self, node: Node<'t>, dsl: &mut dyn Dsl<'t>, depth: usize) {
        if depth > DEPTH {
            dsl.unreadable();
            return;
        }
        match node.kind() {
            "call" | "identifier" => self.call(node, dsl, depth),
            "assignment" => self.assignment(node, dsl, depth),
            "operator_assignment" => self.operator_assignment(node, dsl),
            "parenthesized_statements" | "begin" | "body_statement" => {
                self.run(node, dsl, depth + 1);
            }
            "method" | "singleton_method" => self.definition(node, dsl, depth),
            "class" | "module" | "singleton_class" => {
                if let Some(body) = node.child_by_field_name("body")
                    && dsl.looks_everywhere()
                {
                    self.run(body, dsl, depth + 1);
                }
            }
            "binary" => self.binary_statement(node, dsl, depth),
            "ERROR" => {
                dsl.unreadable();
                self.perhaps(node, dsl, depth);
            }
            "if" | "unless" | "elsif" | "else" | "then" | "case" | "when" | "while" | "until"
            | "for" | "do" | "if_modifier" | "unless_modifier" | "while_modifier"
            | "until_modifier" | "rescue" | "rescue_modifier" | "ensure" | "conditional" => {
                self.perhaps(node, dsl, depth);
            }
            _ => {}
        }
    }

    /// Interprets code that runs conditionally.
    fn perhaps(&mut self, node: Node<'t>, dsl: &mut dyn Dsl<'t>, depth: usize) {
        if dsl.looks_everywhere() {
            self.run(node, dsl, depth + 1);
        } else if self.concerns(node, dsl.words()) {
            dsl.unreadable();
        }
        self.forget_changed(node);
    }

    /// Forgets the values of variables that may be reassigned or mutated in a node.
    fn forget_changed(&mut self, node: Node<'t>) {
        if self.locals.is_empty() {
            return;
        }
        if !self.spend(1 + node.byte_range().len() / 32) {
            self.locals.clear();
            return;
        }
        visit(node, |it| {
            if !is_surveyed(it) {
                return true;
            }
            let changed = match it.kind() {
                "assignment" | "operator_assignment" | "binary" => it.child_by_field_name("left"),
                "call" => it.child_by_field_name("receiver"),
                _ => None,
            };
            let Some(changed) = changed else {
                return true;
            };
            let how = it
                .child_by_field_name("method")
                .or_else(|| it.child_by_field_name("operator"));
            let how = how.map_or("=", |it| self.source.text_of(it));
            let is_change = it.kind().ends_with("assignment") || MUTATORS.contains(&how);
            if is_change {
                self.locals.remove(self.source.text_of(changed));
            }
            true
        });
    }

    /// `LIST << element` mutates a list; other binary expressions define nothing.
    fn binary_statement(&mut self, node: Node<'t>, dsl: &mut dyn Dsl<'t>, depth: usize) {
        if let Some(left) = node.child_by_field_name("left") {
            self.locals.remove(self.text(left));
        }
        self.perhaps(node, dsl, depth);
    }

    fn assignment(&mut self, node: Node<'t>, dsl: &mut dyn Dsl<'t>, depth: usize) {
        let (Some(left), Some(right)) = (
            node.child_by_field_name("left"),
            node.child_by_field_name("right"),
        ) else {
            return;
        };
        match left.kind() {
            "identifier" => {
                let value = self.value(right);
                self.locals.insert(self.text(left), value);
            }
            "instance_variable" => {
                let name = self.text(left);
                dsl.assign(self, name, right);
            }
            "left_assignment_list" => {
                for name in children(left) {
                    self.locals.remove(self.text(name));
                }
            }
            "element_reference" => {
                if let Some(object) = left.child_by_field_name("object") {
                    self.locals.remove(self.text(object));
                }
            }
            // `self.required_features = …`
            "call" => {
                if let Some(call) = Call::of(self.source, left)
                    && call.receiver.is_none()
                {
                    dsl.assign(self, call.method, right);
                }
            }
            _ => {}
        }
        self.statement(right, dsl, depth + 1);
    }

    fn operator_assignment(&mut self, node: Node<'t>, dsl: &mut dyn Dsl<'t>) {
        let (Some(left), Some(right)) = (
            node.child_by_field_name("left"),
            node.child_by_field_name("right"),
        ) else {
            return;
        };
        self.locals.remove(self.text(left));
        if left.kind() == "instance_variable" {
            let name = self.text(left);
            dsl.assign(self, name, right);
        }
    }

    fn definition(&mut self, node: Node<'t>, dsl: &mut dyn Dsl<'t>, depth: usize) {
        let Some(name) = node.child_by_field_name("name") else {
            return;
        };
        let name = self.text(name);
        dsl.method(self, name, node.kind() == "singleton_method", node);
        if let Some(body) = node.child_by_field_name("body")
            && dsl.looks_everywhere()
        {
            self.run(body, dsl, depth + 1);
        }
    }

    fn call(&mut self, node: Node<'t>, dsl: &mut dyn Dsl<'t>, depth: usize) {
        let Some(call) = Call::of(self.source, node) else {
            return;
        };
        if dsl.call(self, &call, depth) || self.turns(&call, dsl, depth) {
            return;
        }
        let Some(receiver) = call.receiver else {
            self.own_method(&call, dsl, depth);
            return;
        };
        if MUTATORS.contains(&call.method) || call.method.ends_with('!') {
            self.locals.remove(self.text(receiver));
        }
        // `base.class_eval do … end` in a hook: statements of the class body.
        if matches!(
            call.method,
            "class_eval" | "instance_eval" | "tap" | "class_exec"
        ) {
            if let Some(body) = call.body() {
                self.run(body, dsl, depth + 1);
            }
            return;
        }
        if dsl.looks_everywhere() {
            self.statement(receiver, dsl, depth + 1);
            if let Some(body) = call.body() {
                self.run(body, dsl, depth + 1);
            }
        } else if self.concerns(node, dsl.words()) {
            dsl.unreadable();
        }
    }

    /// Interprets a loop; returns whether the call is one.
    fn turns(&mut self, call: &Call<'t>, dsl: &mut dyn Dsl<'t>, depth: usize) -> bool {
        let is_loop = matches!(
            call.method,
            "each"
                | "each_pair"
                | "each_key"
                | "each_value"
                | "each_with_index"
                | "map"
                | "collect"
        );
        let (Some(receiver), Some(body), true) = (call.receiver, call.body(), is_loop) else {
            return false;
        };
        let names: Vec<_> = call.block_parameters();
        let on = self.value(receiver);
        let outer = self.hide(&names);
        match turns(on, call.method) {
            Some(turns) if turns.len() <= TURNS => {
                for turn in turns {
                    self.bind(&names, turn);
                    self.run(body, dsl, depth + 1);
                }
            }
            _ if dsl.looks_everywhere() => {
                self.bind(&names, Vec::new());
                self.run(body, dsl, depth + 1);
            }
            _ if self.concerns(body, dsl.words()) => dsl.unreadable(),
            _ => self.forget_changed(body),
        }
        for (name, value) in outer {
            match value {
                Some(value) => self.locals.insert(name, value),
                None => self.locals.remove(name),
            };
        }
        true
    }

    /// Returns the variables shadowed by the parameters of a block.
    fn hide(&self, names: &[Node<'t>]) -> Vec<(&'t str, Option<Value<'t>>)> {
        let mut found = Vec::new();
        for name in names {
            visit(*name, |it| {
                if it.kind() == "identifier" {
                    let name = self.text(it);
                    found.push((name, self.locals.get(name).cloned()));
                }
                true
            });
        }
        found
    }

    /// Binds the parameters of a block: a single array is destructured for several parameters, and
    /// missing values are unknown.
    fn bind(&mut self, names: &[Node<'t>], mut values: Vec<Value<'t>>) {
        if let ([Value::Array(inner)], true) = (values.as_slice(), names.len() > 1) {
            values = inner.clone();
        }
        let mut values = values.into_iter();
        for name in names {
            let value = values.next().unwrap_or(Value::Unknown);
            if name.kind() == "destructured_parameter" {
                self.bind(&children(*name), value.elements());
            } else {
                self.locals.insert(self.text(*name), value);
            }
        }
    }

    /// Interprets a call of a method of this file; other calls define nothing.
    fn own_method(&mut self, call: &Call<'t>, dsl: &mut dyn Dsl<'t>, depth: usize) {
        let method = self.survey.class_method(call.method);
        let body = method.and_then(|it| it.child_by_field_name("body"));
        let (Some(method), Some(body)) = (method, body) else {
            if let Some(body) = call.body()
                && dsl.looks_everywhere()
            {
                self.run(body, dsl, depth + 1);
            }
            return;
        };
        if !self.concerns(body, dsl.words()) {
            return;
        }
        let parameters = method.child_by_field_name("parameters").map(children);
        let mut inner = rustc_hash::FxHashMap::default();
        let mut arguments = call.arguments.iter();
        for parameter in parameters.unwrap_or_default() {
            let name = parameter.child_by_field_name("name").unwrap_or(parameter);
            let value = match (parameter.kind(), arguments.next()) {
                ("block_parameter", _) => call.block.map_or(Value::Nil, Value::Block),
                ("identifier" | "optional_parameter", Some(argument)) => self.value(*argument),
                ("optional_parameter", None) => parameter
                    .child_by_field_name("value")
                    .map_or(Value::Unknown, |it| self.value(it)),
                _ => Value::Unknown,
            };
            inner.insert(self.text(name), value);
        }
        let outer = std::mem::replace(&mut self.locals, inner);
        // Each nested method call counts as several levels, because a method may be recursive.
        self.run(body, dsl, depth + DEPTH / 6);
        self.locals = outer;
    }

    /// Checks whether a node contains a call of one of the methods, directly or through methods of
    /// this file.
    pub(super) fn concerns(&mut self, node: Node<'t>, words: &[&str]) -> bool {
        self.concerns_at(node, words, 4)
    }

    fn concerns_at(&mut self, node: Node<'t>, words: &[&str], depth: usize) -> bool {
        if !self.spend(1 + node.byte_range().len() / 32) {
            return true;
        }
        let mut found = false;
        let mut names = Vec::new();
        let mut modules = Vec::new();
        visit(node, |it| {
            if let Some(included) = self.included(it) {
                modules.extend(included);
                return false;
            }
            if it.kind() == "identifier" && !found {
                let name = self.source.text_of(it);
                found = words.contains(&name);
                names.push(name);
            }
            !found
        });
        if found || depth == 0 {
            return found || !modules.is_empty();
        }
        names.sort_unstable();
        names.dedup();
        let methods = names
            .into_iter()
            .filter_map(|it| self.survey.class_method(it));
        let inner: Vec<_> = methods.chain(modules).collect();
        inner.into_iter().any(|it| {
            let range = it.byte_range();
            // Already visited as part of this node.
            let inside = node.start_byte() <= range.start && range.end <= node.end_byte();
            let body = it.child_by_field_name("body").filter(|_| !inside);
            body.is_some_and(|body| self.concerns_at(body, words, depth - 1))
        })
    }

    /// Returns the modules in a call of `include`, `extend` or `prepend`, without harmless ones;
    /// `None` if a module is unknown.
    fn included(&self, node: Node<'t>) -> Option<Vec<Node<'t>>> {
        if node.kind() != "call" {
            return None;
        }
        let call = Call::of(self.source, node)?;
        if !matches!(call.method, "include" | "extend" | "prepend") {
            return None;
        }
        let mut found = Vec::new();
        for argument in call.arguments {
            let name = self.source.text_of(argument);
            if !is_harmless_module(name) {
                let parts = self.survey.module(name);
                if parts.is_empty() {
                    return None;
                }
                found.extend(parts);
            }
        }
        Some(found)
    }
}

/// Returns the parameter values for each iteration of a loop; `None` if they are unknown.
fn turns<'t>(on: Value<'t>, method: &str) -> Option<Vec<Vec<Value<'t>>>> {
    Some(match (on, method) {
        (Value::Array(elements), "each" | "map" | "collect") => {
            elements.into_iter().map(|it| vec![it]).collect()
        }
        (Value::Array(elements), "each_with_index") => {
            let with_index = elements.into_iter().zip(0..);
            with_index.map(|(it, i)| vec![it, Value::Int(i)]).collect()
        }
        (Value::Hash(entries), "each" | "each_pair" | "map" | "collect") => {
            entries.into_iter().map(|(k, v)| vec![k, v]).collect()
        }
        (Value::Hash(entries), "each_key") => entries.into_iter().map(|(k, _)| vec![k]).collect(),
        (Value::Hash(entries), "each_value") => entries.into_iter().map(|(_, v)| vec![v]).collect(),
        _ => return None,
    })
}
