# The functions that Bolt adds to plans, with the parameters that Bolt declares for them. They are not
# offered as built-in functions, so the stubs have no documentation.

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

function add_facts(Target $target, Hash $facts) { }

function add_to_group(TargetSpec $targets, String[1] $group) { }

function apply_prep(TargetSpec $targets, Hash[String, Data] $options = default) { }

function background(Callable[0, 0] $block) { }
function background(String[1] $name_, Callable[0, 0] $block) { }

function catch_errors(Callable[0, 0] $block) { }
function catch_errors(Array[String[1]] $error_types, Callable[0, 0] $block) { }

function download_file(
  String[1] $source,
  String[1] $destination,
  TargetSpec $targets,
  Options $options = default,
) { }
function download_file(
  String[1] $source,
  String[1] $destination,
  TargetSpec $targets,
  String $description,
  Options $options = default,
) { }

function facts(Target $target) { }

function fail_plan(
  String[1] $msg,
  String[1] $kind = default,
  Hash[String[1], Any] $details = default,
  String[1] $issue_code = default,
) { }
function fail_plan(Error $error) { }

function get_resources(
  TargetSpec $targets,
  Variant[String, Type[Resource], Array[Variant[String, Type[Resource]]]] $resources,
) { }

function get_target(TargetSpec $name_) { }

function get_targets(TargetSpec $names) { }

function parallelize(Array $data, Callable[Any] $block) { }

function puppetdb_command(
  String[1] $command,
  Integer $version,
  Hash[Data, Data] $payload,
  String $instance = default,
) { }

function puppetdb_fact(Array[String] $certnames, String $instance = default) { }

function puppetdb_query(Variant[String, Array[Data]] $query, String $instance = default) { }

function remove_from_group(TargetSpec $target, String[1] $group) { }

function resolve_references(Data $references) { }

function resource(Target $target, Variant[Type[Resource], String[1]] $type_, String[1] $title_) { }

function run_command(String[1] $command, TargetSpec $targets, Options $options = default) { }
function run_command(
  String[1] $command,
  TargetSpec $targets,
  String $description,
  Options $options = default,
) { }

function run_container(String[1] $image, Options $options = default) { }

function run_plan(String $plan_name, Hash $args = default) { }
function run_plan(String $plan_name, TargetSpec $targets, Hash $args = default) { }

function run_script(String[1] $script, TargetSpec $targets, Options $options = default) { }
function run_script(
  String[1] $script,
  TargetSpec $targets,
  String $description,
  Options $options = default,
) { }

function run_task(String[1] $task_name, TargetSpec $targets, Options $args = default) { }
function run_task(
  String[1] $task_name,
  TargetSpec $targets,
  Optional[String] $description,
  Options $args = default,
) { }

function run_task_with(String[1] $task_name, TargetSpec $targets, Callable[Target] $block) { }
function run_task_with(
  String[1] $task_name,
  TargetSpec $targets,
  Options $options,
  Callable[Target] $block,
) { }
function run_task_with(
  String[1] $task_name,
  TargetSpec $targets,
  Optional[String] $description,
  Callable[Target] $block,
) { }
function run_task_with(
  String[1] $task_name,
  TargetSpec $targets,
  Optional[String] $description,
  Options $options,
  Callable[Target] $block,
) { }

function set_config(Target $target, Variant[String, Array[String]] $key_or_key_path, Any $value) { }

function set_feature(Target $target, String $feature, Boolean $value = default) { }

function set_resources(
  Target $target,
  Variant[Hash, ResourceInstance, Array[Variant[Hash, ResourceInstance]]] $resources,
) { }

function set_var(Target $target, String $key, Data $value) { }

function upload_file(
  String[1] $source,
  String[1] $destination,
  TargetSpec $targets,
  Options $options = default,
) { }
function upload_file(
  String[1] $source,
  String[1] $destination,
  TargetSpec $targets,
  String $description,
  Options $options = default,
) { }

function vars(Target $target) { }

function wait(Variant[Future, Array[Future]] $futures, Options $options = default) { }
function wait(Options $options = default) { }
function wait(Timeout $timeout, Options $options = default) { }
function wait(
  Variant[Future, Array[Future]] $futures,
  Timeout $timeout,
  Options $options = default,
) { }

function wait_until_available(TargetSpec $targets, AvailabilityOptions $options = default) { }

function without_default_logging(Callable[0, 0] $block) { }

function write_file(
  String $content,
  String[1] $destination,
  TargetSpec $targets,
  Options $options = default,
) { }

# ---- the other modules of Bolt

function ctrl::do_until(Callable $block) { }
function ctrl::do_until(Options $options, Callable $block) { }

function ctrl::sleep(Numeric $period) { }

function dir::children(String $dirname) { }

function file::delete(String[1] $filename) { }

function file::exists(String[1] $filename) { }

# @at_least_one paths
function file::join(String *$paths) { }

function file::read(String[1] $filename) { }

function file::readable(String[1] $filename) { }

function file::write(String $filename, String $content) { }

function log::debug(Any $message) { }

function log::error(Any $message) { }

function log::fatal(Any $message) { }

function log::info(Any $message) { }

function log::trace(Any $message) { }

function log::warn(Any $message) { }

function out::message(Any $message) { }

function out::verbose(Any $message) { }

function prompt(String $prompt, Options $options = default) { }

function prompt::menu(
  String $prompt,
  Variant[Array[Any], Hash[String[1], Any]] $menu,
  Options $options = default,
) { }

function system::env(String $name_) { }
