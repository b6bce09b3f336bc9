//! Calls to the functions that look up keys of Hiera.

use hiera::LookupKey;
use hiera::merge::MergeStrategy;
use library::{KnownFunction as F, NamedEntity};
use syntax::ast::{AstNode, CallExpr, Expr, MethodCall};
use syntax::{SyntaxNode, TextRange};
use types::Type;
use types::values::{HashValue, Value};

use crate::checker::Checker;

/// A call that looks up constant keys.
#[derive(Clone, Debug)]
pub(crate) struct LookupCall {
    /// The keys. The first key that is found counts.
    pub(crate) keys: Vec<String>,
    /// The range of the argument with the keys.
    pub(crate) range: TextRange,
    /// The type of the value.
    pub(crate) value_type: Option<Type>,
    /// The strategy that overrides that of `lookup_options`.
    pub(crate) merge: Option<MergeStrategy>,
    /// Whether the call has a result if data lacks the keys.
    pub(crate) has_default: bool,
    /// Whether the call itself may contain the value.
    pub(crate) may_override: bool,
}

/// The options that are values for keys.
const DEFAULTS: [&str; 2] = ["default_value", "default_values_hash"];

impl Checker<'_> {
    /// Returns the lookup that a call makes, if its keys and options are constant.
    pub(crate) fn lookup_call(&self, node: &SyntaxNode) -> Option<LookupCall> {
        let (name, arguments, has_lambda) = if let Some(call) = CallExpr::cast(node.clone()) {
            (
                call.name_token()?,
                call.arguments(),
                call.lambda().is_some(),
            )
        } else {
            let call = MethodCall::cast(node.clone())?;
            let receiver = std::iter::once(call.receiver()?);
            let arguments = receiver.chain(call.arguments()).collect();
            (call.name_token()?, arguments, call.lambda().is_some())
        };
        let function = F::from_name(name.text())?;
        if function.names() != Some(NamedEntity::DataKey) {
            return None;
        }
        let first = arguments.first()?;
        let keys = self.constant(first)?;
        let mut call = LookupCall {
            keys: Vec::new(),
            range: first.syntax().text_range(),
            value_type: None,
            merge: None,
            has_default: has_lambda,
            may_override: false,
        };
        if function != F::Lookup {
            call.has_default |= arguments.len() > 1;
            call.may_override = arguments.len() > 2 || arguments.len() > 1 && has_lambda;
            call.keys = names(keys)?;
            return Some(call);
        }
        match (keys, &arguments[1..]) {
            (Value::Hash(options), []) => {
                call.keys = names(options.get_str("name")?)?;
                call.read_options(options)?;
            }
            (keys, rest) => {
                call.keys = names(keys)?;
                self.read_arguments(&mut call, rest)?;
            }
        }
        Some(call)
    }

    fn constant(&self, expr: &Expr) -> Option<&Value> {
        self.type_of(expr)?.value.as_ref()
    }

    /// Reads the arguments after the name; `None` if they are not constant.
    fn read_arguments(&self, call: &mut LookupCall, arguments: &[Expr]) -> Option<()> {
        let mut arguments = arguments.iter();
        if let Some(first) = arguments.next() {
            match self.constant(first)? {
                Value::Hash(options) => return call.read_options(options),
                it => call.read_type(it)?,
            }
        }
        if let Some(merge) = arguments.next() {
            call.read_merge(self.constant(merge)?)?;
        }
        call.has_default |= arguments.next().is_some();
        Some(())
    }
}

impl LookupCall {
    /// Returns the key, if there is only one.
    pub(crate) fn only_key(&self) -> Option<LookupKey> {
        match &self.keys[..] {
            [only] => LookupKey::parse(only),
            _ => None,
        }
    }

    fn read_options(&mut self, options: &HashValue) -> Option<()> {
        self.has_default |= DEFAULTS.iter().any(|it| options.get_str(it).is_some());
        self.may_override = options.get_str("override").is_some();
        if let Some(value_type) = options.get_str("value_type") {
            self.read_type(value_type)?;
        }
        match options.get_str("merge") {
            Some(merge) => self.read_merge(merge),
            None => Some(()),
        }
    }

    fn read_type(&mut self, value: &Value) -> Option<()> {
        match value {
            Value::Undef | Value::Default => {}
            Value::Type(it) => self.value_type = Some(it.clone()),
            _ => return None,
        }
        Some(())
    }

    fn read_merge(&mut self, value: &Value) -> Option<()> {
        if !matches!(value, Value::Undef | Value::Default) {
            self.merge = Some(MergeStrategy::of_value(value).ok()?);
        }
        Some(())
    }
}

/// Returns the keys that an argument names.
fn names(value: &Value) -> Option<Vec<String>> {
    match value {
        Value::String(it) => Some(vec![it.to_string()]),
        Value::Array(items) => {
            let names = items.iter().map(|it| it.as_str().map(str::to_owned));
            names.collect()
        }
        _ => None,
    }
}
