//! Walking an expression: from the tree to its value.
//!
//! [`Evaluator`] does to a syntax tree what Puppet does, in the same order, with the operators of
//! this room. What it meets and cannot know (a function, a fact, the catalog) it asks of its
//! [`Environment`], or leaves unknown. A step that ends an evaluation, by an error of Puppet's or by
//! not knowing, is a [`Stop`]; nothing is ever guessed.

use syntax::ast::{
    self, AccessExpr, AstNode, BinaryExpr, Expr, HashEntry, Literal, LiteralKind, Number, UnaryExpr,
};
use syntax::{SyntaxKind, SyntaxNode};

use super::budget::Budget;
use super::functions::FunctionDefinitions;
use super::places::place;
use super::scope::{Found, Scope};
use super::stop::{Evaluated, Stop};
use super::{
    ArithmeticOperator, Blame, ComparisonOperator, Context, EvalError, Halt, Issue, Match, Outcome,
    access, arithmetic, comparison, contains, match_operator, negate, unfold,
};
use types::Type;
use types::reader::{self, TypeNames};
use types::values::{HashValue, Regexp, Value};

/// What lies around the code that is evaluated.
pub trait Environment {
    /// The value of a variable that the code has not assigned. `name` is as written, without the
    /// dollar sign; `at` is the node that mentions it.
    ///
    /// # Errors
    ///
    /// Where Puppet does not know such a variable, or where its value is not known.
    fn variable(&self, at: &SyntaxNode, name: &str) -> Outcome;

    /// The value of `$0`, `$1` … where the code itself has not matched anything.
    ///
    /// # Errors
    ///
    /// Where it is not known.
    fn group(&self, at: &SyntaxNode, number: usize) -> Outcome;

    /// Whether a variable may be assigned at the top, where facts are too.
    ///
    /// # Errors
    ///
    /// Where it may not, or where that is not known.
    fn assign_at_top(&self, name: &str) -> Outcome<()>;

    /// The functions that are written in Puppet's language.
    fn functions(&self) -> &dyn FunctionDefinitions;

    /// What the name of a function comes to that is neither Puppet's own nor one of
    /// [`Environment::functions`].
    fn unknown_function(&self, name: &str) -> Halt;

    /// The types that have names.
    fn types(&self) -> &dyn TypeNames;

    /// What the name of a type comes to that [`Environment::types`] does not have.
    fn unknown_type(&self, name: &str) -> Halt;
}

/// Not known, for this reason.
pub(super) fn unknown<T>(reason: &'static str) -> Evaluated<T> {
    Err(Halt::unknown(reason).into())
}

/// A part that a damaged tree lacks.
pub(super) fn required<T>(part: Option<T>) -> Evaluated<T> {
    part.map_or_else(|| unknown("the code is incomplete"), Ok)
}

/// Puppet's evaluator for one scope.
pub struct Evaluator<'a> {
    pub(super) context: &'a Context,
    pub(super) environment: &'a dyn Environment,
    pub(super) budget: &'a Budget,
    pub(super) scope: Scope,
    /// Whether the outermost layer of the scope is that of the top.
    pub(super) at_top: bool,
    /// The call whose function is run, for functions that look at where they are called.
    pub(super) call_site: Option<SyntaxNode>,
}

impl<'a> Evaluator<'a> {
    /// An evaluator with a scope in which nothing is assigned: that of the top, or another one.
    pub fn new(
        context: &'a Context,
        environment: &'a dyn Environment,
        budget: &'a Budget,
        at_top: bool,
    ) -> Evaluator<'a> {
        Evaluator {
            context,
            environment,
            budget,
            scope: Scope::default(),
            at_top,
            call_site: None,
        }
    }

    /// The same with variables that are assigned already.
    #[must_use]
    pub fn within(self, scope: Scope) -> Evaluator<'a> {
        Evaluator { scope, ..self }
    }

    /// What the code has assigned and matched.
    pub fn into_scope(self) -> Scope {
        self.scope
    }

    /// What the code has assigned and matched so far.
    pub fn scope(&self) -> &Scope {
        &self.scope
    }

    /// Evaluates statements in order: the value of the last one, or undef.
    ///
    /// # Errors
    ///
    /// See [`Stop`].
    pub fn statements(&mut self, statements: impl Iterator<Item = Expr>) -> Evaluated {
        let mut last = Value::Undef;
        for statement in statements {
            last = self.expr(&statement)?;
        }
        Ok(last)
    }

    /// Evaluates an expression.
    ///
    /// # Errors
    ///
    /// See [`Stop`].
    pub fn expr(&mut self, expr: &Expr) -> Evaluated {
        self.budget.spend(1)?;
        let budget = self.budget;
        budget.deeper(|| self.expr_here(expr))
    }

    fn expr_here(&mut self, expr: &Expr) -> Evaluated {
        match expr {
            Expr::Literal(it) => literal(it),
            Expr::QualifiedName(it) => Ok(Value::from(it.text())),
            Expr::KeywordWord(it) => Ok(Value::from(it.text())),
            Expr::QualifiedReference(it) => {
                let ty = self.named_type(expr)?;
                match ty {
                    Type::Reference(_) => {
                        let halt = self.environment.unknown_type(&it.text());
                        Err(self.stop_at(halt, expr))
                    }
                    ty => self.made(Value::Type(ty)),
                }
            }
            Expr::VariableExpr(it) => self.variable(it.syntax(), &it.name().unwrap_or_default()),
            Expr::StringLiteral(it) => self.text(it.value()),
            Expr::InterpolatedString(it) => self.interpolated(it.segments()),
            Expr::Heredoc(it) => self.heredoc(it),
            Expr::ArrayExpr(it) => {
                let items = self.list(it.elements())?;
                self.made(Value::array(items))
            }
            Expr::HashExpr(it) => self.hash(it.entries()),
            Expr::UnbracedHash(it) => self.hash(it.entries()),
            Expr::BinaryExpr(it) => self.binary(it, expr),
            Expr::UnaryExpr(it) => self.unary(it, expr),
            Expr::ParenExpr(it) => self.expr(&required(it.expr())?),
            Expr::Assignment(it) => self.assignment(it, expr),
            Expr::AccessExpr(it) => self.access(it, expr),
            Expr::CallExpr(it) => self.call(it, expr),
            Expr::MethodCall(it) => self.method_call(it, expr),
            Expr::IfExpr(it) => self.if_expr(it),
            Expr::UnlessExpr(it) => self.unless_expr(it),
            Expr::CaseExpr(it) => self.case_expr(it),
            Expr::SelectorExpr(it) => self.selector(it),
            // Definitions take effect before anything is evaluated.
            Expr::ClassDefinition(_)
            | Expr::DefineDefinition(_)
            | Expr::FunctionDefinition(_)
            | Expr::TypeAlias(_) => Ok(Value::Undef),
            Expr::RenderString(_) | Expr::RenderExpr(_) => unknown("it is part of a template"),
            Expr::PlanDefinition(_) | Expr::ApplyExpr(_) => unknown("it is part of a plan"),
            Expr::ReservedWord(_) => unknown("it is a reserved word"),
            Expr::TypeMapping(_) | Expr::TypeDefinition(_) => unknown("it defines a type"),
            Expr::NodeDefinition(_)
            | Expr::Relationship(_)
            | Expr::VirtualExpr(_)
            | Expr::ResourceExpr(_)
            | Expr::ResourceDefaults(_)
            | Expr::ResourceOverride(_)
            | Expr::UntitledResource(_)
            | Expr::CollectExpr(_) => unknown("it needs a catalog"),
        }
    }

    // ---- errors ------------------------------------------------------------------

    pub(super) fn stop_at(&self, halt: Halt, expr: &Expr) -> Stop {
        Stop::Halted {
            halt,
            at: Some(place(expr)),
        }
    }

    /// What an operation on `expr` comes to, whose operands are these.
    fn operation<T>(
        &self,
        outcome: Outcome<T>,
        expr: &Expr,
        left: &Expr,
        right: &[Expr],
    ) -> Evaluated<T> {
        outcome.map_err(|halt| {
            let at = match &halt {
                Halt::Unknown(_) => None,
                Halt::Error(error) => match error.blame {
                    Blame::Whole => Some(place(expr)),
                    Blame::Left => Some(place(left)),
                    Blame::Right => right.first().map(place),
                    Blame::Key(index) => right.get(index).map(place),
                },
            };
            Stop::Halted { halt, at }
        })
    }

    /// A value that was made: what it takes is counted.
    pub(super) fn made(&self, value: Value) -> Evaluated {
        self.budget.spend(value.weight())?;
        Ok(self.context.within_limits(value)?)
    }

    pub(super) fn text(&self, text: String) -> Evaluated {
        self.made(Value::from(text))
    }

    // ---- names -------------------------------------------------------------------

    fn named_type(&self, expr: &Expr) -> Evaluated<Type> {
        reader::read_expression(expr, self.environment.types())
            .map_err(|refused| self.stop_at(refused.into(), expr))
    }

    /// The value of a variable by its name, which `at` mentions.
    pub(super) fn variable(&self, at: &SyntaxNode, name: &str) -> Evaluated {
        let outcome = if name.bytes().all(|it| it.is_ascii_digit()) {
            let number = name.parse().unwrap_or(usize::MAX);
            let found = self.scope.group(number);
            found.map_or_else(|| self.environment.group(at, number), Ok)
        } else {
            let found = match name.strip_prefix("::") {
                Some(top) if self.at_top => self.scope.get_outermost(top).map(Found::Value),
                Some(_) => None,
                None => self.scope.get(name),
            };
            match found {
                Some(Found::Value(value)) => Ok(value.clone()),
                Some(Found::Pending) => return Err(Stop::Unevaluated(name.to_owned())),
                None => self.environment.variable(at, name),
            }
        };
        outcome.map_err(|halt| Stop::Halted {
            halt,
            at: Some(at.text_range().start()),
        })
    }

    // ---- collections -------------------------------------------------------------

    /// The values of a list, in which splats stand for what is in them.
    pub(super) fn list(&mut self, items: impl IntoIterator<Item = Expr>) -> Evaluated<Vec<Value>> {
        let mut values = Vec::new();
        for item in items {
            match splat(&item) {
                Some(inner) => {
                    self.budget.spend(1)?;
                    let value = self.expr(&required(inner)?)?;
                    values.extend(unfold(self.context, &value)?);
                    self.budget.spend(value.weight())?;
                }
                None => values.push(self.expr(&item)?),
            }
        }
        Ok(values)
    }

    fn hash(&mut self, entries: impl Iterator<Item = HashEntry>) -> Evaluated {
        let mut pairs = Vec::new();
        for entry in entries {
            let key = self.expr(&required(entry.key())?)?;
            let value = self.expr(&required(entry.value())?)?;
            pairs.push((key, value));
        }
        self.made(Value::Hash(pairs.into_iter().collect::<HashValue>()))
    }

    fn access(&mut self, access_expr: &AccessExpr, expr: &Expr) -> Evaluated {
        let base = required(access_expr.base())?;
        let left = self.expr(&base)?;
        let keys = access_expr.keys();
        if keys.is_empty() {
            return unknown("the code is incomplete");
        }
        let is_class = matches!(left, Value::Type(Type::Class(_)));
        let mut values = Vec::with_capacity(keys.len());
        for key in &keys {
            values.push(match key {
                // `Class` takes the names of types that do not exist.
                Expr::QualifiedReference(_) if is_class => Value::Type(self.named_type(key)?),
                key => self.expr(key)?,
            });
        }
        let value = self.operation(access(self.context, &left, &values), expr, &base, &keys)?;
        self.made(value)
    }

    // ---- operators ---------------------------------------------------------------

    fn unary(&mut self, unary: &UnaryExpr, expr: &Expr) -> Evaluated {
        let operand = required(unary.expr())?;
        let value = self.expr(&operand)?;
        match required(unary.operator())?.kind() {
            SyntaxKind::BANG => Ok(Value::Boolean(!value.is_truthy())),
            SyntaxKind::MINUS => {
                let outcome = negate(self.context, &value);
                self.operation(outcome, expr, &operand, &[])
            }
            _ => {
                let items = unfold(self.context, &value)?;
                self.made(Value::array(items))
            }
        }
    }

    fn binary(&mut self, binary: &BinaryExpr, expr: &Expr) -> Evaluated {
        use SyntaxKind::*;
        let operator = required(binary.operator())?.kind();
        let (lhs, rhs) = (required(binary.lhs())?, required(binary.rhs())?);
        let left = self.expr(&lhs)?;
        match operator {
            AND_KW if !left.is_truthy() => return Ok(Value::Boolean(false)),
            OR_KW if left.is_truthy() => return Ok(Value::Boolean(true)),
            _ => {}
        }
        let right = self.expr(&rhs)?;
        if left.weight().saturating_add(right.weight()) > self.context.limits.weight {
            return unknown("the value is too large");
        }
        let context = self.context;
        let outcome = match operator {
            AND_KW | OR_KW => Ok(Value::Boolean(right.is_truthy())),
            IN_KW => self.matching(&left, &right, contains),
            MATCH => self.matching(&left, &right, match_operator),
            NOT_MATCH => self
                .matching(&left, &right, match_operator)
                .map(|it| Value::Boolean(!it.is_truthy())),
            _ => match (comparison_operator(operator), arithmetic_operator(operator)) {
                (Some(operator), _) => comparison(operator, &left, &right).map(Value::Boolean),
                (None, Some(operator)) => arithmetic(context, operator, &left, &right),
                (None, None) => Err(Halt::unknown("the code is incomplete")),
            },
        };
        let value = self.operation(outcome, expr, &lhs, &[rhs])?;
        self.made(value)
    }

    /// Runs an operation that may set the match variables.
    pub(super) fn matching(
        &mut self,
        left: &Value,
        right: &Value,
        operation: fn(&Value, &Value) -> Outcome<Match>,
    ) -> Outcome {
        self.budget.spend(100 + left.weight() + right.weight())?;
        let found = operation(left, right)?;
        if let Some(captures) = found.captures {
            self.scope.matched(captures);
        }
        Ok(Value::Boolean(found.matched))
    }
}

/// What `*` stands before, if the expression is a splat, also one in parentheses.
pub fn splat(expr: &Expr) -> Option<Option<Expr>> {
    match without_parens(expr.clone()) {
        Some(Expr::UnaryExpr(it)) => {
            let is_splat = it
                .operator()
                .is_some_and(|it| it.kind() == SyntaxKind::STAR);
            is_splat.then(|| it.expr())
        }
        _ => None,
    }
}

/// What is inside of all parentheses.
pub(super) fn without_parens(expr: Expr) -> Option<Expr> {
    let mut at = expr;
    while let Expr::ParenExpr(it) = &at {
        at = it.expr()?;
    }
    Some(at)
}

/// The value of a literal that is one token.
fn literal(literal: &Literal) -> Evaluated {
    Ok(match required(literal.kind())? {
        LiteralKind::Number(text) => match ast::Number::parse(&text) {
            Some(Number::Integer { value, .. }) => match i64::try_from(value) {
                Ok(value) => Value::Integer(value),
                Err(_) => return unknown("an integer beyond 64 bits"),
            },
            Some(Number::Float(value)) if value.is_finite() => Value::Float(value),
            _ => return unknown("it is no number"),
        },
        LiteralKind::Boolean(value) => Value::Boolean(value),
        LiteralKind::Undef => Value::Undef,
        LiteralKind::Default => Value::Default,
        LiteralKind::Regex(source) => {
            let regexp = Regexp::new(&source);
            // Puppet compiles it while it reads the file.
            if regexp.check().is_err() {
                return unknown("a regular expression that cannot be run");
            }
            Value::Regexp(regexp)
        }
    })
}

/// Returns the comparison operator that a token stands for.
pub fn comparison_operator(kind: SyntaxKind) -> Option<ComparisonOperator> {
    Some(match kind {
        SyntaxKind::EQ_EQ => ComparisonOperator::Equal,
        SyntaxKind::NOT_EQ => ComparisonOperator::NotEqual,
        SyntaxKind::LT => ComparisonOperator::Less,
        SyntaxKind::LT_EQ => ComparisonOperator::LessOrEqual,
        SyntaxKind::GT => ComparisonOperator::Greater,
        SyntaxKind::GT_EQ => ComparisonOperator::GreaterOrEqual,
        _ => return None,
    })
}

/// Returns the arithmetic operator that a token stands for.
pub fn arithmetic_operator(kind: SyntaxKind) -> Option<ArithmeticOperator> {
    Some(match kind {
        SyntaxKind::PLUS => ArithmeticOperator::Add,
        SyntaxKind::MINUS => ArithmeticOperator::Subtract,
        SyntaxKind::STAR => ArithmeticOperator::Multiply,
        SyntaxKind::SLASH => ArithmeticOperator::Divide,
        SyntaxKind::PERCENT => ArithmeticOperator::Modulo,
        SyntaxKind::SHL => ArithmeticOperator::ShiftLeft,
        SyntaxKind::SHR => ArithmeticOperator::ShiftRight,
        _ => return None,
    })
}

/// An error without a place.
pub(super) fn error(issue: Issue, message: impl Into<String>) -> Halt {
    EvalError::new(issue, message).into()
}
