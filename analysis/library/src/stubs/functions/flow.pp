# Leaving a block or a function early, and calling what is known by name.

# @summary Ends the innermost iteration as if there were no more elements.
# @return never
# @example Stop at the first even number
#   [1, 3, 4, 5].map |$x| {
#     if $x % 2 == 0 { break() }
#     $x * 10
#   } # => [10, 30]
function break() { }

# @summary Ends the innermost block with a value, and goes on with the next element.
#
# It also ends a function, class or defined type; the value of a function is that of `next` then.
# @param value The value of the block, `undef` by default.
# @return never
# @example Skip an element
#   [1, 2, 3].map |$x| {
#     if $x == 2 { next('two') }
#     $x
#   } # => [1, 'two', 3]
function next(Any $value = undef) { }

# @summary Ends the function, class or defined type that this is in, also from inside a block.
# @param value The value of a function, `undef` by default. Classes and defined types have none.
# @return never
# @example Find the first long word
#   function long_word(Array[String] $words) {
#     $words.each |$word| {
#       if $word.length > 5 { return($word) }
#     }
#     undef
#   }
function return(Any $value = undef) { }

# @summary Was a way to read other manifests. It fails, and says so.
# @deprecated It has not been supported since Puppet 4: put classes into modules.
# @param args Anything.
# @return never
function import(Any *$args) { }

# @summary Calls a function whose name is known only when the code runs.
# @param function_name The name of the function.
# @param arguments What it is given.
# @param block What it is given as its block.
# @return what the function returns
# @example Call a function by name
#   call('max', 3, 1, 2) # => 3
function call(String $function_name, Any *$arguments, Optional[Callable] $block) { }

# Resolves a deferred call at once instead of on the agent.
# @param deferred The deferred call.
# @example Resolve a deferred call now
#   call(Deferred('join', [[1, 2], '-']))
function call(Deferred $deferred) { }

# @summary Calls a block with the given values: a place for variables of its own.
# @param arg The values.
# @param block What is called.
# @return what the block returns
# @example Name a value for a while
#   with(4) |$x| { $x * $x } # => 16
function with(Any *$arg, Callable $block) { }

# @summary Calls a block with a value, unless the value is `undef`.
# @param arg The value.
# @param block What is called with it.
# @return what the block returns, or `undef`
# @example Nothing is done with nothing
#   undef.then |$x| { $x + 1 } # => undef
# @example Something is done with something
#   [1, 2].dig(1).then |$x| { $x + 1 } # => 3
function then(Any $arg, Callable[1, 1] $block) { }

# @summary Gives a value, or what a block returns if the value is `undef`.
# @param arg The value.
# @param block What is called, with nothing, if there is no value.
# @return the value, or what the block returns
# @example A default value that is computed only if it is needed
#   undef.lest || { 6 * 7 } # => 42
function lest(Any $arg, Callable[0, 0] $block) { }
