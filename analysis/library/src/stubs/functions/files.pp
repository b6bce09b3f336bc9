# Files and templates of modules, and commands on the server.

# @summary Renders an EPP template.
# @names epp_template
# @reads_variables
# @external
# @param path The name of the module, followed by the path of the file in its `templates` directory,
#   such as `ntp/ntp.conf.epp`, or an absolute path.
# @param parameters The parameters of the template, by name. A template without parameters can
#   access only the variables of top scope and node scope, and the variables in this hash.
# @return the rendered text, which is sensitive if a parameter is
# @example Render a template with parameters
#   file { '/etc/ntp.conf':
#     content => epp('ntp/ntp.conf.epp', { 'servers' => ['0.pool.ntp.org'] }),
#   }
function epp(
  String $path,
  Hash[Pattern[/^\w+$/], Any] $parameters = default,
) >> Variant[String, Sensitive[String]] { }

# @summary Renders an EPP template that is given as a string.
# @reads_variables
# @external
# @param template The template.
# @param parameters The parameters of the template, by name.
# @return the rendered text, which is sensitive if a parameter is
# @example Render an inline template
#   inline_epp('<%= $x + 1 %>', { 'x' => 1 })
function inline_epp(
  String $template,
  Hash[Pattern[/^\w+$/], Any] $parameters = default,
) >> Variant[String, Sensitive[String]] { }

# @needs_catalog
# @summary Renders one or more ERB templates and concatenates the results. Prefer EPP templates,
#   which support typed parameters; see `epp`.
# @names template
# @reads_variables
# @ruby3x
# @at_least_one files
# @param files The name of the module, followed by the path of the file in its `templates`
#   directory, such as `ntp/ntp.conf.erb`, or an absolute path.
# @return the rendered text
# @example Render a template
#   file { '/etc/ntp.conf':
#     content => template('ntp/ntp.conf.erb'),
#   }
function template(
  Variant[String, Undef, Regexp, SemVer, SemVerRange, Timespan, Timestamp, Binary] *$files,
) >> String { }

# @needs_catalog
# @summary Renders one or more ERB templates that are given as strings.
# @reads_variables
# @ruby3x
# @at_least_one templates
# @param templates The templates.
# @return the rendered text
# @example Render an inline template
#   inline_template('<%= 1 + 1 %>')
function inline_template(
  Variant[String, Undef, Regexp, SemVer, SemVerRange, Timespan, Timestamp, Binary] *$templates,
) >> String { }

# @summary Returns the content of the first file that exists. Fails if none of them exists.
# @names file
# @ruby3x
# @at_least_one files
# @param files The name of the module, followed by the path of the file in its `files` directory,
#   such as `ntp/keys`, or an absolute path.
# @return the content
# @example Read a file of a module, or a fallback
#   file('site/motd', 'motd/default')
function file(
  Variant[String, Undef, Regexp, SemVer, SemVerRange, Timespan, Timestamp, Binary] *$files,
) >> String { }

# @summary Returns the content of a file as a binary.
# @names file
# @param path The name of the module, followed by the path of the file in its `files` directory,
#   such as `web/logo.png`, or an absolute path.
# @return the content
# @example Read an image
#   binary_file('web/logo.png')
function binary_file(String $path) >> Binary { }

# @summary Returns the path of the first file that exists.
# @tests_definedness
# @param paths The name of the module, followed by the path of the file in its `files` directory,
#   such as `ntp/keys`, or an absolute path.
# @param paths_array An array of such paths.
# @return the absolute path, or `undef` if none of the files exists
# @example Check whether a file exists
#   find_file('ntp/keys') =~ NotUndef
function find_file(String *$paths) >> Optional[String] { }

# Accepts an array of paths.
function find_file(Array[String] *$paths_array) >> Optional[String] { }

# @summary Returns the path of the first template that exists.
# @tests_definedness
# @param paths The name of the module, followed by the path of the file in its `templates`
#   directory, such as `ntp/ntp.conf.epp`, or an absolute path.
# @param paths_array An array of such paths.
# @return the absolute path, or `undef` if none of the templates exists
# @example Check whether a template exists
#   find_template('ntp/ntp.conf.epp') =~ NotUndef
function find_template(String *$paths) >> Optional[String] { }

# Accepts an array of paths.
function find_template(Array[String] *$paths_array) >> Optional[String] { }

# @summary Returns the directory of the first module that exists.
# @tests_definedness
# @param names The names of modules, or an array of names.
# @return the absolute path, or `undef` if none of the modules exists
# @example Get the directory of a module
#   module_directory('ntp')
function module_directory(String *$names) >> Optional[String] { }

# Accepts an array of names.
function module_directory(Array[String] *$names) >> Optional[String] { }

# @summary Runs a command on the server, without a shell, and returns its output. Fails if the
#   command fails.
# @ruby3x
# @at_least_one arguments
# @param arguments The absolute path of the program, followed by its arguments.
# @return the output
# @example Run a command
#   generate('/usr/bin/id', '-un')
function generate(
  Variant[String, Undef, Regexp, SemVer, SemVerRange, Timespan, Timestamp, Binary] *$arguments,
) >> String { }
