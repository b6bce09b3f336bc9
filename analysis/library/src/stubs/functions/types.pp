# Types, and values of another type.

# @summary Fails if a value is not of a type, else gives the value.
# @param type The type.
# @param type_string The type, as a string.
# @param value The value.
# @param block Called, instead of failing, with the type and the type of the value; what it returns
#   is given then.
# @return the value
# @example Check a value
#   assert_type(Integer[1], 3) # => 3
# @example Go on with a default value
#   assert_type(Integer, 'x') |$expected, $actual| { 0 } # => 0
function assert_type(Type $type, Any $value, Optional[Callable[Type, Type]] $block) { }

# The type as a string.
function assert_type(String $type_string, Any $value, Optional[Callable[Type, Type]] $block) { }

# @summary A new value of a type, usually from a value of another type.
#
# `Integer('12')` is the same as `Integer.new('12')`.
# @param type The type.
# @param args What the value is made from; which arguments there may be depends on the type.
# @param block Called with the new value; what it returns is given then.
# @return the new value
# @example A number from a string
#   Integer.new('0x1f') # => 31
function new(Type $type, Any *$args, Optional[Callable] $block) { }

# @summary A value of a type from another value: the same as `new`, with the value first.
# @param value The value.
# @param type The type.
# @param args What else `new` takes for this type.
# @param block Called with the new value; what it returns is given then.
# @return the new value
# @example A number from a string
#   '12'.convert_to(Integer) # => 12
function convert_to(
  Any $value,
  Type $type,
  Any *$args,
  Optional[Callable[1, 1]] $block,
) { }

# @summary The type of a value.
# @param value The value.
# @param inference_method How much the type says: `detailed` has the type of every element,
#   `reduced`
#   one type for all of them, `generalized` no sizes and ranges either.
# @return the type
# @example The type of an array, in short
#   type([1, 2, 'a'], 'generalized') # => Array[ScalarData]
function type_(Any $value, Enum['detailed'] $inference_method = 'detailed') >> Type { }

# One type for all elements.
function type_(Any $value, Enum['reduced'] $inference_method) >> Type { }

# Without sizes and ranges.
function type_(Any $value, Enum['generalized'] $inference_method) >> Type { }

# @summary What is inside of a `Sensitive`. Other values are given as they are.
# @param arg The value.
# @param block Called with what is inside; what it returns is given then.
# @return what is inside
# @example Look inside
#   Sensitive('secret').unwrap # => 'secret'
function unwrap(Sensitive $arg, Optional[Callable] $block) { }

# Anything else.
function unwrap(Any $arg, Optional[Callable] $block) { }

# @summary Reads or sets annotations of a value: data that is attached to it from outside.
# @param type The type of annotation.
# @param value The value that has, or is to have, the annotation.
# @param annotation_hash The attributes of the annotation, or `clear` to remove it.
# @param annotations Attributes of several annotations, by their types.
# @param block Called for the attributes of the annotation if there is none yet.
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
