# frozen_string_literal: true

module EvalCases
  # Every operator with every kind of operand.
  class Operators < Area
    named 'operators'
    COUNT = 1300
    BINARY = %w[+ - * / % << >> == != < > <= >= =~ !~ in and or].freeze

    def one
      case rand(12)
      when 0 then "#{pick(['-', '!', '!!', '- -'])}#{operand}"
      when 1 then "#{operand} #{pick(BINARY)} #{operand} #{pick(BINARY)} #{operand}"
      when 2 then "(#{operand} #{pick(BINARY)} #{operand}) #{pick(BINARY)} #{operand}"
      when 3 then "$x = #{operand}\n$x #{pick(BINARY)} #{pick(['$x', operand])}"
      when 4 then collections
      when 5 then "[*#{operand}]"
      else "#{operand} #{pick(BINARY)} #{operand}"
      end
    end

    private

    def operand
      kind = pick(Values::KINDS)
      return array(1) if kind == :array
      return dict(1) if kind == :dict

      send(kind)
    end

    def collections
      a, b = [strings, integers, dict, hash_of_integers, array].then { |all| [pick(all), pick(all)] }
      "#{a} #{pick(%w[+ + - << == != in])} #{pick([b, b, operand, '[[1, 2], [3, 4]]', "[['a', 1]]", '[1, 2, 3]', "['a', 1, 'b', 2]"])}"
    end
  end

  # Arithmetic, also at the limits of 64 bits and of floats.
  class Arithmetic < Area
    named 'arithmetic'
    COUNT = 700
    LIMITS = %w[9223372036854775807 9223372036854775806 -9223372036854775807 4611686018427387904 4611686018427387903 3037000500 3037000499 1 -1 2 0
                63 64 62 -64 65 100 1.0 0.5 1e308 1.7976931348623157e308 -1e308 5e-324 0.0 9223372036854775807.0 9007199254740993].freeze

    def one
      # The maximum shift depends on the memory.
      loop { calculation.then { |made| return made unless made.match?(/<<|>>/) && made.match?(/\d{9}|e\d/) } }
    end

    private

    def calculation
      case rand(6)
      when 0, 1 then "#{limit} #{operator} #{limit}"
      when 2 then "-9223372036854775807 - 1 #{operator} #{limit}"
      when 3 then "#{number} #{operator} #{number}"
      else expression(3)
      end
    end

    def operator
      pick(%w[+ - * / % << >> + - * /])
    end

    def limit
      pick(LIMITS)
    end

    def expression(depth)
      return chance(80) ? between(-4, 30).to_s : number if depth.zero? || chance(20)

      text = "#{expression(depth - 1)} #{operator} #{expression(depth - 1)}"
      return text if chance(60)

      chance(20) ? "-(#{text})" : "(#{text})"
    end
  end

  # Order, equality and membership.
  class Comparison < Area
    named 'comparison'
    COUNT = 600

    def one
      case rand(10)
      when 0 then "#{string} #{pick(%w[== != < > <= >= in])} #{string}"
      when 1 then "#{number} #{pick(%w[== != < > <= >=])} #{pick([number, string, numeric_string])}"
      when 2 then "#{type} #{pick(%w[== != < > <= >= in =~])} #{type}"
      when 3 then "#{pick([string, regex, type, integer, special])} in #{pick([strings, array, dict, string, integers, hash_of_integers])}"
      when 4 then "#{array} #{pick(%w[== !=])} #{array}"
      when 5 then "#{dict} #{pick(%w[== !=])} #{dict}"
      when 6 then same
      when 7 then "SemVer('#{pick(Values::VERSIONS)}') #{pick(%w[== != < > <= >= =~ in])} #{pick(["SemVer('#{pick(Values::VERSIONS)}')", "SemVerRange('#{pick(Values::RANGES)}')", quote(pick(Values::VERSIONS)), quote(pick(Values::RANGES))])}"
      when 8 then "#{pick(Values::SPANS + Values::STAMPS)} #{pick(%w[== != < > <= >=])} #{pick(Values::SPANS + Values::STAMPS + [number])}"
      else "#{value} =~ #{type}"
      end
    end

    private

    def same
      one = value(2)
      "#{one} #{pick(%w[== != in =~ < >=])} #{chance(50) ? one : "[#{one}]"}"
    end
  end

  # Matches of regular expressions, in Ruby's syntax, and what they capture.
  class Matching < Area
    named 'matching'
    COUNT = 800
    TEXTS = ['abc', 'aaa', 'foo bar', 'foo-bar_baz', "line1\nline2", "a\tb", '2015-06-07', '192.168.10.1', 'user@example.com', 'key = value', 'AbC', 'ÉCOLE',
             'straße', '日本語', '', ' ', 'a.b.c', '((x))', '12345', 'x1y22z333', 'aXbXc', '/usr/local/bin', 'C:\\dir', 'aabbcc', 'foofoo', "\n", "a\n", '{1}', 'ab12'].freeze
    ATOMS = ['a', 'b', '.', '\\w', '\\d', '\\s', '\\S', '\\W', '\\h', '[a-z]', '[^a-z]', '[[:alpha:]]', '[[:digit:]]', '[[:space:]]', '[[:upper:]]', '\\p{L}', '\\p{Lu}', '\\R', '\\b',
             '\\B', '^', '$', '\\A', '\\z', '\\Z', '(a)', '(b|c)', '(?:foo)', '(\\d+)', '(\\w+)', '[a-c&&[^b]]', '\\.', '\\/', '\\t', '\\n', '\\x41', '\\u00e9', 'foo', 'bar', '-', '_',
             '(?=b)', '(?!b)', '(?<=a)', '(?<!a)', '(?>a+)', '[\\w-]', '[.]', '[]a]', '[a\\]]', '\\e', '[\\d.]', 'X', ' ', '\\K', '\\G', '[^\\n]', '\\D'].freeze
    REPEATS = ['', '', '', '', '*', '+', '?', '{2}', '{1,2}', '{,2}', '{2,}', '*?', '+?', '??', '++', '*+'].freeze
    WHOLE = ['(\\w)\\1', '(?<n>\\w)\\k<n>', '(?<y>\\d+)-(?<m>\\d+)', '(?i)abc', '(?i:b)c', '(?m:.+)', '(?x: a  b # c
)', 'a(?#comment)b', '(a)|(b)', '(?:(a)|b)*', '^(\\w+)\\s*=\\s*(.*)$', '(\\d+)\\.(\\d+)\\.(\\d+)', '\\A(?:[a-z]+)\\z', '(?i-m:ABC)', 'a{0}', 'x*', '(x*)*', '(a*)+b',
             '\\p{Alpha}+', '\\p{^L}', '\\P{L}', '[[:^alpha:]]', '(?<a>.)(?<b>.)', '((a)(b(c)))', '(.)(.)(.)(.)(.)(.)(.)(.)(.)(.)(.)', '(?u:\\w+)', '(?a:\\w+)', '\\X', '[a-[b]]', '(?~ab)',
             '(', '[', '*a', 'a**', 'a{2,1}', '\\1', '(?<n>a)\\1', '[z-a]', '(?<n', '\\p{Nope}', '(?', 'a)', '\\k<no>', '\\g<0>?', '(?<p>\\((?:[^()]|\\g<p>)*\\))'].freeze

    def one
      case rand(9)
      when 0..3 then "$r = #{text} =~ /#{pattern}/\n[$r, $0, $1, $2]"
      when 4 then "#{text} #{pick(['=~', '!~'])} #{pick([quote(pattern), "/#{pattern}/", "Regexp[/#{pattern}/]", "Pattern[/#{pattern}/]", "Regexp(#{quote(pattern)})"])}"
      when 5 then "if #{text} =~ /#{pattern}/ { \"<$0><$1><$2>\" } else { [$0, $1] }"
      when 6 then "case #{text} { /#{pattern}/: { [$0, $1] } /#{pattern}/: { [$0, $1, $2] } default: { 'none' } }"
      when 7 then "#{text} ? { /#{pattern}/ => \"$0-$1\", default => $0 }"
      else scopes
      end
    end

    private

    def text
      text = pick(TEXTS)
      text.match?(/[\n\t]/) ? "\"#{text.gsub("\n", '\\n').gsub("\t", '\\t')}\"" : quote(text)
    end

    def pattern
      return pick(WHOLE) if chance(30)

      times(1, 4) { "#{pick(ATOMS)}#{pick(REPEATS)}" }.join(chance(10) ? '|' : '')
    end

    def scopes
      pick([
             "if #{text} =~ /#{pattern}/ { if #{text} =~ /#{pattern}/ { $0 } else { \"$0!\" } }",
             "#{text} =~ /#{pattern}/ and #{text} =~ /#{pattern}/\n[$0, $1]",
             "[#{text} =~ /#{pattern}/, $0, $1]",
             "$a = [#{text}, #{text}].map |$x| { $x =~ /#{pattern}/\n$0 }\n[$a, $0]",
             "#{text} =~ /(.)/\n[1].map |$x| { [$0, $1] }",
             "#{text} =~ /(.)/\n$r = with(1) |$x| { #{text} =~ /#{pattern}/\n$1 }\n[$r, $1]",
             "function f($x) { $x =~ /#{pattern}/\n$0 }\n#{text} =~ /(.)/\n[f(#{text}), $0]",
             "unless #{text} =~ /#{pattern}/ { $0 } else { [$0, $1] }",
             "$x = #{text} ? { /#{pattern}/ => $1, default => 0 }\n[$x, $0, $1]",
           ])
    end
  end
end
