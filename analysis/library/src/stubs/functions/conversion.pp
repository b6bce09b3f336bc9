# Functions on types, and type conversions.

# @summary Returns a value if it matches a type, and fails otherwise.
# @param type The type.
# @param type_string The type as a string.
# @param value The value.
# @param block Called with the type and the type of the value if the value does not match. The
#   function returns its result instead of failing.
# @return the value
# @example Check a value
#   assert_type(Integer[1], 3) # => 3
# @example Use a default value if the type does not match
#   assert_type(Integer, 'x') |$expected, $actual| { 0 } # => 0
function assert_type(Type $type, Any $value, Optional[Callable[Type, Type]] $block) { }

# Accepts the type as a string.
function assert_type(String $type_string, Any $value, Optional[Callable[Type, Type]] $block) { }

# @summary Creates a value of a type, usually by converting another value.
#
# `Integer('12')` is equivalent to `Integer.new('12')`.
# @param type The type.
# @param args The arguments of the constructor, which depend on the type.
# @param block Called with the new value. The function returns its result.
# @return the new value
# @example Convert a string to a number
#   Integer.new('0x1f') # => 31
function new(Type $type, Any *$args, Optional[Callable] $block) { }

# @summary Converts a value to a type. Equivalent to `new`, with the value as the first argument.
# @param value The value.
# @param type The type.
# @param args Additional arguments of the constructor, which depend on the type.
# @param block Called with the new value. The function returns its result.
# @return the new value
# @example Convert a string to a number
#   '12'.convert_to(Integer) # => 12
function convert_to(
  Any $value,
  Type $type,
  Any *$args,
  Optional[Callable[1, 1]] $block,
) { }

# @summary Returns the data type of a value.
# @pure
# @param value The value.
# @param inference_method The level of detail: `detailed` includes the type of every element,
#   `reduced` one type for all elements, `generalized` omits sizes and ranges as well.
# @return the type
# @example Get the generalized type of an array
#   type([1, 2, 'a'], 'generalized') # => Array[ScalarData]
function type_(Any $value, Enum['detailed'] $inference_method = 'detailed') >> Type { }

# Infers one type for all elements.
function type_(Any $value, Enum['reduced'] $inference_method) >> Type { }

# Omits sizes and ranges.
function type_(Any $value, Enum['generalized'] $inference_method) >> Type { }

# @summary Returns the value inside a `Sensitive`. Other values are returned unchanged.
# @param arg The value.
# @param block Called with the unwrapped value. The function returns its result.
# @return the unwrapped value
# @example Unwrap a sensitive value
#   Sensitive('secret').unwrap # => 'secret'
function unwrap(Sensitive $arg, Optional[Callable] $block) { }

# Returns any other value unchanged.
function unwrap(Any $arg, Optional[Callable] $block) { }

# @summary Gets or sets the annotations of a value: data that is attached to it from outside.
# @param type The type of the annotation.
# @param value The annotated value.
# @param annotation_hash The attributes of the annotation, or `clear` to remove it.
# @param annotations The attributes of several annotations, by type.
# @param block Returns the attributes of the annotation if the value does not have one.
# @return the annotation
function annotate(
  Type[Annotation] $type,
  Any $value,
  Optional[Callable[0, 0]] $block,
) { }

# Sets or removes an annotation.
function annotate(
  Type[Annotation] $type,
  Any $value,
  Variant[Enum['clear'], Hash[Pcore::MemberName, Any]] $annotation_hash,
) { }

# Sets several annotations.
function annotate(
  Type[Pcore] $type,
  Any $value,
  Hash[Type[Annotation], Hash[Pcore::MemberName, Any]] $annotations,
) { }
