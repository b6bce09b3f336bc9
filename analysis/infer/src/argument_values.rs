//! Checks the known values of arguments, such as regular expressions and format strings,
//! independently of the other arguments.

use std::sync::{Arc, LazyLock};

use super::arity::ArityRange;
use super::calls::{Call, known_string};
use super::functions::{stdlib_arguments, stdlib_validation};
use super::inference_context::InferenceContext;
use super::inferred::Inferred;
use super::operators::{alternatives, element_of};
use super::problem::{TypeProblemKind, ValueTarget};
use eval::Issue;
use library::KnownFunction;
use syntax::TextRange;
use syntax::ast::{AstNode, HasBody};
use types::values::{Regexp, RegexpError, Value};
use types::{IntRange, Type, is_instance, is_resolved, is_resolved_value, reader};

impl InferenceContext<'_> {
    /// Checks the arguments of a function, and returns whether the call may succeed.
    pub(super) fn check_argument_values(&mut self, function: KnownFunction, call: &Call) -> bool {
        match function {
            KnownFunction::Sprintf => self.check_format(call),
            KnownFunction::AssertType if call.lambda.is_none() => self.check_assertion(call),
            KnownFunction::Lookup => self.check_lookup(call),
            KnownFunction::Tag => self.check_each(call, refused_tag),
            KnownFunction::FqdnRand => self.check_first(call, refused_maximum),
            KnownFunction::Generate => self.check_first(call, refused_program),
            // A call with constants is evaluated.
            KnownFunction::New if call.arguments.iter().any(|it| it.value.is_none()) => {
                self.check_first(call, lacks_constructor) && self.check_conversion(call)
            }
            _ if function.names_classes() => self.check_class_names(function, call),
            _ if function.takes_regex() => self.check_pattern(function.name(), call),
            _ => true,
        }
    }

    /// Checks the first argument, and returns whether the call may succeed.
    fn check_first(&mut self, call: &Call, refused: fn(&Value) -> Option<String>) -> bool {
        match (call.arguments.first(), call.ranges.first()) {
            (Some(argument), Some(range)) => self.check_value(call, argument, *range, refused),
            _ => true,
        }
    }

    /// Checks all arguments, and returns whether the call may succeed.
    fn check_each(&mut self, call: &Call, refused: fn(&Value) -> Option<String>) -> bool {
        let arguments = call.arguments.iter().zip(&call.ranges);
        let accepted: Vec<bool> = arguments
            .map(|(argument, range)| self.check_value(call, argument, *range, refused))
            .collect();
        accepted.into_iter().all(|it| it)
    }

    /// Reports an argument whose value the function refuses with this message.
    fn check_value(
        &mut self,
        call: &Call,
        argument: &Inferred,
        range: TextRange,
        refused: fn(&Value) -> Option<String>,
    ) -> bool {
        let Some(message) = argument.value.as_ref().and_then(refused) else {
            return true;
        };
        let kind = TypeProblemKind::EvaluationError {
            function: Some(call.name.clone()),
            issue: Issue::RuntimeError,
            message,
        };
        self.report(range, kind);
        false
    }

    /// Checks the arguments of a function of `stdlib` that has no signature.
    pub(super) fn check_stdlib_arguments(&mut self, call: &Call) -> bool {
        if call.has_unknown_splat {
            return true;
        }
        let all = call.arguments.iter().zip(&call.ranges).enumerate();
        for (index, (argument, range)) in all {
            let Some(accepted) = stdlib_arguments::accepted(&call.name, index) else {
                continue;
            };
            if argument.is_a(&accepted.type_) == Some(false) && is_plain(&argument.type_) {
                let name = accepted.name.to_owned();
                let kind = TypeProblemKind::RefusedValue {
                    what: ValueTarget::Argument(call.name.clone(), name),
                    description: accepted.description.to_owned(),
                    expected: accepted.type_.clone(),
                    actual: argument.type_.clone(),
                };
                self.report(*range, kind);
                return false;
            }
        }
        let Some(message) = stdlib_arguments::failure(&call.name, &call.arguments) else {
            return true;
        };
        let kind = TypeProblemKind::EvaluationError {
            function: Some(call.name.clone()),
            issue: Issue::RuntimeError,
            message: format!("`{}`: {message}", call.name),
        };
        self.report(call.range, kind);
        false
    }

    /// Reports a value that `validate_legacy` refuses: neither the type nor the previous function accepts it.
    pub(super) fn check_validate_legacy(&mut self, call: &Call) {
        let [type_, function, value, rest @ ..] = call.arguments.as_slice() else {
            return;
        };
        let accepted = match &type_.value {
            Some(Value::Type(it)) => Some(it.clone()),
            Some(Value::String(it)) => self.types.read_text(it),
            _ => None,
        };
        let (Some(accepted), Some(function), Some(given), Some(range)) = (
            accepted,
            known_string(function),
            value.value.as_ref(),
            call.ranges.get(2),
        ) else {
            return;
        };
        let rest: Vec<_> = rest.iter().map(|it| it.value.as_ref()).collect();
        if call.has_unknown_splat || !refused_by_validation(&accepted, &function, given, &rest) {
            return;
        }
        let kind = TypeProblemKind::Mismatch {
            what: ValueTarget::Argument(call.name.clone(), "value".to_owned()),
            expected: accepted,
            actual: value.type_.clone(),
        };
        self.report(*range, kind);
    }

    fn check_pattern(&mut self, function: &str, call: &Call) -> bool {
        let (Some(pattern), Some(range)) = (call.arguments.get(1), call.ranges.get(1)) else {
            return true;
        };
        self.check_regexp(Some(function), *range, pattern)
    }

    /// Checks whether a string is a valid regular expression.
    pub(super) fn check_regexp(
        &mut self,
        function: Option<&str>,
        range: TextRange,
        pattern: &Inferred,
    ) -> bool {
        let Some(source) = known_string(pattern) else {
            return true;
        };
        match Regexp::new(&source).check() {
            Err(error @ RegexpError::Invalid(_)) => {
                let kind = TypeProblemKind::EvaluationError {
                    function: function.map(str::to_owned),
                    issue: Issue::MatchNotRegexp,
                    message: error.to_string(),
                };
                self.report(range, kind);
                false
            }
            _ => true,
        }
    }

    /// Checks whether a format string has no more directives than there are arguments.
    fn check_format(&mut self, call: &Call) -> bool {
        let (Some(format), false) = (
            call.arguments.first().and_then(known_string),
            call.has_unknown_splat,
        ) else {
            return true;
        };
        let given = call.arguments.len() - 1;
        let Some(needed) = directives(&format).filter(|it| *it > given) else {
            return true;
        };
        let range = call.ranges.first().copied().unwrap_or(call.range);
        let message = format!("format string expects {needed} values, found {given}");
        let kind = TypeProblemKind::EvaluationError {
            function: Some(KnownFunction::Sprintf.name().to_owned()),
            issue: Issue::RuntimeError,
            message,
        };
        self.report(range, kind);
        false
    }

    /// Checks whether the arguments of `include` and the like can be names of classes.
    fn check_class_names(&mut self, function: KnownFunction, call: &Call) -> bool {
        let mut valid = true;
        for (value, range) in call.arguments.iter().zip(&call.ranges) {
            let Some(misfit) = no_class_name(value) else {
                continue;
            };
            valid = false;
            let kind = TypeProblemKind::Mismatch {
                what: ValueTarget::Argument(function.name().to_owned(), "names".to_owned()),
                expected: CLASS_NAMES.clone(),
                actual: misfit.type_,
            };
            self.report(*range, kind);
        }
        valid
    }

    /// Checks what the signature of `lookup` does not restrict: the block, the type of the default
    /// value and the merge strategy.
    fn check_lookup(&mut self, call: &Call) -> bool {
        if call.has_unknown_splat {
            return true;
        }
        if let Some(lambda) = &call.lambda {
            self.check_lambda_arity(lambda, &call.name, ArityRange::exactly(1));
        }
        self.check_lookup_default(call)
            && self.check_merge(call)
            && self.check_lookup_hash(call, "default_values_hash")
            && self.check_lookup_hash(call, "override")
    }

    /// Checks the value of the key in a hash of values that is passed to `lookup`.
    fn check_lookup_hash(&mut self, call: &Call, name: &str) -> bool {
        let (Some(options), Some(range)) = (call.arguments.last(), call.ranges.last()) else {
            return true;
        };
        let key = match call.arguments.as_slice() {
            [options] => option(options, "name"),
            [key, ..] => Some(key.clone()),
            [] => None,
        };
        let key = key.as_ref().and_then(known_string);
        let value = key.and_then(|key| option(&option(options, name)?, &key));
        let type_ = option(options, "value_type").and_then(|it| it.value);
        let (Some(value), Some(Value::Type(expected))) = (value, type_) else {
            return true;
        };
        if !is_resolved(&expected) {
            return true;
        }
        let target = ValueTarget::Argument(call.name.clone(), name.to_owned());
        self.check_assignable(*range, &value, &expected, || target);
        value.is_a(&expected) != Some(false)
    }

    /// Checks the result of the lambda of a `lookup`, which Puppet calls if it does not find a value.
    pub(super) fn check_lookup_block(&mut self, call: &Call, result: &Inferred) {
        let type_ = match call.arguments.as_slice() {
            [_, type_, ..] if option(type_, "value_type").is_none() => Some(type_.clone()),
            [.., options] => option(options, "value_type"),
            [] => None,
        };
        let Some(Value::Type(expected)) = type_.and_then(|it| it.value) else {
            return;
        };
        let body = call.lambda.as_ref().and_then(|it| it.body());
        let Some(last) = body.and_then(|it| it.statements().last()) else {
            return;
        };
        if is_resolved(&expected) && !call.has_unknown_splat {
            let range = last.syntax().text_range();
            let function = call.name.clone();
            self.check_assignable(range, result, &expected, || ValueTarget::Result(function));
        }
    }

    /// Checks whether the default value of a `lookup` is of the requested type.
    fn check_lookup_default(&mut self, call: &Call) -> bool {
        let last = call.ranges.last().copied().unwrap_or(call.range);
        let (type_, default, range) = match call.arguments.as_slice() {
            [_, type_, _, default] => (Some(type_.clone()), Some(default.clone()), last),
            [.., options] => (
                option(options, "value_type"),
                option(options, "default_value"),
                last,
            ),
            [] => return true,
        };
        let (Some(type_), Some(default)) = (type_, default) else {
            return true;
        };
        let Some(Value::Type(expected)) = type_.value.filter(is_resolved_value) else {
            return true;
        };
        // A block takes precedence over the default.
        if call.lambda.is_some() || !is_resolved(&expected) || default.is_never() {
            return true;
        }
        let target = ValueTarget::Argument(call.name.clone(), "default_value".to_owned());
        self.check_assignable(range, &default, &expected, || target);
        default.is_a(&expected) != Some(false)
    }

    /// Checks the merge strategy of a `lookup`.
    fn check_merge(&mut self, call: &Call) -> bool {
        let (merge, range) = match (call.arguments.as_slice(), call.ranges.as_slice()) {
            ([_, _, merge, ..], [_, _, range, ..]) => (merge.clone(), *range),
            ([.., options], [.., range]) => match option(options, "merge") {
                Some(merge) => (merge, *range),
                None => return true,
            },
            _ => return true,
        };
        let expected = &MERGE_STRATEGIES;
        // These accept any options.
        let strategy = option(&merge, "strategy").as_ref().and_then(known_string);
        let is_open =
            strategy.is_some_and(|it| matches!(&*it, "reverse_deep" | "unconstrained_deep"));
        if is_open || merge.is_never() || merge.is_a(expected) != Some(false) {
            return true;
        }
        let kind = TypeProblemKind::Mismatch {
            what: ValueTarget::Argument(
                KnownFunction::Lookup.name().to_owned(),
                "merge".to_owned(),
            ),
            expected: Type::clone(expected),
            actual: merge.type_,
        };
        self.report(range, kind);
        false
    }

    fn check_assertion(&mut self, call: &Call) -> bool {
        let ([type_, value], false) = (call.arguments.as_slice(), call.has_unknown_splat) else {
            return true;
        };
        let expected = match &type_.value {
            Some(Value::Type(it)) => Some(it.clone()),
            Some(Value::String(it)) => self.types.read_text(it),
            _ => None,
        };
        let Some(expected) = expected.filter(is_resolved) else {
            return true;
        };
        let range = call.ranges.get(1).copied().unwrap_or(call.range);
        self.check_assignable(range, value, &expected, || ValueTarget::Assertion);
        value.is_never() || value.is_a(&expected) != Some(false)
    }
}

/// The values that name classes. Arrays may be nested.
static CLASS_NAMES: LazyLock<Type> = LazyLock::new(|| {
    Type::variant([
        Type::string_sized(IntRange::NOT_EMPTY),
        Type::Type(Some(Arc::new(Type::Class(None)))),
        Type::any_array(),
    ])
});

/// The values of `merge` that `lookup` accepts; from `merge_strategy.rb`.
static MERGE_STRATEGIES: LazyLock<Type> = LazyLock::new(|| {
    const SOURCE: &str = "Variant[\
        Undef, \
        Enum['first', 'default', 'unique', 'hash', 'deep', 'reverse_deep', 'unconstrained_deep'], \
        Struct[{strategy => Enum['first', 'default', 'unique', 'hash']}], \
        Struct[{\
            strategy => Enum['deep'], \
            Optional[knockout_prefix] => Optional[String], \
            Optional[merge_debug] => Optional[Boolean], \
            Optional[merge_hash_arrays] => Optional[Boolean], \
            Optional[sort_merged_arrays] => Optional[Boolean]\
        }]]";
    reader::read(SOURCE, &reader::BuiltInTypes).unwrap_or(Type::Any)
});

/// Checks whether all values are plain data: the 3.x API may convert others.
fn is_plain(type_: &Type) -> bool {
    alternatives(type_).iter().all(|it| {
        matches!(
            it,
            Type::Undef
                | Type::String(_)
                | Type::Enum(_)
                | Type::Pattern(_)
                | Type::Integer(_)
                | Type::Float(_)
                | Type::Boolean(_)
                | Type::Array(_)
                | Type::Tuple(_)
                | Type::Hash(_)
                | Type::Struct(_)
        )
    })
}

/// Checks whether `validate_legacy` certainly refuses a value: neither the type nor the previous function accepts it.
/// `rest` are the arguments after the value.
#[must_use]
pub fn refused_by_validation(
    accepted: &Type,
    function: &str,
    value: &Value,
    rest: &[Option<&Value>],
) -> bool {
    is_instance(accepted, value) == Some(false)
        && stdlib_validation::is_refused(function, value, rest)
}

/// Returns why the function and the metaparameter `tag` refuse a value. From `Puppet::Util::Tagging`.
#[must_use]
pub fn refused_tag(value: &Value) -> Option<String> {
    let text: &str = match value {
        Value::String(it) => it,
        Value::Array(all) => {
            let mut given = all.iter().filter(|it| !it.is_undef());
            return given.find_map(refused_tag);
        }
        Value::Undef => "",
        // It is redacted first.
        Value::Sensitive(_) => return Some("invalid tag: found a `Sensitive` value".to_owned()),
        _ => return None,
    };
    let is_word = |it: char| it.is_alphanumeric() || it == '_';
    let line = text.strip_suffix('\n').unwrap_or(text);
    let is_valid =
        line.starts_with(is_word) && line.chars().all(|it| is_word(it) || ":.-".contains(it));
    (!is_valid).then(|| format!("invalid tag `{text}`"))
}

/// Returns why `fqdn_rand` refuses a maximum, of which it uses the integer part.
fn refused_maximum(value: &Value) -> Option<String> {
    let is_refused = match value {
        Value::Integer(it) => *it <= 0,
        Value::Float(it) => *it < 1.0,
        Value::Undef => true,
        Value::String(it) => {
            let digits = it.trim_start().trim_start_matches('+');
            let number: String = digits
                .chars()
                .take_while(|it| it.is_ascii_digit() || *it == '_')
                .filter(|it| *it != '_')
                .collect();
            number.chars().all(|it| it == '0')
        }
        _ => false,
    };
    is_refused.then(|| "maximum of `fqdn_rand` must be a positive integer".to_owned())
}

/// Returns why `new` refuses a type, for references to resources and classes, as in `File($path)`.
fn lacks_constructor(type_: &Value) -> Option<String> {
    match type_ {
        Value::Type(it @ (Type::Resource(_) | Type::Class(_))) => Some(format!(
            "`new`: `{}` has no constructor",
            types::display(it)
        )),
        _ => None,
    }
}

/// Returns why `generate` refuses a program.
fn refused_program(value: &Value) -> Option<String> {
    let path: &str = match value {
        Value::String(it) => it,
        Value::Undef => "",
        _ => return None,
    };
    // Windows has paths of another form.
    if path.chars().nth(1) == Some(':') || path.starts_with(['\\', '/']) && path.contains('\\') {
        return None;
    }
    let is_plain = |it: char| it.is_ascii_alphanumeric() || "-/_.+".contains(it);
    let reason = if !path.starts_with('/') {
        "program of `generate` must be an absolute path"
    } else if !path.chars().all(is_plain) {
        "program of `generate` must contain only letters, digits and `-_.+/`"
    } else if path.contains("..") {
        "program of `generate` must not contain `..`"
    } else {
        return None;
    };
    Some(reason.to_owned())
}

/// Returns the part of an argument that cannot name a class, or contain such names.
fn no_class_name(value: &Inferred) -> Option<Inferred> {
    match &value.value {
        Some(Value::Array(items)) => {
            let mut items = items.iter().cloned().map(Inferred::value);
            items.find_map(|it| no_class_name(&it))
        }
        Some(Value::Type(Type::Class(Some(_)))) => None,
        Some(Value::Type(Type::Resource(it))) => {
            let is_other = it
                .type_name()
                .is_some_and(|it| it.eq_ignore_ascii_case("class"));
            (!is_other).then(|| value.clone())
        }
        // A reference to an unknown type is reported as such.
        Some(Value::Type(it)) => is_resolved(it).then(|| value.clone()),
        None if element_of(&value.type_).is_some() => {
            let element = Inferred::of(element_of(&value.type_)?);
            no_class_name(&element)
        }
        _ => {
            let fits = value.is_never() || value.is_a(&CLASS_NAMES) != Some(false);
            let is_reference = value.is_a(&Type::Type(None)) != Some(false);
            (!fits && !is_reference).then(|| value.clone())
        }
    }
}

/// Returns an option of a hash of options, if its value is known.
fn option(options: &Inferred, name: &str) -> Option<Inferred> {
    let Some(Value::Hash(entries)) = &options.value else {
        return match &options.type_ {
            Type::Struct(it) => {
                let mut elements = it.elements().iter();
                let found = elements.find(|it| *it.name == *name && !it.is_optional())?;
                Some(Inferred::of(found.value.clone()))
            }
            _ => None,
        };
    };
    Some(Inferred::value(entries.get(&Value::from(name))?.clone()))
}

/// Returns the number of arguments that a format string consumes; `None` if it uses numbered or
/// named arguments.
fn directives(format: &str) -> Option<usize> {
    let mut count = 0;
    let mut chars = format.chars().peekable();
    while let Some(char) = chars.next() {
        if char != '%' {
            continue;
        }
        while chars
            .peek()
            .is_some_and(|it| "0123456789 +-#.".contains(*it))
        {
            chars.next();
        }
        match chars.next()? {
            '%' => {}
            'd' | 'i' | 'u' | 's' | 'p' | 'f' | 'e' | 'E' | 'g' | 'G' | 'a' | 'A' | 'x' | 'X'
            | 'o' | 'b' | 'B' | 'c' => count += 1,
            _ => return None,
        }
    }
    Some(count)
}

#[cfg(test)]
mod tests {
    use super::directives;

    #[test]
    fn directives_are_counted() {
        assert_eq!(directives("no"), Some(0));
        assert_eq!(directives("%s, %05.2f and 100%%"), Some(2));
        // Numbered and named arguments, and widths taken from arguments.
        assert_eq!(directives("%1$s"), None);
        assert_eq!(directives("%<a>s"), None);
        assert_eq!(directives("%*d"), None);
        assert_eq!(directives("%"), None);
    }
}
