//! Inference of expressions, by kind.

use syntax::ast::{
    self, Assignment, AstNode, BinaryExpr, Block, Expr, HashEntry, Literal, LiteralKind, Number,
    Segment, UnaryExpr,
};
use syntax::{SyntaxKind, TextRange};

use super::conditions::is_boolean_operator;
use super::flow::Origin;
use super::inference_context::InferenceContext;
use super::inferred::Inferred;
use super::problem::{TypeProblemKind, ValueTarget};
use super::{TypedRangeKind, operators};
use types::values::{Regexp, Value};
use types::{IntRange, StructElement, Type};

/// The maximum number of elements of an array or hash that are tracked individually; beyond it,
/// they share one type.
const MAX_ELEMENTS: usize = 64;

impl InferenceContext<'_> {
    /// Infers statements in order, and returns the value of the last one.
    pub(super) fn statements(&mut self, statements: impl Iterator<Item = Expr>) -> Inferred {
        self.infer_each(statements, Self::statement)
    }

    pub(super) fn statement(&mut self, statement: &Expr) -> Inferred {
        self.with_origin(|this| this.infer_expr(statement)).0
    }

    /// Infers statements in order with `infer_one`, and returns the value of the last one.
    fn infer_each(
        &mut self,
        statements: impl Iterator<Item = Expr>,
        mut infer_one: impl FnMut(&mut Self, &Expr) -> Inferred,
    ) -> Inferred {
        let mut last = Inferred::of(Type::Undef);
        let mut reported = false;
        let mut all: Option<TextRange> = None;
        for statement in statements {
            let range = statement.syntax().text_range();
            all = Some(all.map_or(range, |it| it.cover(range)));
            if self.flow.is_unreachable() {
                // The preceding statement never returns.
                if !reported {
                    reported = true;
                    self.report_anywhere(range, TypeProblemKind::UnreachableCode);
                }
                continue;
            }
            last = infer_one(self, &statement);
        }
        // Puppet treats a sequence of statements as an expression.
        if let Some(all) = all.filter(|_| !self.flow.is_unreachable()) {
            self.record(all, TypedRangeKind::Expression, &last);
        }
        last
    }

    /// Infers a block, which Puppet treats as an expression with the same range.
    pub(super) fn infer_block(&mut self, block: Option<Block>) -> Inferred {
        match block {
            Some(block) => {
                let range = block.syntax().text_range();
                let last = self.statements(block.statements());
                if !self.flow.is_unreachable() {
                    self.record(range, TypedRangeKind::Expression, &last);
                }
                last
            }
            None => Inferred::UNKNOWN,
        }
    }

    /// Infers an expression.
    pub(super) fn infer_expr(&mut self, expr: &Expr) -> Inferred {
        if self.flow.is_unreachable() {
            return Inferred::never();
        }
        if self.count_step() {
            return Inferred::UNKNOWN;
        }
        let inferred = base::with_growing_stack(|| self.infer_expr_by_kind(expr));
        self.record(
            expr.syntax().text_range(),
            TypedRangeKind::Expression,
            &inferred,
        );
        inferred
    }

    fn infer_expr_by_kind(&mut self, expr: &Expr) -> Inferred {
        match expr {
            Expr::Literal(it) => literal(it),
            Expr::QualifiedName(it) => Inferred::value(Value::from(it.text())),
            Expr::KeywordWord(it) => Inferred::value(Value::from(it.text())),
            Expr::QualifiedReference(_) => self.type_expr(expr),
            Expr::VariableExpr(it) => {
                let name = it.name().unwrap_or_default();
                self.variable(&name, it.syntax().text_range())
            }
            Expr::StringLiteral(it) => Inferred::value(Value::from(it.value())),
            Expr::InterpolatedString(it) => self.interpolated(it.segments()),
            Expr::Heredoc(it) => self.heredoc(it),
            Expr::ArrayExpr(it) => self.array(it.elements()),
            Expr::HashExpr(it) => self.hash(it.entries()),
            Expr::UnbracedHash(it) => self.hash(it.entries()),
            Expr::BinaryExpr(it) => self.binary(it, expr),
            Expr::UnaryExpr(it) => self.unary(it, expr),
            Expr::ParenExpr(it) => self.infer_optional(it.expr()),
            Expr::Assignment(it) => self.assignment(it),
            Expr::AccessExpr(it) => self.access(it, expr),
            Expr::CallExpr(it) => {
                let found = self.call(it, expr);
                self.after_call(expr, found)
            }
            Expr::MethodCall(it) => {
                let found = self.method_call(it, expr);
                self.after_call(expr, found)
            }
            Expr::IfExpr(it) => self.if_expr(it),
            Expr::UnlessExpr(it) => self.unless_expr(it),
            Expr::CaseExpr(it) => self.case_expr(it),
            Expr::SelectorExpr(it) => self.selector(it),
            Expr::Relationship(it) => {
                let left = self.infer_optional(it.lhs());
                let right = self.infer_optional(it.rhs());
                if let Some(operator) = it.operator() {
                    let target = ValueTarget::Relationship(operator.text().to_owned());
                    self.resource_references(&target, it.lhs(), &left);
                    self.resource_references(&target, it.rhs(), &right);
                }
                // Puppet wraps a collector in an array.
                if matches!(right.type_, Type::Runtime(_)) {
                    return Inferred::of(Type::tuple([right.type_], None));
                }
                Inferred::of(operators::splat_type(&right.type_))
            }
            Expr::VirtualExpr(it) => self.infer_optional(it.resource()),
            Expr::ResourceExpr(it) => self.resource(it),
            Expr::ResourceDefaults(it) => self.resource_defaults(it),
            Expr::ResourceOverride(it) => self.resource_override(it),
            Expr::CollectExpr(it) => self.collector(it),
            Expr::RenderExpr(it) => self.render(it),
            // The text is part of the output of the template.
            Expr::RenderString(_) => Inferred::of(Type::Undef),
            Expr::ApplyExpr(it) => self.apply(it),
            // Definitions are items of their own.
            Expr::ClassDefinition(_)
            | Expr::DefineDefinition(_)
            | Expr::FunctionDefinition(_)
            | Expr::PlanDefinition(_)
            | Expr::NodeDefinition(_)
            | Expr::TypeAlias(_)
            | Expr::TypeMapping(_)
            | Expr::TypeDefinition(_)
            | Expr::UntitledResource(_)
            | Expr::ReservedWord(_) => Inferred::UNKNOWN,
        }
    }

    /// Infers an operand that may be missing after a syntax error.
    pub(super) fn infer_optional(&mut self, expr: Option<Expr>) -> Inferred {
        expr.map_or(Inferred::UNKNOWN, |it| self.infer_expr(&it))
    }

    /// Returns the recorded type of an expression, or infers it again.
    pub(super) fn recorded_or_infer(&mut self, expr: &Expr) -> Inferred {
        match self.recorded(expr) {
            Some(it) => it.clone(),
            None => self.without_reporting(|this| this.infer_expr(expr)),
        }
    }

    fn type_expr(&mut self, expr: &Expr) -> Inferred {
        match self.types.read(expr) {
            Some(type_) => Inferred::value(Value::Type(type_)),
            None => Inferred::of(Type::Type(None)),
        }
    }

    // ---- collections -------------------------------------------------------------

    fn array(&mut self, elements: impl Iterator<Item = Expr>) -> Inferred {
        let elements = self.list(elements);
        list_of(elements)
    }

    /// Infers the elements of an array; a splat stands for several elements.
    pub(super) fn list(&mut self, items: impl Iterator<Item = Expr>) -> Vec<Element> {
        let mut found = Vec::new();
        for item in items {
            match eval::splat(&item) {
                Some(inner) => {
                    let inferred = self.infer_optional(inner);
                    let type_ = operators::splat_type(&inferred.type_);
                    self.record(
                        item.syntax().text_range(),
                        TypedRangeKind::Expression,
                        &Inferred::of(type_.clone()),
                    );
                    match elements_of(&inferred, &type_) {
                        Some(all) => found.extend(all.into_iter().map(Element::One)),
                        None => found.push(Element::Many(type_)),
                    }
                }
                None => found.push(Element::One(self.infer_expr(&item))),
            }
        }
        found
    }

    fn hash(&mut self, entries: impl Iterator<Item = HashEntry>) -> Inferred {
        let mut pairs: Vec<(Inferred, Inferred)> = Vec::new();
        for entry in entries {
            let key = self.infer_optional(entry.key());
            let value = self.infer_optional(entry.value());
            pairs.push((key, value));
        }
        hash_of(pairs)
    }

    // ---- operators ---------------------------------------------------------------

    fn unary(&mut self, unary: &UnaryExpr, expr: &Expr) -> Inferred {
        let is_not = unary
            .operator()
            .is_some_and(|it| it.kind() == SyntaxKind::BANG);
        if is_not {
            return self.infer_boolean(expr);
        }
        let operand = self.infer_optional(unary.expr());
        let Some(operator) = unary.operator() else {
            return Inferred::UNKNOWN;
        };
        match operator.kind() {
            SyntaxKind::MINUS => {
                let constant = operand.value.as_ref();
                if let Some(outcome) = constant.map(|it| eval::negate(&self.eval_context, it)) {
                    return self.evaluation_result(outcome, operator.text_range());
                }
                let result = match (unary.expr()).is_some_and(|it| is_never_number(&it)) {
                    true => None,
                    false => operators::negated(&operand.type_, self.is_strict()),
                };
                self.result_or_error(result, operator.text_range(), "-", operand, None)
            }
            _ => Inferred::of(operators::splat_type(&operand.type_)),
        }
    }

    fn binary(&mut self, binary: &BinaryExpr, expr: &Expr) -> Inferred {
        let (Some(operator), Some(lhs), Some(rhs)) =
            (binary.operator(), binary.lhs(), binary.rhs())
        else {
            self.infer_optional(binary.lhs());
            self.infer_optional(binary.rhs());
            return Inferred::UNKNOWN;
        };
        if is_boolean_operator(operator.kind()) {
            return self.infer_boolean(expr);
        }
        let left = self.infer_expr(&lhs);
        let right = self.infer_expr(&rhs);
        if self.flow.is_unreachable() {
            return Inferred::never();
        }
        let range = operator.text_range();
        if let Some(found) = self.constant_operation(operator.kind(), &left, &right, range) {
            return found;
        }
        let divides = matches!(operator.kind(), SyntaxKind::SLASH | SyntaxKind::PERCENT);
        if divides && right.value == Some(Value::Integer(0)) {
            return self.result_or_error(None, range, operator.text(), left, Some(right));
        }
        let fails = is_never_number(&lhs)
            || is_never_number(&rhs) && operators::is_string_or_number(&left.type_);
        let is_strict = self.is_strict();
        let result = match fails {
            true => None,
            false => operators::arithmetic(operator.kind(), &left.type_, &right.type_, is_strict),
        };
        self.result_or_error(result, range, operator.text(), left, Some(right))
    }

    /// Checks whether Puppet fails instead of converting strings to numbers, as Puppet 8 does by
    /// default.
    fn is_strict(&self) -> bool {
        self.eval_context.strictness == eval::Strictness::Error
    }

    /// Evaluates an operator with constant operands.
    fn constant_operation(
        &mut self,
        kind: SyntaxKind,
        left: &Inferred,
        right: &Inferred,
        range: TextRange,
    ) -> Option<Inferred> {
        let (left, right) = (left.value.as_ref()?, right.value.as_ref()?);
        let operator = eval::arithmetic_operator(kind)?;
        let outcome = eval::arithmetic(&self.eval_context, operator, left, right);
        Some(self.evaluation_result(outcome, range))
    }

    /// Converts the result of a constant evaluation, and reports its error.
    pub(super) fn evaluation_result(
        &mut self,
        outcome: eval::EvalResult,
        range: TextRange,
    ) -> Inferred {
        match outcome {
            Ok(value) => Inferred::value(value),
            Err(eval::EvalFailure::Unknown(_)) => Inferred::UNKNOWN,
            Err(eval::EvalFailure::Error(error)) => {
                let kind = TypeProblemKind::EvaluationError {
                    function: None,
                    issue: error.issue,
                    message: error.message,
                };
                self.report(range, kind);
                Inferred::UNKNOWN
            }
        }
    }

    /// Returns the result of an operator, and reports an error if it does not apply to its
    /// operands. Puppet fails there; inference continues, to report problems in the following code.
    pub(super) fn result_or_error(
        &mut self,
        result: Option<Type>,
        range: TextRange,
        operator: &str,
        left: Inferred,
        right: Option<Inferred>,
    ) -> Inferred {
        if let Some(type_) = result {
            return Inferred::of(type_);
        }
        let kind = TypeProblemKind::UnsupportedOperand {
            operator: operator.to_owned(),
            left: left.type_,
            right: right.map(|it| it.type_),
        };
        self.report(range, kind);
        Inferred::UNKNOWN
    }

    // ---- assignments -------------------------------------------------------------

    fn assignment(&mut self, assignment: &Assignment) -> Inferred {
        let (value, origin) = self.with_origin(|this| this.infer_optional(assignment.rhs()));
        let Some(target) = assignment.lhs() else {
            return value;
        };
        if self.flow.is_unreachable() {
            return Inferred::never();
        }
        match &target {
            Expr::VariableExpr(it) => {
                let range = target.syntax().text_range();
                if let Some(name) = it.name() {
                    self.assign(&name, value.clone(), origin, range);
                }
            }
            _ => self.infer_destructuring(&target, &value, origin),
        }
        value
    }

    pub(super) fn assign(&mut self, name: &str, value: Inferred, origin: Origin, range: TextRange) {
        self.record(range, TypedRangeKind::Assigned, &value);
        self.bind(name, value, origin, range);
    }
}

/// An element of an array literal.
pub(super) enum Element {
    One(Inferred),
    /// The elements of an unfolded array of this type.
    Many(Type),
}

/// Returns the elements of an unfolded array, if their number is known.
fn elements_of(inferred: &Inferred, splat_type: &Type) -> Option<Vec<Inferred>> {
    if let Some(Value::Array(items)) = &inferred.value {
        return Some(items.iter().cloned().map(Inferred::value).collect());
    }
    match splat_type {
        Type::Tuple(it) if it.size().is_none() => {
            Some(it.types().iter().cloned().map(Inferred::of).collect())
        }
        _ => None,
    }
}

/// Builds an array from its elements.
pub(super) fn list_of(elements: Vec<Element>) -> Inferred {
    let mut types = Vec::with_capacity(elements.len());
    let mut values = Some(Vec::with_capacity(elements.len()));
    let mut size = IntRange::exactly(0);
    let mut exact = true;
    for element in elements {
        match element {
            Element::One(it) => {
                size = size.plus(IntRange::exactly(1));
                values = values.zip(it.value).map(|(mut all, value)| {
                    all.push(value);
                    all
                });
                types.push(it.type_);
            }
            Element::Many(type_) => {
                values = None;
                exact = false;
                size = size.plus(operators::size_of(&type_));
                types.push(operators::element_of(&type_).unwrap_or(Type::Any));
            }
        }
    }
    if let Some(values) = values.filter(|it| it.len() <= MAX_ELEMENTS * 16) {
        let whole = Inferred::value(Value::array(values));
        if types.len() <= MAX_ELEMENTS {
            return whole;
        }
        return Inferred {
            type_: Type::array(operators::union_of_many(types), Some(size)),
            value: whole.value,
        };
    }
    let type_ = match types.len() {
        0 => Type::empty_array(),
        1..=MAX_ELEMENTS if exact => Type::tuple(types, None),
        _ => Type::array(operators::union_of_many(types), Some(size)),
    };
    Inferred::of(type_)
}

/// Builds a hash from its entries.
fn hash_of(pairs: Vec<(Inferred, Inferred)>) -> Inferred {
    let constant: Option<Vec<(Value, Value)>> = pairs
        .iter()
        .map(|(key, value)| Some((key.value.clone()?, value.value.clone()?)))
        .collect();
    let type_ = hash_type(&pairs);
    match constant {
        Some(entries) if entries.len() <= MAX_ELEMENTS => Inferred::value(Value::hash(entries)),
        Some(entries) => Inferred {
            value: Inferred::value(Value::hash(entries)).value,
            type_,
        },
        None => Inferred::of(type_),
    }
}

fn hash_type(pairs: &[(Inferred, Inferred)]) -> Type {
    if pairs.is_empty() {
        return Type::empty_hash();
    }
    if let Some(elements) = struct_elements(pairs) {
        return Type::structure(elements);
    }
    let keys = operators::union_of_many(pairs.iter().map(|it| it.0.type_.clone()));
    let values = operators::union_of_many(pairs.iter().map(|it| it.1.type_.clone()));
    // Keys that are not constant may be equal.
    let most = i64::try_from(pairs.len()).unwrap_or(i64::MAX);
    Type::hash(keys, values, Some(IntRange::between(1, most)))
}

/// Returns the elements of the Struct for these entries; `None` if a key is unknown.
fn struct_elements(pairs: &[(Inferred, Inferred)]) -> Option<Vec<StructElement>> {
    if pairs.len() > MAX_ELEMENTS {
        return None;
    }
    let mut elements: Vec<StructElement> = Vec::new();
    for (key, value) in pairs {
        let name = key.value.as_ref()?.as_str().filter(|it| !it.is_empty())?;
        // The last of several equal keys wins.
        elements.retain(|it| &*it.name != name);
        elements.push(StructElement::required(name, value.type_.clone()));
    }
    Some(elements)
}

/// Checks whether an expression is a string with a part that no number contains, so that arithmetic
/// fails.
fn is_never_number(expr: &Expr) -> bool {
    let Expr::InterpolatedString(it) = expr else {
        return false;
    };
    let is_in_number = |it: char| it.is_ascii_hexdigit() || " \t+-.xX".contains(it);
    let mut segments = it.segments().into_iter();
    segments.any(|it| matches!(it, Segment::Text(it) if !it.chars().all(is_in_number)))
}

fn literal(literal: &Literal) -> Inferred {
    let value = match literal.kind() {
        Some(LiteralKind::Number(text)) => match ast::Number::parse(&text) {
            Some(Number::Integer { value, .. }) => i64::try_from(value).ok().map(Value::Integer),
            Some(Number::Float(value)) if value.is_finite() => Some(Value::Float(value)),
            _ => None,
        },
        Some(LiteralKind::Boolean(value)) => Some(Value::Boolean(value)),
        Some(LiteralKind::Undef) => Some(Value::Undef),
        Some(LiteralKind::Default) => Some(Value::Default),
        Some(LiteralKind::Regex(source)) => {
            let regexp = Regexp::new(&source);
            if regexp.check().is_err() {
                return Inferred::of(Type::Regexp(None));
            }
            Some(Value::Regexp(regexp))
        }
        None => None,
    };
    value.map_or(Inferred::UNKNOWN, Inferred::value)
}
