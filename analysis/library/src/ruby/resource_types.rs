//! Resource types: `Puppet::Type.newtype`, and those of the Resource API.

use tree_sitter::Node;

use crate::signatures::{Attribute, AttributeKind, Doc, ResourceType};

use super::calls::Call;
use super::evaluate::Reader;
use super::source::{Source, children, visit};
use super::value::Value;
use super::walk::Dsl;
use super::{MAX_BYTES, attributes, automatic_relations, comments, resource_api, type_validation};

/// Extracts the resource types that a file defines.
///
/// Code that may define attributes but cannot be interpreted makes a type incomplete: computed
/// names, conditions, modules from other files.
pub fn resource_types(text: &str) -> Vec<ResourceType> {
    resource_types_with(text, &[])
}

/// Like [`resource_types`], with the sources of the files that this one requires: their modules are
/// resolved when the type includes them.
pub fn resource_types_with(text: &str, helpers: &[&str]) -> Vec<ResourceType> {
    let mut finder = ResourceTypeFinder {
        end: text.len(),
        found: Vec::new(),
    };
    // Concatenate the sources to get a single tree; offsets in the first file stay valid.
    let mut whole = text.to_owned();
    for helper in helpers {
        if whole.len() + helper.len() < MAX_BYTES {
            whole.push('\n');
            whole.push_str(helper);
        }
    }
    if let Some(source) = Source::with_words(&whole, &["newtype", "register_type"]) {
        let mut reader = Reader::new(&source);
        reader.run(source.root(), &mut finder, 0);
    }
    finder.found
}

/// Modules that define no attributes.
pub(super) fn is_harmless_module(name: &str) -> bool {
    let name = name.trim_start_matches("::");
    let core = [
        "Puppet::Util",
        "Puppet::Util::Checksums",
        "Puppet::Util::Diff",
        "Puppet::Util::Errors",
        "Puppet::Util::Execution",
        "Puppet::Util::Logging",
        "Puppet::Util::MethodHelper",
        "Puppet::Util::POSIX",
        "Puppet::Util::SELinux",
        "Puppet::Util::SymbolicFileMode",
        "Puppet::Util::Warnings",
    ];
    core.contains(&name) || ["FileUtils", "Enumerable", "Comparable", "URI"].contains(&name)
}

struct ResourceTypeFinder {
    /// The length of the file itself, where the helpers start.
    end: usize,
    found: Vec<ResourceType>,
}

impl<'t> Dsl<'t> for ResourceTypeFinder {
    fn call(&mut self, reader: &mut Reader<'t>, call: &Call<'t>, depth: usize) -> bool {
        let on = call.constant(reader.source);
        let found = match (on, call.method) {
            (Some("Puppet::Type" | "Type"), "newtype") => newtype(reader, call, depth),
            (Some("Puppet::ResourceApi"), "register_type") => {
                resource_api::register_type(reader, call)
            }
            _ => return false,
        };
        let Some(found) = found.filter(|_| call.node.start_byte() < self.end) else {
            return true;
        };
        match self.found.iter_mut().find(|it| it.name == found.name) {
            // A second definition may be in another branch; it is not known which one applies.
            Some(known) => known.complete = false,
            None => self.found.push(found),
        }
        true
    }

    fn words(&self) -> &'static [&'static str] {
        &["newtype", "register_type"]
    }

    fn unreadable(&mut self) {}

    fn looks_everywhere(&self) -> bool {
        true
    }
}

fn newtype<'t>(reader: &mut Reader<'t>, call: &Call<'t>, depth: usize) -> Option<ResourceType> {
    let name_node = *call.arguments.first()?;
    let name = reader.string(name_node)?.to_lowercase();
    let name_range = reader.name_range(name_node);
    let mut body = Body {
        type_: ResourceType {
            name,
            doc: Doc::default(),
            attributes: Vec::new(),
            // After a syntax error, any attributes may be missing.
            complete: !reader.source.root().has_error(),
            providers: Vec::new(),
            title_patterns: false,
            autorequires: Vec::new(),
            automatic_relations: Vec::new(),
            refusals: Vec::new(),
            module: None,
            name_range,
        },
        methods: Vec::new(),
        converted: Vec::new(),
        defaulted: Vec::new(),
    };
    if let Some(node) = call.body() {
        reader.run(node, &mut body, depth + 1);
    }
    let mut type_ = body.finish(reader.source.text());
    let above = comments::above(reader.source.text(), call.node.start_byte());
    if type_.doc.is_empty() {
        type_.doc = above;
    }
    type_.providers.sort();
    Some(type_)
}

/// The interpreter state for the body of `newtype`.
struct Body<'t> {
    type_: ResourceType,
    /// The instance methods of the type.
    methods: Vec<&'t str>,
    /// The attributes whose values are converted.
    converted: Vec<String>,
    /// The attributes that have a default.
    defaulted: Vec<String>,
}

impl<'t> Body<'t> {
    fn finish(mut self, code: &str) -> ResourceType {
        // Puppet detects that such a type is ensurable.
        let can = |it| self.methods.contains(&it);
        if can("exists?") && can("create") && can("destroy") && !self.has("ensure") {
            let name_range = self.type_.name_range;
            self.type_.attributes.push(Attribute {
                name: "ensure".to_owned(),
                kind: AttributeKind::Property,
                doc: Doc::default(),
                values: vec!["present".to_owned(), "absent".to_owned()],
                patterns: Vec::new(),
                closed: true,
                type_: None,
                default: None,
                namevar: false,
                required: false,
                read_only: false,
                accepts: None,
                required_features: Vec::new(),
                name_range,
            });
        }
        // Such a title is not the value of the namevar.
        if self.type_.title_patterns {
            let all = self.type_.attributes.iter_mut();
            all.filter(|it| it.namevar).for_each(|it| it.accepts = None);
        }
        let refusals = std::mem::take(&mut self.type_.refusals);
        let certain = refusals.into_iter().filter(|it| {
            let mut names = it.condition.names().into_iter();
            names.all(|it| self.is_plain(it, code))
        });
        self.type_.refusals = certain.collect();
        self.type_
    }

    /// Checks whether an attribute has the value that is given, or else a known default.
    fn is_plain(&self, name: &str, code: &str) -> bool {
        let is_in = |all: &[String]| all.iter().any(|it| it == name);
        let mut attributes = self.type_.attributes.iter();
        let found = attributes.find(|it| it.name == name);
        let is_computed = is_in(&self.converted) || type_validation::is_assigned(code, name);
        found.filter(|_| !is_computed).is_some_and(|it| {
            let has_unknown_default = is_in(&self.defaulted) && it.default.is_none();
            let is_part_of_title = it.namevar && self.type_.title_patterns;
            it.required_features.is_empty() && !has_unknown_default && !is_part_of_title
        })
    }

    /// Notes whether the block of an attribute converts values, or sets a default.
    fn note_block(&mut self, reader: &Reader<'t>, name: &str, block: Option<Node<'t>>) {
        let text = block.map(|it| reader.text(it)).unwrap_or_default();
        if ["munge", "def should", "def value"]
            .iter()
            .any(|it| text.contains(it))
        {
            self.converted.push(name.to_owned());
        }
        if text.contains("defaultto") {
            self.defaulted.push(name.to_owned());
        }
    }

    fn has(&self, name: &str) -> bool {
        self.type_.attributes.iter().any(|it| it.name == name)
    }

    /// `newparam(:name, options) { … }`.
    fn attribute(
        &mut self,
        reader: &mut Reader<'t>,
        call: &Call<'t>,
        kind: AttributeKind,
        depth: usize,
    ) {
        let first = call.arguments.first().copied();
        let name = first.and_then(|it| Some((it, reader.string(it)?)));
        let Some((node, name)) = name else {
            self.unreadable();
            return;
        };
        let range = reader.name_range(node);
        let mut body = attributes::Body::new(reader, call, &name, kind, range);
        if let Some(node) = block_body(reader, call) {
            reader.run(node, &mut body, depth + 1);
        } else if call.block_argument.is_some() {
            body.unreadable();
        }
        let attribute = body.finish();
        let block = block_body(reader, call);
        self.note_block(reader, &attribute.name, block);
        // Puppet rejects a second attribute with this name.
        if !self.has(&attribute.name) {
            self.type_.attributes.push(attribute);
        }
    }

    fn ensurable(&mut self, reader: &mut Reader<'t>, call: &Call<'t>, depth: usize) {
        let range = match call.node.child_by_field_name("method") {
            Some(method) => reader.source.range_of(method),
            None => reader.source.range_of(call.node),
        };
        let kind = AttributeKind::Property;
        let mut body = attributes::Body::new(reader, call, "ensure", kind, range);
        match (block_body(reader, call), call.block_argument) {
            (Some(node), _) => reader.run(node, &mut body, depth + 1),
            (None, Some(_)) => body.unreadable(),
            (None, None) if call.block.is_none() => body.default_values(),
            (None, None) => {}
        }
        let block = block_body(reader, call);
        self.note_block(reader, "ensure", block);
        if !self.has("ensure") {
            self.type_.attributes.push(body.finish());
        }
    }

    fn include(&mut self, reader: &mut Reader<'t>, call: &Call<'t>, depth: usize) {
        for argument in &call.arguments {
            let name = reader.text(*argument);
            if is_harmless_module(name) {
                continue;
            }
            let parts = reader.survey.module(name);
            if parts.is_empty() {
                self.unreadable();
            }
            for module in parts {
                self.part(reader, call, module, depth);
            }
        }
    }

    /// Applies a part of a module that is included, prepended or extended.
    fn part(&mut self, reader: &mut Reader<'t>, call: &Call<'t>, module: Node<'t>, depth: usize) {
        reader.run_hooks(module, self, depth);
        if call.method == "extend" {
            reader.survey.extend(reader.source, module);
        } else if let Some(body) = module.child_by_field_name("body") {
            let methods = children(body).into_iter();
            let methods = methods.filter(|it| it.kind() == "method");
            let names = methods.filter_map(|it| it.child_by_field_name("name"));
            self.methods.extend(names.map(|it| reader.text(it)));
        }
    }

    fn automatic_relation(&mut self, reader: &mut Reader<'t>, call: &Call<'t>) {
        let relation = automatic_relations::of_call(reader, call);
        self.type_.automatic_relations.extend(relation);
    }

    fn document(&mut self, reader: &mut Reader<'t>, node: Node<'t>) {
        if let Value::Str(text) = reader.value(node) {
            self.type_.doc = comments::tagged(&text);
        }
    }
}

/// Returns the body of the block of a call, including one passed on with `&block`.
fn block_body<'t>(reader: &mut Reader<'t>, call: &Call<'t>) -> Option<Node<'t>> {
    let handed_on = call.block_argument.map(|it| reader.value(it));
    match handed_on {
        Some(Value::Block(block)) => block.child_by_field_name("body"),
        _ => call.body(),
    }
}

impl<'t> Dsl<'t> for Body<'t> {
    fn call(&mut self, reader: &mut Reader<'t>, call: &Call<'t>, depth: usize) -> bool {
        if call.receiver.is_some() {
            // The method gets the type, and may define attributes of it.
            if call.arguments.iter().any(|it| it.kind() == "self") {
                self.unreadable();
            }
            return false;
        }
        let first = call.arguments.first().copied();
        // A method of the type itself with this name takes precedence.
        if call.method == "newcheck" && reader.survey.class_method("newcheck").is_some() {
            return false;
        }
        match call.method {
            "newparam" => self.attribute(reader, call, AttributeKind::Parameter, depth),
            "newproperty" => self.attribute(reader, call, AttributeKind::Property, depth),
            "newcheck" => self.attribute(reader, call, AttributeKind::Check, depth),
            "newmetaparam" => self.attribute(reader, call, AttributeKind::Metaparameter, depth),
            "ensurable" => self.ensurable(reader, call, depth),
            "desc" => {
                if let Some(first) = first {
                    self.document(reader, first);
                }
            }
            "autorequire" => {
                let name = first.and_then(|it| reader.string(it));
                let name = name.map(|it| it.to_lowercase());
                let known = &mut self.type_.autorequires;
                known.extend(name.filter(|it| !known.contains(it)));
                self.automatic_relation(reader, call);
            }
            "provide" => {
                let name = first.and_then(|it| reader.string(it));
                self.type_.providers.extend(name);
            }
            "include" | "extend" | "prepend" => self.include(reader, call, depth),
            "instance_eval" | "class_eval" | "module_eval" | "class_exec" | "eval" | "send"
            | "public_send" | "__send__" => self.unreadable(),
            // These blocks run for each resource and define nothing.
            "autobefore" | "autonotify" | "autosubscribe" => self.automatic_relation(reader, call),
            "validate" => self.type_.refusals = type_validation::refusals(reader, call),
            "munge" | "feature" => {}
            _ => return false,
        }
        true
    }

    fn words(&self) -> &'static [&'static str] {
        &[
            "newparam",
            "newproperty",
            "newcheck",
            "newmetaparam",
            "ensurable",
            "include",
            "extend",
            "prepend",
            "instance_eval",
            "class_eval",
            "module_eval",
            "class_exec",
            "eval",
            "send",
            "public_send",
            "__send__",
        ]
    }

    fn unreadable(&mut self) {
        self.type_.complete = false;
    }

    fn assign(&mut self, reader: &mut Reader<'t>, name: &str, value: Node<'t>) {
        if name == "@doc" {
            self.document(reader, value);
        }
    }

    fn method(&mut self, _: &mut Reader<'t>, name: &'t str, of_class: bool, _: Node<'t>) {
        match (of_class, name) {
            (true, "title_patterns") => self.type_.title_patterns = true,
            (false, _) => self.methods.push(name),
            (true, _) => {}
        }
    }
}

impl<'t> Reader<'t> {
    /// Interprets the hooks that run when a module is included, prepended or extended.
    pub(super) fn run_hooks(&mut self, module: Node<'t>, dsl: &mut dyn Dsl<'t>, depth: usize) {
        let body = module.child_by_field_name("body").map(children);
        for method in body.into_iter().flatten() {
            let name = method.child_by_field_name("name").map(|it| self.text(it));
            let is_hook = matches!(name, Some("included" | "extended" | "prepended"));
            if let Some(body) = method.child_by_field_name("body")
                && method.kind() == "singleton_method"
                && is_hook
            {
                self.run(body, dsl, depth + 1);
            }
        }
    }

    /// Checks whether the node contains a definition of one of the methods.
    pub(super) fn defines(&self, node: Node<'t>, names: &[&str]) -> bool {
        let mut found = false;
        visit(node, |it| {
            let name = it.child_by_field_name("name").map(|it| self.text(it));
            found |= it.kind() == "method" && name.is_some_and(|it| names.contains(&it));
            !found
        });
        found
    }
}

#[cfg(test)]
mod tests;
