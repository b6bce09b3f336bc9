//! Breaks lines that are too wide, at the outermost group of code first. Of several groups next to each other, this is
//! the block of a condition or lambda, then the attributes of a resource, the options of a selector, the elements of a
//! hash or array, the operands of `and`, `or` and `+`, the calls of a chain, and at last the arguments of a call.

use std::cmp::Reverse;

use rustc_hash::FxHashMap;
use syntax::{NodeOrToken, SyntaxKind, SyntaxNode, SyntaxToken, TextSize};

use crate::brackets::Brackets;
use crate::columns::LEVEL;
use crate::lines::Lines;
use crate::spaced_tokens::{SpacedToken, width};

/// The number of times that a group is broken on each line that is too wide.
pub(crate) const MOST_PASSES: usize = 200;

/// The share of the line width up to which the arguments of a call are short.
const SHORT: usize = 4;

/// The share of the line width above which a type is long.
const LONG: usize = 2;

/// The size of a group, compared with the line width.
struct Size {
    /// Whether the code up to the opening bracket fits.
    opener_fits: bool,
    /// Whether the content fits on a line of its own.
    fits: bool,
    is_short: bool,
    is_long: bool,
}

/// Code that is on one line, or on several with line breaks at the same places.
pub(crate) struct Group {
    /// The tokens that start lines if the group is broken.
    starts: Vec<usize>,
    /// The bracket before the content, or the first token of the group.
    opener: usize,
    /// The last token of the group.
    last: usize,
    /// The number of brackets around the group.
    depth: usize,
    rank: Rank,
    role: Role,
}

/// The order in which groups next to each other are broken.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Rank {
    Statement,
    Block,
    Resource,
    Selector,
    Hash,
    Array,
    Operators,
    Chain,
    /// The parameters of a definition or type.
    Parameters,
    Arguments,
    /// A group that is broken only if no other one can be.
    Last,
}

/// How a group depends on the group around it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Role {
    Independent,
    /// The last element of a list, which may be broken instead of the list.
    Hugged,
    /// The block of the last call of a chain, which may be broken instead of the chain.
    EndOfChain,
    /// The block of another call of a chain.
    InChain,
    /// The only argument of a call.
    OnlyArgument,
    /// The only element of a list, which contains no group of its own.
    OnlyValue,
    /// The parameters of a type.
    OfType,
}

/// Returns all groups of a file.
pub(crate) fn groups(root: &SyntaxNode, tokens: &[SpacedToken], brackets: &Brackets) -> Vec<Group> {
    let places = tokens.iter().enumerate();
    let places = places.map(|(index, it)| (it.token.text_range().start(), index));
    let mut depths: Vec<usize> = Vec::with_capacity(tokens.len());
    for index in 0..tokens.len() {
        let around = brackets.around(index).filter(|it| *it < index);
        depths.push(around.map_or(0, |it| depths[it] + 1));
    }
    let mut finder = Finder {
        places: places.collect(),
        tokens,
        depths,
        found: Vec::new(),
    };
    for node in root.descendants() {
        finder.add_groups(&node);
    }
    finder.found
}

/// Breaks a group on each line that is too wide; `ends` are the columns after the tokens. Returns whether this changes
/// anything.
pub(crate) fn wrap(
    groups: &[Group],
    tokens: &[SpacedToken],
    lines: &mut Lines<'_>,
    ends: &[usize],
    limit: usize,
) -> bool {
    let numbers = lines.numbers();
    let mut wide = vec![false; numbers.last().map_or(0, |it| it + 1)];
    for (index, spaced) in tokens.iter().enumerate() {
        let is_code = !spaced.kind().is_comment() && !spaced.is_in_heredoc;
        wide[numbers[index]] |= ends[index] > limit && is_code;
    }
    let mut indentations = vec![0; wide.len()];
    for (index, spaced) in tokens.iter().enumerate() {
        if lines.starts(index) {
            indentations[numbers[index]] = ends[index].saturating_sub(width(spaced.token.text()));
        }
    }
    let mut chosen: FxHashMap<usize, (_, &Group)> = FxHashMap::default();
    for group in groups {
        let can_break = |it: &&usize| !lines.starts(**it) && wide[numbers[**it]];
        let Some(start) = group.starts.iter().find(can_break) else {
            continue;
        };
        // Without the closing bracket: a comma may be added after it.
        let end = ends[group.last.saturating_sub(1).max(group.opener)];
        let width = end.saturating_sub(ends[group.opener]);
        let indentation = indentations[numbers[group.opener]];
        let room = limit.saturating_sub(indentation + LEVEL);
        let size = Size {
            opener_fits: ends[group.opener] <= limit,
            // A comma may follow.
            fits: width < room,
            is_short: width * SHORT <= limit,
            is_long: width * LONG > limit,
        };
        let priority = group.priority(&size);
        let Some((depth, rank)) = priority.filter(|_| lines.can_break_at(&group.starts)) else {
            continue;
        };
        let priority = (depth, rank, Reverse(width));
        let line = chosen.entry(numbers[*start]).or_insert((priority, group));
        if priority < line.0 {
            *line = (priority, group);
        }
    }
    let mut changed = false;
    for (line, (_, group)) in chosen {
        // Statements on other lines may remain there.
        let is_broken = |it: &usize| group.rank != Rank::Statement || numbers[*it] == line;
        let starts = group.starts.iter().copied().filter(is_broken);
        changed |= lines.break_at(&starts.collect::<Vec<_>>());
    }
    if changed {
        lines.normalize();
    }
    changed
}

impl Group {
    /// Returns the depth and rank by which groups are broken; `None` if the group never is.
    fn priority(&self, size: &Size) -> Option<(usize, Rank)> {
        let Size {
            opener_fits,
            fits,
            is_short,
            is_long,
        } = *size;
        let is_call = self.rank == Rank::Arguments;
        Some(match self.role {
            Role::OnlyArgument | Role::OnlyValue if is_short => return None,
            Role::OnlyValue if !fits => return None,
            Role::OfType if !is_long => return None,
            Role::Hugged if opener_fits => (self.depth.saturating_sub(1), self.rank),
            Role::InChain => (self.depth, Rank::Parameters),
            Role::EndOfChain if !opener_fits => (self.depth, Rank::Parameters),
            _ if is_call && is_short => (self.depth, Rank::Last),
            _ => (self.depth, self.rank),
        })
    }
}

struct Finder<'a> {
    /// The tokens by the offsets where they start.
    places: FxHashMap<TextSize, usize>,
    tokens: &'a [SpacedToken],
    /// The number of brackets around each token.
    depths: Vec<usize>,
    found: Vec<Group>,
}

impl Finder<'_> {
    fn add_groups(&mut self, node: &SyntaxNode) {
        use SyntaxKind::*;
        match node.kind() {
            SOURCE_FILE => self.add_statements(node),
            BLOCK => {
                self.add_statements(node);
                self.add_block(node);
            }
            CASE_EXPR => self.add_list(node, Rank::Block, |it| it.kind() == CASE_OPTION),
            RESOURCE_EXPR => self.add_resource(node),
            RESOURCE_DEFAULTS | RESOURCE_OVERRIDE | COLLECT_EXPR => {
                self.add_list(node, Rank::Resource, is_attribute);
            }
            SELECTOR_EXPR => {
                self.add_list(node, Rank::Selector, |it| it.kind() == SELECTOR_ENTRY);
            }
            HASH => self.add_list(node, Rank::Hash, |_| true),
            ARRAY => self.add_list(node, Rank::Array, |_| true),
            ACCESS_KEYS if is_of_type(node) => self.add_list(node, Rank::Parameters, |_| true),
            PARAMETER_LIST if first_kind(node) != Some(PIPE) => {
                self.add_list(node, Rank::Parameters, |_| true);
            }
            ARGUMENT_LIST if matches!(first_kind(node), Some(L_PAREN | WS_L_PAREN)) => {
                self.add_list(node, Rank::Arguments, |_| true);
            }
            BINARY_EXPR => self.add_operators(node),
            RELATIONSHIP => self.add_relationship(node),
            METHOD_CALL => self.add_chain(node),
            _ => {}
        }
    }

    /// Adds the group of the statements after the first one.
    fn add_statements(&mut self, node: &SyntaxNode) {
        let statements = node.children().skip(1).filter_map(|it| self.start(&it));
        let starts: Vec<usize> = statements.collect();
        if let Some(first) = starts.first().copied() {
            self.add(starts, first, first, Rank::Statement, Role::Independent);
        }
    }

    /// Adds the group of a block. Those of a condition and its `else` are broken together.
    fn add_block(&mut self, block: &SyntaxNode) {
        let Some(parent) = block.parent().filter(|it| !is_else(it)) else {
            return;
        };
        let mut starts = Vec::new();
        let mut ends: Option<(usize, usize)> = None;
        for block in blocks_of(&parent) {
            let statements = block.children().filter_map(|it| self.start(&it));
            let statements: Vec<usize> = statements.collect();
            let Some((opener, closer)) = self.ends_of(&block) else {
                continue;
            };
            if !statements.is_empty() {
                starts.extend(statements);
                starts.push(closer);
            }
            ends = Some((ends.map_or(opener, |it| it.0), closer));
        }
        if let Some((opener, closer)) = ends {
            self.add(starts, opener, closer, Rank::Block, role_of_block(block));
        }
    }

    fn add_resource(&mut self, node: &SyntaxNode) {
        let of_body = |it: &SyntaxNode| it.kind() == SyntaxKind::RESOURCE_BODY;
        let bodies: Vec<SyntaxNode> = node.children().filter(of_body).collect();
        if let [body] = bodies.as_slice() {
            let attributes = body.children().filter(is_attribute);
            let starts: Vec<usize> = attributes.filter_map(|it| self.start(&it)).collect();
            return self.add_enclosed(node, starts, Rank::Resource, Role::Independent);
        }
        self.add_list(node, Rank::Resource, of_body);
        for body in &bodies {
            let attributes = body.children().filter(is_attribute);
            let starts: Vec<usize> = attributes.filter_map(|it| self.start(&it)).collect();
            let (first, last) = (self.start(body), self.last(body));
            if let (Some(first), Some(last), false) = (first, last, starts.is_empty()) {
                self.add(starts, first, last, Rank::Resource, Role::Independent);
            }
        }
    }

    /// Adds the group of the elements between the brackets of a node.
    fn add_list(
        &mut self,
        node: &SyntaxNode,
        rank: Rank,
        is_element: impl Fn(&SyntaxNode) -> bool,
    ) {
        let elements = node.children().filter(|it| is_element(it));
        let starts: Vec<usize> = elements.filter_map(|it| self.start(&it)).collect();
        let role = role_of_list(node, starts.len());
        self.add_enclosed(node, starts, rank, role);
    }

    /// Adds a group of elements between the last brackets of a node.
    fn add_enclosed(&mut self, node: &SyntaxNode, mut starts: Vec<usize>, rank: Rank, role: Role) {
        if let (Some((opener, closer)), false) = (self.ends_of(node), starts.is_empty()) {
            starts.push(closer);
            self.add(starts, opener, closer, rank, role);
        }
    }

    /// Adds the group of the arrows between resources.
    fn add_relationship(&mut self, node: &SyntaxNode) {
        let is_chain = |it: &SyntaxNode| it.kind() == SyntaxKind::RELATIONSHIP;
        if node.parent().is_some_and(|it| is_chain(&it)) {
            return;
        }
        let left = |it: &SyntaxNode| it.first_child().filter(is_chain);
        let parts = std::iter::successors(Some(node.clone()), left);
        let arrows = parts.filter_map(|it| {
            let arrow = direct_tokens(&it).find(|it| !it.kind().is_trivia())?;
            self.place(&arrow)
        });
        let mut starts: Vec<usize> = arrows.collect();
        starts.reverse();
        if let (Some(first), Some(last)) = (self.start(node), self.last(node)) {
            self.add(starts, first, last, Rank::Statement, Role::Independent);
        }
    }

    /// Adds the group of the operands of `and`, `or` or `+`.
    fn add_operators(&mut self, node: &SyntaxNode) {
        let Some(class) = operator_class(node) else {
            return;
        };
        let parent = node.parent();
        if parent.is_some_and(|it| operator_class(&it) == Some(class)) {
            return;
        }
        let mut operands = Vec::new();
        collect_operands(node, class, &mut operands);
        // A list or block after an operator stays on its line.
        operands.retain(|it| {
            let is_list = it.kind() == SyntaxKind::ARRAY;
            !is_list && first_kind(it) != Some(SyntaxKind::L_BRACE)
        });
        let starts: Vec<usize> = operands.iter().filter_map(|it| self.start(it)).collect();
        if let (Some(first), Some(last), false) =
            (self.start(node), self.last(node), starts.is_empty())
        {
            self.add(starts, first, last, Rank::Operators, Role::Independent);
        }
    }

    /// Adds the group of the calls of a chain.
    fn add_chain(&mut self, node: &SyntaxNode) {
        if chain_parent(node).is_some() {
            return;
        }
        let calls = std::iter::successors(Some(node.clone()), receiver_call);
        let dots = calls.filter_map(|it| {
            self.place(&direct_tokens(&it).find(|it| it.kind() == SyntaxKind::DOT)?)
        });
        let mut starts: Vec<usize> = dots.collect();
        starts.reverse();
        if let (Some(first), Some(last), true) =
            (self.start(node), self.last(node), starts.len() > 1)
        {
            self.add(starts, first, last, Rank::Chain, Role::Independent);
        }
    }

    fn add(&mut self, starts: Vec<usize>, opener: usize, last: usize, rank: Rank, role: Role) {
        let Some(depth) = starts.first().map(|_| self.depths[opener]) else {
            return;
        };
        let is_code = |it: &usize| !self.tokens[*it].has_significant_gap;
        if starts.iter().all(is_code) {
            self.found.push(Group {
                starts,
                opener,
                last,
                depth,
                rank,
                role,
            });
        }
    }

    /// Returns the opening and closing bracket of a node: its last pair.
    fn ends_of(&self, node: &SyntaxNode) -> Option<(usize, usize)> {
        use SyntaxKind::*;
        let tokens = direct_tokens(node);
        let opens = |it: &SyntaxToken| {
            matches!(
                it.kind(),
                L_BRACE | SELECTOR_BRACE | L_PAREN | WS_L_PAREN | L_BRACK | LIST_START
            )
        };
        let opener = tokens.filter(opens).last()?;
        let closer = node.last_token()?;
        let closes = matches!(closer.kind(), R_BRACE | R_PAREN | R_BRACK);
        Some((
            self.place(&opener)?,
            self.place(&closer).filter(|_| closes)?,
        ))
    }

    fn start(&self, node: &SyntaxNode) -> Option<usize> {
        self.place(&node.first_token()?)
    }

    fn last(&self, node: &SyntaxNode) -> Option<usize> {
        self.place(&node.last_token()?)
    }

    fn place(&self, token: &SyntaxToken) -> Option<usize> {
        self.places.get(&token.text_range().start()).copied()
    }
}

/// Collects the operands of a chain of operators, except the first one.
fn collect_operands(node: &SyntaxNode, class: SyntaxKind, operands: &mut Vec<SyntaxNode>) {
    let mut current = Some(node.clone());
    while let Some(node) = current.filter(|it| operator_class(it) == Some(class)) {
        let right = node.last_child();
        // `and` binds stronger than `or`: a chain may be the right operand, too.
        if let Some(right) = &right {
            operands.push(right.clone());
            if operator_class(right) == Some(class) {
                collect_operands(right, class, operands);
            }
        }
        current = node.first_child().filter(|it| Some(it) != right.as_ref());
    }
}

fn is_attribute(node: &SyntaxNode) -> bool {
    matches!(
        node.kind(),
        SyntaxKind::ATTRIBUTE | SyntaxKind::ATTRIBUTE_SPLAT
    )
}

/// Checks whether keys are the parameters of a type or several titles.
fn is_of_type(keys: &SyntaxNode) -> bool {
    let of = keys.parent().and_then(|it| it.first_child());
    let of_type = of.is_some_and(|it| it.kind() == SyntaxKind::QUALIFIED_REFERENCE);
    let is_value = |it: &SyntaxNode| {
        matches!(
            it.kind(),
            SyntaxKind::STRING | SyntaxKind::INTERPOLATED_STRING | SyntaxKind::VARIABLE_EXPR
        )
    };
    let mut keys = keys.children();
    let first = keys.next();
    of_type && (keys.next().is_some() || first.is_some_and(|it| !is_value(&it)))
}

fn first_kind(node: &SyntaxNode) -> Option<SyntaxKind> {
    node.first_token().map(|it| it.kind())
}

/// Checks whether a node is the `else` or `elsif` of a condition.
fn is_else(node: &SyntaxNode) -> bool {
    let of_else = |it: &SyntaxNode| it.kind() == SyntaxKind::ELSE_CLAUSE;
    of_else(node) || node.parent().is_some_and(|it| of_else(&it))
}

/// Returns the blocks of a condition and its `else` parts, or that of another node.
fn blocks_of(owner: &SyntaxNode) -> Vec<SyntaxNode> {
    use SyntaxKind::*;
    let rest = |part: &SyntaxNode| {
        let of_else = part.kind() == ELSE_CLAUSE;
        let is_rest = |it: &SyntaxNode| it.kind() == ELSE_CLAUSE || of_else && it.kind() == IF_EXPR;
        part.children().find(is_rest)
    };
    let parts = std::iter::successors(Some(owner.clone()), rest);
    let blocks = |part: SyntaxNode| part.children().filter(|it| it.kind() == BLOCK);
    parts.flat_map(blocks).collect()
}

/// Returns the role of the block of a lambda in a chain of calls.
fn role_of_block(block: &SyntaxNode) -> Role {
    let lambda = block.parent();
    let lambda = lambda.filter(|it| it.kind() == SyntaxKind::LAMBDA);
    let call = lambda.and_then(|it| it.parent());
    let Some(call) = call.filter(|it| it.kind() == SyntaxKind::METHOD_CALL) else {
        return Role::Independent;
    };
    match (chain_parent(&call), receiver_call(&call)) {
        (Some(_), _) => Role::InChain,
        (None, Some(_)) => Role::EndOfChain,
        (None, None) => Role::Independent,
    }
}

/// Returns the role of a list with a number of elements.
fn role_of_list(list: &SyntaxNode, elements: usize) -> Role {
    use SyntaxKind::*;
    let is_group = |it: SyntaxNode| {
        matches!(
            it.kind(),
            ARGUMENT_LIST | ACCESS_KEYS | ARRAY | HASH | BLOCK | SELECTOR_EXPR
        )
    };
    let has_group = || list.descendants().skip(1).any(is_group);
    match list.kind() {
        ARGUMENT_LIST | ARRAY if elements == 1 && !has_group() => return Role::OnlyValue,
        ARGUMENT_LIST if elements == 1 => return Role::OnlyArgument,
        ARGUMENT_LIST => return Role::Independent,
        ACCESS_KEYS => return Role::OfType,
        _ => {}
    }
    let is_value = |it: &SyntaxNode| matches!(it.kind(), HASH | ARRAY);
    let Some(parent) = list.parent().filter(|_| is_value(list)) else {
        return Role::Independent;
    };
    let of_kind = match parent.kind() {
        ARGUMENT_LIST => matches!(first_kind(&parent), Some(L_PAREN | WS_L_PAREN)),
        ARRAY => parent.children().nth(1).is_none(),
        _ => false,
    };
    let is_last = || parent.last_child().as_ref() == Some(list);
    let is_only = || parent.children().filter(is_value).count() == 1;
    match of_kind && is_last() && is_only() {
        true => Role::Hugged,
        false => Role::Independent,
    }
}

/// Returns the class of a binary operator at which lines are broken; that of `and` is `or`.
fn operator_class(node: &SyntaxNode) -> Option<SyntaxKind> {
    use SyntaxKind::*;
    let is_binary = node.kind() == BINARY_EXPR;
    let mut operators = direct_tokens(node)
        .filter(|_| is_binary)
        .map(|it| it.kind());
    operators.find_map(|it| match it {
        AND_KW | OR_KW => Some(OR_KW),
        PLUS => Some(PLUS),
        _ => None,
    })
}

/// Returns the call whose receiver a call is, also if an element of its result is.
fn chain_parent(call: &SyntaxNode) -> Option<SyntaxNode> {
    use SyntaxKind::*;
    let mut current = call.clone();
    loop {
        let parent = current.parent()?;
        let is_first = parent.first_child().as_ref() == Some(&current);
        match parent.kind() {
            METHOD_CALL if is_first => return Some(parent),
            ACCESS_EXPR if is_first => current = parent,
            _ => return None,
        }
    }
}

/// Returns the call that is the receiver of a call, or of which an element is.
fn receiver_call(call: &SyntaxNode) -> Option<SyntaxNode> {
    use SyntaxKind::*;
    let mut receiver = call.first_child()?;
    while receiver.kind() == ACCESS_EXPR {
        receiver = receiver.first_child()?;
    }
    (receiver.kind() == METHOD_CALL).then_some(receiver)
}

/// Returns the tokens that are children of a node.
fn direct_tokens(node: &SyntaxNode) -> impl Iterator<Item = SyntaxToken> + use<> {
    node.children_with_tokens()
        .filter_map(NodeOrToken::into_token)
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};

    use crate::FormatOptions;
    use crate::tests::check_with;

    fn check(width: usize, source: &str, expected: &Expect) {
        for indent_continuations in [true, false] {
            let options = FormatOptions {
                line_width: Some(width),
                indent_continuations,
                ..FormatOptions::default()
            };
            match indent_continuations {
                true => check_with(source, &options, expected),
                // The columns differ, the lines do not.
                false => {
                    let lines = expected.data().lines().filter(|it| !it.trim().is_empty());
                    let formatted = crate::tests::formatted_as(source, fixture::MANIFEST, &options);
                    assert_eq!(formatted.lines().count(), lines.count(), "{formatted}");
                }
            }
        }
    }

    #[test]
    fn breaks_lists() {
        check(
            40,
            "$x = foo('aaaaaaaaaaaa', 'bbbbbbbbbbbbbb')\n$y = [['aaaaaaaaaaaaa', 'b'], ['cccccccccccccccccccccc', 'dddddddddddddd']]\n$z = ['a', 'b']\nclass a (String $x = 'aaaaaaa', Integer $y = 2) {}\n$v = foo($x, { 'aaaaaaaaaa' => 1, 'bbbbbbbbbb' => 2 })\n$w = foo({ 'aaaaaaaaaa' => 1 }, { 'bbbbbbbbbb' => 2 })\n$u = [{ 'aaaaaaaaaa' => 1, 'bbbbbbbbbb' => 2 }]\n",
            &expect![[r#"
                $x = foo(
                  'aaaaaaaaaaaa',
                  'bbbbbbbbbbbbbb'
                )
                $y = [
                  ['aaaaaaaaaaaaa', 'b'],
                  [
                    'cccccccccccccccccccccc',
                    'dddddddddddddd',
                  ],
                ]
                $z = ['a', 'b']
                class a (
                  String $x = 'aaaaaaa',
                  Integer $y = 2,
                ) {}
                $v = foo($x, {
                  'aaaaaaaaaa' => 1,
                  'bbbbbbbbbb' => 2,
                })
                $w = foo(
                  { 'aaaaaaaaaa' => 1 },
                  { 'bbbbbbbbbb' => 2 }
                )
                $u = [{
                  'aaaaaaaaaa' => 1,
                  'bbbbbbbbbb' => 2,
                }]
            "#]],
        );
    }

    #[test]
    fn breaks_blocks_first() {
        check(
            60,
            "if $a == 'one' and $flag and $b.foo('x') or $a == 'three' { notice(1) }\nif $aaaaaaaaaa { notice(1) } elsif $bbbbbbbbbbbbb { notice(2) notice(3) } else {}\n$aaaaaaaaaaaaaa.each |$bbbbb, $cccccc| { notice($bbbbb, $cccccc) }\ncase $aaaaaaaaaaaaaa { 'a', 'b': { notice(1) } default: { notice(1) } }\nclass a ($bbbbbbbbbbbbbbbbbbbbbbbbbbbb) { notice($bbbbbbbbbbbbbbbbbbbbbbbbbbbb) }\nunless $a { $bbbbbbbbbbbb = $ccccccccccc $ddddddddddd = $eeeeeeeeeeeeeee }\n",
            &expect![[r#"
                if $a == 'one' and $flag and $b.foo('x') or $a == 'three' {
                  notice(1)
                }
                if $aaaaaaaaaa {
                  notice(1)
                } elsif $bbbbbbbbbbbbb {
                  notice(2)
                  notice(3)
                } else {}
                $aaaaaaaaaaaaaa.each |$bbbbb, $cccccc| {
                  notice($bbbbb, $cccccc)
                }
                case $aaaaaaaaaaaaaa {
                  'a', 'b': { notice(1) }
                  default: { notice(1) }
                }
                class a ($bbbbbbbbbbbbbbbbbbbbbbbbbbbb) {
                  notice($bbbbbbbbbbbbbbbbbbbbbbbbbbbb)
                }
                unless $a {
                  $bbbbbbbbbbbb = $ccccccccccc
                  $ddddddddddd = $eeeeeeeeeeeeeee
                }
            "#]],
        );
    }

    #[test]
    fn breaks_resources_before_their_values() {
        check(
            60,
            "file { '/etc/very/long/path': ensure => file, owner => 'root', group => 'root' }\nnotify { 'x': message => $l ? { 'one' => 'aaaaaaaaaaaaaaaaaaa', 'two' => 'bbbbbbbbbb', default => 'none' } }\nfile { '/aaaaaaaaaaaa': ensure => file, mode => '0644'; '/bbbbbbbbbbbb': ensure => file, owner => 'root', group => 'root' }\nFile <| tag == 'aaaaaaaaaaaaaa' |> { owner => 'root', group => 'root' }\nFile['/aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa'] -> Exec['b'] ~> Exec['c']\n",
            &expect![[r#"
                file { '/etc/very/long/path':
                  ensure => file,
                  owner  => 'root',
                  group  => 'root',
                }
                notify { 'x':
                  message => $l ? {
                    'one'   => 'aaaaaaaaaaaaaaaaaaa',
                    'two'   => 'bbbbbbbbbb',
                    default => 'none',
                  },
                }
                file {
                  '/aaaaaaaaaaaa': ensure => file, mode => '0644';
                  '/bbbbbbbbbbbb':
                    ensure => file,
                    owner  => 'root',
                    group  => 'root',
                }
                File <| tag == 'aaaaaaaaaaaaaa' |> {
                  owner => 'root',
                  group => 'root',
                }
                File['/aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa']
                -> Exec['b']
                ~> Exec['c']
            "#]],
        );
    }

    #[test]
    fn breaks_chains_before_arguments() {
        check(
            70,
            "$y = $long_name.split(',').map |$element| { $element.strip }.filter |$element| { $element }.join(',')\n$z = $long_name.filter |$element| { $element }.each |$element| { notice($element) }\n$x = $facts['aaaaaaaaaaaaaaaaaaaaaaaaaa']['bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb'].downcase\n$w = regsubst($aaaaaaaaaaaaaaaaaaaaaaa.downcase, '[a-z]', 'bbbbbbbbbb', 'G').upcase\n$v = $aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa.join('')\n",
            &expect![[r#"
                $y = $long_name
                  .split(',')
                  .map |$element| { $element.strip }
                  .filter |$element| { $element }
                  .join(',')
                $z = $long_name.filter |$element| { $element }.each |$element| {
                  notice($element)
                }
                $x = $facts['aaaaaaaaaaaaaaaaaaaaaaaaaa']['bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb'].downcase
                $w = regsubst(
                  $aaaaaaaaaaaaaaaaaaaaaaa.downcase,
                  '[a-z]',
                  'bbbbbbbbbb',
                  'G'
                ).upcase
                $v = $aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa.join('')
            "#]],
        );
    }

    #[test]
    fn breaks_operators() {
        check(
            50,
            "if $aaaaaaaaaaaaaa == 'one' and ($bbbbbbbbbbbb or $cccccccccccc) or $d {\n  notice(1)\n}\n$x = $aaaaaaaaaaaaaaaaaaaaaaaa + foo($bbbbbbbbbb, $ccccccccccc) + 1\n$y = $aaaaaaaaaaaaaaa + { 'bbbbbbbbbbbbbb' => 1, 'cccccccccc' => 2 }\n",
            &expect![[r#"
                if $aaaaaaaaaaaaaa == 'one' and
                  ($bbbbbbbbbbbb or $cccccccccccc) or
                  $d {
                  notice(1)
                }
                $x = $aaaaaaaaaaaaaaaaaaaaaaaa +
                  foo($bbbbbbbbbb, $ccccccccccc) +
                  1
                $y = $aaaaaaaaaaaaaaa + {
                  'bbbbbbbbbbbbbb' => 1,
                  'cccccccccc'     => 2,
                }
            "#]],
        );
    }

    #[test]
    fn leaves_what_cannot_be_broken() {
        check(
            30,
            "class a (Array[String]     $b = 'ccccccccccc') {}\nfail('aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa')\n$x = 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa'\n$y = foo('b') # aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\n$z = [@(A), 'bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb']\n  x\n  | A\ninclude aaaaaaaaaaaaaaaaaaaaaaaa, bbbbbbbbbbbbbbbb\n",
            &expect![[r#"
                class a (
                  Array[String] $b = 'ccccccccccc',
                ) {}
                fail('aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa')
                $x = 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa'
                $y = foo('b') # aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa
                $z = [@(A), 'bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb']
                  x
                  | A
                include aaaaaaaaaaaaaaaaaaaaaaaa, bbbbbbbbbbbbbbbb
            "#]],
        );
    }
}
