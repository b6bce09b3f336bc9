//! The bodies of `newparam` and `newproperty`: values, defaults, documentation.

use syntax::TextRange;
use tree_sitter::Node;

use crate::signatures::{Attribute, AttributeKind, Doc};

use super::calls::Call;
use super::comments;
use super::evaluate::Reader;
use super::source::children;
use super::value::Value;
use super::walk::Dsl;

/// The interpreter state for the body of an attribute.
pub(super) struct Body {
    attribute: Attribute,
    /// Whether `values` and `patterns` are complete.
    all_values: bool,
    /// Whether code other than the list of values decides what is valid.
    own_validation: bool,
}

impl Body {
    /// Creates an attribute from the arguments of the call.
    pub(super) fn new<'t>(
        reader: &mut Reader<'t>,
        call: &Call<'t>,
        name: &str,
        kind: AttributeKind,
        name_range: TextRange,
    ) -> Body {
        // Puppet lowercases names.
        let name = name.to_lowercase();
        let mut body = Body {
            attribute: Attribute {
                namevar: name == "name" && kind != AttributeKind::Property,
                name,
                kind,
                doc: Doc::default(),
                values: Vec::new(),
                patterns: Vec::new(),
                closed: false,
                type_: None,
                default: None,
                required: false,
                read_only: false,
                accepts: None,
                required_features: Vec::new(),
                name_range,
            },
            all_values: true,
            own_validation: false,
        };
        body.options(reader, call);
        body
    }

    fn options<'t>(&mut self, reader: &mut Reader<'t>, call: &Call<'t>) {
        if reader.has_unknown_options(call) {
            self.own_validation = true;
        }
        if let Some(parent) = reader.option(call, "parent") {
            self.parent(&parent);
        }
        if reader.option(call, "namevar") == Some(Value::Bool(true))
            && self.attribute.kind != AttributeKind::Property
        {
            self.attribute.namevar = true;
        }
        if let Some(features) = reader.option(call, "required_features") {
            self.require_features(features);
        }
    }

    /// Applies the members inherited from a class of Puppet; other classes are unknown.
    fn parent(&mut self, parent: &Value<'_>) {
        let Value::Constant(name) = parent else {
            self.own_validation = true;
            return;
        };
        let booleans = || ["true", "false", "yes", "no"].map(str::to_owned).to_vec();
        match name.as_str() {
            "Puppet::Parameter" | "Puppet::Property" | "Puppet::Property::Ensure" => {}
            "Puppet::Parameter::Boolean" => self.attribute.values = booleans(),
            // Also accepts these words in other cases.
            "Puppet::Property::Boolean" => {
                self.attribute.values = booleans();
                self.own_validation = true;
            }
            _ => self.own_validation = true,
        }
    }

    /// Returns the attribute after its body has been interpreted.
    pub(super) fn finish(mut self) -> Attribute {
        let lists = !self.attribute.values.is_empty() || !self.attribute.patterns.is_empty();
        self.attribute.closed = lists && self.all_values && !self.own_validation;
        self.attribute
    }

    /// Adds the values defined by `ensurable` and `defaultvalues`.
    pub(super) fn default_values(&mut self) {
        self.value(Value::Sym("present".to_owned()));
        self.value(Value::Sym("absent".to_owned()));
    }

    fn value(&mut self, value: Value<'_>) {
        let (list, text) = match value {
            Value::Regex(source) => (&mut self.attribute.patterns, source),
            // `nil` stands for the empty string.
            Value::Nil => (&mut self.attribute.values, String::new()),
            other => match other.to_text() {
                Some(text) => (&mut self.attribute.values, text),
                None => {
                    self.all_values = false;
                    return;
                }
            },
        };
        if !list.contains(&text) {
            list.push(text);
        }
    }

    fn values<'t>(&mut self, reader: &mut Reader<'t>, call: &Call<'t>) {
        for argument in &call.arguments {
            let inner = children(*argument).into_iter().next();
            match (argument.kind(), inner) {
                ("splat_argument", Some(inner)) => match reader.value(inner) {
                    Value::Array(values) => {
                        for value in values {
                            self.value(value);
                        }
                    }
                    other => self.value(other),
                },
                _ => {
                    let value = reader.value(*argument);
                    self.value(value);
                }
            }
        }
    }

    fn default<'t>(&mut self, reader: &mut Reader<'t>, call: &Call<'t>) {
        let node = match (call.arguments.first(), call.body().map(children)) {
            (Some(argument), _) => Some(*argument),
            // A block that consists of a single expression.
            (None, Some(statements)) => match statements.as_slice() {
                [only] => Some(*only),
                _ => None,
            },
            (None, None) => None,
        };
        let value = node.map_or(Value::Unknown, |it| reader.value(it));
        self.attribute.default = match value {
            Value::Nil => None,
            value => value.to_default(),
        };
    }

    fn require_features(&mut self, features: Value<'_>) {
        let names = features.elements().into_iter();
        let names = names.filter_map(|it| it.text().map(str::to_lowercase));
        self.attribute.required_features = names.collect();
    }

    fn document<'t>(&mut self, reader: &mut Reader<'t>, node: Node<'t>) {
        if let Value::Str(text) = reader.value(node) {
            self.attribute.doc = comments::plain(&text);
        }
    }
}

impl<'t> Dsl<'t> for Body {
    fn call(&mut self, reader: &mut Reader<'t>, call: &Call<'t>, depth: usize) -> bool {
        if call.receiver.is_some() {
            return false;
        }
        let first = call.arguments.first().copied();
        match call.method {
            "desc" | "doc=" => {
                if let Some(first) = first {
                    self.document(reader, first);
                }
            }
            "newvalues" => self.values(reader, call),
            "newvalue" | "aliasvalue" => {
                let value = first.map_or(Value::Unknown, |it| reader.value(it));
                self.value(value);
            }
            "defaultvalues" => self.default_values(),
            "defaultto" => self.default(reader, call),
            "nodefault" => self.attribute.default = None,
            "isnamevar" => self.attribute.namevar = self.attribute.kind != AttributeKind::Property,
            "isrequired" => self.attribute.required = true,
            "validate" => {
                self.own_validation = true;
                let found = super::validation::accepted(reader, call);
                self.attribute.accepts = found.or(self.attribute.accepts.take());
            }
            "munge" => {
                let found = super::validation::converted(reader, call);
                self.attribute.accepts = self.attribute.accepts.take().or(found);
            }
            "include" | "extend" | "prepend" => self.include(reader, call, depth),
            "instance_eval" | "class_eval" | "send" | "define_method" => self.unreadable(),
            _ => return false,
        }
        true
    }

    fn words(&self) -> &'static [&'static str] {
        &[
            "newvalues",
            "newvalue",
            "aliasvalue",
            "defaultvalues",
            "validate",
            "include",
            "extend",
            "send",
        ]
    }

    fn unreadable(&mut self) {
        self.own_validation = true;
        self.all_values = false;
    }

    fn assign(&mut self, reader: &mut Reader<'t>, name: &str, value: Node<'t>) {
        match name {
            "@doc" => self.document(reader, value),
            "required_features" => {
                let features = reader.value(value);
                self.require_features(features);
            }
            _ => {}
        }
    }

    fn method(&mut self, reader: &mut Reader<'t>, name: &'t str, of_class: bool, node: Node<'t>) {
        match (of_class, name) {
            (false, "validate" | "unsafe_validate") | (true, "initvars") => {
                self.own_validation = true;
            }
            // A default method that consists of a single expression.
            (false, "default") => {
                let body = node.child_by_field_name("body").map(children);
                let value = match body.as_deref() {
                    Some([only]) => reader.value(*only),
                    _ => Value::Unknown,
                };
                self.attribute.default = value.to_default();
            }
            _ => {}
        }
    }
}

impl Body {
    /// Modules of Puppet are harmless, those of this file are interpreted, all others are unknown.
    fn include<'t>(&mut self, reader: &mut Reader<'t>, call: &Call<'t>, depth: usize) {
        for argument in &call.arguments {
            let name = reader.text(*argument);
            if super::resource_types::is_harmless_module(name) {
                continue;
            }
            let parts = reader.survey.module(name);
            if parts.is_empty() {
                self.unreadable();
            }
            for module in parts {
                reader.run_hooks(module, self, depth);
                if let Some(body) = module.child_by_field_name("body")
                    && reader.defines(body, &["validate", "unsafe_validate"])
                {
                    self.own_validation = true;
                }
            }
        }
    }
}
