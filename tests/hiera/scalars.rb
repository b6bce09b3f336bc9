# frozen_string_literal: true

require 'puppet'

# The forms of YAML scalars, and how Ruby's Psych reads them for Puppet.
module HieraCases
  PLAIN = %w[
    yes no on off true false null ~ y n Y N Yes NO
    On OFF True FALSE Null NULL nil none .inf -.inf +.inf .Inf .NaN .nan
    - . .. + -- 0 -0 +0 00 01 010 -010 08 09
    0o7 0x0 0xFF 0XFF 0xg 0b1 0b2 0B1 1_000 1__0 _1 1_ 1, 1,000
    1,00,0 ,1 12:30 12:30:00 1:60 1:5 -1:30 1:30.5 12:30:45.5 190:20:30 1:2:3:4 1. .5 1.5
    -1.5 +1.5 1.5e3 1.5e+3 1e3 1e+3 1.e+3 .e+3 1_0.5 1,0.5 1.5_0 1.2.3 1.2.3.4 10.0.0.1
    2001-01-01 2001-1-1 2001-13-01 2001-01-32 01-01-2001 2001-01-01T10:00:00Z 2001-12-14t21:59:43.10-05:00 2001-01-01T10:00 10:00 :sym :"a" :: ::a a:b
    a::b foo#bar 9223372036854775807 9223372036854775808 -9223372036854775808 1e 0. -. -.5 +.5e-2 0777 0o777 0755 "0755"
    1.10 3.0 1.0e10 6.02e23 6.02e+23 = << <<x @x
  ].freeze

  TAGGED = ['!!int 5', '!!int "5"', '!!int 010', '!!int x', '!!float 5', '!!float 5.5', '!!float x', '! 5', '! "5"', '!foo 5',
            '!foo "5"', '!!binary aGk=', '!ruby/sym a', '!ruby/symbol a', '!ruby/object:Foo {}', '!ruby/regexp /a/',
            '!!set {a, b}', '!!omap [a: 1]', '!!null x', '!!bool yes', '!!bool "yes"', '!!timestamp 2001-01-01', '!str 5',
            '!!seq [1]', '!!map {a: 1}', '!<tag:yaml.org,2002:str> 5', '!!str', '!'].freeze

  STRUCTURED = ['"a\\tb"', '"a\\nb"', '"\\x41"', '"\\u00e9"', '"\\e"', "'it''s'", '"a\\\n  b"', "a\n  b", "\"a\n  b\"", "\"a\nb\"",
                "'a\nb\n\nc'", "|\n  a\n  b\n", ">\n  a\n  b\n", "|-\n  a\n", "|+\n  a\n\n", ">-\n  a\n\n  b\n", "|2\n    a\n",
                ">\n  a\n    b\n  c\n", "|\n  yes\n", '&a [1, *b]', '&a x', '{a: &x 1, b: *x}', '[1, 2,]', '[a, b c, "d"]',
                '{a: 1, a: 2}', '{? a : 1}', '{a, b: 1}', '[{a: 1}, [2]]', '{1: a, 1.5: b}', '{:s: 1}', '[]', '{}', '',
                '# c', 'a # c', 'a#c', 'a: b', '[a', '{a', '"a', '*nope', '%x', '`x', '@x', '- a', '{a:1}', '{"a":1}',
                '[a: 1]', 'é', '日本', '{<<: {a: 1}, b: 2}', '{a: 0, <<: {a: 1}}', '{<<: [{a: 1}, {a: 2, b: 3}]}', '{<<: x}',
                "\n  - a\n  - b\n", "\n- a\n- b\n", "\n  a: 1\n  b:\n    - c\n", "\n  a: 1\n b: 2\n", 'x y: z',
                'http://a.b/c', '[:s]', ':default', '{a: :b}', '{yes: 1}', '{~: 1}', '&a [*a]'].freeze

  LETTERS = '0123456789._,:-+eExb~yno'.chars.freeze

  module_function

  # All forms, with random ones.
  def scalars
    random = Random.new(1)
    quoted = PLAIN.reject { |it| it.match?(/['"\\]/) }.flat_map { |it| ["'#{it}'", "\"#{it}\""] }
    made = Array.new(500) { Array.new(random.rand(1..7)) { LETTERS.sample(random: random) }.join }
    (PLAIN + quoted + TAGGED + PLAIN.first(60).map { |it| "!!str #{it}" } + STRUCTURED + made).uniq
  end

  # The value of `x: TEXT` as Puppet source, or that it fails.
  def read(text)
    hash = Puppet::Util::Yaml.safe_load("x: #{text}\n", [Symbol])
    value = Puppet::Pops::Lookup::HieraConfig.symkeys_to_string(hash)['x']
    rich = Puppet::Pops::Types::TypeParser.singleton.parse('RichData')
    return { 'fails' => true } unless rich.instance?(value)

    { 'value' => Puppet::Pops::Types::StringConverter.convert(value, '%p') }
  rescue StandardError, SystemStackError
    { 'fails' => true }
  end
end
