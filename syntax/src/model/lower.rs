//! Lowering of the syntax tree to the model.

mod definitions;
mod resources;

use rowan::{TextRange, TextSize};

use super::{BinaryClass, Form, Kind, Node, UnaryClass};
use crate::ast::{
    self, AstNode, Block, Expr, HasBody, HasName, HeredocBodies, Literal, LiteralKind, Number,
    Segment, SourceFile,
};
use crate::{SyntaxKind, SyntaxToken};

/// Lowers a file to a Program.
pub(crate) fn lower(file: &SourceFile) -> Node {
    let mut lowerer = Lowerer {
        file,
        namespace: Vec::new(),
        heredocs: None,
    };
    let range = file.syntax().text_range();
    let body = if file.is_template() {
        Some(Box::new(lowerer.template(file)))
    } else {
        block_or_expression(lowerer.statements(file.statements()), None, range).map(Box::new)
    };
    Node {
        kind: Kind::Program(body),
        at: range.start(),
        range,
    }
}

struct Lowerer<'f> {
    file: &'f SourceFile,
    /// The names of the enclosing classes and plans.
    namespace: Vec<String>,
    /// The bodies of the heredocs, computed on first use.
    heredocs: Option<HeredocBodies>,
}

/// Wraps several statements in a block; a single statement is returned as it is.
fn block_or_expression(
    mut nodes: Vec<Node>,
    at: Option<TextSize>,
    range: TextRange,
) -> Option<Node> {
    match nodes.len() {
        0 => None,
        1 => nodes.pop(),
        _ => Some(Node {
            at: at.unwrap_or(nodes[0].at),
            kind: Kind::Block(nodes),
            range,
        }),
    }
}

/// Checks whether a template ends with text that is trimmed entirely.
fn ends_with_trimmed_text(file: &SourceFile) -> bool {
    use SyntaxKind::{EPP_COMMENT, EPP_TEXT, EPP_TRIMMED};
    let mut tail = std::iter::successors(file.syntax().last_token(), SyntaxToken::prev_token)
        .map(|it| it.kind())
        .take_while(|it| matches!(it, EPP_COMMENT | EPP_TRIMMED | EPP_TEXT))
        .peekable();
    tail.peek() == Some(&EPP_TRIMMED) && tail.all(|it| it != EPP_TEXT)
}

fn start_of(token: Option<SyntaxToken>, node: &impl AstNode) -> TextSize {
    token.map_or_else(|| start(node), |it| it.text_range().start())
}

fn start(node: &impl AstNode) -> TextSize {
    node.syntax().text_range().start()
}

impl Lowerer<'_> {
    fn template(&mut self, file: &SourceFile) -> Node {
        let range = file.syntax().text_range();
        let parameters = file.epp_parameters();
        let parameters = parameters
            .map(|it| self.parameters(&it))
            .unwrap_or_default();
        let mut statements = self.statements(file.statements());
        if ends_with_trimmed_text(file) {
            // Puppet renders the empty rest of the text.
            let end = TextRange::empty(range.end());
            statements.push(Node {
                kind: Kind::RenderString(String::new()),
                at: range.end(),
                range: end,
            });
        }
        let at = TextSize::new(0);
        let body = (!statements.is_empty()).then(|| {
            Box::new(Node {
                kind: Kind::Block(statements),
                at,
                range,
            })
        });
        let epp = Box::new(Node {
            kind: Kind::Epp(body),
            at,
            range,
        });
        Node {
            kind: Kind::Lambda {
                parameters,
                body: Some(epp),
                return_type: None,
            },
            at,
            range,
        }
    }

    fn statements(&mut self, statements: impl Iterator<Item = Expr>) -> Vec<Node> {
        statements
            .map(|it| {
                let mut node = self.expr(&it);
                if let Kind::Call { is_value, .. } = &mut node.kind {
                    *is_value = false;
                }
                node
            })
            .collect()
    }

    /// Lowers the body of a definition or lambda: always a block, even of one statement.
    fn body(&mut self, block: Option<Block>, at: TextSize) -> Option<Box<Node>> {
        let block = block?;
        let range = block.syntax().text_range();
        let statements = self.statements(block.statements());
        (!statements.is_empty()).then(|| {
            Box::new(Node {
                kind: Kind::Block(statements),
                at,
                range,
            })
        })
    }

    /// Lowers the body of a conditional.
    fn branch(&mut self, block: Option<Block>) -> Option<Box<Node>> {
        let block = block?;
        let range = block.syntax().text_range();
        let statements = self.statements(block.statements());
        block_or_expression(statements, Some(range.start()), range).map(Box::new)
    }

    fn boxed(&mut self, expr: Option<Expr>) -> Box<Node> {
        Box::new(self.option(expr))
    }

    /// Lowers an expression, or returns Nop if it is missing.
    fn option(&mut self, expr: Option<Expr>) -> Node {
        match expr {
            Some(expr) => self.expr(&expr),
            None => Node {
                kind: Kind::Nop,
                at: TextSize::new(0),
                range: TextRange::default(),
            },
        }
    }

    fn exprs(&mut self, exprs: impl IntoIterator<Item = Expr>) -> Vec<Node> {
        exprs.into_iter().map(|it| self.expr(&it)).collect()
    }

    fn expr(&mut self, expr: &Expr) -> Node {
        stacker::maybe_grow(64 * 1024, 1024 * 1024, || self.expr_here(expr))
    }

    fn expr_here(&mut self, expr: &Expr) -> Node {
        let range = expr.syntax().text_range();
        let (kind, at) = match expr {
            Expr::Literal(it) => (literal(it), range.start()),
            Expr::QualifiedName(it) => (Kind::QualifiedName(it.text()), range.start()),
            Expr::QualifiedReference(it) => (Kind::QualifiedReference(it.text()), range.start()),
            Expr::VariableExpr(it) => {
                (Kind::Variable(it.name().unwrap_or_default()), range.start())
            }
            Expr::ReservedWord(it) => (Kind::ReservedWord(it.text()), range.start()),
            Expr::KeywordWord(it) => (Kind::String(it.text()), range.start()),
            Expr::StringLiteral(it) => (Kind::String(it.value()), range.start()),
            Expr::InterpolatedString(it) => (
                Kind::Concat(self.segments(it.segments(), range)),
                range.start(),
            ),
            Expr::Heredoc(it) => (self.heredoc(it, range), range.start()),
            Expr::ArrayExpr(it) => (Kind::List(self.exprs(it.elements())), range.start()),
            Expr::HashExpr(it) => (Kind::Hash(self.entries(it.entries())), range.start()),
            Expr::UnbracedHash(it) => {
                let entries = self.entries(it.entries());
                let at = entries.first().map_or(range.start(), |it| it.at);
                (Kind::Hash(entries), at)
            }
            Expr::BinaryExpr(it) => self.binary(it),
            Expr::UnaryExpr(it) => (self.unary(it), range.start()),
            Expr::ParenExpr(it) => {
                let expr = self.boxed(it.expr());
                (
                    Kind::Unary {
                        class: UnaryClass::Paren,
                        expr,
                    },
                    range.start(),
                )
            }
            Expr::Assignment(it) => {
                let (left, right) = (self.boxed(it.lhs()), self.boxed(it.rhs()));
                operator(BinaryClass::Assignment, it.operator(), left, right)
            }
            Expr::Relationship(it) => {
                let (left, right) = (self.boxed(it.lhs()), self.boxed(it.rhs()));
                operator(BinaryClass::Relationship, it.operator(), left, right)
            }
            Expr::AccessExpr(it) => {
                let left = self.boxed(it.base());
                let at = left.at;
                (
                    Kind::Access {
                        left,
                        keys: self.exprs(it.keys()),
                    },
                    at,
                )
            }
            Expr::CallExpr(it) => self.call(it),
            Expr::MethodCall(it) => self.method_call(it),
            Expr::IfExpr(it) => (self.if_expr(it), range.start()),
            Expr::UnlessExpr(it) => (self.unless_expr(it), range.start()),
            Expr::CaseExpr(it) => {
                let test = self.boxed(it.subject());
                let options = it.options().map(|it| self.case_option(&it)).collect();
                (Kind::Case { test, options }, range.start())
            }
            Expr::SelectorExpr(it) => {
                let left = self.boxed(it.subject());
                let at = left.at;
                let selectors = it.entries().map(|it| self.selector_entry(&it)).collect();
                (Kind::Selector { left, selectors }, at)
            }
            Expr::VirtualExpr(it) => return self.virtual_expr(it, range),
            Expr::ResourceExpr(it) => self.resource(it),
            Expr::ResourceDefaults(it) => {
                let type_ref = self.boxed(it.type_ref());
                let at = type_ref.at;
                let operations = self.operations(it.operations());
                (
                    Kind::ResourceDefaults {
                        form: Form::Regular,
                        type_ref,
                        operations,
                    },
                    at,
                )
            }
            Expr::ResourceOverride(it) => {
                let resources = self.boxed(it.resources());
                let at = resources.at;
                let operations = self.operations(it.operations());
                (
                    Kind::ResourceOverride {
                        form: Form::Regular,
                        resources,
                        operations,
                    },
                    at,
                )
            }
            Expr::UntitledResource(it) => self.untitled_resource(it),
            Expr::CollectExpr(it) => self.collect(it),
            Expr::ApplyExpr(it) => (self.apply(it), range.start()),
            Expr::RenderString(it) => (Kind::RenderString(it.value()), range.start()),
            Expr::RenderExpr(it) => (self.render(it), range.start()),
            Expr::ClassDefinition(it) => (self.class(it), range.start()),
            Expr::DefineDefinition(it) => (self.define(it), range.start()),
            Expr::PlanDefinition(it) => (self.plan(it), range.start()),
            Expr::FunctionDefinition(it) => (self.function(it), range.start()),
            Expr::NodeDefinition(it) => (self.node(it), range.start()),
            Expr::TypeAlias(it) => {
                let name = it.name();
                let at = name.as_ref().map_or(range.start(), start);
                (
                    self.type_alias(it, name.map(|it| it.text()).unwrap_or_default()),
                    at,
                )
            }
            Expr::TypeMapping(it) => {
                let type_expr = self.boxed(it.runtime());
                let at = type_expr.at;
                (
                    Kind::TypeMapping {
                        type_expr,
                        mapping: self.boxed(it.mapping()),
                    },
                    at,
                )
            }
            Expr::TypeDefinition(it) => {
                let name = it.name().map(|it| it.text()).unwrap_or_default();
                let parent = it.parent().map(|it| it.text());
                let body = self.body(it.body(), range.start());
                (Kind::TypeDefinition { name, parent, body }, range.start())
            }
        };
        Node { kind, at, range }
    }

    // ---- strings -------------------------------------------------------------

    fn segments(&mut self, segments: Vec<Segment>, range: TextRange) -> Vec<Node> {
        segments
            .into_iter()
            .map(|segment| match segment {
                Segment::Text(text) => Node {
                    kind: Kind::String(text),
                    at: range.start(),
                    range,
                },
                Segment::Interpolation(it) => {
                    let range = it.syntax().text_range();
                    let expr = Box::new(self.interpolated(it.expr()));
                    let at = expr.at;
                    Node {
                        kind: Kind::Unary {
                            class: UnaryClass::Text,
                            expr,
                        },
                        at,
                        range,
                    }
                }
            })
            .collect()
    }

    /// Lowers an expression in `${…}`. A bare name is a variable even if the lexer did not
    /// recognize it as such, as in a heredoc that ends early.
    fn interpolated(&mut self, expr: Option<Expr>) -> Node {
        let mut node = self.option(expr);
        if let Kind::QualifiedName(name) = &node.kind {
            node.kind = Kind::Variable(name.clone());
        }
        node
    }

    fn heredoc(&mut self, heredoc: &ast::Heredoc, range: TextRange) -> Kind {
        let tag = heredoc.tag();
        let syntax = tag.as_ref().map(|it| it.syntax.clone()).unwrap_or_default();
        let file = self.file.syntax();
        let heredocs = self.heredocs.get_or_insert_with(|| HeredocBodies::of(file));
        let lines = heredocs.body(heredoc);
        let segments = lines.map(|it| heredoc.segments_of(it)).unwrap_or_default();
        let body = lines.map_or(range, |it| it.syntax().text_range());
        let plain = match segments.as_slice() {
            [] => Some(String::new()),
            [Segment::Text(text)] => Some(text.clone()),
            _ => None,
        };
        let kind = match plain {
            Some(text) => Kind::String(text),
            None => Kind::Concat(self.segments(segments, body)),
        };
        Kind::Heredoc {
            syntax,
            text: Box::new(Node {
                kind,
                at: body.start(),
                range: body,
            }),
        }
    }

    // ---- operators -----------------------------------------------------------

    fn binary(&mut self, expr: &ast::BinaryExpr) -> (Kind, TextSize) {
        use SyntaxKind::*;
        let token = expr.operator();
        let class = match token.as_ref().map(SyntaxToken::kind) {
            Some(AND_KW) => BinaryClass::And,
            Some(OR_KW) => BinaryClass::Or,
            Some(IN_KW) => BinaryClass::In,
            Some(MATCH | NOT_MATCH) => BinaryClass::Match,
            Some(EQ_EQ | NOT_EQ | GT | GT_EQ | LT | LT_EQ) => BinaryClass::Comparison,
            _ => BinaryClass::Arithmetic,
        };
        let (left, right) = (self.boxed(expr.lhs()), self.boxed(expr.rhs()));
        operator(class, token, left, right)
    }

    fn unary(&mut self, expr: &ast::UnaryExpr) -> Kind {
        let class = match expr.operator().map(|it| it.kind()) {
            Some(SyntaxKind::BANG) => UnaryClass::Not,
            Some(SyntaxKind::STAR) => UnaryClass::Unfold,
            _ => UnaryClass::Minus,
        };
        Kind::Unary {
            class,
            expr: self.boxed(expr.expr()),
        }
    }

    fn entries(&mut self, entries: impl Iterator<Item = ast::HashEntry>) -> Vec<Node> {
        entries
            .map(|it| {
                let at = start_of(it.arrow(), &it);
                let (key, value) = (self.boxed(it.key()), self.boxed(it.value()));
                Node {
                    kind: Kind::KeyedEntry { key, value },
                    at,
                    range: it.syntax().text_range(),
                }
            })
            .collect()
    }

    // ---- calls ---------------------------------------------------------------

    fn call(&mut self, call: &ast::CallExpr) -> (Kind, TextSize) {
        let functor = match call.callee() {
            Some(callee) => self.boxed(Some(callee)),
            None => {
                let range = call
                    .name_token()
                    .map_or(call.syntax().text_range(), |it| it.text_range());
                let kind = Kind::QualifiedName("type".to_owned());
                Box::new(Node {
                    kind,
                    at: range.start(),
                    range,
                })
            }
        };
        let at = functor.at;
        let arguments = self.exprs(call.arguments());
        let lambda = call.lambda().map(|it| Box::new(self.lambda(&it)));
        let is_value = !call.is_statement_call();
        (
            Kind::Call {
                functor,
                is_value,
                arguments,
                lambda,
            },
            at,
        )
    }

    fn method_call(&mut self, call: &ast::MethodCall) -> (Kind, TextSize) {
        let left = self.boxed(call.receiver());
        let name = call
            .name_token()
            .map(|it| it.text().to_owned())
            .unwrap_or_default();
        let dot = start_of(call.dot(), call);
        let range = call.syntax().text_range();
        let functor = Box::new(Node {
            kind: Kind::NamedAccess { left, name },
            at: dot,
            range,
        });
        let arguments = self.exprs(call.arguments());
        let lambda = call.lambda().map(|it| Box::new(self.lambda(&it)));
        let paren = call.argument_list().and_then(|it| it.l_paren());
        let at = paren.map_or(dot, |it| it.text_range().start());
        (
            Kind::MethodCall {
                functor,
                arguments,
                lambda,
            },
            at,
        )
    }

    fn lambda(&mut self, lambda: &ast::Lambda) -> Node {
        let range = lambda.syntax().text_range();
        let parameters = self.parameters(lambda);
        let body = self.body(lambda.body(), range.start());
        let return_type = self.return_type(lambda.return_type());
        Node {
            kind: Kind::Lambda {
                parameters,
                body,
                return_type,
            },
            at: range.start(),
            range,
        }
    }

    // ---- conditionals --------------------------------------------------------

    fn if_expr(&mut self, expr: &ast::IfExpr) -> Kind {
        let test = self.boxed(expr.condition());
        let then = self.branch(expr.body());
        let otherwise = expr.else_clause().and_then(|it| match it.elsif() {
            Some(elsif) => Some(Box::new(self.expr(&Expr::IfExpr(elsif)))),
            None => self.branch(it.block()),
        });
        Kind::If {
            unless: false,
            test,
            then,
            otherwise,
        }
    }

    fn unless_expr(&mut self, expr: &ast::UnlessExpr) -> Kind {
        let test = self.boxed(expr.condition());
        let then = self.branch(expr.body());
        let otherwise = expr.else_clause().and_then(|it| self.branch(it.block()));
        Kind::If {
            unless: true,
            test,
            then,
            otherwise,
        }
    }

    fn case_option(&mut self, option: &ast::CaseOption) -> Node {
        let at = start_of(option.colon(), option);
        let values = self.exprs(option.values());
        let then = self.body(option.body(), at);
        Node {
            kind: Kind::CaseOption { values, then },
            at,
            range: option.syntax().text_range(),
        }
    }

    fn selector_entry(&mut self, entry: &ast::SelectorEntry) -> Node {
        let at = start_of(entry.arrow(), entry);
        let (matching, value) = (self.boxed(entry.matching()), self.boxed(entry.value()));
        let range = entry.syntax().text_range();
        Node {
            kind: Kind::SelectorEntry { matching, value },
            at,
            range,
        }
    }
}

fn operator(
    class: BinaryClass,
    token: Option<SyntaxToken>,
    left: Box<Node>,
    right: Box<Node>,
) -> (Kind, TextSize) {
    let at = token.as_ref().map_or(left.at, |it| it.text_range().start());
    let op = token.map(|it| it.text().to_owned()).unwrap_or_default();
    (
        Kind::Binary {
            class,
            op,
            left,
            right,
        },
        at,
    )
}

fn literal(literal: &Literal) -> Kind {
    match literal.kind() {
        Some(LiteralKind::Number(text)) => match Number::parse(&text) {
            Some(Number::Integer { value, radix }) => Kind::Integer { value, radix },
            Some(Number::Float(value)) => Kind::Float(value),
            None => Kind::Nop,
        },
        Some(LiteralKind::Boolean(value)) => Kind::Boolean(value),
        Some(LiteralKind::Undef) => Kind::Undef,
        Some(LiteralKind::Default) => Kind::Default,
        Some(LiteralKind::Regex(source)) => Kind::Regex(source),
        None => Kind::Nop,
    }
}
