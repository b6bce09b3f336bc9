# frozen_string_literal: true

# Generates questions about types, deterministically from a seed.
module TypeQuestions
  # Types, values and pairs of them.
  class Generator
    WORDS = ['a', 'b', 'ab', 'A', 'abc', 'x y', '1', '', "it's"].freeze
    PATTERNS = %w[/a/ /^a/ /b$/ /\\Aab\\z/ /[a-z]+/ /\\d/ /(a|b)c/].freeze
    RANGES = ['1.x', '>=1.0.0 <2.0.0', '2.0.0', '~1.2.3', '^3.1.0', '>2.5.0'].freeze
    SIMPLE = %w[Any Undef Default Scalar ScalarData Numeric Integer Float Boolean String Enum Pattern Regexp
                Collection Array Tuple Hash Struct Optional NotUndef Variant Type Iterable Iterator Callable
                CatalogEntry Class Resource Sensitive Binary URI SemVer SemVerRange Timespan Timestamp Runtime
                Data RichData RichDataKey File Error Deferred Object Foo].freeze
    COMMON = %w[Integer String Float Boolean Undef Any Data Scalar ScalarData Numeric].freeze
    KEYS = %w[a b c d].freeze

    def initialize(seed)
      @random = Random.new(seed)
    end

    def pick(list)
      list[@random.rand(list.size)]
    end

    def chance(percent)
      @random.rand(100) < percent
    end

    def number(from = -3, to = 6)
      from + @random.rand(to - from + 1)
    end

    def quote(text)
      "'#{text.gsub(/['\\]/) { |c| "\\#{c}" }}'"
    end

    def word
      quote(pick(WORDS))
    end

    # "from, to" with from <= to, either of which may be open
    def range
      from, to = [number, number].sort
      pick(["#{from}, #{to}", from.to_s, "default, #{to}", "#{from}, default", "#{to}, #{to}"])
    end

    def size
      from, to = [number(0, 3), number(0, 4)].sort
      pick(["#{from}, #{to}", from.to_s, "default, #{to}", "#{from}, default"])
    end

    def float_range
      from, to = [number / 2.0, number * 1.5].sort
      pick(["#{from}, #{to}", from.to_s, "default, #{to}", "#{from}, #{from}"])
    end

    def sized(types)
      chance(40) ? "#{types}, #{size}" : types
    end

    def type(depth = 3)
      return chance(60) ? pick(SIMPLE) : leaf if depth.zero? || chance(25)

      chance(45) ? leaf : composite(depth - 1)
    end

    def leaf
      case @random.rand(19)
      when 0, 1 then "Integer[#{range}]"
      when 2 then "Float[#{float_range}]"
      when 3 then "Boolean[#{chance(50)}]"
      when 4 then "String[#{size}]"
      when 5 then "String[#{word}]"
      when 6, 7 then "Enum[#{Array.new(number(1, 3)) { word }.join(', ')}#{', true' if chance(20)}]"
      when 8 then "Pattern[#{Array.new(number(1, 2)) { pick(PATTERNS) }.join(', ')}]"
      when 9 then "Regexp[#{pick(PATTERNS)}]"
      when 10 then "Collection[#{size}]"
      when 11 then pick(["Class['a']", "Class['b::c']", "File['/a']", "File['/b']", "User['a']", 'User', "Resource['file', '/a']", "Foo['a']"])
      when 12 then "SemVer[#{Array.new(number(1, 2)) { quote(pick(RANGES)) }.join(', ')}]"
      when 13 then "Timespan[#{span_range}]"
      when 14 then "Timestamp['20#{10 + number(0, 5)}-01-01', '20#{16 + number(0, 5)}-02-03T04:05:06']"
      when 15 then pick(["Runtime['ruby', 'Nope::A']", "Runtime['ruby', 'Nope::B']", "Runtime['go', 'a']", "Runtime['ruby', [/a/, 'b']]"])
      when 16 then pick(["URI['http://a.b/c']", "URI[{'scheme' => 'http'}]", "URI[{'scheme' => Enum['http', 'https']}]", "URI[{'host' => /a/}]", "URI[{'path' => NotUndef}]"])
      when 17 then pick(['Init', 'Init[Integer]', 'Init[Integer, 16]', 'Init[String]', 'Init[Boolean]', 'Init[Timespan]', 'Init[Array[Integer]]', 'Init[Hash]', 'Init[SemVer]', 'Init[Float, true]'])
      else pick(["Error['k']", "Error[/k/]", "Error['k', 'c']", 'TypeSet', "Object[{attributes => {a => Integer}}]", "Object[{name => 'X', attributes => {a => Integer, b => {type => String, value => 'x'}}}]"])
      end
    end

    def span_range
      from, to = [number, number].sort
      pick(["#{from}, #{to}", from.to_s, "default, #{to}"])
    end

    def composite(depth)
      case @random.rand(19)
      when 0, 1 then array(depth)
      when 2, 3 then hash(depth)
      when 4, 5 then "Tuple[#{sized(types(depth))}]"
      when 6, 7 then struct(depth)
      when 8, 9 then "Optional[#{chance(10) ? word : type(depth)}]"
      when 10 then "NotUndef[#{chance(10) ? word : type(depth)}]"
      when 11, 12, 13 then "Variant[#{types(depth)}]"
      when 14 then "Type[#{type(depth)}]"
      when 15 then "Iterable[#{type(depth)}]"
      when 16 then "Iterator[#{type(depth)}]"
      when 17 then "Sensitive[#{type(depth)}]"
      else callable(depth)
      end
    end

    def types(depth, max = 3)
      Array.new(number(1, max)) { type(depth) }.join(', ')
    end

    def array(depth)
      return "Array[#{number(0, 2)}, #{number(2, 4)}]" if chance(10)

      "Array[#{sized(type(depth))}]"
    end

    def hash(depth)
      return 'Hash[0, 0]' if chance(5)

      "Hash[#{sized("#{chance(60) ? 'String' : type(depth)}, #{type(depth)}")}]"
    end

    def struct(depth)
      entries = KEYS.first(number(1, 3)).map do |key|
        key = quote(key)
        key = pick(%w[Optional NotUndef]).then { |t| "#{t}[#{key}]" } if chance(35)
        "#{key} => #{type(depth)}"
      end
      "Struct[{#{entries.join(', ')}}]"
    end

    def callable(depth)
      params = sized(types(depth))
      params = size if chance(15)
      params = "#{params}, #{pick(['Callable', 'Callable[1]', 'Optional[Callable]', 'Callable[String]'])}" if chance(30)
      chance(30) ? "Callable[[#{params}], #{type(depth)}]" : "Callable[#{params}]"
    end

    # A type that is similar to another one: a part is exchanged.
    def related(type)
      # A type without a constructor only fails the first time, by accident.
      return type if type.include?('Init[')

      case @random.rand(6)
      when 0 then "Optional[#{type}]"
      when 1 then "Variant[#{type}, #{type(1)}]"
      when 2 then type.sub(/\d+/) { |n| (n.to_i + number(-1, 2)).abs.to_s }
      when 3 then type.sub(/\b(#{COMMON.join('|')})\b(?!\[)/) { pick(COMMON) }
      when 4 then type.sub(/\b(Integer|String|Float)\b(?!\[)/) { |name| name == 'String' ? "Enum['a', 'b']" : "#{name}[1, 3]" }
      else type
      end
    end

    def value(depth = 2)
      return leaf_value if depth.zero? || chance(35)

      case @random.rand(3)
      when 0 then "[#{values(depth - 1)}]"
      when 1 then "{#{KEYS.first(number(0, 3)).map { |k| "#{quote(k)} => #{value(depth - 1)}" }.join(', ')}}"
      else chance(20) ? "{#{leaf_value} => #{value(depth - 1)}}" : leaf_value
      end
    end

    def values(depth)
      Array.new(number(0, 3)) { value(depth) }.join(', ')
    end

    def leaf_value
      case @random.rand(16)
      when 0, 1, 2 then number.to_s
      when 3 then (number / 2.0).to_s
      when 4, 5, 6 then word
      when 7 then chance(50).to_s
      when 8 then 'undef'
      when 9 then 'default'
      when 10 then pick(PATTERNS)
      when 11 then pick(%w[Integer String Numeric Data File Any Undef])
      when 12 then pick(["Integer[1, 3]", "Enum['a', 'b']", "Array[Integer]", "File['/a']", "Class['a']"])
      when 13 then pick(["SemVer('1.2.3')", "SemVer('2.0.0-rc1')", "SemVerRange('>=1.0.0 <2.0.0')"])
      when 14 then pick(["Timespan('1-02:03:04.5')", 'Timespan(2)', "Timestamp('2015-06-07T08:09:10')"])
      else pick(["Sensitive('a')", "Binary('YWJj')", "URI('http://a.b/c?d')", "Error('m', 'k')", "Deferred('f', [1])", 'Sensitive([1, 2])'])
      end
    end

    # A value that often is an instance of the type.
    def value_for(type)
      return value unless chance(75)

      case type
      when /\AInteger/ then number.to_s
      when /\AFloat/ then (number / 2.0).to_s
      when /\A(String|Enum|Pattern)/ then word
      when /\ABoolean/ then chance(50).to_s
      when /\A(Array|Tuple|Collection)/ then "[#{Array.new(number(0, 3)) { inner_value(type) }.join(', ')}]"
      when /\A(Hash|Struct)/ then "{#{KEYS.first(number(0, 3)).map { |k| "#{quote(k)} => #{inner_value(type)}" }.join(', ')}}"
      when /\A(Optional|NotUndef|Variant|Sensitive)\[(.*)\]\z/m then chance(15) ? 'undef' : value_for(Regexp.last_match(2))
      else value
      end
    end

    def inner_value(type)
      inner = type[/\[(.*)\]\z/m, 1].to_s.scan(/[A-Z]\w*(?:\[[^\[\]]*\])?/)
      inner.empty? ? value(1) : value_for(pick(inner))
    end

    DEFINITIONS = [
      'type T = Array[Variant[Integer, T]]',
      'type T = Hash[String, Variant[String, T]]',
      'type T = Variant[Integer, Array[T]]',
      'type T = Variant[Undef, Struct[{value => Integer, next => T}]]',
      "type T = Array[U]\ntype U = Variant[String, Hash[String, T]]",
      'type T = Optional[Array[T]]',
      "type T = Integer[1, 5]\ntype U = Variant[T, String]",
      "type T = Tuple[Integer, Optional[T]]",
    ].freeze

    def recursive_type
      chance(40) ? 'T' : pick(['Array[T]', 'Optional[T]', 'Variant[T, String]', 'Hash[String, T]', 'Array[Integer]', 'Array[Array[Integer]]',
                               'Array[Variant[Integer, Array[Integer]]]', 'Data', 'Hash[String, String]', 'Any', 'Tuple[Integer, Array[T]]',
                               'Variant[Integer, Array[Integer]]', 'Array[Any]', 'Struct[{a => T}]', 'Integer', 'Undef'])
    end
  end

  # The number of questions per kind, for the smallest count; see `questions`.
  SHARES = { 'assignable' => 22, 'equal' => 6, 'common' => 18, 'instance' => 18, 'infer' => 8, 'normalize' => 8,
             'generalize' => 5, 'parse' => 6, 'iterable' => 4, 'callable' => 5, 'mismatch' => 5 }.freeze

  def self.questions(seed, count)
    g = Generator.new(seed)
    ids = (0...count).to_a
    kinds = SHARES.flat_map { |op, share| [op] * share }
    ids.map { |id| { 'id' => id }.merge(question(g, g.pick(kinds))) }
  end

  def self.question(generator, op)
    return recursive(generator, op) if generator.chance(3) && %w[assignable equal common instance normalize].include?(op)

    a = generator.type
    b = generator.chance(55) ? generator.related(a) : generator.type
    a, b = b, a if generator.chance(50)
    case op
    when 'assignable', 'equal', 'common' then { 'op' => op, 'a' => a, 'b' => b }
    when 'instance' then { 'op' => op, 'type' => a, 'value_source' => generator.value_for(a) }
    when 'infer' then { 'op' => op, 'source' => generator.value(3) }
    when 'callable' then { 'op' => op, 'type' => generator.callable(1), 'args' => "Tuple[#{generator.types(1)}]" }
    when 'mismatch' then { 'op' => op, 'type' => a, 'value_source' => generator.value_for(a) }
    else { 'op' => op, 'type' => a }
    end
  end

  # A question about recursive aliases.
  def self.recursive(generator, op)
    made = { 'op' => op, 'defs' => generator.pick(Generator::DEFINITIONS) }
    case op
    when 'instance' then made.merge('type' => generator.recursive_type, 'value_source' => generator.pick(
      ['[]', '[1]', '[[1]]', "['a']", '[1, [2, [3]]]', '1', 'undef', '{}', "{'a' => 'b'}", "{'a' => {'b' => 'c'}}",
       "{'value' => 1, 'next' => undef}", "{'value' => 1, 'next' => {'value' => 2, 'next' => undef}}", '[1, undef]', '[1, [1, undef]]', "'a'"]
    ))
    when 'normalize' then made.merge('type' => generator.recursive_type)
    else made.merge('a' => generator.recursive_type, 'b' => generator.recursive_type)
    end
  end
end
