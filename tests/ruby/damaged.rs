//! Any source gets an answer: random text, and real code with random damage.

use analysis::ruby;
use proptest::prelude::*;
use pupil_tests::work::Work;

/// The maximum work of all queries per byte. A step of the parser is one report of its progress.
const MAX_WORK: Work = Work {
    allocations: 20,
    allocated: 2_000,
    syntax_steps: 2,
};

/// The size of a source whose work equals that of an empty one.
const OVERHEAD: usize = 20_000;

/// Runs all queries on a source.
fn run_queries(text: &str) {
    let _ = ruby::functions(text);
    let _ = ruby::resource_types_with(text, &[text]);
    let _ = ruby::facts(text);
    let _ = ruby::data_types(text);
    let _ = ruby::provider(text);
    let _ = ruby::requires(text);
}

/// Ruby as in modules, with every construct that is interpreted.
const SOURCE: &str = r#"# Comment.
require_relative '../x'
LIST = %w[a b].freeze
module Puppet::Parser::Functions
  newfunction(:f, :type => :rvalue, :arity => -2, :doc => <<-'EOS'
    Text
    EOS
  ) { |args| }
end
Puppet::Functions.create_function(:'a::b', Puppet::Functions::InternalFunction) do
  local_types { type 'A = Array[B]' }
  dispatch :one do
    scope_param
    param "Enum['a', \"b\"]", :a
    optional_repeated_param 'Any', :b
    optional_block_param
    return_type 'Integer'
  end
  def b(x, y = { a: [1, -2.5, nil] }, *z) end
end
Puppet::Type.newtype(:t) do
  @doc = "a #{LIST} b" 'c' + <<~DOC
    margin
  DOC
  ensurable do
    defaultvalues
    defaultto { :present }
  end
  def self.newcheck(name, options = {}, &block)
    newparam(name, options, &block)
  end
  LIST.each { |n| newproperty(n, array_matching: :all) { newvalues(:x, /y/i) } }
  { a: 1, "b": 2 }.each_pair do |(k, v), w|
    newcheck("x_#{k}".to_sym, parent: Puppet::Parameter::Boolean) if w
  end
  newparam(:name, :namevar => true) { isnamevar; include X }
  autorequire(:file) { [self[:x]] }
end
Facter.add(:x) { setcode { 'y' } }
Puppet::Type.type(:t).provide(:p, parent: X) { commands :a => 'b' }
Puppet::ResourceApi.register_type({ name: 'r', attributes: { a: { type: 'String', behaviour: :namevar } } })
"#;

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn reads_damaged_files(
        cuts in proptest::collection::vec((0..SOURCE.len(), 0..40_usize, ".{0,6}"), 0..8)
    ) {
        let mut text = SOURCE.to_owned();
        for (at, length, new) in cuts {
            let start = text.floor_char_boundary(at.min(text.len()));
            let end = text.floor_char_boundary((start + length).min(text.len()));
            text.replace_range(start..end, &new);
        }
        run_queries(&text);
    }

    #[test]
    fn reads_random_text(text in "(\\PC|\n){0,300}") {
        run_queries(&text);
    }
}

#[test]
fn reads_the_intact_file() {
    assert_eq!(ruby::functions(SOURCE).len(), 2);
    let types = ruby::resource_types(SOURCE);
    let names: Vec<_> = types
        .iter()
        .flat_map(|it| &it.attributes)
        .map(|it| it.name.as_str())
        .collect();
    assert_eq!(names, ["ensure", "a", "b", "name", "a"]);
    assert_eq!(ruby::facts(SOURCE).facts.len(), 1);
    assert_eq!(
        ruby::provider(SOURCE),
        Some(("t".to_owned(), "p".to_owned()))
    );
}

#[test]
fn reads_deep_and_large_files_within_limits() {
    for unit in [
        "[",
        "(",
        "{",
        "do ",
        "if x\n",
        "\"#{",
        "<<A\n",
        "%w[",
        "foo bar ",
        "f.a { ",
        "a = ",
        "x ? y : ",
        "\0\u{1}",
        "def f(",
        "-",
        "'",
        "class A\n",
        "[].each { |x| ",
    ] {
        for source in [
            unit.repeat(100_000 / unit.len()),
            format!(
                "Puppet::Type.newtype(:x) do\n{}",
                unit.repeat(20_000 / unit.len())
            ),
        ] {
            let ((), work) = Work::of(|| run_queries(&source));
            work.assert_linear(unit, source.len() + OVERHEAD, MAX_WORK);
        }
    }
    // Exceeds the size limit.
    let large = "x = 1\n".repeat(50_000_000 / 6);
    run_queries(&large);
}
