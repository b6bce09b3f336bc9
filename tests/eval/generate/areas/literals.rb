# frozen_string_literal: true

module EvalCases
  # Numbers, strings, heredocs, interpolation.
  class Literals < Area
    named 'literals'
    COUNT = 800
    ESCAPES = ['\\\\', '\\n', '\\t', '\\r', '\\s', '\\"', "\\'", '\\$', '\\u00e9', '\\u{1F600}', '\\u{e9}', '\\x', '\\0', '\\a', '\\e', '\\q', '\\u12', '\\u{}', '\\u{1234567}', '\\b', '\\z', '\\u0041', '$', '$$', '{', '}', '%', '#', "\\\n"].freeze
    NUMBERS = %w[0 1 007 0x1F 0XaB 08 0x 1.5 1. .5 1e5 1E5 1e-5 1e+5 1.5e3 1.e5 0.0 -0.0 00 0777 0o17 0b1 1_000 9223372036854775807 9223372036854775808 0x7fffffffffffffff 0x8000000000000000
                 1e308 1e309 0777777777777777777777 01777777777777777777777 1.0e-400 123456789012345678901234567890 1.23456789012345678901 4.9e-324 100000000000000000.0 1e22 1e23 1.0E10 0.1e1 00.5 0x1.5 012.5].freeze

    def one
      case rand(8)
      when 0 then pick(["#{pick(NUMBERS)}", "-#{pick(NUMBERS)}", "[#{pick(NUMBERS)}, #{pick(NUMBERS)}]", "\"${#{pick(NUMBERS)}}\"", "\"x${(#{pick(NUMBERS)})}\"", "String(#{pick(NUMBERS)})"])
      when 1, 2 then "\"#{times(1, 4) { chance(70) ? pick(ESCAPES) : pick(%w[a b é x1]) }.join}\""
      when 3 then "'#{times(1, 4) { pick(['\\\\', "\\'", '\\n', '\\q', 'a', '"', '$x', '${x}', "\n", '\\']) }.join}'"
      when 4, 5 then interpolation
      when 6 then heredoc
      else words
      end
    end

    private

    def interpolation
      setup = "$x = #{value(1)}\n$h = {'a' => [1, {'b' => 'c'}], 'key' => #{value(0)}}\n$a = #{array}\n"
      inner = pick(['$x', '${x}', '${$x}', '$x[0]', '${x[0]}', '${h[a]}', "${h['a'][1]['b']}", '${x.type}', '${$x.type}', '${x + 1}', '${$x + 1}', '${[1, 2]}', '${{a => 1}}', '${undef}', '${true}', '${1}', '${1 + 2}', '${"in $x"}',
                    "${'a'}", '${a[0]}', '${$a[-1]}', '${a.size}', '$h[a]', '${h}', '$x.y', '$x::y', '${Integer[1, 2]}', '${/re/}', '${default}', '$', '${}', '${x ? { 1 => 2, default => 3 }}', '${if true { 1 }}', '${::x}', '$::x', '${x}${a}', '-$x-', '\\${x}', '$x$a',
                    '${[$x].map |$y| { $y }}', '${key}', '${Sensitive(1)}', '${Timespan(5)}', "${SemVer('1.2.3')}", "${Binary('YWJj')}", '${1.5}', '${1e20}', '${[undef, default, 1.0, "q"]}', "${size('abc')}", '${type(1)}', '${$h[key]}', '${x[0, 1]}', '${h.keys}'])
      "#{setup}\"#{chance(50) ? 'pre ' : ''}#{inner}#{chance(50) ? ' post' : ''}\""
    end

    def heredoc
      tag = pick(['E', '"E"', 'E/', 'E/t', 'E/n', '"E"/tn$', '"E"/L', 'E/L', '"E"/', 'E:text', 'E/u', '"E"/s', ' "E" ', '"E":x/$', 'E/q'])
      lines = times(0, 4) { "#{pick(['', '  ', '    ', "\t"])}#{pick(['a', 'b\\tc', '$x', '${x}', 'd\\', 'x\\n', '', '\\\\', '\\u0041', '\\$x', "q'r", '"s"', '${[1, 2]}', '\\q', '\\L', 'x | y'])}" }
      close = pick(['E', '| E', '- E', '|- E', '|-E', '  | E', '  |- E', '    E', '  - E'])
      after = pick(['', '', '.size', '[0]', '[0, 2]', ' + 1', ' =~ /a/', ' == "a"', '.upcase'])
      "$x = #{pick(["'v'", '1', '[1, 2]'])}\n$t = @(#{tag})#{after}\n#{lines.map { |l| "#{l}\n" }.join}#{close}\n$t"
    end

    def words
      pick([pick(%w[foo foo::bar ::foo foo-bar _x a1 default undef true Foo Foo::Bar ::Foo if class type attr private plan]),
            "{#{pick(%w[a b::c 1 'x y' true undef default Integer /r/ [1] {} a-b type class])} => #{value(0)}, #{pick(%w[a b 1 'a' 1.0 true])} => 2}",
            "[#{times(0, 3) { pick(['1', 'a', 'b => 1', "'k' => 2", '*[1, 2]', '*{a => 1}', '*undef', '*3', "*'ab'", 'undef', '[1]']) }.join(', ')}#{pick(['', ','])}]",
            "{ a => #{value(1)},\n  b => #{value(1)}#{pick(['', ','])} }", "[[#{value}], { 'x' => #{value} }]", pick(Values::REGEXES), '/a\\/b/', '/[\\/]/', "/a\n/", '/\\n\\t/', "{ 'a' => 1 } + { 'b' => 2 }", "[1, 2,\n 3]", "1\n2", "1; 2", "'a' 'b'", '{}', "# c\n1", "1 # c", "/* c */ 1",
            'type', "$x = {'a' => 1}\n$x", "$x = default\n$x", '::x', '$::{x}', '*[1]', '**[1]', '[*[*[1]]]', '(1)', '((1))', '()', '(1, 2)', '[1 2]', "{'a' 1}", '{1 => 2, 1 => 3}', "{'a' => 1, a => 2}", '{1 => 1, 1.0 => 2}', '{undef => 1}', "{'x' => 1, \"x\" => 2}"])
    end
  end
end
