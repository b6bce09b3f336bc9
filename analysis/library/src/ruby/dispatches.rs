//! The bodies of functions of the 4.x API: dispatches, local types and methods.

use tree_sitter::Node;

use crate::signatures::{Arity, BlockParameter, FunctionParameter, Overload};

use super::calls::Call;
use super::comments;
use super::evaluate::Reader;
use super::source::children;
use super::walk::Dsl;

/// The calls in `dispatch` that declare parameters and the result.
pub(super) const PARAMETER_CALLS: [&str; 10] = [
    "param",
    "required_param",
    "optional_param",
    "repeated_param",
    "optional_repeated_param",
    "required_repeated_param",
    "block_param",
    "required_block_param",
    "optional_block_param",
    "return_type",
];
/// The calls in `create_function` that describe a function.
pub(super) const FUNCTION_CALLS: [&str; 3] = ["dispatch", "argument_mismatch", "local_types"];

/// The interpreter state for the body of `create_function`.
pub(super) struct Body<'n> {
    /// The method that is called if there are no dispatches.
    default_method: &'n str,
    overloads: Vec<Overload>,
    local_types: Vec<(String, String)>,
    /// The number of `dispatch` and `argument_mismatch` calls.
    dispatches: usize,
    /// The overload derived from the default method.
    default: Option<Overload>,
    readable: bool,
}

impl<'n> Body<'n> {
    pub(super) fn new(default_method: &'n str) -> Body<'n> {
        Body {
            default_method,
            overloads: Vec::new(),
            local_types: Vec::new(),
            dispatches: 0,
            default: None,
            readable: true,
        }
    }

    /// Returns all overloads; `None` if they may be incomplete or Puppet cannot load the function.
    pub(super) fn finish(self) -> Option<Vec<Overload>> {
        if !self.readable {
            return None;
        }
        let mut overloads = self.overloads;
        if self.dispatches == 0 {
            overloads.push(self.default?);
        }
        for overload in &mut overloads {
            overload.local_types.clone_from(&self.local_types);
        }
        Some(overloads)
    }
}

impl<'t> Dsl<'t> for Body<'_> {
    fn call(&mut self, reader: &mut Reader<'t>, call: &Call<'t>, depth: usize) -> bool {
        if call.receiver.is_some() {
            return false;
        }
        match call.method {
            "dispatch" | "argument_mismatch" => {
                self.dispatches += 1;
                let mut dispatch = Dispatch::default();
                match call.body() {
                    Some(body) => reader.run(body, &mut dispatch, depth + 1),
                    // An empty block has no body.
                    None => dispatch.unreadable |= call.block.is_none(),
                }
                self.readable &= !dispatch.unreadable;
                if call.method == "dispatch" {
                    dispatch.overload.doc =
                        comments::above(reader.source.text(), call.node.start_byte());
                    self.overloads.push(dispatch.overload);
                }
                true
            }
            "local_types" => {
                if let Some(body) = call.body() {
                    reader.run(body, &mut LocalTypes(self), depth + 1);
                }
                true
            }
            // A module that extends the class may add dispatches.
            "extend" | "instance_eval" | "class_eval" | "send" => {
                self.readable = false;
                true
            }
            _ => false,
        }
    }

    fn words(&self) -> &'static [&'static str] {
        &FUNCTION_CALLS
    }

    fn unreadable(&mut self) {
        self.readable = false;
    }

    fn method(&mut self, reader: &mut Reader<'t>, name: &'t str, of_class: bool, node: Node<'t>) {
        if name == self.default_method && !of_class {
            self.default = default_overload(reader, node);
        }
    }
}

/// Derives an overload from the parameters of a method; `None` if Puppet rejects them.
fn default_overload<'t>(reader: &mut Reader<'t>, method: Node<'t>) -> Option<Overload> {
    let mut overload = Overload::default();
    let parameters = method.child_by_field_name("parameters").map(children);
    for node in parameters.unwrap_or_default() {
        let arity = match node.kind() {
            "identifier" => Arity::Required,
            "optional_parameter" => Arity::Optional,
            "splat_parameter" => Arity::Repeated,
            "comment" => continue,
            _ => return None,
        };
        let name = node.child_by_field_name("name").unwrap_or(node);
        let default = node.child_by_field_name("value");
        overload.parameters.push(FunctionParameter {
            name: reader.text(name).to_owned(),
            type_: None,
            arity,
            default: default.and_then(|it| reader.value(it).to_puppet()),
        });
    }
    // Ruby allows required parameters after optional ones; Puppet only counts them.
    let is_ordered = overload.parameters.is_sorted_by_key(|it| order(it.arity));
    is_ordered.then_some(overload)
}

fn order(arity: Arity) -> u8 {
    match arity {
        Arity::Required => 0,
        Arity::Optional => 1,
        Arity::Repeated | Arity::RequiredRepeated => 2,
    }
}

struct LocalTypes<'a, 'n>(&'a mut Body<'n>);

impl<'t> Dsl<'t> for LocalTypes<'_, '_> {
    fn call(&mut self, reader: &mut Reader<'t>, call: &Call<'t>, _: usize) -> bool {
        if call.method != "type" || call.receiver.is_some() {
            return false;
        }
        let text = call.arguments.first().and_then(|it| reader.string(*it));
        let alias = text.as_deref().and_then(|it| it.split_once('='));
        match alias {
            Some((name, type_)) => {
                let entry = (name.trim().to_owned(), type_.trim().to_owned());
                self.0.local_types.push(entry);
            }
            None => self.0.readable = false,
        }
        true
    }

    fn words(&self) -> &'static [&'static str] {
        &["type"]
    }

    fn unreadable(&mut self) {
        self.0.readable = false;
    }
}

/// The interpreter state for the body of `dispatch`.
#[derive(Default)]
struct Dispatch {
    overload: Overload,
    unreadable: bool,
}

impl Dispatch {
    /// `param 'Type', :name`.
    fn parameter<'t>(&mut self, reader: &mut Reader<'t>, call: &Call<'t>, arity: Arity) {
        let [type_, name] = call.arguments.as_slice() else {
            self.unreadable = true;
            return;
        };
        let last = self.overload.parameters.last();
        let max_previous = match arity {
            Arity::Required | Arity::RequiredRepeated => 0,
            Arity::Optional | Arity::Repeated => 1,
        };
        // Puppet rejects any other order.
        let in_order =
            self.overload.block.is_none() && last.is_none_or(|it| order(it.arity) <= max_previous);
        match reader.string(*name) {
            Some(name) if in_order => self.overload.parameters.push(FunctionParameter {
                name,
                type_: reader.string(*type_).map(|it| it.trim().to_owned()),
                arity,
                default: None,
            }),
            _ => self.unreadable = true,
        }
    }

    /// `block_param`, `block_param :name` or `block_param 'Type', :name`.
    fn block<'t>(&mut self, reader: &mut Reader<'t>, call: &Call<'t>, optional: bool) {
        let (type_, name) = match call.arguments.as_slice() {
            [] => (None, Some("block".to_owned())),
            [name] => (None, reader.string(*name)),
            [type_, name] => (reader.string(*type_), reader.string(*name)),
            _ => (None, None),
        };
        match name {
            Some(name) if self.overload.block.is_none() => {
                self.overload.block = Some(BlockParameter {
                    name,
                    type_,
                    optional,
                });
            }
            _ => self.unreadable = true,
        }
    }
}

impl<'t> Dsl<'t> for Dispatch {
    fn call(&mut self, reader: &mut Reader<'t>, call: &Call<'t>, _: usize) -> bool {
        if call.receiver.is_some() {
            return false;
        }
        match call.method {
            "param" | "required_param" => self.parameter(reader, call, Arity::Required),
            "optional_param" => self.parameter(reader, call, Arity::Optional),
            "repeated_param" | "optional_repeated_param" => {
                self.parameter(reader, call, Arity::Repeated);
            }
            "required_repeated_param" => self.parameter(reader, call, Arity::RequiredRepeated),
            "block_param" | "required_block_param" => self.block(reader, call, false),
            "optional_block_param" => self.block(reader, call, true),
            "return_type" => {
                let type_ = call.arguments.first().and_then(|it| reader.string(*it));
                self.overload.returns = type_.map(|it| it.trim().to_owned());
            }
            // `scope_param` and similar calls declare injected parameters, which are not arguments
            // of the call.
            _ => return false,
        }
        true
    }

    fn words(&self) -> &'static [&'static str] {
        &PARAMETER_CALLS
    }

    fn unreadable(&mut self) {
        self.unreadable = true;
    }
}
