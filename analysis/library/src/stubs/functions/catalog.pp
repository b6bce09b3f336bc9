# What declares classes and resources, or asks whether they are declared.

# @summary Declares classes, with their parameters from data or defaults. Declaring one again does
#   nothing.
# @at_least_one names
# @param names Names of classes, references to them (`Class['a']`), or arrays of both.
# @return references to the classes
# @example Declare two classes
#   include('ntp', 'ssh')
function include(Any *$names) >> Array[Type[Class]] { }

# @summary Declares classes, and has this class or defined type depend on them.
#
# They come before it, but are not contained in it. The metaparameter `require` is another thing.
# @at_least_one names
# @param names Names of classes, references to them (`Class['a']`), or arrays of both.
# @return references to the classes
# @example Require a class before anything in this one
#   require('apt')
function require(Any *$names) >> Array[Type[Class]] { }

# @summary Declares classes, and holds them inside this one.
#
# What comes before this class comes before them, and what comes behind it waits for them.
# @at_least_one names
# @param names Names of classes, references to them (`Class['a']`), or arrays of both.
# @return references to the classes
# @example A class in three steps
#   contain('ntp::install', 'ntp::config', 'ntp::service')
function contain(Any *$names) >> Array[Type[Class]] { }

# @summary Declares resources of one type from a hash of titles and attributes.
#
# Iteration over the hash with a resource in the block says the same and is easier to follow.
# @ruby3x
# @statement
# @param type The name of a resource type, defined type, or `class`. With `@` before it the
#   resources are virtual, with `@@` they are exported.
# @param instances The attributes of each resource, by title.
# @param defaults Attributes for those that do not give them.
# @return nothing
# @example Declare users
#   create_resources('user', { 'ann' => { 'uid' => 1001 }, 'bob' => {} }, { 'ensure' => 'present' })
function create_resources(
  Variant[String, Undef, Regexp, SemVer, SemVerRange, Timespan, Timestamp, Binary] $type,
  Hash $instances,
  Hash $defaults = default,
) { }

# @summary Makes virtual resources real.
# @ruby3x
# @statement
# @at_least_one resources
# @param resources References to resources, or arrays of them.
# @return nothing
# @example Realize a virtual user
#   @user { 'ann': ensure => present }
#   realize(User['ann'])
function realize(Any *$resources) { }

# @summary Tags the class or defined type that this is in, and all that it contains.
# @ruby3x
# @statement
# @at_least_one tags
# @param tags The tags.
# @return nothing
# @example Tag a class
#   tag('web', 'frontend')
function tag(Any *$tags) { }

# @summary Whether the class or defined type that this is in, or the catalog, has all of the given
#   tags.
#
# The answer depends on what has been evaluated already.
# @ruby3x
# @at_least_one tags
# @param tags The tags, all of which must be there.
# @return whether they are
# @example Ask for a tag
#   if tagged('web') { include('web::monitoring') }
function tagged(Any *$tags) >> Boolean { }

# @summary Whether a class, type, resource or variable is known.
#
# A name asks whether a class or type could be declared, `Class['a']` and `File['/a']` whether they
# have been declared by now, `'$a'` whether a variable is set. What has been evaluated by now
# depends on the order of evaluation, which is why asking for resources is fragile.
# @at_least_one vals
# @param vals Names, references, or names of variables in single quotes with their dollar sign. One
#   that is known is enough.
# @return whether one of them is known
# @example Ask for a type
#   defined('file')
# @example Ask for a resource
#   unless defined(Package['curl']) {
#     package { 'curl': ensure => installed }
#   }
function defined(
  Variant[String, Type[CatalogEntry], Type[Type[CatalogEntry]]] *$vals,
) >> Boolean { }
