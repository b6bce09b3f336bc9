use super::*;

fn with_helpers(body: &str, helpers: &[&str]) -> ResourceType {
    let text = format!("Puppet::Type.newtype(:x) do\n{body}\nend");
    let mut found = resource_types_with(&text, helpers);
    assert_eq!(found.len(), 1, "{found:?}");
    found.remove(0)
}

fn with(body: &str) -> ResourceType {
    with_helpers(body, &[])
}

/// Formats `name=values|/patterns/` with flags: `!` closed, `*` namevar, `+` required.
fn brief(type_: &ResourceType) -> String {
    let attributes = type_.attributes.iter().map(|it| {
        let patterns = it.patterns.iter().map(|it| format!("/{it}/"));
        let values: Vec<_> = it.values.iter().cloned().chain(patterns).collect();
        let kind = match it.kind {
            AttributeKind::Property => "p:",
            AttributeKind::Check => "c:",
            _ => "",
        };
        let marks = [(it.namevar, "*"), (it.required, "+"), (it.closed, "!")];
        let marks: String = marks.iter().filter(|it| it.0).map(|it| it.1).collect();
        let default = it.default.as_deref().map(|it| format!("({it})"));
        let default = default.unwrap_or_default();
        format!("{kind}{}={}{marks}{default}", it.name, values.join("|"))
    });
    let attributes: Vec<_> = attributes.collect();
    let rest = if type_.complete { "" } else { " ..." };
    format!("{}{rest}", attributes.join(" "))
}

fn attributes(body: &str) -> String {
    brief(&with(body))
}

#[test]
fn extracts_kinds_values_and_defaults() {
    let text = "
# Comment.
Puppet::Type.newtype(:Host_x) do
  @doc = <<-EOT
    @summary Hosts.

    Manages hosts.
      - indented
  EOT
  ensurable
  newparam :name, :namevar => true do
    desc 'The name.'
  end
  newproperty(:ip, :required_features => [:a, 'B']) do
    desc \"The address,
      of course.\"
    newvalues(:v4, 'v6', /^\\d+$/)
    aliasvalue(:old, :v4)
    defaultto :v4
  end
  newparam(:force, boolean: true, parent: Puppet::Parameter::Boolean) { defaultto { false } }
  newparam(:checked) do
    newvalues :a
    validate { |value| }
    isrequired
  end
  newproperty(:list, array_matching: :all) { defaultto ['a', 1] }
  def self.title_patterns; [] end
  autorequire(:User) { [] }
  autobefore(:file) { [] }
  provide(:b) { }
  provide :a
  validate { fail 'no' }
  feature :a, 'x'
end
";
    let found = resource_types(text);
    let [type_] = found.as_slice() else {
        panic!("{found:?}")
    };
    assert_eq!(type_.name, "host_x");
    assert_eq!(
        brief(type_),
        "p:ensure=present|absent! name=* p:ip=v4|v6|old|/^\\d+$/!(v4) \
         force=true|false|yes|no!(false) checked=a+ p:list=(['a', 1])"
    );
    assert_eq!(type_.doc.text, "Manages hosts.\n  - indented");
    assert_eq!(type_.attributes[2].doc.text, "The address,\nof course.");
    assert_eq!(type_.attributes[2].required_features, ["a", "b"]);
    assert_eq!(&text[type_.attributes[2].name_range], "ip");
    assert!(type_.title_patterns);
    assert_eq!(type_.autorequires, ["user"]);
    assert_eq!(type_.providers, ["a", "b"]);
}

#[test]
fn detects_ensurable_types() {
    assert_eq!(attributes("ensurable"), "p:ensure=present|absent!");
    assert_eq!(
        attributes("ensurable do\n defaultvalues\n defaultto :present\nend"),
        "p:ensure=present|absent!(present)"
    );
    assert_eq!(
        attributes("ensurable do\n newvalue(:latest) { x }\n newvalue(:absent)\nend"),
        "p:ensure=latest|absent!"
    );
    assert_eq!(
        attributes("def exists?; end\ndef create; end\ndef destroy; end"),
        "p:ensure=present|absent!"
    );
    assert_eq!(attributes("def create; end"), "");
}

#[test]
fn unrolls_loops_over_known_lists() {
    assert_eq!(
        attributes("[:a, 'b'].each do |n|\n newproperty(n) { desc n.to_s }\nend"),
        "p:a= p:b="
    );
    assert_eq!(
        attributes("L = %i[a b].freeze\nL.each { |n| newparam(n) }"),
        "a= b="
    );
    assert_eq!(
        attributes("{ a: 'A', b: 'B' }.each_pair { |n, d| newparam(n) { desc d } }"),
        "a= b="
    );
    assert_eq!(
        attributes("%w[a b].each { |n| newparam(\"x_#{n}\") }"),
        "x_a= x_b="
    );
    let type_ = with("{ a: 'A' }.each { |n, d| newparam(n) { desc d } }");
    assert_eq!(type_.attributes[0].doc.text, "A");
    assert_eq!(
        attributes("names = [:a]\nnames << :b if x\nnames.each { |n| newparam(n) }"),
        " ..."
    );
    assert_eq!(attributes("compute.each { |n| newparam(n) }"), " ...");
    // Code that runs for each resource is irrelevant.
    assert_eq!(
        attributes("validate { compute.each { |n| newparam(n) } }"),
        ""
    );
}

#[test]
fn unknown_code_makes_a_type_incomplete() {
    assert_eq!(attributes("newparam(name)"), " ...");
    assert_eq!(attributes("newparam(:a) if x"), " ...");
    assert_eq!(
        attributes("if x\n newparam(:a)\nend\nnewparam(:b)"),
        "b= ..."
    );
    assert_eq!(attributes("newparam(:a, options) { newvalues(:b) }"), "a=b");
    assert_eq!(
        attributes("newparam(:a, **options) { newvalues(:b) }"),
        "a=b"
    );
    assert_eq!(attributes("include Some::Module"), " ...");
    let twice = "if x\n Puppet::Type.newtype(:x) { }\nelse\n Puppet::Type.newtype(:x) { }\nend";
    assert!(resource_types(twice).iter().all(|it| !it.complete));
    assert_eq!(attributes("include Puppet::Util"), "");
    assert_eq!(attributes("instance_eval(text)"), " ...");
    assert_eq!(attributes("newparam(:a"), " ...");
    assert_eq!(attributes("begin\n newparam(:a)\nrescue\n x\nend"), "a=");
    assert_eq!(attributes("warning('x') if x"), "");
    assert_eq!(attributes("Some::Helper.apply(self)"), " ...");
    assert_eq!(attributes("Some::Helper.apply(:a)"), "");
}

#[test]
fn unknown_values_leave_the_list_open() {
    assert_eq!(attributes("newparam(:a) { newvalues(:b, c) }"), "a=b");
    assert_eq!(attributes("newparam(:a) { newvalues(*L) }"), "a=");
    assert_eq!(
        attributes("L = [:b, :c]\nnewparam(:a) { newvalues(*L) }"),
        "a=b|c!"
    );
    assert_eq!(
        attributes("newparam(:a, parent: Own) { newvalues(:b) }"),
        "a=b"
    );
    assert_eq!(
        attributes("newparam(:a) do\n newvalues(:b)\n newvalues(:c) if x\nend"),
        "a=b"
    );
    assert_eq!(
        attributes("newparam(:a) do\n newvalues(:b)\n defaultto { x ? :b : :c }\nend"),
        "a=b!"
    );
}

#[test]
fn interprets_methods_and_modules_of_the_file() {
    assert_eq!(
        attributes(
            "def self.newcheck(name, options = {}, &block)\n check = newparam(name, options, &block)\nend\n\
             newcheck(:a) do\n newvalues(:b)\nend"
        ),
        "a=b!"
    );
    let helper = "
module X
  module Ini
    def create_parameters
      ensurable
      newparam(:name, namevar: true)
    end
  end
  module Hooked
    def self.included(base)
      base.class_eval do
        newparam(:more)
      end
    end
  end
  module Checked
    def self.included(klass)
      klass.class_eval { validate { |it| } }
    end
  end
end
Puppet::Type.newtype(:other) { }
";
    let helped = |body: &str| brief(&with_helpers(body, &[helper]));
    assert_eq!(
        helped("extend X::Ini\ncreate_parameters"),
        "p:ensure=present|absent! name=*"
    );
    assert_eq!(helped("include X::Hooked"), "more=");
    assert_eq!(
        helped("newparam(:a) do\n newvalues(:b)\n include X::Checked\nend"),
        "a=b"
    );
    assert_eq!(attributes("extend X::Ini\ncreate_parameters"), " ...");
    // Recursive methods terminate.
    assert!(!with("def self.f(x)\n newparam(:a)\n f(x)\nend\nf(1)").complete);
}

#[test]
fn handles_arbitrary_input() {
    for text in [
        "",
        "\0\u{feff}",
        "Puppet::Type.newtype",
        "Puppet::Type.newtype(:x",
    ] {
        assert!(resource_types(text).len() <= 1);
    }
    let deep = "[".repeat(100_000) + "Puppet::Type.newtype(:x) do ".repeat(5000).as_str();
    assert!(resource_types(&deep).len() <= 1);
    assert_eq!(resource_types(&"x\n".repeat(super::super::MAX_BYTES)), []);
}

#[test]
fn understands_conversions_of_munge_blocks() {
    let accepted = |body: &str| {
        let type_ = with(&format!("newproperty(:ttl) do\n{body}\nend"));
        type_.attributes[0]
            .accepts
            .as_ref()
            .is_some_and(|it| it.type_.contains("Numeric"))
    };
    for body in [
        "munge do |value|\nInteger(value)\nend",
        "munge { |v| Float(v) }",
        "desc 'x'\nmunge do |value|\n# A comment.\nInteger(value)\nend",
    ] {
        assert!(accepted(body), "{body}");
    }
    for body in [
        "munge do |value|\nvalue.to_i\nend",
        "munge do |value|\nInteger(value) rescue value\nend",
        "munge do |value|\nreturn 1 if value == 'max'\nInteger(value)\nend",
        "munge do |value|\nInteger(value.to_s.strip)\nend",
        "munge do |value|\nInteger(value, 16)\nend",
        "validate do |value|\nraise 'x' unless value =~ /a/\nend\nmunge do |value|\nInteger(value)\nend",
    ] {
        assert!(!accepted(body), "{body}");
    }
}

#[test]
fn understands_checks_of_validate_blocks() {
    let accepted = |check: &str| {
        let type_ = with(&format!(
            "newparam(:path) do\nvalidate do |value|\n{check}\nend\nend"
        ));
        type_.attributes[0].accepts.clone()
    };
    for check in [
        "unless Puppet::Util.absolute_path?(value)\nraise Puppet::Error, 'x'\nend",
        "raise ArgumentError, 'x' unless absolute_path? value",
        "path = Pathname.new(value)\nunless path.absolute?\nraise ArgumentError, 'x'\nend",
        "fail('x') if !Pathname.new(value).absolute?",
        "unless Puppet::Util.absolute_path?(value, :posix) || Puppet::Util.absolute_path?(value, :windows)\n\
         raise 'x'\nend",
    ] {
        let found = accepted(check).and_then(|it| it.description);
        assert_eq!(found.as_deref(), Some("an absolute path"), "{check}");
    }
    let split = with(
        "newparam(:path, namevar: true) do\nvalidate do |value|\nfail 'x' unless value =~ /a/\nend\nend\n\
         def self.title_patterns; [] end",
    );
    assert_eq!(split.attributes[0].accepts, None);
    for check in [
        "raise 'x' unless value =~ %r{^a/b$}",
        "if value !~ %r{^a/b$}\nfail 'x'\nend",
        "raise 'x' unless value.match(/^a\\/b$/)",
    ] {
        let found = accepted(check).map(|it| it.type_);
        assert_eq!(
            found.as_deref(),
            Some(r"Variant[Pattern[/^a\/b$/]]"),
            "{check}"
        );
    }
    for (check, expected) in [
        (
            "x = y\nif m = /a/.match(value)\nz = 1\nelsif value =~ /b/\nz = 2\nelse\nraise 'x'\nend\nw(z)",
            "Variant[Pattern[/a/], Pattern[/b/]]",
        ),
        (
            "unless value =~ URI.regexp(%w[http s3])\nraise 'x'\nend",
            "Variant[Pattern[/(?i:http|s3):/]]",
        ),
        (
            "raise 'x' unless value =~ /a/\nraise 'y' if value.size > 5",
            "Variant[Pattern[/a/]]",
        ),
    ] {
        let found = accepted(check).map(|it| it.type_);
        assert_eq!(found.as_deref(), Some(expected), "{check}");
    }
    for check in [
        "raise 'x' unless value.to_s =~ /a/",
        "raise 'x' unless value !~ /a/",
        "raise 'x' if value =~ /a/",
        "raise 'x' unless value =~ /a/ || other",
        "unless value =~ /a/\nPuppet.warning 'x'\nend",
        "unless value =~ /a/\nraise 'x'\nelse\ny\nend",
        "value = munge(value)\nraise 'x' unless value =~ /a/",
        "return if value == 'x'\nraise 'x' unless value =~ /a/",
    ] {
        assert_eq!(accepted(check), None, "{check}");
    }
}

#[test]
fn extracts_refused_combinations() {
    let type_ = with(
        "ensurable do
           defaultvalues
           defaultto :present
         end
         newparam(:name, namevar: true)
         newparam(:line)
         newparam(:path) { munge { |it| it } }
         newparam(:url)
         newparam(:match)
         validate do
           unless self[:line]
             unless (self[:ensure].to_s == 'absent') && self[:match]
               raise(Puppet::Error, 'line is required')
             end
           end
           raise _('no path') unless self[:path]
           fail 'no url' if self[:url].nil?
           self[:url] = 'a' if self[:match]
           warning('x') if self[:line]
           raise 'other' if self[:line].length < 2
           return if self[:line]
           raise 'never' unless self[:match]
         end",
    );
    let found: Vec<_> = type_
        .refusals
        .iter()
        .map(|it| it.message.as_deref())
        .collect();
    assert_eq!(found, [Some("line is required")]);
    assert_eq!(
        type_.refusals[0].condition.names(),
        ["line", "ensure", "match"]
    );
}
