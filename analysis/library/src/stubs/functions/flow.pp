# Control flow, and calls of functions and lambdas.

# @summary Ends the innermost iteration as if there were no more elements.
# @return does not return
# @example Stop at the first even number
#   [1, 3, 4, 5].map |$x| {
#     if $x % 2 == 0 { break() }
#     $x * 10
#   } # => [10, 30]
function break() { }

# @summary Returns a value from the current lambda, and continues the iteration with the next
#   element.
#
# Outside of a lambda, it returns from the current function, class or defined type.
# @param value The value to return. Defaults to `undef`.
# @return does not return
# @example Replace an element
#   [1, 2, 3].map |$x| {
#     if $x == 2 { next('two') }
#     $x
#   } # => [1, 'two', 3]
function next(Any $value = undef) { }

# @summary Returns from the current function, class or defined type, even from inside a lambda.
# @param value The value that the function returns. Defaults to `undef`. Classes and defined types
#   return no value.
# @return does not return
# @example Find the first long word
#   function long_word(Array[String] $words) {
#     $words.each |$word| {
#       if $word.length > 5 { return($word) }
#     }
#     undef
#   }
function return(Any $value = undef) { }

# @summary Formerly imported other manifests. Always fails.
# @deprecated Not supported since Puppet 4. Put classes into modules instead.
# @param args Any values.
# @return does not return
function import(Any *$args) { }

# @summary Calls a function whose name is only known at run time.
# @names function
# @param function_name The name of the function.
# @param arguments The arguments of the function.
# @param block The lambda of the function.
# @return the result of the function
# @example Call a function by name
#   call('max', 3, 1, 2) # => 3
function call(String $function_name, Any *$arguments, Optional[Callable] $block) { }

# Resolves a deferred call immediately instead of on the agent.
# @param deferred The deferred call.
# @example Call a function by name
#   call(Deferred('join', [[1, 2], '-']))
function call(Deferred $deferred) { }

# @summary Calls a lambda with the given arguments. Useful to limit the scope of variables.
# @untyped_block
# @param arg The arguments.
# @param block The lambda to call.
# @return the result of the lambda
# @example Bind a value to a local variable
#   with(4) |$x| { $x * $x } # => 16
function with(Any *$arg, Callable $block) { }

# @summary Calls a lambda with a value, unless the value is `undef`.
# @untyped_block
# @param arg The value.
# @param block The lambda to call with the value.
# @return the result of the lambda, or `undef`
# @example Skip `undef`
#   undef.then |$x| { $x + 1 } # => undef
# @example Process a value that may be `undef`
#   [1, 2].dig(1).then |$x| { $x + 1 } # => 3
function then(Any $arg, Callable[1, 1] $block) { }

# @summary Returns a value, or the result of a lambda if the value is `undef`.
# @param arg The value.
# @param block The lambda to call, without arguments, if the value is `undef`.
# @return the value, or the result of the lambda
# @example Compute a default value only if it is needed
#   undef.lest || { 6 * 7 } # => 42
function lest(Any $arg, Callable[0, 0] $block) { }
