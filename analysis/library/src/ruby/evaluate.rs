//! Evaluates Ruby expressions whose value follows from the source alone.

use rustc_hash::FxHashMap;
use syntax::TextRange;
use tree_sitter::Node;

use super::calls::Call;
use super::literals::{self, Heredoc, Quotes};
use super::source::{Source, Survey, children, range};
use super::value::Value;

/// The maximum number of steps per file, far more than real files need.
const STEPS: usize = 400_000;
/// The maximum nesting depth of expressions.
const DEPTH: usize = 40;
/// The maximum weight of a value.
const WEIGHT: usize = 100_000;

/// The interpreter state for a file: the tree and the current values of local variables.
pub(super) struct Reader<'t> {
    pub(super) source: &'t Source<'t>,
    pub(super) survey: Survey<'t>,
    /// The local variables; missing ones are unknown.
    pub(super) locals: FxHashMap<&'t str, Value<'t>>,
    steps: usize,
}

impl<'t> Reader<'t> {
    pub(super) fn new(source: &'t Source<'t>) -> Reader<'t> {
        Reader {
            source,
            survey: Survey::of(source),
            locals: FxHashMap::default(),
            steps: STEPS,
        }
    }

    /// Consumes steps; returns false if none are left.
    pub(super) fn spend(&mut self, steps: usize) -> bool {
        self.steps = self.steps.saturating_sub(steps);
        self.steps > 0
    }

    pub(super) fn text(&self, node: Node<'_>) -> &'t str {
        self.source.text_of(node)
    }

    /// Evaluates an expression.
    pub(super) fn value(&mut self, node: Node<'t>) -> Value<'t> {
        self.at(node, 0)
    }

    /// Evaluates an expression to a string or symbol.
    pub(super) fn string(&mut self, node: Node<'t>) -> Option<String> {
        self.value(node).text().map(str::to_owned)
    }

    /// Returns the value of a keyword argument, which may also be in a trailing hash.
    pub(super) fn option(&mut self, call: &Call<'t>, name: &str) -> Option<Value<'t>> {
        let found = call.named.iter().rfind(|(key, _)| self.key_is(*key, name));
        if let Some(&(_, value)) = found {
            return Some(self.value(value));
        }
        let last = *call.arguments.get(1..)?.last()?;
        self.value(last).get(name).cloned()
    }

    /// Checks whether the call has arguments that cannot be resolved: `*list`, `**options`.
    pub(super) fn has_unknown_options(&mut self, call: &Call<'t>) -> bool {
        let rest = call.arguments.get(1..).unwrap_or_default();
        rest.iter().any(|it| !self.value(*it).is_known())
    }

    fn key_is(&self, key: Node<'_>, name: &str) -> bool {
        self.text(key).trim_matches([':', '\'', '"']) == name
    }

    /// Returns the range of a name: without quotes if it is a literal.
    pub(super) fn name_range(&self, node: Node<'t>) -> TextRange {
        let inner = match node.kind() {
            "simple_symbol" => return range(node.start_byte() + 1, node.end_byte()),
            "string" | "delimited_symbol" | "bare_string" | "bare_symbol" => children(node),
            _ => Vec::new(),
        };
        match inner.as_slice() {
            [only] if only.kind() == "string_content" => self.source.range_of(*only),
            _ => self.source.range_of(node),
        }
    }

    pub(super) fn at(&mut self, node: Node<'t>, depth: usize) -> Value<'t> {
        if depth > DEPTH || !self.spend(1) {
            return Value::Unknown;
        }
        let value = self.expression(node, depth + 1);
        let weight = value.weight();
        if weight > WEIGHT || !self.spend(weight) {
            return Value::Unknown;
        }
        value
    }

    fn expression(&mut self, node: Node<'t>, depth: usize) -> Value<'t> {
        let text = self.text(node);
        match node.kind() {
            "nil" => Value::Nil,
            "true" => Value::Bool(true),
            "false" => Value::Bool(false),
            "integer" => integer(text),
            "float" => Value::Float(text.replace('_', "")),
            "unary" => self.negative(node, depth),
            "string" | "bare_string" => self.quoted(node, depth).map_or(Value::Unknown, Value::Str),
            "delimited_symbol" | "bare_symbol" => {
                self.quoted(node, depth).map_or(Value::Unknown, Value::Sym)
            }
            "chained_string" => self.chained(node, depth),
            "simple_symbol" => Value::Sym(text.strip_prefix(':').unwrap_or(text).to_owned()),
            "hash_key_symbol" => Value::Sym(text.to_owned()),
            "heredoc_beginning" => self.heredoc(node, depth),
            "array" | "string_array" | "symbol_array" => self.array(node, depth),
            "hash" => self.hash(&children(node), depth),
            "regex" => self.regex(node, depth),
            "parenthesized_statements" => match children(node).as_slice() {
                [only] => self.at(*only, depth),
                _ => Value::Unknown,
            },
            "constant" | "scope_resolution" => self.constant(node, depth),
            "identifier" => self.locals.get(text).cloned().unwrap_or(Value::Unknown),
            "binary" => self.binary(node, depth),
            "call" => match Call::of(self.source, node) {
                Some(call) => self.method(&call, depth),
                None => Value::Unknown,
            },
            _ => Value::Unknown,
        }
    }

    fn negative(&mut self, node: Node<'t>, depth: usize) -> Value<'t> {
        let Some(operand) = node.child_by_field_name("operand") else {
            return Value::Unknown;
        };
        match self.at(operand, depth) {
            Value::Int(it) if self.text(node).starts_with('-') => {
                it.checked_neg().map_or(Value::Unknown, Value::Int)
            }
            Value::Float(it) if self.text(node).starts_with('-') => Value::Float(format!("-{it}")),
            _ => Value::Unknown,
        }
    }

    /// Evaluates a quoted literal.
    fn quoted(&mut self, node: Node<'t>, depth: usize) -> Option<String> {
        let Some((opening, closing)) = self.marks(node) else {
            // An element of `%w[…]`, which has the quotes of the list.
            return self.element_of_words(node, depth);
        };
        let quotes = Quotes::of(self.text(opening), self.text(closing));
        if !quotes.interpolates {
            let inner = self
                .source
                .text()
                .get(opening.end_byte()..closing.start_byte())?;
            return Some(literals::raw_text(inner, quotes.close));
        }
        self.pieces(node, depth)
    }

    /// Returns the delimiters of a literal.
    fn marks(&self, node: Node<'t>) -> Option<(Node<'t>, Node<'t>)> {
        let count = node.child_count();
        let (first, last) = (node.child(0)?, node.child(count.checked_sub(1)?)?);
        let differ = first.end_byte() <= last.start_byte() && first.id() != last.id();
        (!first.is_named() && !last.is_named() && differ).then_some((first, last))
    }

    fn element_of_words(&mut self, node: Node<'t>, depth: usize) -> Option<String> {
        let has_interpolation = children(node).iter().any(|it| it.kind() == "interpolation");
        if has_interpolation {
            return self.pieces(node, depth);
        }
        Some(literals::raw_text(self.text(node), ' '))
    }

    /// Concatenates string contents, escapes and interpolations.
    fn pieces(&mut self, node: Node<'t>, depth: usize) -> Option<String> {
        let mut out = String::new();
        for piece in children(node) {
            match piece.kind() {
                "string_content" | "heredoc_content" => out.push_str(self.text(piece)),
                "escape_sequence" => out.push_str(&literals::escape(self.text(piece))?),
                "interpolation" => out.push_str(&self.interpolated(piece, depth)?),
                "heredoc_end" => break,
                _ => return None,
            }
        }
        Some(out)
    }

    fn interpolated(&mut self, node: Node<'t>, depth: usize) -> Option<String> {
        match children(node).as_slice() {
            [only] => self.at(*only, depth).to_text(),
            _ => None,
        }
    }

    fn chained(&mut self, node: Node<'t>, depth: usize) -> Value<'t> {
        let mut out = String::new();
        for part in children(node) {
            match self.at(part, depth) {
                Value::Str(text) => out.push_str(&text),
                _ => return Value::Unknown,
            }
        }
        Value::Str(out)
    }

    fn heredoc(&mut self, beginning: Node<'t>, depth: usize) -> Value<'t> {
        let Some(body) = self.survey.heredoc(beginning) else {
            return Value::Unknown;
        };
        let kind = Heredoc::of(self.text(beginning));
        let text = if kind.interpolates {
            self.pieces(body, depth)
        } else {
            let end = children(body)
                .into_iter()
                .rfind(|it| it.kind() == "heredoc_end");
            let end = end.map_or(body.end_byte(), |it| it.start_byte());
            let text = self.source.text().get(body.start_byte()..end);
            text.map(str::to_owned)
        };
        let Some(text) = text else {
            return Value::Unknown;
        };
        // The body starts with the rest of the line of the tag, and ends with the indentation of
        // the closing tag.
        let text = text.split_once('\n').map_or("", |(_, text)| text);
        let text = text.rfind('\n').map_or("", |end| &text[..=end]);
        Value::Str(if kind.squiggly {
            literals::without_margin(text)
        } else {
            text.to_owned()
        })
    }

    fn array(&mut self, node: Node<'t>, depth: usize) -> Value<'t> {
        let mut elements = Vec::new();
        let mut pairs = Vec::new();
        for child in children(node) {
            match child.kind() {
                "comment" | "heredoc_body" => {}
                "splat_argument" => {
                    let inner = children(child).into_iter().next();
                    match inner.map(|it| self.at(it, depth)) {
                        Some(Value::Array(more)) => elements.extend(more),
                        _ => elements.push(Value::Unknown),
                    }
                }
                "pair" => pairs.push(child),
                _ => elements.push(self.at(child, depth)),
            }
        }
        if !pairs.is_empty() {
            elements.push(self.hash(&pairs, depth));
        }
        Value::Array(elements)
    }

    fn hash(&mut self, children: &[Node<'t>], depth: usize) -> Value<'t> {
        let mut entries = Vec::new();
        for child in children {
            let (key, value) = (
                child.child_by_field_name("key"),
                child.child_by_field_name("value"),
            );
            match (child.kind(), key, value) {
                ("comment" | "heredoc_body", ..) => {}
                ("pair", Some(key), Some(value)) => {
                    let key = match self.at(key, depth) {
                        // The key of `"a": 1` is a symbol.
                        Value::Str(it) if !self.text(*child).contains("=>") => Value::Sym(it),
                        other => other,
                    };
                    entries.push((key, self.at(value, depth)));
                }
                _ => entries.push((Value::Unknown, Value::Unknown)),
            }
        }
        Value::Hash(entries)
    }

    fn regex(&mut self, node: Node<'t>, depth: usize) -> Value<'t> {
        let Some((opening, closing)) = self.marks(node) else {
            return Value::Unknown;
        };
        let mut out = String::new();
        let closing = self.text(closing);
        let slashes = closing.starts_with('/');
        for piece in children(node) {
            match piece.kind() {
                "interpolation" => match self.interpolated(piece, depth) {
                    Some(text) => out.push_str(&text),
                    None => return Value::Unknown,
                },
                _ if slashes && self.text(piece) == r"\/" => out.push('/'),
                _ => out.push_str(self.text(piece)),
            }
        }
        debug_assert!(!self.text(opening).is_empty(), "a delimiter is not empty");
        // In the order in which Ruby prints them.
        let options = "mix".chars().filter(|it| closing.contains(*it));
        let options: String = options.collect();
        Value::Regex(if options.is_empty() {
            out
        } else {
            format!("(?{options}:{out})")
        })
    }

    fn constant(&mut self, node: Node<'t>, depth: usize) -> Value<'t> {
        let path = self.text(node).trim_start_matches("::");
        let own = (!path.starts_with("Puppet::")).then(|| self.survey.constant(path));
        match own.flatten() {
            Some(definition) => self.at(definition, depth),
            None => Value::Constant(path.to_owned()),
        }
    }

    fn binary(&mut self, node: Node<'t>, depth: usize) -> Value<'t> {
        let (Some(left), Some(right), Some(operator)) = (
            node.child_by_field_name("left"),
            node.child_by_field_name("right"),
            node.child_by_field_name("operator"),
        ) else {
            return Value::Unknown;
        };
        match (
            self.at(left, depth),
            self.text(operator),
            self.at(right, depth),
        ) {
            (Value::Str(a), "+", Value::Str(b)) => Value::Str(a + &b),
            (Value::Array(a), "+", Value::Array(b)) => Value::Array([a, b].concat()),
            (Value::Array(a), "|", Value::Array(b)) => unique([a, b].concat()),
            (Value::Array(a), "-", Value::Array(b)) if a.iter().chain(&b).all(Value::is_known) => {
                Value::Array(a.into_iter().filter(|it| !b.contains(it)).collect())
            }
            _ => Value::Unknown,
        }
    }

    fn method(&mut self, call: &Call<'t>, depth: usize) -> Value<'t> {
        let Some(receiver) = call.receiver else {
            return match (call.method, call.arguments.as_slice()) {
                // A string marked for translation.
                ("_", [text]) => self.at(*text, depth),
                _ => Value::Unknown,
            };
        };
        let on = self.at(receiver, depth);
        match call.method {
            "map" | "collect" => self.map(on, call, depth),
            "merge" => match (on, call.arguments.as_slice()) {
                (Value::Hash(mut entries), [more]) => match self.at(*more, depth) {
                    Value::Hash(more) => {
                        entries.extend(more);
                        Value::Hash(entries)
                    }
                    _ => Value::Unknown,
                },
                _ => Value::Unknown,
            },
            "join" => self.join(on, call, depth),
            _ if !call.arguments.is_empty() || call.block.is_some() => Value::Unknown,
            method => simple_method(on, method),
        }
    }

    fn map(&mut self, on: Value<'t>, call: &Call<'t>, depth: usize) -> Value<'t> {
        let Value::Array(elements) = on else {
            return Value::Unknown;
        };
        if let Some(symbol) = call.block_argument {
            let method = self.text(symbol).trim_start_matches(':').to_owned();
            let elements = elements.into_iter().map(|it| simple_method(it, &method));
            return Value::Array(elements.collect());
        }
        let parameters = call.block_parameters();
        let body = call.body().map(children).unwrap_or_default();
        let ([parameter], [body]) = (parameters.as_slice(), body.as_slice()) else {
            return Value::Unknown;
        };
        let name = self.text(*parameter);
        let outer = self.locals.remove(name);
        let mut out = Vec::with_capacity(elements.len());
        for element in elements {
            self.locals.insert(name, element);
            out.push(self.at(*body, depth));
        }
        self.locals.remove(name);
        if let Some(outer) = outer {
            self.locals.insert(name, outer);
        }
        Value::Array(out)
    }

    fn join(&mut self, on: Value<'t>, call: &Call<'t>, depth: usize) -> Value<'t> {
        let between = match call.arguments.first() {
            None => Some(String::new()),
            Some(it) => self.at(*it, depth).to_text(),
        };
        let (Some(between), Value::Array(elements)) = (between, on) else {
            return Value::Unknown;
        };
        let texts: Option<Vec<_>> = elements.iter().map(Value::to_text).collect();
        texts.map_or(Value::Unknown, |it| Value::Str(it.join(&between)))
    }
}

fn integer(text: &str) -> Value<'static> {
    let text = text.replace('_', "");
    let lower = text.to_ascii_lowercase();
    let parsed = if let Some(hex) = lower.strip_prefix("0x") {
        i64::from_str_radix(hex, 16)
    } else if let Some(binary) = lower.strip_prefix("0b") {
        i64::from_str_radix(binary, 2)
    } else if lower.len() > 1 && lower.starts_with('0') {
        i64::from_str_radix(lower.trim_start_matches("0o"), 8)
    } else {
        lower.parse()
    };
    parsed.map_or(Value::Unknown, Value::Int)
}

fn unique(elements: Vec<Value<'_>>) -> Value<'_> {
    if !elements.iter().all(Value::is_known) {
        return Value::Unknown;
    }
    let mut out = Vec::with_capacity(elements.len());
    for element in elements {
        if !out.contains(&element) {
            out.push(element);
        }
    }
    Value::Array(out)
}

/// Calls a pure method without arguments.
fn simple_method<'t>(on: Value<'t>, method: &str) -> Value<'t> {
    match (on, method) {
        (on, "freeze" | "dup" | "clone" | "itself" | "to_a" | "lazy" | "each")
            if matches!(on, Value::Array(_)) || method != "to_a" && method != "each" =>
        {
            on
        }
        (Value::Str(it) | Value::Sym(it), "to_sym" | "intern") => Value::Sym(it),
        (Value::Str(it) | Value::Sym(it), "to_s" | "to_str") => Value::Str(it),
        (on @ (Value::Int(_) | Value::Float(_) | Value::Bool(_)), "to_s") => {
            on.to_text().map_or(Value::Unknown, Value::Str)
        }
        (Value::Str(it), "strip") => Value::Str(it.trim().to_owned()),
        (Value::Str(it), "chomp") => Value::Str(it.trim_end_matches(['\r', '\n']).to_owned()),
        (Value::Str(it), "lstrip") => Value::Str(it.trim_start().to_owned()),
        (Value::Str(it), "rstrip") => Value::Str(it.trim_end().to_owned()),
        (Value::Str(it), "unindent" | "strip_heredoc") => Value::Str(literals::without_margin(&it)),
        (Value::Str(it), "upcase") => Value::Str(it.to_uppercase()),
        (Value::Str(it), "downcase") => Value::Str(it.to_lowercase()),
        (Value::Sym(it), "upcase") => Value::Sym(it.to_uppercase()),
        (Value::Sym(it), "downcase") => Value::Sym(it.to_lowercase()),
        (Value::Hash(entries), "keys") => {
            Value::Array(entries.into_iter().map(|it| it.0).collect())
        }
        (Value::Hash(entries), "values") => {
            Value::Array(entries.into_iter().map(|it| it.1).collect())
        }
        (Value::Array(elements), "flatten") => {
            Value::Array(elements.into_iter().flat_map(Value::elements).collect())
        }
        (Value::Array(elements), "compact") => Value::Array(
            elements
                .into_iter()
                .filter(|it| *it != Value::Nil)
                .collect(),
        ),
        (Value::Array(elements), "uniq") => unique(elements),
        (Value::Array(elements), "sort") => sorted(elements),
        _ => Value::Unknown,
    }
}

fn sorted(elements: Vec<Value<'_>>) -> Value<'_> {
    let texts = elements.iter().all(|it| matches!(it, Value::Str(_)));
    let symbols = elements.iter().all(|it| matches!(it, Value::Sym(_)));
    if !texts && !symbols {
        return Value::Unknown;
    }
    let mut elements = elements;
    elements.sort_by(|a, b| a.text().cmp(&b.text()));
    Value::Array(elements)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn value(text: &str) -> Value<'static> {
        let text: &'static str = text.to_owned().leak();
        let source: &'static Source<'static> =
            Box::leak(Box::new(Source::parse(text).expect("parses")));
        let mut reader = Reader::new(source);
        let statements = children(source.root());
        let last = statements.iter().rfind(|it| it.kind() != "heredoc_body");
        reader.value(*last.expect("a statement"))
    }

    fn puppet(text: &str) -> String {
        let value = value(text);
        value.to_puppet().unwrap_or_else(|| format!("{value:?}"))
    }

    #[test]
    fn evaluates_literals() {
        assert_eq!(
            puppet(r"['a\'b', 'c\d', %q(e\)f)]"),
            r"['a\'b', 'c\\d', 'e)f']"
        );
        assert_eq!(
            puppet(r#"["a\tb", "\u00e9", :"x y", :z]"#),
            "['a\tb', 'é', 'x y', 'z']"
        );
        assert_eq!(puppet(r"%w[a b\ c] + %i[d e]"), "['a', 'b c', 'd', 'e']");
        assert_eq!(
            puppet("{ a: 1, 'b' => -2.5, \"c\": nil, :d => 0x1f }"),
            "{ 'a' => 1, 'b' => -2.5, 'c' => undef, 'd' => 31 }"
        );
        assert_eq!(puppet("['a' 'b', \"c\" + 'd']"), "['ab', 'cd']");
        assert_eq!(
            value("%r{a/b\\/c}i"),
            Value::Regex("(?i:a/b\\/c)".to_owned())
        );
        assert_eq!(value("/a\\/b/"), Value::Regex("a/b".to_owned()));
    }

    #[test]
    fn evaluates_heredocs() {
        assert_eq!(
            value("<<-EOT\n    a\n  b\n  EOT\n"),
            Value::Str("    a\n  b\n".to_owned())
        );
        assert_eq!(
            value("<<~EOT\n    a\n  b\n  EOT\n"),
            Value::Str("  a\nb\n".to_owned())
        );
        assert_eq!(
            value("<<-'EOT'.unindent\n    a\\n\n  EOT\n"),
            Value::Str("a\\n\n".to_owned())
        );
        assert_eq!(puppet("[<<A, <<B]\na\nA\nb\nB\n"), "['a\n', 'b\n']");
        assert_eq!(value("<<A\nA\n"), Value::Str(String::new()));
        assert_eq!(value("<<A\n#{x}\nA\n"), Value::Unknown);
    }

    #[test]
    fn evaluates_constants_and_methods() {
        assert_eq!(
            puppet("A = %w[b a].freeze\nA.map(&:to_sym).sort"),
            "['a', 'b']"
        );
        assert_eq!(
            puppet("A = %w[b a]\nA.map { |x| \"p_#{x}\" }"),
            "['p_b', 'p_a']"
        );
        assert_eq!(puppet("H = { a: 1 }\nH.merge(b: 2)"), "Unknown");
        assert_eq!(puppet("H = { a: 1 }\nH.merge({ b: 2 }).keys"), "['a', 'b']");
        assert_eq!(
            value("A = ['a']\nA << x\nA"),
            Value::Constant("A".to_owned())
        );
        assert_eq!(value("_('text')"), Value::Str("text".to_owned()));
        assert_eq!(value("A = A\nA"), Value::Unknown);
        assert_eq!(value("foo"), Value::Unknown);
    }

    #[test]
    fn limits_weight_and_depth() {
        let mut text = "A0 = ['x', 'x']\n".to_owned();
        for i in 1..40 {
            text += &format!("A{i} = A{} + A{}\n", i - 1, i - 1);
        }
        assert_eq!(value(&format!("{text}A39")), Value::Unknown);
        assert!(!value(&format!("{}1{}", "[".repeat(5000), "]".repeat(5000))).is_known());
    }
}
