# The functions that Bolt adds to plans, with the parameters that Bolt declares for them. They exist in
# plans only, so they are no built-in functions of Puppet.

# The objects of Bolt, without their attributes.
type Future = Object
type ResourceInstance = Object
type Target = Object

# The elements of an array are specifications as well.
type TargetSpec = Variant[String[1], Object, Array]

type Options = Hash[String[1], Any]
# The function passes them as keywords, so it fails if there are others.
type AvailabilityOptions = Struct[{
  Optional['description'] => Any,
  Optional['wait_time'] => Any,
  Optional['retry_interval'] => Any,
  Optional['_catch_errors'] => Any,
}]

type Timeout = Variant[Integer[0], Float[0.0]]

# ---- boltlib

# @summary Merges facts into those of a target, hashes within them too.
# @param target The target.
# @param facts The facts to add.
# @return the target
function add_facts(Target $target, Hash $facts) >> Target { }

# @summary Adds targets to a group of the inventory.
# @param targets The targets.
# @param group The name of the group.
# @return the targets
function add_to_group(TargetSpec $targets, String[1] $group) >> Array[Target] { }

# @summary Prepares targets for an `apply` block: installs the agent of Puppet where it is missing, and
#   collects facts, including the custom ones of the modules.
# @param targets The targets.
# @param options `_catch_errors`, `_required_modules` and `_run_as`.
# @return one result for each target
# @example Apply code
#   apply_prep($targets)
#   apply($targets) {
#     include ntp
#   }
function apply_prep(
  TargetSpec $targets,
  Hash[String, Data] $options = default,
) >> ResultSet { }

# @summary Runs a block in parallel to the plan. `wait` returns its result.
# @param name A name for the block, which appears in logs.
# @param block The block. It can read the variables of the plan.
# @return an object for `wait`
# @example Continue while a task runs
#   $future = background('backup') || { run_task('site::backup', $targets) }
#   $results = wait($future)
function background(Callable[0, 0] $block) >> Future { }
function background(String[1] $name_, Callable[0, 0] $block) >> Future { }

# @summary Runs a block, and returns the error instead of ending the plan if it fails.
# @param error_types The kinds of errors to catch. All others still end the plan.
# @param block The block.
# @return the result of the block, or the `Error`
# @example Continue after a failure
#   $result = catch_errors(['bolt/run-failure']) || { run_command('false', $targets) }
function catch_errors(Callable[0, 0] $block) { }
function catch_errors(Array[String[1]] $error_types, Callable[0, 0] $block) { }

# @summary Downloads a file or a directory from each target.
# @param source The absolute path on the targets.
# @param destination The directory below `downloads` of the project, in which each target has a directory.
# @param targets The targets.
# @param description A description that is shown instead of the paths.
# @param options `_catch_errors` and `_run_as`.
# @return one result for each target, with the `path` of what was downloaded
function download_file(
  String[1] $source,
  String[1] $destination,
  TargetSpec $targets,
  Options $options = default,
) >> ResultSet { }
function download_file(
  String[1] $source,
  String[1] $destination,
  TargetSpec $targets,
  String $description,
  Options $options = default,
) >> ResultSet { }

# @summary Returns the facts of a target that the inventory contains or the plan has set. To collect facts, run
#   `apply_prep` or the plan `facts`.
# @param target The target.
# @return the facts by name
function facts(Target $target) >> Hash[String, Data] { }

# @summary Ends the plan with an error.
# @param msg The message.
# @param kind The kind of the error, for `catch_errors` and callers. Defaults to `bolt/plan-failure`.
# @param details Data about the error.
# @param issue_code Ignored.
# @param error The error of another failure.
# @example Fail if a target did
#   unless $results.ok {
#     fail_plan('The update failed', 'site/update-failed', { 'targets' => $results.error_set.names })
#   }
function fail_plan(
  String[1] $msg,
  String[1] $kind = default,
  Hash[String[1], Any] $details = default,
  String[1] $issue_code = default,
) { }
function fail_plan(Error $error) { }

# @summary Returns the state of resources on targets. They need an agent, see `apply_prep`.
# @param targets The targets.
# @param resources The resource types, or references to single resources.
# @return one result for each target, whose value has a list of `resources`
function get_resources(
  TargetSpec $targets,
  Variant[String, Type[Resource], Array[Variant[String, Type[Resource]]]] $resources,
) >> ResultSet { }

# @summary Returns a target of the inventory, or a new one if it has none with this name.
# @param name The name or the URI of the target.
# @return the target
function get_target(TargetSpec $name_) >> Target { }

# @summary Returns the targets that names, URIs, groups and patterns stand for, each once.
# @param names The names: a string, which may be a list with commas, or an array.
# @return the targets
# @example Run something on each target of a group
#   get_targets('webservers').each |$target| {
#     out::message("${target.name} is at ${target.host}")
#   }
function get_targets(TargetSpec $names) >> Array[Target] { }

# @summary Runs a block for each element of an array, all at the same time. Experimental.
# @param data The array. Duplicates are dropped.
# @param block The block, which gets an element.
# @return the results of the block, in the order of the elements
# @example Run plans at the same time
#   $results = parallelize(get_targets($targets)) |$target| {
#     run_plan('site::update', $target)
#   }
function parallelize(Array $data, Callable[Any] $block) >> Array { }

# @summary Sends a command to PuppetDB. Experimental.
# @param command The name of the command, such as `replace_facts`.
# @param version The version of the command.
# @param payload The data of the command.
# @param instance The instance of PuppetDB, if several are configured.
# @return the UUID of the command
function puppetdb_command(
  String[1] $command,
  Integer $version,
  Hash[Data, Data] $payload,
  String $instance = default,
) >> String { }

# @summary Returns the facts that PuppetDB has of nodes.
# @param certnames The names of the nodes.
# @param instance The instance of PuppetDB, if several are configured.
# @return the facts by the name of the node; empty for a node that is unknown
function puppetdb_fact(
  Array[String] $certnames,
  String $instance = default,
) >> Hash[String, Data] { }

# @summary Queries PuppetDB.
# @param query The query, in PQL or as an array.
# @param instance The instance of PuppetDB, if several are configured.
# @return the rows
# @example Find nodes by a fact
#   $rows = puppetdb_query('inventory[certname] { facts.os.name = "Debian" }')
#   $targets = $rows.map |$row| { $row['certname'] }
function puppetdb_query(
  Variant[String, Array[Data]] $query,
  String $instance = default,
) >> Array[Data] { }

# @summary Removes a target from a group of the inventory and from the groups in it.
# @param target The target: only one.
# @param group The name of the group, not `all`.
function remove_from_group(TargetSpec $target, String[1] $group) { }

# @summary Replaces the references to plugins (`_plugin`) in data by what they refer to.
# @param references The data.
# @return the data without references
function resolve_references(Data $references) >> Data { }

# @summary Returns a resource that `set_resources` has added to a target.
# @param target The target.
# @param type The resource type.
# @param title The title of the resource.
# @return the resource, or `undef` if the target does not have it
function resource(
  Target $target,
  Variant[Type[Resource], String[1]] $type_,
  String[1] $title_,
) >> Optional[ResourceInstance] { }

# @summary Runs a command on targets.
# @param command The command.
# @param targets The targets.
# @param description A description that is shown instead of the command.
# @param options `_catch_errors`, `_env_vars` and `_run_as`.
# @return one result for each target, with `stdout`, `stderr` and `exit_code`
# @example Run a command, and read what it wrote
#   $results = run_command('uptime', $targets, '_catch_errors' => true)
#   $results.ok_set.each |$result| { out::message($result['stdout']) }
function run_command(
  String[1] $command,
  TargetSpec $targets,
  Options $options = default,
) >> ResultSet { }
function run_command(
  String[1] $command,
  TargetSpec $targets,
  String $description,
  Options $options = default,
) >> ResultSet { }

# @summary Runs a container on the machine of Bolt. Experimental.
# @param image The image.
# @param options `cmd`, `env_vars`, `ports`, `rm`, `volumes`, `workdir` and `_catch_errors`.
# @return what the container wrote
function run_container(String[1] $image, Options $options = default) >> ContainerResult { }

# @summary Runs another plan.
# @param plan_name The name of the plan.
# @param targets The targets, for a plan with a parameter `targets` or `nodes`.
# @param args The parameters of the plan by name, and `_catch_errors` and `_run_as`.
# @return what the plan returns, or `undef`
# @example Run a plan
#   run_plan('site::update', $targets, 'reboot' => true)
function run_plan(String $plan_name, Hash $args = default) { }
function run_plan(String $plan_name, TargetSpec $targets, Hash $args = default) { }

# @summary Uploads a script to targets and runs it there.
# @param script The script: `module/path` in the directory `files` of a module, or an absolute path.
# @param targets The targets.
# @param description A description that is shown instead of the path.
# @param options `arguments`, `pwsh_params`, `_catch_errors`, `_env_vars` and `_run_as`.
# @return one result for each target, with `stdout`, `stderr` and `exit_code`
# @example Run a script of a module
#   run_script('site/cleanup.sh', $targets, 'arguments' => ['--dry-run'])
function run_script(
  String[1] $script,
  TargetSpec $targets,
  Options $options = default,
) >> ResultSet { }
function run_script(
  String[1] $script,
  TargetSpec $targets,
  String $description,
  Options $options = default,
) >> ResultSet { }

# @summary Runs a task on targets.
# @param task_name The name of the task.
# @param targets The targets.
# @param description A description that is shown instead of the name.
# @param args The parameters of the task by name, and `_catch_errors`, `_noop` and `_run_as`.
# @return one result for each target, whose value is what the task returns
# @example Run a task, and handle failures
#   $results = run_task('package', $targets, 'name' => 'ntp', 'action' => 'status', '_catch_errors' => true)
#   unless $results.ok {
#     out::message("Failed on ${results.error_set.names.join(', ')}")
#   }
function run_task(
  String[1] $task_name,
  TargetSpec $targets,
  Options $args = default,
) >> ResultSet { }
function run_task(
  String[1] $task_name,
  TargetSpec $targets,
  Optional[String] $description,
  Options $args = default,
) >> ResultSet { }

# @summary Runs a task on targets with parameters of their own.
# @param task_name The name of the task.
# @param targets The targets.
# @param description A description that is shown instead of the name.
# @param options `_catch_errors`, `_noop` and `_run_as`.
# @param block The block, which returns the parameters of the task for a target.
# @return one result for each target, whose value is what the task returns
# @example Set a parameter from a variable of each target
#   run_task_with('site::join', $targets) |$target| {
#     { 'token' => $target.vars['token'] }
#   }
function run_task_with(
  String[1] $task_name,
  TargetSpec $targets,
  Callable[Target] $block,
) >> ResultSet { }
function run_task_with(
  String[1] $task_name,
  TargetSpec $targets,
  Options $options,
  Callable[Target] $block,
) >> ResultSet { }
function run_task_with(
  String[1] $task_name,
  TargetSpec $targets,
  Optional[String] $description,
  Callable[Target] $block,
) >> ResultSet { }
function run_task_with(
  String[1] $task_name,
  TargetSpec $targets,
  Optional[String] $description,
  Options $options,
  Callable[Target] $block,
) >> ResultSet { }

# @summary Sets an option of the configuration of a target.
# @param target The target.
# @param key_or_key_path The option, such as `transport`, or the path to it: `['ssh', 'user']`.
# @param value The value.
# @return the target
function set_config(
  Target $target,
  Variant[String, Array[String]] $key_or_key_path,
  Any $value,
) >> Target { }

# @summary Sets a feature of a target, which selects the implementations of tasks.
# @param target The target.
# @param feature The feature, such as `puppet-agent`.
# @param value Whether the target has the feature. Defaults to `true`.
# @return the target
function set_feature(Target $target, String $feature, Boolean $value = default) >> Target { }

# @summary Adds resources to a target. Nothing changes on the target itself.
# @param target The target.
# @param resources The resources: hashes with `type`, `title` and `state`, or instances.
# @return the resources
function set_resources(
  Target $target,
  Variant[Hash, ResourceInstance, Array[Variant[Hash, ResourceInstance]]] $resources,
) >> Array[ResourceInstance] { }

# @summary Sets a variable of a target, which `vars` returns.
# @param target The target.
# @param key The name of the variable.
# @param value The value.
# @return the target
function set_var(Target $target, String $key, Data $value) >> Target { }

# @summary Uploads a file or a directory to targets.
# @param source The source: `module/path` in the directory `files` of a module, or an absolute path.
# @param destination The absolute path on the targets.
# @param targets The targets.
# @param description A description that is shown instead of the paths.
# @param options `_catch_errors` and `_run_as`.
# @return one result for each target
# @example Upload a file of a module
#   upload_file('site/motd', '/etc/motd', $targets)
function upload_file(
  String[1] $source,
  String[1] $destination,
  TargetSpec $targets,
  Options $options = default,
) >> ResultSet { }
function upload_file(
  String[1] $source,
  String[1] $destination,
  TargetSpec $targets,
  String $description,
  Options $options = default,
) >> ResultSet { }

# @summary Returns the variables of a target, from the inventory and `set_var`.
# @param target The target.
# @return the variables by name
function vars(Target $target) >> Hash[String, Data] { }

# @summary Waits for the blocks of `background`.
# @param futures The results of `background`; all that the plan has started if they are not given.
# @param timeout The number of seconds after which it fails.
# @param options `_catch_errors`.
# @return the results of the blocks, in the order in which they were given
function wait(
  Variant[Future, Array[Future]] $futures,
  Options $options = default,
) { }
function wait(Options $options = default) { }
function wait(Timeout $timeout, Options $options = default) { }
function wait(
  Variant[Future, Array[Future]] $futures,
  Timeout $timeout,
  Options $options = default,
) { }

# @summary Waits until Bolt can connect to all targets.
# @param targets The targets.
# @param options `description`, `wait_time` (120 seconds by default), `retry_interval` and `_catch_errors`.
# @return one result for each target
# @example Wait for a reboot
#   wait_until_available($targets, 'wait_time' => 300)
function wait_until_available(
  TargetSpec $targets,
  AvailabilityOptions $options = default,
) >> ResultSet { }

# @summary Runs a block without the log messages that plan functions write by themselves.
# @param block The block.
# @return the result of the block
function without_default_logging(Callable[0, 0] $block) { }

# @summary Writes a string to a file on targets.
# @param content The content.
# @param destination The absolute path on the targets.
# @param targets The targets.
# @param options `_catch_errors` and `_run_as`.
# @return one result for each target
function write_file(
  String $content,
  String[1] $destination,
  TargetSpec $targets,
  Options $options = default,
) >> ResultSet { }

# ---- the other modules of Bolt

# @summary Repeats a block until it returns a true value.
# @param options `limit`, the maximum number of times, and `interval`, the seconds between them.
# @param block The block.
# @return the last result of the block
function ctrl::do_until(Callable $block) { }
function ctrl::do_until(Options $options, Callable $block) { }

# @summary Waits for a time.
# @param period The number of seconds.
function ctrl::sleep(Numeric $period) { }

# @summary Returns the names of the files in a directory on the machine of Bolt.
# @param dirname The absolute path, or `module/path` in the directory `files` of a module.
# @return the names
function dir::children(String $dirname) >> Array { }

# @summary Deletes a file on the machine of Bolt.
# @param filename The absolute path.
function file::delete(String[1] $filename) { }

# @summary Checks whether a file exists on the machine of Bolt.
# @param filename The absolute path, or `module/path` in the directory `files` of a module.
# @return whether it exists
function file::exists(String[1] $filename) >> Boolean { }

# @summary Joins the parts of a path.
# @at_least_one paths
# @param paths The parts.
# @return the path
function file::join(String *$paths) >> String { }

# @summary Returns the content of a file on the machine of Bolt.
# @param filename The absolute path, or `module/path` in the directory `files` of a module.
# @return the content
function file::read(String[1] $filename) >> String { }

# @summary Checks whether a file on the machine of Bolt is readable.
# @param filename The absolute path, or `module/path` in the directory `files` of a module.
# @return whether it is readable
function file::readable(String[1] $filename) >> Boolean { }

# @summary Writes a string to a file on the machine of Bolt. `write_file` writes to targets.
# @param filename The absolute path.
# @param content The content.
function file::write(String $filename, String $content) { }

# @summary Logs a message at the level `debug`: details of what the plan does.
# @param message The message, which may be any value.
function log::debug(Any $message) { }

# @summary Logs a message at the level `error`: a failure after which the plan continues.
# @param message The message, which may be any value.
function log::error(Any $message) { }

# @summary Logs a message at the level `fatal`: a failure that ends the plan.
# @param message The message, which may be any value.
function log::fatal(Any $message) { }

# @summary Logs a message at the level `info`: what the plan does, in short.
# @param message The message, which may be any value.
function log::info(Any $message) { }

# @summary Logs a message at the level `trace`: the finest details.
# @param message The message, which may be any value.
function log::trace(Any $message) { }

# @summary Logs a message at the level `warn`: a deprecation, or something that may harm.
# @param message The message, which may be any value.
function log::warn(Any $message) { }

# @summary Prints a message to the user.
# @param message The message, which may be any value.
function out::message(Any $message) { }

# @summary Prints a message to the user if Bolt runs with `--verbose`.
# @param message The message, which may be any value.
function out::verbose(Any $message) { }

# @summary Asks the user for a line of input.
# @param prompt The question.
# @param options `sensitive` hides the input and makes the answer sensitive; `default` is the answer to an empty line.
# @return the answer
function prompt(String $prompt, Options $options = default) >> Variant[String, Sensitive] { }

# @summary Lets the user select from a menu.
# @param prompt The question.
# @param menu The options; the keys of a hash are what the user enters.
# @param options `default` is the answer to an empty line.
# @return the selected option
function prompt::menu(
  String $prompt,
  Variant[Array[Any], Hash[String[1], Any]] $menu,
  Options $options = default,
) { }

# @summary Returns an environment variable of the machine of Bolt.
# @param name The name of the variable.
# @return the value, or `undef` if it is not set
function system::env(String $name_) >> Optional[String] { }
