//! Compares the speed of our lexer and parser with the tree-sitter grammar on the same files, on
//! one core: `cargo bench -p pupil-tests --bench parse [-- ROUNDS]`.

#![expect(clippy::print_stdout, reason = "a command-line program")]

use std::hint::black_box;
use std::process::ExitCode;
use std::time::Instant;

use pupil_tests::corpus;
use syntax::validation::{ValidationContext, validate};
use syntax::{Dialect, lexer};

const ROUNDS: usize = 9;

struct Contender {
    name: &'static str,
    run: Box<dyn FnMut(&str)>,
    /// The seconds for all files, per round.
    seconds: Vec<f64>,
}

impl Contender {
    fn new(name: &'static str, run: impl FnMut(&str) + 'static) -> Contender {
        Contender {
            name,
            run: Box::new(run),
            seconds: Vec::new(),
        }
    }

    fn round(&mut self, texts: &[String]) {
        let start = Instant::now();
        for text in texts {
            (self.run)(text);
        }
        self.seconds.push(start.elapsed().as_secs_f64());
    }

    fn median(&mut self) -> f64 {
        self.seconds.sort_by(f64::total_cmp);
        self.seconds[self.seconds.len() / 2]
    }
}

fn main() -> ExitCode {
    let rounds = std::env::args()
        .find_map(|it| it.parse().ok())
        .unwrap_or(ROUNDS);
    let Ok(files) = corpus::read_all(&corpus::modules_dir()) else {
        println!("no modules in {}", corpus::modules_dir().display());
        return ExitCode::from(2);
    };
    let texts: Vec<String> = files
        .into_iter()
        .filter(|(name, _)| name.ends_with(".pp"))
        .map(|(_, text)| text)
        .collect();
    let mut contenders = contenders();
    for _ in 0..rounds {
        // Rounds are interleaved, so that other load affects all contenders equally.
        for contender in &mut contenders {
            contender.round(&texts);
        }
    }
    report(&mut contenders, &texts, rounds);
    ExitCode::SUCCESS
}

fn contenders() -> Vec<Contender> {
    let dialect = Dialect::default();
    let mut tree_sitter = tree_sitter_parser();
    vec![
        Contender::new("our lexer alone", move |text| {
            black_box(lexer::lex(text, dialect));
        }),
        Contender::new("our parser", move |text| {
            black_box(syntax::parse(text, dialect));
        }),
        Contender::new("our parser and checks", move |text| {
            let parse = syntax::parse(text, dialect);
            black_box(validate(&parse.tree(), &ValidationContext::default()));
        }),
        Contender::new("tree-sitter-puppet", move |text| {
            black_box(tree_sitter.parse(text, None));
        }),
    ]
}

fn tree_sitter_parser() -> tree_sitter::Parser {
    let mut parser = tree_sitter::Parser::new();
    parser
        .set_language(&tree_sitter_puppet::LANGUAGE.into())
        .expect("the versions of the grammar and the library match");
    parser
}

#[expect(clippy::cast_precision_loss, reason = "a few megabytes")]
fn report(contenders: &mut [Contender], texts: &[String], rounds: usize) {
    let bytes: usize = texts.iter().map(String::len).sum();
    println!(
        "{} files, {bytes} bytes, median of {rounds} rounds",
        texts.len()
    );
    let medians: Vec<f64> = contenders.iter_mut().map(Contender::median).collect();
    let theirs = medians.last().copied().unwrap_or(f64::NAN);
    for (contender, median) in contenders.iter().zip(medians) {
        let speed = bytes as f64 / median / 1e6;
        println!(
            "{:24} {speed:8.1} MB/s  {:6.2} times",
            contender.name,
            theirs / median
        );
    }
    let mut parser = tree_sitter_parser();
    let wrong = |text: &&String| {
        let tree = parser.parse(text.as_bytes(), None);
        tree.is_none_or(|it| it.root_node().has_error())
    };
    let theirs = texts.iter().filter(wrong).count();
    let clean = |text: &&String| syntax::parse(text, Dialect::default()).errors().is_empty();
    let ours = texts.len() - texts.iter().filter(clean).count();
    println!("files with errors: ours {ours}, tree-sitter-puppet {theirs}");
}
