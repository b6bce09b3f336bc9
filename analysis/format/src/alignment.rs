//! Keeps the alignment of parameters, assignments, the blocks of a `case` and the attributes after titles that authors
//! chose.
//!
//! The style guide aligns arrows only. Where the names or `=` of several parameters or assignments, the braces of
//! several options, or the first attributes of several bodies on one line each, are in one column, they stay in one
//! column, assignments if no other statement separates them. One that is a column off joins the others, and so does each
//! parameter for which there is room if most of a list are aligned. In templates, the first parameter may follow the tag.

use rustc_hash::FxHashMap;
use syntax::{SyntaxKind, SyntaxNode, TextSize};

use crate::lines::Lines;
use crate::spaced_tokens::{SpacedToken, width};
use crate::spaces::is_of_template;

/// A token that authors may align with those of other lines.
struct Cell {
    token: usize,
    /// The first token of its line.
    first: usize,
    /// The node that contains all lines.
    block: SyntaxNode,
    /// Where the first of the assignments starts that no other statement separates; 0 for other nodes.
    run: TextSize,
    /// The indentation of its line in a template; 0 in a manifest, and on the line of a tag.
    indentation: usize,
    /// The column in the source; in a manifest, relative to the first token of the line.
    old: usize,
    /// The column with the blanks of the layout between the tokens that are not aligned.
    normal: usize,
    /// Whether the source has it directly after its key or does not start a line there, so that it is not aligned.
    is_loose: bool,
    /// The indentation of its line in the source of a template; `None` on the line of a tag.
    old_indentation: Option<usize>,
    /// The number of blanks before it in the source.
    old_blanks: usize,
    /// Whether several blanks precede it in the source, or the colon before it.
    is_padded: bool,
    /// Whether it follows a colon.
    follows_colon: bool,
}

/// Checks for the tokens that may be aligned.
const CELLS: [fn(&SpacedToken) -> bool; 3] = [is_parameter_name, is_assignment, is_after_colon];

/// Checks whether [`align`] decides about the blanks before a token.
pub(crate) fn is_cell(spaced: &SpacedToken) -> bool {
    CELLS.iter().any(|it| it(spaced))
}

/// Adjusts the blanks before each token that the source aligns with others. `columns` are the columns of the lines of a
/// template; `None` in a manifest.
pub(crate) fn align(
    tokens: &[SpacedToken],
    text: &str,
    lines: &Lines<'_>,
    columns: Option<&[usize]>,
    blanks: &mut [usize],
) {
    for is_wanted in CELLS {
        let mut groups: Groups = FxHashMap::default();
        let mut loose = Vec::new();
        for cell in cells(tokens, text, lines, columns, blanks, is_wanted) {
            if cell.is_loose {
                loose.push(cell);
                continue;
            }
            let key = (cell.block.clone(), cell.run, cell.old);
            groups.entry(key).or_default().push(cell);
        }
        join_normal(&mut groups);
        join_near(&mut groups);
        if columns.is_none() {
            join_most(&mut groups, loose, |it| end_of_key(tokens, blanks, it));
        }
        for ((_, _, old), group) in groups {
            if !is_aligned(&group) {
                continue;
            }
            let ends = group.iter().map(|it| end_of_key(tokens, blanks, it));
            let ends: Vec<usize> = ends.collect();
            let column = column(&group, old, &ends);
            for (cell, end) in group.iter().zip(ends) {
                blanks[cell.token] = column - end;
            }
        }
    }
}

/// The cells of each run of a block by column.
type Groups = FxHashMap<(SyntaxNode, TextSize, usize), Vec<Cell>>;

/// Returns the column of aligned cells, whose keys have these ends: the old one if all keys are short enough. Options and
/// titles are as far apart from the cells as before, as blanks before their colons are removed.
fn column(group: &[Cell], old: usize, ends: &[usize]) -> usize {
    let end = ends.iter().max().copied().unwrap_or_default();
    if !group.iter().all(|it| it.follows_colon) {
        // The cells of a template move with their lines.
        let shift = |it: &Cell| Some(it.indentation as isize - it.old_indentation? as isize);
        let shifts: Option<Vec<isize>> = group.iter().map(shift).collect();
        let shift = shifts
            .and_then(|it| it.into_iter().max())
            .unwrap_or_default();
        return old.saturating_add_signed(shift).max(end + 1);
    }
    let least = group.iter().map(|it| it.old_blanks.max(1)).min();
    end + least.unwrap_or(1)
}

fn is_aligned(group: &[Cell]) -> bool {
    group.len() > 1 && group.iter().any(|it| it.is_padded)
}

/// Adds each parameter that is alone in its column to those in the column where it is with the blanks of the layout.
fn join_normal(groups: &mut Groups) {
    let alone = groups.iter().filter_map(|(key, group)| match &group[..] {
        [only] if is_list(&key.0) && only.normal != only.old => Some((key.clone(), only.normal)),
        _ => None,
    });
    let mut alone: Vec<_> = alone.collect();
    alone.sort_by_key(|(key, _)| (key.0.text_range().start(), key.2));
    for (key, normal) in alone {
        let near = (key.0.clone(), key.1, normal);
        if groups.contains_key(&near) {
            let cells = groups.remove(&key).unwrap_or_default();
            groups.entry(near).or_default().extend(cells);
        }
    }
}

fn is_list(block: &SyntaxNode) -> bool {
    block.kind() == SyntaxKind::PARAMETER_LIST
}

/// Adds the other parameters to the aligned ones if these are most of a list, unless they are too long.
fn join_most(groups: &mut Groups, mut loose: Vec<Cell>, end: impl Fn(&Cell) -> usize) {
    let mut counts: FxHashMap<SyntaxNode, usize> = FxHashMap::default();
    for cell in groups.values().flatten().chain(&loose) {
        *counts.entry(cell.block.clone()).or_default() += 1;
    }
    let most = groups.iter().filter(|(key, group)| {
        is_list(&key.0) && is_aligned(group) && 2 * group.len() > counts[&key.0]
    });
    let most: Vec<_> = most.map(|(key, _)| key.clone()).collect();
    for key in most {
        let ends: Vec<usize> = groups[&key].iter().map(&end).collect();
        let column = column(&groups[&key], key.2, &ends);
        let fits = |it: &Cell| it.block == key.0 && end(it) < column;
        let others = groups.iter_mut().filter(|it| *it.0 != key);
        let mut joining: Vec<Cell> = others
            .flat_map(|it| it.1.extract_if(.., |it| fits(it)))
            .collect();
        joining.extend(loose.extract_if(.., |it| fits(it)));
        if let Some(group) = groups.get_mut(&key) {
            group.extend(joining);
        }
    }
}

/// Adds each padded cell that is alone in its column to the aligned ones in the next column.
fn join_near(groups: &mut Groups) {
    let is_alone = |it: &[Cell]| matches!(it, [only] if only.is_padded);
    let alone = groups.iter().filter(|(_, group)| is_alone(group));
    let alone: Vec<_> = alone.map(|(key, _)| key.clone()).collect();
    for (block, run, column) in alone {
        let near = [column + 1, column.saturating_sub(1)];
        let mut near = near.map(|it| (block.clone(), run, it)).into_iter();
        let Some(near) = near.find(|it| groups.get(it).is_some_and(|it| is_aligned(it))) else {
            continue;
        };
        let cells = groups.remove(&(block, run, column)).unwrap_or_default();
        groups.entry(near).or_default().extend(cells);
    }
}

fn cells(
    tokens: &[SpacedToken],
    text: &str,
    lines: &Lines<'_>,
    columns: Option<&[usize]>,
    blanks: &[usize],
    is_wanted: impl Fn(&SpacedToken) -> bool,
) -> Vec<Cell> {
    let mut found = Vec::new();
    let mut runs: FxHashMap<SyntaxNode, TextSize> = FxHashMap::default();
    let mut first = 0;
    let numbers = lines.numbers();
    for (index, spaced) in tokens.iter().enumerate() {
        if lines.starts(index) || is_output_of_lines(spaced) {
            first = index;
        }
        let starts_line = tokens[first].starts_line || is_output_of_lines(&tokens[first]);
        let is_parameter = spaced.parent_kind() == Some(SyntaxKind::PARAMETER);
        let is_candidate = is_wanted(spaced) && first < index && (starts_line || is_parameter);
        let Some(node) = spaced.token.parent().filter(|_| is_candidate) else {
            continue;
        };
        let follows_colon = is_after_colon(spaced);
        let Some(node) = (if follows_colon {
            node.parent()
        } else {
            Some(node)
        }) else {
            continue;
        };
        let mut of_line = tokens[first..index].iter().skip_while(|it| starts_tag(it));
        let is_first = of_line
            .next()
            .is_some_and(|it| start(it) == node.text_range().start());
        let line = match columns.is_some() {
            true => text[..start(spaced).into()]
                .rfind('\n')
                .map_or(0, |it| it + 1),
            false => start(&tokens[first]).into(),
        };
        let key = text.get(line..start(spaced).into());
        let key = key.filter(|it| is_first && !it.contains('\n'));
        let is_prefixed = tokens[index - 1].kind() == SyntaxKind::STAR;
        let (Some(key), Some(block), false) = (key, node.parent(), is_prefixed) else {
            continue;
        };
        let old_blanks = width(&text[spaced.gap]);
        // Names directly before the cell are not aligned with others.
        let is_loose = old_blanks == 0 && !follows_colon || !starts_line;
        if is_loose && !is_parameter {
            continue;
        }
        // The difference between the blanks of the layout and those of the source.
        let difference = |it: usize| match is_cell(&tokens[it]) {
            true => 0,
            false => blanks[it] as isize - width(&text[tokens[it].gap]) as isize,
        };
        let difference: isize = (first + 1..index).map(difference).sum();
        let run = match is_after_assignment(&node) {
            Some(is_after) => {
                let run = runs.entry(block.clone()).or_default();
                if !is_after {
                    *run = node.text_range().start();
                }
                *run
            }
            None => TextSize::default(),
        };
        found.push(Cell {
            token: index,
            first,
            block,
            run,
            indentation: columns
                .filter(|_| lines.starts(first))
                .map_or(0, |it| it[numbers[first]]),
            old_indentation: text
                .get(line..start(&tokens[first]).into())
                .filter(|_| lines.starts(first))
                .map(width),
            old: width(key),
            normal: width(key).saturating_add_signed(difference),
            is_loose,
            is_padded: old_blanks > 1 || follows_colon && width(&text[tokens[index - 1].gap]) > 1,
            old_blanks,
            follows_colon,
        });
    }
    found
}

/// Returns whether the statement before an assignment is an assignment, too; `None` for other nodes.
fn is_after_assignment(node: &SyntaxNode) -> Option<bool> {
    let is_assignment = |it: &SyntaxNode| it.kind() == SyntaxKind::ASSIGNMENT;
    is_assignment(node).then(|| node.prev_sibling().is_some_and(|it| is_assignment(&it)))
}

/// Returns the column after the token before a cell; in a manifest, relative to the first token of the line.
fn end_of_key(tokens: &[SpacedToken], blanks: &[usize], cell: &Cell) -> usize {
    let key = cell.first..cell.token;
    let texts: usize = key.map(|it| width(last_line(&tokens[it]))).sum();
    cell.indentation + texts + blanks[cell.first + 1..cell.token].iter().sum::<usize>()
}

fn is_parameter_name(spaced: &SpacedToken) -> bool {
    let is_name = matches!(spaced.kind(), SyntaxKind::VARIABLE | SyntaxKind::STAR);
    is_name && spaced.parent_kind() == Some(SyntaxKind::PARAMETER)
}

fn is_assignment(spaced: &SpacedToken) -> bool {
    let of = spaced.parent_kind();
    let of = matches!(of, Some(SyntaxKind::PARAMETER | SyntaxKind::ASSIGNMENT));
    of && matches!(spaced.kind(), SyntaxKind::EQ | SyntaxKind::PLUS_EQ)
}

/// Checks whether a token is the brace after the colon of an option, or the first attribute after that of a title.
fn is_after_colon(spaced: &SpacedToken) -> bool {
    use SyntaxKind::*;
    let Some(node) = spaced.token.parent() else {
        return false;
    };
    let owner = match node.kind() {
        BLOCK if spaced.kind() == L_BRACE => CASE_OPTION,
        ATTRIBUTE | ATTRIBUTE_SPLAT if is_first_attribute(&node, spaced) => RESOURCE_BODY,
        _ => return false,
    };
    node.parent().is_some_and(|it| it.kind() == owner)
}

/// Checks whether a token starts the first attribute of a body.
fn is_first_attribute(attribute: &SyntaxNode, spaced: &SpacedToken) -> bool {
    let starts = start(spaced) == attribute.text_range().start();
    let before = attribute.prev_sibling();
    starts
        && before.is_none_or(|it| {
            !matches!(
                it.kind(),
                SyntaxKind::ATTRIBUTE | SyntaxKind::ATTRIBUTE_SPLAT
            )
        })
}

/// Checks whether a token is output or a comment of a template.
pub(crate) fn is_output(spaced: &SpacedToken) -> bool {
    use SyntaxKind::*;
    matches!(spaced.kind(), EPP_TEXT | EPP_TRIMMED | EPP_COMMENT)
}

fn is_output_of_lines(spaced: &SpacedToken) -> bool {
    is_output(spaced) && spaced.token.text().contains('\n')
}

/// Checks whether a token may precede the first parameter or assignment of a tag on its line.
fn starts_tag(spaced: &SpacedToken) -> bool {
    spaced.kind() == SyntaxKind::EPP_OPEN || is_output(spaced) || is_of_template(spaced)
}

/// Returns the last line of a token.
fn last_line(spaced: &SpacedToken) -> &str {
    let text = spaced.token.text();
    text.rsplit('\n').next().unwrap_or(text)
}

fn start(spaced: &SpacedToken) -> TextSize {
    spaced.token.text_range().start()
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use crate::tests::check;

    #[test]
    fn keeps_the_blocks_of_options_in_one_column() {
        check(
            "case $a {\n  'a','b':   { $x = 1 }\n  'c'    :   { $x = 2 }\n  default:   { $x = 3 }\n}\ncase $a {\n  'a':   { $x = 1 }\n  'bcd': { $x = 2 }\n  'ef': {\n    $x = 3\n  }\n}\ncase $a {\n  'a' : {\n  }\n  'b' : {\n  }\n}\ncase $a {\n  'a'   : { }\n  'bcd' : { }\n}\n",
            &expect![[r#"
                case $a {
                  'a', 'b':   { $x = 1 }
                  'c':        { $x = 2 }
                  default:    { $x = 3 }
                }
                case $a {
                  'a':   { $x = 1 }
                  'bcd': { $x = 2 }
                  'ef': {
                    $x = 3
                  }
                }
                case $a {
                  'a': {
                  }
                  'b': {
                  }
                }
                case $a {
                  'a':   {}
                  'bcd': {}
                }
            "#]],
        );
    }

    #[test]
    fn keeps_the_attributes_after_titles_in_one_column() {
        check(
            "a_config {\n  'a/b':     value => 1;\n  'a/cde' :  value => $x, secret => true;\n  ['b','c']: *     => $y;\n  'a/longer':  value =>\n    2;\n  'a/b/c/d': ensure => absent;\n}\na_config {\n  'a':  value => 1;\n  'bcd': value => 2;\n  'e': value => 3;\n}\na { 'b':   c => 1; 'd': c => 2 }\na { 'b':\n  c => 1;\n  'd':    c => 2;\n  'ef':   c => 3;\n}\n",
            &expect![[r#"
                a_config {
                  'a/b':      value => 1;
                  'a/cde':    value => $x, secret => true;
                  ['b', 'c']: * => $y;
                  'a/longer': value => 2;
                  'a/b/c/d':  ensure => absent;
                }
                a_config {
                  'a': value => 1;
                  'bcd': value => 2;
                  'e': value => 3;
                }
                a { 'b': c => 1; 'd': c => 2 }
                a { 'b':
                  c => 1;
                  'd':    c => 2;
                  'ef':   c => 3;
                }
            "#]],
        );
    }

    #[test]
    fn leaves_no_blanks_where_nothing_is_aligned() {
        check(
            "class a (\n  Integer $c  = 3,\n  Array $stats= ['a'],\n) {\n  $x  = 1\n  include b\n  $yy = 2\n  # c\n  $zzz   = {\n    d => 1,\n  }\n\n  $vvvvv = 3\n}\n",
            &expect![[r#"
                class a (
                  Integer $c = 3,
                  Array $stats = ['a'],
                ) {
                  $x = 1
                  include b
                  $yy = 2
                  # c
                  $zzz   = {
                    d => 1,
                  }

                  $vvvvv = 3
                }
            "#]],
        );
    }

    #[test]
    fn aligns_one_that_is_a_column_off() {
        check(
            "class a (\n  $repo   = undef,\n  $resource = undef,\n  $ldap     = false,\n  $last    = 1,\n) {}\n",
            &expect![[r#"
                class a (
                  $repo     = undef,
                  $resource = undef,
                  $ldap     = false,
                  $last     = 1,
                ) {}
            "#]],
        );
    }

    #[test]
    fn aligns_all_parameters_if_most_are() {
        check(
            "class a (\n  String[ 1] $service_name = 'thing',\n  Boolean   $manage       = true,\n) {}\nclass b (\n  String[1]         $name   = 'b', Integer[1, 65535]   $port = 8080,\n  Boolean           $manage=true,\n  Array             $long_list_of_names = [],\n  Optional[String]  $c      = undef,\n  Boolean           $d      = true,\n  Boolean           $e      = true,\n  Boolean           $f      = true,\n) {}\n",
            &expect![[r#"
                class a (
                  String[1] $service_name = 'thing',
                  Boolean   $manage       = true,
                ) {}
                class b (
                  String[1]         $name   = 'b',
                  Integer[1, 65535] $port   = 8080,
                  Boolean           $manage = true,
                  Array             $long_list_of_names = [],
                  Optional[String]  $c      = undef,
                  Boolean           $d      = true,
                  Boolean           $e      = true,
                  Boolean           $f      = true,
                ) {}
            "#]],
        );
    }
}
