# @summary A dependency between Nagios hosts.
# @module nagios_core
# @provider naginator Writes Nagios object configuration files.
define nagios_hostdependency (
  # An arbitrary name for the resource. Nagios does not use it.
  # @namevar
  String $_naginator_name,

  # The provider to use for this resource. Puppet usually selects the default for the platform.
  String $provider,

  # Whether the object should exist.
  # @property
  Enum['present', 'absent'] $ensure,

  # The name of the template to inherit from.
  # @property
  $use,

  # The dependent hosts, separated by commas.
  # @property
  $dependent_host_name,

  # The dependent host groups, separated by commas.
  # @property
  $dependent_hostgroup_name,

  # The hosts that others depend on, separated by commas.
  # @property
  $host_name,

  # The host groups that others depend on, separated by commas.
  # @property
  $hostgroup_name,

  # Whether the dependency inherits the dependencies of the object that it depends on.
  # @property
  $inherits_parent,

  # The states in which Nagios does not check the dependent object.
  # @property
  $execution_failure_criteria,

  # The states in which Nagios does not send notifications about the dependent object.
  # @property
  $notification_failure_criteria,

  # The time period in which the dependency applies.
  # @property
  $dependency_period,

  # Whether the definition is an object (1) or only a template (0).
  # @property
  $register,

  # The configuration file to write. Nagios must be configured to read it.
  # @property
  String $target,

  # The owner of the configuration file.
  $owner,

  # The group of the configuration file.
  $group,

  # The mode of the configuration file.
  $mode,
) { }
