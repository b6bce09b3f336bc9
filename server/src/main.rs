//! `pupil`: the command line and the language server.

fn main() {}
