//! temporary
use std::time::Instant;
fn main() {
    let mut texts = Vec::new();
    for p in std::io::stdin().lines().map_while(Result::ok) { if let Ok(t) = std::fs::read_to_string(&p) { texts.push((p.ends_with(".epp"), t)); } }
    let bytes: usize = texts.iter().map(|t| t.1.len()).sum();
    for _ in 0..1 {
        let t = Instant::now();
        let mut n = 0;
        for (epp, s) in &texts { n += syntax::lexer::lex(s, syntax::Dialect{epp:*epp, tasks:false}).tokens.len(); }
        let a = t.elapsed();
        let t = Instant::now();
        for (epp, s) in &texts { let p = syntax::parse(s, syntax::Dialect{epp:*epp, tasks:false}); n += p.errors().len(); }
        let b = t.elapsed();
        println!("lex {:.1} MB/s parse {:.1} MB/s {n}", bytes as f64/1e6/a.as_secs_f64(), bytes as f64/1e6/b.as_secs_f64());
    }
}
