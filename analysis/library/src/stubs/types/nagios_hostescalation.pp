# @summary An escalation of Nagios notifications about hosts.
# @module nagios_core
# @provider naginator Writes Nagios object configuration files.
define nagios_hostescalation (
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

  # The hosts, separated by commas.
  # @property
  $host_name,

  # The host groups, separated by commas.
  # @property
  $hostgroup_name,

  # The contacts to notify, separated by commas.
  # @property
  $contacts,

  # The contact groups to notify, separated by commas.
  # @property
  $contact_groups,

  # The number of the first notification that the escalation applies to.
  # @property
  $first_notification,

  # The number of the last notification that the escalation applies to. With 0, there is no limit.
  # @property
  $last_notification,

  # The interval between repeated notifications.
  # @property
  $notification_interval,

  # The time period in which the escalation applies.
  # @property
  $escalation_period,

  # The states to which the escalation applies.
  # @property
  $escalation_options,

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
