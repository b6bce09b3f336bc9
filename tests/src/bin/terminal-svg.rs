//! Renders terminal output: escape sequences on stdin, an SVG on stdout.

use std::io::{self, Read, Write};

use anstyle_svg::Term;

fn main() -> io::Result<()> {
    let mut printed = String::new();
    io::stdin().read_to_string(&mut printed)?;
    // With a background of its own, it is legible on light and dark pages.
    let svg = Term::new().render_svg(&printed);
    io::stdout().write_all(svg.as_bytes())
}
