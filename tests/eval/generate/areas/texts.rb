# frozen_string_literal: true

module EvalCases
  # Functions over strings.
  class Texts < Area
    named 'texts'
    COUNT = 900
    SIMPLE = %w[upcase downcase capitalize camelcase strip lstrip rstrip chomp chop].freeze
    TEXTS = ['', 'a', 'abc', 'ABC', 'aBc dEf', '  x  ', "x\n", "x\r\n", "\n\n", "\t x\v", 'foo_bar_baz', '_foo', 'foo__bar', 'FOO_BAR', 'éÉ', 'straße', 'ǆ', 'ﬁ', '日本', 'i̇', 'ß', "a\u00a0", "\u3000x", '1abc', 'a1_b2', "x\r", "\u0000a\u0000", 'ÀÉ_ÎÕ', 'Σς', 'ŉ'].freeze

    def one
      case rand(10)
      when 0..2 then "#{pick(SIMPLE)}(#{subject})"
      when 3 then splitting
      when 4, 5 then substituting
      when 6 then matching
      when 7 then versions
      when 8 then printing
      else others
      end
    end

    private

    def double(text)
      inner = text.gsub(/["\\$]/) { |c| "\\#{c}" }.gsub("\n", '\\n').gsub("\r", '\\r').gsub("\t", '\\t')
      "\"#{inner.gsub(/[\u0000\v]/) { |c| format('\\u%04x', c.ord) }}\""
    end

    def text
      double(pick(TEXTS))
    end

    def subject
      case rand(8)
      when 0..3 then text
      when 4 then "[#{times(0, 3) { pick([text, integer, float]) }.join(', ')}]"
      when 5 then "{#{text} => #{text}, 'K' => #{pick([integer, text, "['X', {'Y' => 'z'}]", 'undef'])}}"
      else pick([number, value(1), "#{text}, #{text}", '', "[['A', ['b']], 'C']", '3', 'Integer[1, 3]', "['a', undef]", "['a', ['b']]", "Sensitive('A')", "'ab'.reverse_each"])
      end
    end

    def pattern
      pick(["','", '/,/', "', '", '/\\s+/', "''", '//', "' '", '/ /', "'.'", '/\\./', '/(,)/', '/[,;]/', "'[,;]'", "'('", 'Regexp[/,/]', 'Regexp', '/(?<x>,)/', "'\\\\.'", '/b*/', "'|'", '/$/', '/^/', 'undef', '1', "Regexp(',')", '/(b)(c)?/'])
    end

    def splitting
      "split(#{pick(["'a,b,c'", "'a, b;c'", "''", "' a  b '", "'a.b.c'", "'abc'", "'a,,b,,'", "',a'", text, value, "'a|b'", "'xbcxb'", '"l1\\nl2\\n"', "'日,本'"])}#{", #{pattern}" unless chance(4)})"
    end

    def substituting
      target = pick([text, "'hello world'", "'a.b.c'", "['abc', 'cab']", "'aaa'", "''", value, "'192.168.1.1'", "'Foo'", "['a', 1]", '"l1\\nl2"'])
      pattern = pick(["'a'", '/a/', '/(\\w)(\\w)/', "'l+'", "/[aeiou]/", "'\\\\.'", '/^/', '/$/', "''", '//', "'('", '/(?<n>a)/', 'Regexp[/a/]', 'Regexp', "'A'", '/x*/', '/(a)|(b)/', '1', "'o'", "' (?# c ) o '", "/.$/", "'.'"])
      replacement = pick(["'X'", "''", "'\\\\1'", "'<\\\\0>'", "'\\\\2\\\\1'", "'\\\\k<n>'", "'\\\\\\\\'", "'\\\\9'", "'\\\\&'", "{'a' => '1', 'o' => '0'}", '{}', "\"\\\\`\\\\'\"", '1', "'$1'", "{'l' => 1}", "'\\\\'", "'a\\\\nb'"])
      flags = pick(['', '', '', ", 'G'", ", 'I'", ", 'GI'", ", 'E'", ", 'M'", ', undef', ", ''", ", 'X'", ", 'GEIM'", ", 'G', 'U'", ", 'G', 'N'", ", 'g'"])
      "regsubst(#{target}, #{pattern}, #{replacement}#{flags})"
    end

    def matching
      subject = pick([text, "'abc123'", "['a1', 'b']", "'foo'", value, "''", "[]", "'user@host'"])
      "#{subject}.match(#{pick(['/a/', '/(\\w)(\\d+)?/', "'a'", "'([a-z]+)'", 'Regexp[/b/]', 'Pattern[/a/, /b/]', "[/x/, 'f']", 'Regexp', '/(?<x>a)|(b)/', 'String', '1', "'('", '//', 'Pattern', 'undef', '[]', "Variant[Regexp[/z/], Pattern[/a/]]", '/(@)(\\w+)/', "[[/q/], ['o']]", '{}'])})"
    end

    def versions
      pool = %w[1.0 1.0.0 1.2 1.10 2 1.2.3-rc1 1.2.3 1.2a 1.2.b 1.2-1 1.2-2 10 9 01.0 1.0.00 abc 1..2 1.2. .1 1_2 1.0-] + ['', '1.0 ', 'A', 'a']
      "versioncmp(#{pick([quote(pick(pool)), quote(pick(pool)), quote(pick(pool)), value(0)])}, #{quote(pick(pool))}#{pick(['', '', '', ', true', ', false', ', 1'])})"
    end

    def printing
      formats = ['%s', '%d', '%5d', '%-5d|', '%05d', '%+d', '% d', '%x', '%#x', '%o', '%#o', '%b', '%#b', '%e', '%f', '%.2f', '%10.3f', '%g', '%G', '%a', '%c', '%%', '%5s', '%-5s|', '%.2s', '%p', '%s %s', '%2$s %1$s', '%<a>s', '%{a}', '%<a>5.1f', '%*d', '%X', '%E', '%i', '%u', '%08.3f', '%+x', '%y', '%', '%5', '%s-%d',
                 '%.0f', '%.10g', '%#.3g', '%-+8d|', '%+05d', '%x %x', '%B', 'no format', '%1$s %s', '%-10s|', '%.3d', '%#X', '% x', '%s%%', '%.15g', '%20.10e', '%{a} %<b>d', '%<zz>s', '%-05d|', '%5%', '%c%c']
      args = times(0, 2) { pick([integer, float, string, numeric_string, 'undef', 'true', '[1, 2]', "{'a' => 1}", "{'a' => 1.5, 'b' => 2}", '-5', '255', '1.5', "'abc'", '65', 'default', 'Integer', '0', '-255', "'0x1f'"]) }
      "sprintf(#{[quote(pick(formats)), *args].join(', ')})"
    end

    def others
      pick(["shellquote(#{times(0, 3) { pick([text, "'a b'", "\"it's\"", "'$x'", "'a\"b'", "['x', 'y z']", "''", "'!'", "'`'", "'a'", "'\\\\'", "'é'", "'a\"\\'$'", integer]) }.join(', ')})", "#{pick(%w[md5 sha1 sha256 digest])}(#{pick([text, "'abc'", "''", integer, 'undef', "'a', 'b'", '', '[1]', "'é'"])})",
            "compare(#{pick([text, number, string])}, #{pick([text, number, string])}#{pick(['', '', ', true', ', false', ', 1'])})", "#{pick(%w[length size empty])}(#{pick([text, value, "Binary('YWJj')", "Sensitive('')", "Sensitive('a')", 'undef', '1', '5.5', 'Binary("")'])})", "index(#{text}, #{pick([text, "'b'", '/b/', '/[A-Z]/', "''", '1', '//'])})",
            "#{text}.index |#{pick(['$x', '$i, $x'])}| { $x == 'b' }", "#{text}.map |$x| { $x }", "sort(#{text})", "unique(#{text})", "fail(#{times(0, 2) { value(0) }.join(', ')})", "#{text}.#{pick(SIMPLE)}.#{pick(SIMPLE)}", "#{text}#{pick(['[0]', '[-1]', '[1, 2]', '[0, -1]'])}", "join(split(#{text}, ''), '-')",
            "scanf(#{pick(["'12'", "'12 abc'", "'1.5'", "'0x1f'", "'abc'", "'10 20 30'", "''", "'a1'"])}, #{pick(["'%d'", "'%d %s'", "'%f'", "'%i'", "'%x'", "'%s'", "'%c'", "'%d %d'", "'%2d%s'", "'%[a-z]'", "'%*d %d'", "'%%'", "'a%d'", "'%o'", "'x'"])})#{pick(['', '', ' |$x| { $x[0] }'])}"])
    end
  end

  # Functions over numbers, and the small ones that take anything.
  class Numbers < Area
    named 'numbers'
    COUNT = 450

    def one
      case rand(4)
      when 0, 1 then "#{pick(%w[abs floor ceiling round])}(#{subject})"
      when 2 then "compare(#{subject}, #{subject}#{pick(['', '', '', ', true', ', 1'])})"
      else "#{pick(%w[max min])}(#{times(0, 3) { pick([number, number, numeric_string, string]) }.join(', ')})"
      end
    end

    private

    def subject
      pick([number, number, number, numeric_string, string, value(1), '-9223372036854775807 - 1', "#{float}, 1", '', '-0.0', '2.5', '-2.5', '0.49999999999999994', '1e20', '1e300', "'1.5'", "'-3'", "'0x10'", "'1e3'", '1e-320', '4503599627370497.5'])
    end
  end

  # then, lest, with, call, assert_type, type, unwrap and others that take anything.
  class Anything < Area
    named 'anything'
    COUNT = 900

    def one
      case rand(10)
      when 0 then "#{value}.then |$x| { #{pick(['$x', '[$x]', 'undef', '$x.then |$y| { $y }'])} }#{pick(['', '', '.lest || { 5 }'])}"
      when 1 then "#{value}.lest || { #{value(0)} }"
      when 2 then "assert_type(#{pick([type, quote(pick(Values::TYPES)), "'Integer['", value(0)])}, #{value(1)})#{pick(['', '', ' |$e, $a| { [$e, $a] }', ' |$e, $a| { 5 }', ' |$e| { 1 }'])}"
      when 3, 4 then "type(#{pick([value(2), '[1, 2.0]', "{'a' => [1], 'b' => undef}", '[undef, 1]', "['a', 'b']", '[[1], [2, 3]]'])}#{pick(['', '', ", 'detailed'", ", 'reduced'", ", 'reduced'", ", 'generalized'", ", 'nope'", ', undef'])})"
      when 5 then "unwrap(#{pick([value, "Sensitive(#{value(0)})", "Sensitive(Sensitive('x'))", "Sensitive.new(5)"])})#{pick(['', '', ' |$x| { [$x] }', ' || { 1 }'])}"
      when 6 then "call(#{pick(["'size', [1, 2]", "'upcase', 'a'", "'nope'", "'map', [1, 2]", "'max', 1, 2", '1', "Deferred('upcase', ['a'])", "Deferred('nope')", "'new', Integer, '5'", "'with', 1, 2", "''"])})#{pick(['', '', ' |$x| { $x }', ' |$x, $y| { [$x, $y] }'])}"
      when 7 then "with(#{times(0, 3) { value(0) }.join(', ')})#{pick([' |$a| { $a }', ' |$a, $b| { [$a, $b] }', ' |*$a| { $a }', '', ' || { 1 }'])}"
      when 8 then sensitive
      else pick(["#{pick(%w[nope foo::bar notafunction])}(#{value(0)})", "#{value}.nope", "#{value}.#{pick(%w[size length upcase type empty abs flatten keys unwrap join sort max])}", "fail(#{value(0)})", "#{value}.new(#{value(0)})", "#{value}()", "#{string}(1)", "annotate(1)", "#{value}.type.type", "#{value}.call", "abs(*#{array})", "max(*#{integers})"])
      end
    end

    private

    def sensitive
      s = "Sensitive(#{value(1)})"
      pick([s, "#{s} == #{s}", "type(#{s}, 'reduced')", "\"${#{s}}\"", "[#{s}]", "#{s} =~ Sensitive[#{type}]", "String(#{s})", "String(#{s}, '%p')", "#{s}.unwrap", "{'a' => #{s}}", "#{s} + 1", "#{s}[0]", "Sensitive(#{s})", "#{s}.size", "join([#{s}])", "#{s} ? { Sensitive => 1, default => 2 }", "#{s} in [#{s}]", "Sensitive()", "Sensitive(1, 2)", "#{s}.then |$x| { $x.unwrap }"])
    end
  end
end
