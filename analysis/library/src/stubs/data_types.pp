# The data types, with their parameters by name.

# @summary Any value, including `undef`. The parent of all types.
type Any = Any

# @summary An array whose elements have the same type.
# @param element The type of the elements. Defaults to `Any`.
# @param min The minimum number of elements.
# @param max The maximum number of elements.
# @example An array with at least one string
#   Array[String, 1]
type Array = Array[element, min, max]

# @summary A sequence of bytes. `Binary('aGk=')` creates one from its Base64 encoding.
type Binary = Binary

# @summary A Boolean value: `true` or `false`.
# @param value The only value of the type, if it is given.
type Boolean = Boolean[value]

# @summary Something that can be called: a block of a function call.
# @param types The types of the parameters.
# @param min The minimum number of arguments.
# @param max The maximum number of arguments.
# @param block The type of the block that it accepts, a `Callable` or an `Optional` of it.
# @example A block with two parameters
#   Callable[String, Integer]
# @example A block with one parameter that returns a Boolean value
#   Callable[[Any], Boolean]
type Callable = Callable[types, min, max, block]

# @summary A class or a resource, as it is declared in a catalog. The parent of `Class` and `Resource`.
type CatalogEntry = CatalogEntry

# @summary A class. `Class['name']` is also a reference to the declared class.
# @param name The name of the class.
# @example A relationship
#   Class['web'] -> Class['db']
type Class = Class[name]

# @summary An array or a hash.
# @param min The minimum number of elements.
# @param max The maximum number of elements.
type Collection = Collection[min, max]

# @summary Data that JSON can represent: strings, numbers, Boolean values, `undef`, and arrays and hashes of them.
type Data = Data

# @summary The value `default`.
type Default = Default

# @summary A function call that the agent evaluates when it applies the catalog.
# @example Read a secret on the agent
#   Deferred('vault_lookup::lookup', ['secret/db'])
type Deferred = Deferred

# @summary One of several strings.
# @param values The strings. If the last parameter is `true`, their case is ignored.
# @example
#   Enum['present', 'absent']
type Enum = Enum[values]

# @summary A failure of a function, task or plan.
# @param kind The kind of error.
# @param code The issue code.
type Error = Error[kind, code]

# @summary A floating point number.
# @param min The minimum. `default` is unbounded.
# @param max The maximum. `default` is unbounded.
type Float = Float[min, max]

# @summary A hash whose keys have the same type, and whose values do.
# @param key The type of the keys. Defaults to `Any`.
# @param value The type of the values. Defaults to `Any`.
# @param min The minimum number of entries.
# @param max The maximum number of entries.
# @example Ports by name
#   Hash[String, Integer[1, 65535]]
type Hash = Hash[key, value, min, max]

# @summary The values from which a value of the type can be created with `new`.
# @param inner The type to create.
# @param args Further arguments for `new`.
type Init = Init[inner, args]

# @summary An integer.
# @param min The minimum. `default` is unbounded.
# @param max The maximum. `default` is unbounded.
# @example A port
#   Integer[1, 65535]
type Integer = Integer[min, max]

# @summary A value that `each` and similar functions can iterate over.
# @param element The type of the elements.
type Iterable = Iterable[element]

# @summary A lazy sequence of elements, such as the result of `reverse_each`.
# @param element The type of the elements.
type Iterator = Iterator[element]

# @summary Any value except `undef`.
# @param inner A type that the value has, or a string.
type NotUndef = NotUndef[inner]

# @summary An integer or a floating point number.
type Numeric = Numeric

# @summary A type with attributes and functions.
# @param definition The definition, a hash.
type Object = Object[definition]

# @summary A value of a type, or `undef`.
# @param inner The type, or a string.
# @example An optional port
#   Optional[Integer[1, 65535]]
type Optional = Optional[inner]

# @summary A string that matches one of several regular expressions.
# @param patterns The regular expressions, or strings with them.
# @example A host name
#   Pattern[/\A[a-z0-9-]+\z/]
type Pattern = Pattern[patterns]

# @summary A regular expression.
# @param pattern The only regular expression of the type, if it is given.
type Regexp = Regexp[pattern]

# @summary A resource. `File['/etc/motd']` is a reference to a resource, and the same as
#   `Resource['file', '/etc/motd']`.
# @param resource_type The resource type.
# @param title The title.
type Resource = Resource[resource_type, title]

# @summary Data that a catalog can contain: `Data`, and values such as regular expressions and timestamps.
type RichData = RichData

# @summary A value of the language that Puppet is written in.
# @param runtime The name of the runtime: `ruby`.
# @param name The name of the class.
type Runtime = Runtime[runtime, name]

# @summary A single value: a string, number, Boolean value, regular expression, version or time.
type Scalar = Scalar

# @summary A single value that JSON can represent: a string, number or Boolean value.
type ScalarData = ScalarData

# @summary A semantic version.
# @param ranges The ranges of versions that are allowed, each a string or a `SemVerRange`.
# @example
#   SemVer['>= 1.2.0 < 2.0.0']
type SemVer = SemVer[ranges]

# @summary A range of semantic versions.
type SemVerRange = SemVerRange

# @summary A value that Puppet does not show in logs and reports. `unwrap` returns the value.
# @param inner The type of the value.
# @example A password
#   Sensitive[String[12]]
type Sensitive = Sensitive[inner]

# @summary A string.
# @param min The minimum length.
# @param max The maximum length.
# @example A string that is not empty
#   String[1]
type String = String[min, max]

# @summary A hash with certain keys, each with a type of its own.
# @param entries A hash from the keys to the types of their values. The key `Optional['key']` may be
#   missing; `NotUndef['key']` must be present.
# @example
#   Struct[{
#     mode            => Enum['read', 'write'],
#     Optional[limit] => Integer,
#   }]
type Struct = Struct[entries]

# @summary A duration.
# @param min The minimum.
# @param max The maximum.
# @example At most two hours
#   Timespan[0, { hours => 2 }]
type Timespan = Timespan[min, max]

# @summary A point in time.
# @param min The earliest time.
# @param max The latest time.
type Timestamp = Timestamp[min, max]

# @summary An array with a type for each position.
# @param types The types. The last one also applies to all further elements.
# @param min The minimum number of elements.
# @param max The maximum number of elements.
# @example A name and a port
#   Tuple[String, Integer]
type Tuple = Tuple[types, min, max]

# @summary A type as a value.
# @param inner The type, or a parent of it.
# @example
#   Integer[1, 5] =~ Type[Integer] # => true
type Type = Type[inner]

# @summary The value `undef`.
type Undef = Undef

# @summary A URI.
# @param parts The parts that it must have: a string or a hash.
type URI = URI[parts]

# @summary A value of one of several types.
# @param types The types.
# @example A string or an array of strings
#   Variant[String, Array[String]]
type Variant = Variant[types]
