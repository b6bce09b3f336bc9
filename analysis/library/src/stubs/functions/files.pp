# Files and templates of modules, and commands that are run on the server.

# @summary Text from an EPP template.
# @param path The module and the file in its folder `templates`, such as `ntp/ntp.conf.epp`, or an
#   absolute path.
# @param parameters The parameters of the template, by name. A template without parameters sees the
#   variables of nodes and of the top only, or, if it is given a hash, those in it.
# @return the text; it is sensitive if a parameter is
# @example A template with parameters
#   file { '/etc/ntp.conf':
#     content => epp('ntp/ntp.conf.epp', { 'servers' => ['0.pool.ntp.org'] }),
#   }
function epp(
  String $path,
  Hash[Pattern[/^\w+$/], Any] $parameters = default,
) >> Variant[String, Sensitive[String]] { }

# @summary Text from a template that is given as a string.
# @param template The template.
# @param parameters The parameters of the template, by name.
# @return the text; it is sensitive if a parameter is
# @example A template in the code
#   inline_epp('<%= $x + 1 %>', { 'x' => 1 })
function inline_epp(
  String $template,
  Hash[Pattern[/^\w+$/], Any] $parameters = default,
) >> Variant[String, Sensitive[String]] { }

# @summary Text from ERB templates, one after the other. EPP templates have parameters and types;
#   see `epp`.
# @ruby3x
# @at_least_one files
# @param files The module and the file in its folder `templates`, such as `ntp/ntp.conf.erb`, or an
#   absolute path.
# @return the text
# @example A template
#   file { '/etc/ntp.conf':
#     content => template('ntp/ntp.conf.erb'),
#   }
function template(Any *$files) >> String { }

# @summary Text from ERB templates that are given as strings.
# @ruby3x
# @at_least_one templates
# @param templates The templates.
# @return the text
# @example A template in the code
#   inline_template('<%= 1 + 1 %>')
function inline_template(Any *$templates) >> String { }

# @summary The text of the first file that exists. It is an error if there is none.
# @ruby3x
# @at_least_one files
# @param files The module and the file in its folder `files`, such as `ntp/keys`, or an absolute
#   path.
# @return the text
# @example A file of a module, or another one
#   file('site/motd', 'motd/default')
function file(Any *$files) >> String { }

# @summary The bytes of a file.
# @param path The module and the file in its folder `files`, such as `web/logo.png`, or an absolute
#   path.
# @return the bytes
# @example A picture
#   binary_file('web/logo.png')
function binary_file(String $path) >> Binary { }

# @summary The path of the first file that exists.
# @param paths Modules and files in their folders `files`, such as `ntp/keys`, or absolute paths.
# @param paths_array The same in an array.
# @return the absolute path, or `undef` if there is none of them
# @example Is there such a file?
#   find_file('ntp/keys') =~ NotUndef
function find_file(String *$paths) >> Optional[String] { }

# An array of paths.
function find_file(Array[String] *$paths_array) >> Optional[String] { }

# @summary The path of the first template that exists.
# @param paths Modules and files in their folders `templates`, such as `ntp/ntp.conf.epp`, or
#   absolute paths.
# @param paths_array The same in an array.
# @return the absolute path, or `undef` if there is none of them
# @example Is there such a template?
#   find_template('ntp/ntp.conf.epp') =~ NotUndef
function find_template(String *$paths) >> Optional[String] { }

# An array of paths.
function find_template(Array[String] *$paths_array) >> Optional[String] { }

# @summary The folder of the first module that exists.
# @param names Names of modules, or an array of them.
# @return the absolute path, or `undef` if there is none of them
# @example Where is a module?
#   module_directory('ntp')
function module_directory(String *$names) >> Optional[String] { }

# An array of names.
function module_directory(Array[String] *$names) >> Optional[String] { }

# @summary What a command prints that is run on the server, without a shell. It is an error if it
#   fails.
# @ruby3x
# @at_least_one arguments
# @param arguments The absolute path of the program, and its arguments.
# @return what it prints
# @example Run a program
#   generate('/usr/bin/id', '-un')
function generate(Any *$arguments) >> String { }
