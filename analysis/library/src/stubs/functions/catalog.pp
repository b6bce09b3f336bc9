# Functions that declare classes and resources, or check for declarations.

# @needs_catalog
# @summary Declares one or more classes. Their parameters come from Hiera or from defaults.
#
# A class can be included any number of times; it is evaluated only once.
# @names class
# @at_least_one names
# @param names The names of classes, references such as `Class['a']`, or arrays of both.
# @return references to the classes
# @example Declare two classes
#   include('ntp', 'ssh')
function include(Any *$names) >> Array[Type[Class]] { }

# @needs_catalog
# @summary Declares one or more classes, and makes the current class or defined type depend on them.
#
# Puppet applies the required classes first, but does not contain them. Do not confuse the function
# with the metaparameter `require`.
# @names class
# @at_least_one names
# @param names The names of classes, references such as `Class['a']`, or arrays of both.
# @return references to the classes
# @example Apply a class before the current class
#   require('apt')
function require(Any *$names) >> Array[Type[Class]] { }

# @needs_catalog
# @summary Declares one or more classes, and contains them in the current class.
#
# Puppet applies the contained classes after everything that the current class depends on, and
# before everything that depends on the current class.
# @names class
# @at_least_one names
# @param names The names of classes, references such as `Class['a']`, or arrays of both.
# @return references to the classes
# @example A class that consists of three others
#   contain('ntp::install', 'ntp::config', 'ntp::service')
function contain(Any *$names) >> Array[Type[Class]] { }

# @needs_catalog
# @summary Declares resources of one type from a hash of titles and attributes.
#
# In new code, iterate over the hash and declare each resource in the lambda, which is easier to
# read.
# @names resource_type
# @ruby3x
# @statement
# @param type The name of a resource type or defined type, or `class`. The prefix `@` makes the
#   resources virtual, `@@` makes them exported.
# @param instances A hash from titles to hashes of attributes.
# @param defaults Attributes for resources that do not set them.
# @return `undef`
# @example Declare users
#   create_resources('user', { 'ann' => { 'uid' => 1001 }, 'bob' => {} }, { 'ensure' => 'present' })
function create_resources(
  Variant[String, Undef, Regexp, SemVer, SemVerRange, Timespan, Timestamp, Binary] $type,
  Hash $instances,
  Hash $defaults = default,
) { }

# @needs_catalog
# @summary Realizes virtual resources.
# @ruby3x
# @statement
# @at_least_one resources
# @param resources References to resources, or arrays of references.
# @return `undef`
# @example Realize a virtual user
#   @user { 'ann': ensure => present }
#   realize(User['ann'])
function realize(Any *$resources) { }

# @needs_catalog
# @summary Adds tags to the current class or defined type, and to all resources that it contains.
# @ruby3x
# @statement
# @at_least_one tags
# @param tags The tags to add.
# @return `undef`
# @example Tag a class
#   tag('web', 'frontend')
function tag(Any *$tags) { }

# @needs_catalog
# @summary Checks whether the current class or defined type, or the catalog, has all of the given
#   tags.
#
# The result depends on the evaluation order.
# @ruby3x
# @at_least_one tags
# @param tags The tags to check for.
# @return whether all tags are set
# @example Check for a tag
#   if tagged('web') { include('web::monitoring') }
function tagged(Any *$tags) >> Boolean { }

# @summary Checks whether a class, type, resource or variable is defined.
#
# For a name, the function checks whether the class or type can be declared. For a reference such as
# `Class['a']` or `File['/a']`, it checks whether the class or resource has already been declared.
# For `'$a'`, it checks whether the variable is set. Because declarations depend on the evaluation
# order, checking for resources is fragile.
# @tests_definedness
# @at_least_one vals
# @param vals Names, references, or variable names with their dollar sign in single quotes. The
#   result is true if at least one of them is defined.
# @return whether at least one of them is defined
# @example Check for a resource type
#   defined('file')
# @example Check for a resource
#   unless defined(Package['curl']) {
#     package { 'curl': ensure => installed }
#   }
function defined(
  Variant[String, Type[CatalogEntry], Type[Type[CatalogEntry]]] *$vals,
) >> Boolean { }
