# @summary A dependency of services on services, for Nagios.
# @module nagios_core
# @provider naginator The files of Nagios.
define nagios_servicedependency (
  # A name for it, which Nagios does not see.
  # @namevar
  String $_naginator_name,

  # What manages the file.
  String $provider,

  # Whether it is there.
  # @property
  Enum['present', 'absent'] $ensure,

  # The template that it takes what it does not say itself from.
  # @property
  $use,

  # The hosts that depend, with commas between them.
  # @property
  $dependent_host_name,

  # The groups of hosts that depend, with commas between them.
  # @property
  $dependent_hostgroup_name,

  # The service that depends.
  # @property
  $dependent_service_description,

  # The hosts, with commas between them.
  # @property
  $host_name,

  # The groups of hosts, with commas between them.
  # @property
  $hostgroup_name,

  # The service.
  # @property
  $service_description,

  # Whether what is depended on may depend on others.
  # @property
  $inherits_parent,

  # In which states what depends is not checked.
  # @property
  $execution_failure_criteria,

  # In which states there are no notifications of what depends.
  # @property
  $notification_failure_criteria,

  # The period in which it depends.
  # @property
  $dependency_period,

  # Whether it is an object itself, or only a template: 1 or 0.
  # @property
  $register,

  # The file, which Nagios must be told to read.
  # @property
  String $target,

  # The user that owns the file.
  $owner,

  # The group that owns the file.
  $group,

  # Who may do what with the file.
  $mode,
) { }
