# The data types that Bolt adds to plans. A type of objects lists its attributes and functions by name, with the
# type of the value or of the result; `@param` documents them. The entry '[]' is the result of `$object[…]`.

# @summary The result of an `apply` block on a target.
# @param action The kind of action: `apply`.
# @param catalog The catalog that was applied.
# @param error The error, or `undef` if there was none.
# @param message The message of the result.
# @param ok Whether the block was applied without a failure.
# @param report The report of Puppet.
# @param target The target.
# @param to_data The result as a hash.
# @param value The value of the result, with the `report`.
type ApplyResult = Object[{
  'action'  => String,
  'catalog' => Optional[Hash],
  'error'   => Optional[Error],
  'message' => Optional[String],
  'ok'      => Boolean,
  'report'  => Hash[String[1], Data],
  'target'  => Target,
  'to_data' => Hash,
  'value'   => Hash,
}]

# @summary The values that a plan can return.
type Boltlib::PlanResult = PlanResult

# @summary Targets: a name, a URI, a group, a pattern, a `Target`, or an array of them. `get_targets` returns the
#   targets that they stand for.
type Boltlib::TargetSpec = TargetSpec

# @summary What a container wrote that `run_container` started.
# @param error The error, or `undef` if there was none.
# @param ok Whether the container ended with the exit code 0.
# @param status Either `success` or `failure`.
# @param stderr What the container wrote to its standard error.
# @param stdout What the container wrote to its standard output.
# @param to_data The result as a hash.
# @param value A hash with `stdout`, `stderr` and `exit_code`.
type ContainerResult = Object[{
  'error'   => Optional[Error],
  'ok'      => Boolean,
  'status'  => String,
  'stderr'  => String,
  'stdout'  => String,
  'to_data' => Hash,
  'value'   => Hash[String[1], Data],
  '[]'      => Data,
}]

# @summary A block that `background` runs. `wait` returns its result.
# @param state The state: `running`, `done` or `error`.
type Future = Object[{
  'state' => Enum['running', 'done', 'error'],
}]

# @summary The values that a plan can return.
type PlanResult = PlanResult

# @summary A resource of a target, with its desired and its observed state. Nothing that is done with it changes
#   the target itself.
# @param add_event Adds an event to the resource.
# @param desired_state The attributes that the resource should have.
# @param events The events of the resource.
# @param overwrite_desired_state Replaces the desired state.
# @param overwrite_state Replaces the observed state.
# @param reference The reference to the resource as a string, such as `File[/etc/motd]`.
# @param set_desired_state Merges attributes into the desired state.
# @param set_state Merges attributes into the observed state.
# @param state The attributes that were observed.
# @param target The target.
# @param title The title.
# @param type The resource type.
type ResourceInstance = Object[{
  'add_event'               => Array[Hash[String[1], Data]],
  'desired_state'           => Optional[Hash[String[1], Data]],
  'events'                  => Optional[Array[Hash[String[1], Data]]],
  'overwrite_desired_state' => Hash[String[1], Data],
  'overwrite_state'         => Hash[String[1], Data],
  'reference'               => String,
  'set_desired_state'       => Hash[String[1], Data],
  'set_state'               => Hash[String[1], Data],
  'state'                   => Optional[Hash[String[1], Data]],
  'target'                  => Target,
  'title'                   => String[1],
  'type'                    => Variant[String[1], Type[Resource]],
  '[]'                      => Data,
}]

# @summary The result of an action on a target. `$result['key']` reads its value.
# @param action The kind of action, such as `task` or `command`.
# @param error The error, or `undef` if there was none.
# @param message The message: the entry `_output` of the value.
# @param ok Whether the action succeeded.
# @param sensitive The sensitive part of the value: the entry `_sensitive`.
# @param status Either `success` or `failure`.
# @param target The target.
# @param to_data The result as a hash.
# @param value What the action returned: for commands and scripts `stdout`, `stderr` and `exit_code`.
type Result = Object[{
  'action'    => String,
  'error'     => Optional[Error],
  'message'   => Optional[String],
  'ok'        => Boolean,
  'sensitive' => Optional[Sensitive[Data]],
  'status'    => String,
  'target'    => Target,
  'to_data'   => Hash,
  'value'     => Hash[String[1], Data],
  '[]'        => Variant[Data, Sensitive[Data]],
}]

# @summary The results of an action, one for each target. It can be iterated over, and `$results[0]` is the first.
# @param count The number of results.
# @param empty Whether there are no results.
# @param error_set The results of targets on which the action failed.
# @param filter_set The results for which the block returns a true value.
# @param find The result of the target with this name, or `undef`.
# @param first The first result, or `undef` if there are none.
# @param names The names of the targets.
# @param ok Whether the action succeeded on all targets.
# @param ok_set The results of targets on which the action succeeded.
# @param results The results as an array.
# @param targets The targets.
# @param to_data The results as an array of hashes.
type ResultSet = Object[{
  'count'      => Integer,
  'empty'      => Boolean,
  'error_set'  => ResultSet,
  'filter_set' => ResultSet,
  'find'       => Optional[Variant[Result, ApplyResult]],
  'first'      => Optional[Variant[Result, ApplyResult]],
  'names'      => Array[String[1]],
  'ok'         => Boolean,
  'ok_set'     => ResultSet,
  'results'    => Array[Variant[Result, ApplyResult]],
  'targets'    => Array[Target],
  'to_data'    => Array[Hash],
  '[]'         => Optional[Variant[Result, ApplyResult]],
}]

# @summary A target: something that Bolt connects to.
# @param config The configuration that the inventory or the plan has set for the target.
# @param facts The facts that the inventory or the plan has set for the target.
# @param features The features of the target.
# @param host The name of the host.
# @param name The name, or the URI if it has none.
# @param password The password for the connection.
# @param plugin_hooks The configuration of its plugin hooks.
# @param port The port for the connection.
# @param protocol The protocol of the connection.
# @param resources The resources that the plan has set.
# @param safe_name The name, or the URI without its password.
# @param target_alias The other names of the target.
# @param transport The transport, such as `ssh` or `winrm`.
# @param transport_config The configuration of the transport, with defaults.
# @param uri The URI.
# @param user The user for the connection.
# @param vars The variables that the inventory or the plan has set.
type Target = Object[{
  'config'           => Optional[Hash[String[1], Data]],
  'facts'            => Optional[Hash[String[1], Data]],
  'features'         => Optional[Array[String[1]]],
  'host'             => Optional[String],
  'name'             => Optional[String[1]],
  'password'         => Optional[String[1]],
  'plugin_hooks'     => Optional[Hash[String[1], Data]],
  'port'             => Optional[Integer],
  'protocol'         => Optional[String[1]],
  'resources'        => Optional[Hash[String[1], ResourceInstance]],
  'safe_name'        => Optional[String[1]],
  'target_alias'     => Optional[Variant[String[1], Array[String[1]]]],
  'transport'        => String[1],
  'transport_config' => Hash[String[1], Data],
  'uri'              => Optional[String[1]],
  'user'             => Optional[String[1]],
  'vars'             => Optional[Hash[String[1], Data]],
}]

# @summary Targets: a name, a URI, a group, a pattern, a `Target`, or an array of them. `get_targets` returns the
#   targets that they stand for.
# @example A parameter of a plan
#   plan site::update(TargetSpec $targets) { }
type TargetSpec = TargetSpec
