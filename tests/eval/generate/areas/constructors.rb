# frozen_string_literal: true

module EvalCases
  # One call of a constructor, in one of its spellings.
  module Construction
    def construct(type, arguments)
      list = arguments.join(', ')
      case rand(8)
      when 0, 1, 2 then "#{type}.new(#{list})"
      when 3, 4, 5 then "#{type}(#{list})"
      when 6 then "new(#{[type, *arguments].join(', ')})"
      else
        return "#{type}.new(#{list})" if arguments.empty?

        "#{arguments[0]}.convert_to(#{[type, *arguments.drop(1)].join(', ')})#{pick(['', '', '', ' |$x| { [$x] }', ' |$x, $y| { 1 }'])}"
      end
    end
  end

  # Integer, Float, Numeric and Boolean.
  class NewNumbers < Area
    include Construction

    named 'new-numbers'
    COUNT = 800
    TEXTS = %w[0 1 -1 +1 10 010 08 0x1f 0X1F 0b101 0B11 0o17 1.5 -2.5 1e3 1.5e-3 .5 5. 1_000 abc 0x 0b 0b2 z -0x1f +0b11 0xg 9223372036854775807 9223372036854775808 -9223372036854775808 1e400 Infinity NaN
                true false yes no y n TRUE Yes 1.0 0.0 00 007 -010 0xffffffffffffffff 1E3 1e+3 1.e3 --1 1- 1..2 12abc FF ff 777 1010 0b-1 0x-1 -0b11].push('', ' ', ' 1', '1 ', '- 1', '+ 1', '-  0x1f', "1\n", '1 2', '- 1.5', ' 1.5').freeze

    def one
      type = pick(['Integer', 'Integer', 'Float', 'Numeric', 'Boolean', 'Integer[0, 10]', 'Float[0.0, 10.0]', 'Optional[Integer]', 'Variant[Integer, Float]', 'Integer[5]', 'Boolean[true]', 'Scalar', 'NotUndef[Integer]'].first(chance(80) ? 5 : 13))
      construct(type, arguments(type))
    end

    private

    def from
      pick([-> { text }, -> { text }, -> { number }, -> { boolean }, -> { value(1) }, -> { pick(Values::SPANS + Values::STAMPS) }].then { |l| l[rand(chance(85) ? 4 : 6), 1] }).call
    end

    def text
      text = pick(TEXTS)
      text.include?("\n") ? text.inspect : quote(text)
    end

    def arguments(type)
      return [] if chance(2)
      return [named(type)] if chance(12)

      list = [from]
      list << pick(%w[2 8 10 16 default 3 36 0 1 true false undef -2] + ["'x'"]) if chance(40)
      list << pick(%w[true false 1 undef]) if chance(15)
      list
    end

    def named(_type)
      pairs = ["'from' => #{from}"]
      pairs << "'radix' => #{pick(%w[2 8 10 16 default 7])}" if chance(50)
      pairs << "'abs' => #{pick(%w[true false true 1])}" if chance(40)
      pairs << "'nope' => 1" if chance(5)
      "{#{pairs.shuffle(random: @values.random).join(', ')}}"
    end
  end

  # String with its formats.
  class NewStrings < Area
    include Construction

    named 'new-strings'
    COUNT = 1700
    FLAGS = ['', '', '', '', '#', '-', '+', ' ', '0', '#-', '-0', '+0', '# ', '[', '(', '{', '<', '|', '#[', '#(', '#{', '-[', '##', '[{', '+#'].freeze
    WIDTHS = ['', '', '', '', '1', '5', '10', '20', '2'].freeze
    PRECISIONS = ['', '', '', '', '.0', '.1', '.2', '.5', '.10', '.'].freeze
    LETTERS = { integer: 'dxXobBeEfgGaAspc', float: 'dxXobBeEfgGaAsp', string: 'cCudspt', boolean: 'tTyYdxXobBeEfgGaAsp', undef: 'nudxXobBeEfgGaAvVsp', default: 'dDsp', regex: 'sp', type: 'sp',
                array: 'asp', dict: 'hasp', special: 'spqbButT' }.freeze
    TYPES = %w[Integer Float Numeric String Boolean Array Hash Any Undef Default Regexp Type Scalar Collection Tuple Struct Object Binary Timespan Data].push('Integer[0, 5]', 'String[1]', "Enum['a']", 'Array[Integer]', 'Hash[String, Any]', 'Variant[Integer, String]', 'Optional[Integer]', 'Array[Array]', "Struct[{'a' => Any}]", 'Pattern[/a/]').freeze

    def one
      case rand(10)
      when 0, 1, 2, 3 then simple
      when 4 then construct(pick(%w[String String String String[1,3] String[5] Optional[String] Enum['1','a']]), [pick([value(2), 'undef', "#{iterable}.reverse_each"]), *(chance(20) ? [pick(%w[default undef 1 '' '%' true {} [] '%z' 'x' '%d%d'])] : [])])
      when 5, 6, 7 then construct('String', [container, map])
      when 8 then construct('String', [value(1), map])
      else construct('String', [container, quote(format('asph'.chars))])
      end
    end

    private

    def simple
      kind = pick(LETTERS.keys)
      made = case kind
             when :array then array(2)
             when :dict then dict(2)
             when :integer then pick([integer, integer, '65', '8364', '-5', '255'])
             when :float then pick([float, '3.7', '-0.5'])
             when :string then pick([string, "'foo::bar'", '"a\\tb"', "' x '", '"q\\"$"', "it's".then { |t| quote(t) }])
             else send(kind)
             end
      letters = LETTERS[kind].chars
      letters += ('a'..'z').to_a + ('A'..'Z').to_a if chance(15)
      construct('String', [made, quote(format(letters))])
    end

    def format(letters)
      return pick(['', '%', 'd', '%5', '%dd', '%5.2.1f', '%-', '%%', '% d ', '%d ', 'x%d', "%d\n", '%05', '%00d', '%1$d', '%*d']) if chance(3)

      "%#{pick(FLAGS)}#{pick(WIDTHS)}#{pick(PRECISIONS)}#{pick(letters)}"
    end

    def container
      pick([array(2), dict(2), "[1, 'a', 2.5, undef, true]", "{'a' => 1, 'b' => [2, 3]}", '[1, [2, [3, 4]], {\'x\' => {\'y\' => 1}}]', "[[1, 2], ['a', 'b']]", "{'one' => {'two' => {'three' => [1, 'x']}}}", '[]', '{}', "[{'a' => 1}, {'b' => 2}]", "{'k' => [], 'm' => {}}", "['long text here', 'and more', 10000]", '[default, /re/, Integer, undef]', "{1 => 'x', true => undef}"])
    end

    def letters_of(type)
      case type
      when /\A(Integer|Numeric)/ then %w[d x X o b B e f g s p c]
      when /\AFloat/ then %w[d e f g a s p x]
      when /\A(String|Enum|Pattern)/ then %w[s p c C u d t]
      when 'Boolean' then %w[t T y Y d s p]
      when /\A(Array|Tuple)/ then %w[a s p]
      when /\A(Hash|Struct)/ then %w[h a s p]
      else %w[s p d]
      end
    end

    def entry(type, deep)
      letters = chance(94) ? letters_of(type) : %w[d s p a h x q]
      return quote(format(letters)) unless deep && type.match?(/\A(Array|Hash|Tuple|Struct|Any|Collection)/) && chance(65)

      pairs = []
      pairs << "format => #{quote(format(letters))}" if chance(88)
      pairs << "separator => #{pick(["','", "' '", "''", "'; '", '"\\n"', "', '", '",\\n"'])}" if chance(50)
      pairs << "separator2 => #{pick(["':'", "' '", "''", "'='", "' -> '"])}" if chance(35)
      pairs << "string_formats => #{map(false)}" if chance(50)
      pairs << "nope => 'x'" if chance(2)
      "{#{pairs.join(', ')}}"
    end

    def map(deep = true)
      # In Puppet 8, types with the same parameters are the same key.
      types = TYPES.shuffle(random: @values.random).uniq { |type| type[/\[.*/] || type }
      entries = some(types, between(deep ? 1 : 0, 3)).map { |type| "#{type} => #{entry(type, deep)}" }
      entries << "'x' => '%s'" if chance(1)
      "{#{entries.join(', ')}}"
    end
  end

  # Array, Hash, Tuple and Struct.
  class NewCollections < Area
    include Construction

    named 'new-collections'
    COUNT = 600

    def one
      case rand(6)
      when 0, 1 then construct(pick(['Array', 'Array', 'Array[Integer]', 'Array[String, 2]', 'Array[Integer, 0, 2]', 'Tuple', 'Tuple[Integer, String]', 'Tuple[String]', 'Optional[Array]', 'Collection', 'Iterable', 'Iterator']), [from, *pick([[], [], [], ['true'], ['false'], ['1'], ['undef'], ['true', 'true']])])
      when 2, 3 then construct(pick(['Hash', 'Hash', 'Hash[String, Integer]', 'Hash[Integer, Any]', "Struct[{'a' => Integer}]", "Struct[{'a' => Integer, Optional['b'] => String}]", 'Struct', 'Hash[String, Any, 2]', 'Optional[Hash]']), [pick([from, pairs, pairs]), *pick([[], [], [], ["'tree'"], ["'hash_tree'"], ["'x'"], ['true']])])
      when 4 then construct('Hash', [tree, quote(pick(%w[tree hash_tree tree hash_tree nope]))])
      else pick(["Hash.new(#{tree})", "#{pick(["{'a' => {'b' => 1}}", '[1, [2]]', dict(2), array(2)])}.tree_each#{pick(['', "({'include_root' => false})", "({'include_containers' => false})"])}.convert_to(Hash, #{pick(["'tree'", "'hash_tree'"])})", "Array.new()", 'Hash.new()', "Array(#{value(2)}, true)", "Array({'a' => 1, 'b' => [2]})", "Hash([#{value(0)}, #{value(0)}])", "Struct({'a' => 1})"])
      end
    end

    private

    def from
      pick([value(2), array(2), dict(2), string, 'undef', '3', "'abc'", "Binary('YWJj')", 'Integer[1, 3]', "[1, 2].reverse_each", '[1, 2, 3, 4].step(2)', '[[1, 2], [3, 4]]', "{'a' => 1}", "['a', 1, 'b', 2]", "['a', 1, 'b']", "Enum['a', 'b']", "['a', 1]", "{'a' => 1, 'b' => 'x'}", 'Sensitive([1])', '[[1, 2, 3]]', '0', '-1'])
    end

    def pairs
      "[#{times(0, 3) { "[#{pick([string, integer, value(0)])}, #{value(1)}]" }.join(', ')}]"
    end

    def tree
      paths = ['[]', "['a']", "['a', 'b']", '[0]', '[1]', "['a', 0]", "['a', 'b', 'c']", "[0, 'x']", "'a'", '[undef]']
      "[#{times(1, 4) { "[#{pick(paths)}, #{pick([value(0), "{'x' => 1}", '[10, 20]', '[]', '{}', integer])}]" }.join(', ')}]"
    end
  end

  # Semantic versions and their ranges.
  class NewVersions < Area
    include Construction

    named 'new-versions'
    COUNT = 800
    TEXTS = %w[1.2.3 0.0.0 1.2 1 1.2.3.4 1.2.3-rc1 1.2.3-rc.1 1.2.3-1 1.2.3-01 1.2.3-alpha-x 1.2.3+b 1.2.3-rc1+b.1.x v1.2.3 01.2.3 1.02.3 1.2.3- 1.2.3+ 99999999999999999999.0.0 1.2.x -1.2.3 1.2.3-é 1.2.3-a..b 1.2.3+a..b 1.0.0-0 1.0.0-a.b.c.1 10.0.0].push('', ' 1.2.3', "1.2.3 ").freeze
    RANGES = ['>=1.0.0 <2.0.0', '1.x', '1.2.x', '1.X', '1.*', '*', 'x', '', ' ', '~1.2.3', '~1.2', '~1', '~> 1.2', '^1.2.3', '^0.2.3', '^0.0.3', '^1.2', '^1', '^0', '1.2.3', '=1.2.3', '==1.2.3', '>1.2.3', '>=1.2', '<1.2', '<=1.2', '>1', '<=1', '1.0.0 - 2.0.0', '1.0 - 2.0', '1.2.3 - 2.3',
              '<1.0.0 || >2.0.0', '1.x || 3.x', '>1.0.0 <1.0.0', '>=1.0.0 >2.0.0', '1.2.3-rc1', '>=1.2.3-rc1', '~1.2.3-beta.2', '^1.2.3-beta.2', '>1.2.3-alpha <1.2.3', '1.2.3+b', '>= 1.2.3', '>=1.2.3  <2.0.0', 'v1.2.3', '1.2.3.4', 'abc', '>', '>=', '<>', '!1.2.3', '1 - 2', '1.2.x - 2.x', '>=1.2.3,<2', '1.0.0||2.0.0', '|| 1.0.0',
              '>=0.0.0', '<0.0.0', '<=0.0.0', '>=1.x', '<1.x', '~>1', '1.0.0 1.0.0', '1.0.0 2.0.0', '>=1.0.0 <=1.0.0', '^*', '~x', '>*', '1.2.3 -2.0.0', '- 2.0.0', '1.0.0 -', '>=1.0.0-0', '<2.0.0-0', '1.x.3', '^1.x', '^0.x', '~1.x', '^0.0', '>x'].freeze

    def one
      case rand(9)
      when 0, 1 then construct(pick(['SemVer', 'SemVer', 'SemVer', "SemVer['1.x']", 'Optional[SemVer]']), version_arguments)
      when 2, 3 then construct('SemVerRange', range_arguments)
      when 4 then "#{version} =~ #{range}"
      when 5 then "#{version} #{pick(%w[== != < > <= >=])} #{version}"
      when 6 then "#{quote(pick(Values::VERSIONS))} #{pick(['=~', 'in'])} #{range}"
      when 7 then pick(["String(#{version})", "String(#{range})", "String(#{version}, '%p')", "String(#{range}, '%p')", "\"${#{version}}\"", "\"${#{range}}\"", "#{range} == #{range}", "type(#{version})", "type(#{range})", "#{version} =~ SemVer[#{quote(pick(RANGES))}]", "SemVer[#{quote(pick(RANGES))}]", "SemVer[#{quote(pick(RANGES))}, #{quote(pick(RANGES))}]",
                        "[#{version}, #{version}]", "compare(#{version}, #{version})", "sort([#{version}, #{version}, #{version}])", "#{version}.#{pick(%w[major minor patch prerelease build])}", "#{range}.#{pick(%w[min max])}", "#{version} ? { #{range} => 'in', default => 'out' }", "case #{version} { SemVer[#{quote(pick(RANGES))}]: { 1 } default: { 2 } }", "SemVer[#{quote(pick(RANGES))}] <= SemVer[#{quote(pick(RANGES))}]"])
      else "#{version} =~ SemVer[#{quote(pick(RANGES))}]"
      end
    end

    private

    def version
      "SemVer('#{pick(Values::VERSIONS)}')"
    end

    def range
      "SemVerRange(#{quote(pick(RANGES))})"
    end

    def version_arguments
      case rand(8)
      when 0..3 then [quote(pick(TEXTS))]
      when 4 then [*times(2, 4) { between(0, 5).to_s }, *(chance(40) ? [quote(pick(%w[rc1 alpha.1 é 01 a..b]))] : [])]
      when 5 then [between(-1, 3), 2, 3, pick(["'rc1'", "''", 'undef', '1']), pick(["'b1'", "'b.1'", 'undef'])].map(&:to_s)
      when 6 then ["{major => #{between(-1, 3)}, minor => 2, patch => #{pick(%w[3 '3' undef])}#{pick(['', ", prerelease => 'rc1'", ", build => 'b2'", ", prerelease => 'rc', build => 'x'", ', nope => 1'])}}"]
      else [value(0)]
      end
    end

    def range_arguments
      case rand(8)
      when 0..4 then [quote(pick(RANGES))]
      when 5 then [pick([version, 'default', "'1.0.0'"]), pick([version, 'default']), *pick([[], ['true'], ['false'], ['1']])]
      when 6 then ["{min => #{pick([version, 'default'])}#{", max => #{pick([version, 'default'])}" if chance(70)}#{", exclude_max => #{boolean}" if chance(50)}}"]
      else [value(0)]
      end
    end
  end
end
