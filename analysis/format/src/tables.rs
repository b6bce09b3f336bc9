//! Keeps the columns of consecutive lines of the same form, such as entries of a list or conditions, if the source
//! aligns them.
//!
//! The lines have to be of the same kinds of tokens up to the column. Braces and brackets are not cells: the style guide
//! wants one blank before them.

use syntax::SyntaxKind::{self, *};

use crate::lines::Lines;
use crate::spaced_tokens::{SpacedToken, width};

/// A line of code that the layout keeps.
struct Row {
    /// The tokens that may be cells or come before one.
    cells: Vec<usize>,
    /// Whether the line before it is a row, apart from comments.
    follows_row: bool,
    /// The column after the last token that was compared, in the source and in the layout.
    old: usize,
    new: usize,
    /// The next token to measure.
    next: usize,
}

impl Row {
    /// Measures the tokens before a cell.
    fn measure(&mut self, cell: usize, tokens: &[SpacedToken], text: &str, blanks: &[usize]) {
        while self.next < cell {
            let token = width(tokens[self.next].token.text());
            self.old += token;
            self.new += token;
            self.next += 1;
            if self.next < cell {
                self.old += width(&text[tokens[self.next].gap]);
                self.new += blanks[self.next];
            }
        }
    }

    /// Continues after a cell has its place.
    fn pass(&mut self, cell: usize, tokens: &[SpacedToken], text: &str, blanks: &[usize]) {
        self.old += width(&text[tokens[cell].gap]);
        self.new += blanks[cell];
    }
}

/// Adjusts the blanks before each token that the source aligns with those of the lines above and below it.
pub(crate) fn align(
    tokens: &[SpacedToken],
    text: &str,
    lines: &Lines<'_>,
    is_placed: impl Fn(usize) -> bool,
    blanks: &mut [usize],
) {
    let mut rows = rows(tokens, text, lines);
    for table in rows.chunk_by_mut(|_, it| it.follows_row) {
        align_table(table, tokens, text, &is_placed, blanks);
    }
}

fn align_table(
    table: &mut [Row],
    tokens: &[SpacedToken],
    text: &str,
    is_placed: &impl Fn(usize) -> bool,
    blanks: &mut [usize],
) {
    let kind = |row: &Row, cell: usize| row.cells.get(cell).map(|it| class(tokens[*it].kind()));
    // The lines that have had the same form as the ones before them so far.
    let mut like: Vec<usize> = (1..table.len()).collect();
    like.retain(|it| kind(&table[it - 1], 0) == kind(&table[*it], 0));
    for cell in 1.. {
        like.retain(|it| {
            let found = kind(&table[*it], cell);
            found.is_some() && kind(&table[it - 1], cell) == found
        });
        if like.is_empty() {
            return;
        }
        let mut active: Vec<usize> = like.iter().flat_map(|it| [it - 1, *it]).collect();
        active.dedup();
        for index in &active {
            let row = &mut table[*index];
            let token = row.cells[cell];
            row.measure(token, tokens, text, blanks);
        }
        let gap = |row: &Row| width(&text[tokens[row.cells[cell]].gap]);
        let is_aligned = |a: &usize, b: &usize| {
            like.binary_search(b).is_ok()
                && table[*a].old + gap(&table[*a]) == table[*b].old + gap(&table[*b])
        };
        for group in active.chunk_by(is_aligned) {
            let mut gaps = group.iter().map(|it| gap(&table[*it]));
            let first = table[group[0]].cells[cell];
            let is_table = group.len() > 1
                && gaps.clone().any(|it| it > 1)
                && gaps.all(|it| it > 0)
                && is_cell(tokens[first].kind())
                && !group.iter().any(|it| is_placed(table[*it].cells[cell]));
            let end = group.iter().map(|it| table[*it].new).max();
            for row in group.iter().filter(|_| is_table).map(|it| &table[*it]) {
                blanks[row.cells[cell]] = end.unwrap_or_default() + 1 - row.new;
            }
        }
        for index in active {
            let row = &mut table[index];
            let token = row.cells[cell];
            row.pass(token, tokens, text, blanks);
        }
    }
}

/// Returns the lines that the layout neither breaks nor joins, up to the first token that spans lines.
fn rows(tokens: &[SpacedToken], text: &str, lines: &Lines<'_>) -> Vec<Row> {
    let numbers = lines.numbers();
    let mut found = Vec::new();
    let mut start = 0;
    let mut follows_row = false;
    while start < tokens.len() {
        let line = numbers[start];
        let end = start + numbers[start..].partition_point(|it| *it == line);
        let of_line = &tokens[start..end];
        let gap = &text[of_line[0].gap];
        follows_row &= gap.matches('\n').count() < 2;
        if of_line.iter().all(|it| it.kind() == LINE_COMMENT) {
            start = end;
            continue;
        }
        let is_kept = of_line[0].starts_line && !of_line[1..].iter().any(|it| it.starts_line);
        let is_row = is_kept && !of_line.iter().any(|it| it.is_in_heredoc);
        if is_row {
            let one_line = of_line
                .iter()
                .take_while(|it| !it.token.text().contains('\n'));
            let one_line = start..start + one_line.count();
            let is_code = |it: &usize| {
                let spaced = &tokens[*it];
                !spaced.has_significant_gap && !spaced.kind().is_comment()
            };
            found.push(Row {
                cells: one_line.filter(is_code).collect(),
                follows_row,
                old: 0,
                new: 0,
                next: start,
            });
        }
        follows_row = is_row;
        start = end;
    }
    found
}

/// Returns a kind that stands for all values, and each other kind as it is.
fn class(kind: SyntaxKind) -> SyntaxKind {
    match kind {
        NUMBER | WORD | VARIABLE | SINGLE_QUOTED | DOUBLE_QUOTED | STRING_OPEN | REGEX
        | TRUE_KW | FALSE_KW | UNDEF_KW | DEFAULT_KW => NAME,
        other => other,
    }
}

/// Checks whether authors may align a token.
fn is_cell(kind: SyntaxKind) -> bool {
    !matches!(
        kind,
        L_BRACE
            | SELECTOR_BRACE
            | R_BRACE
            | L_BRACK
            | LIST_START
            | R_BRACK
            | L_PAREN
            | WS_L_PAREN
            | R_PAREN
            | COMMA
            | SEMICOLON
            | COLON
            | DOT
    )
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use crate::tests::check;

    #[test]
    fn keeps_the_columns_of_tables() {
        check(
            "$a = [\n  { 'option'     => 'x' },\n  # b\n  { 'http-check' =>   'y' },\n]\nA['x::end']    ~> B['y']\nA['xyz::end']  ~> B['z']\n$b = {\n  'a' => { 'x' => 1,   'yy' => \"a${b}\" },\n  'bbbb' => { 'x' => 111, 'yy' => 2 },\n}\n",
            &expect![[r#"
                $a = [
                  { 'option'     => 'x' },
                  # b
                  { 'http-check' => 'y' },
                ]
                A['x::end']   ~> B['y']
                A['xyz::end'] ~> B['z']
                $b = {
                  'a'    => { 'x' => 1, 'yy' => "a${b}" },
                  'bbbb' => { 'x' => 111, 'yy' => 2 },
                }
            "#]],
        );
    }

    #[test]
    fn leaves_other_lines_alone() {
        check(
            "$a = [\n  { 'b'   => 'x' },\n\n  { 'ccc' => 'y' },\n]\nA['b']   -> B['y']\nnotice   ('z')\nunless $a   { fail('a') }\nunless $bcd { fail('b') }\n",
            &expect![[r#"
                $a = [
                  { 'b' => 'x' },

                  { 'ccc' => 'y' },
                ]
                A['b'] -> B['y']
                notice('z')
                unless $a { fail('a') }
                unless $bcd { fail('b') }
            "#]],
        );
    }
}
