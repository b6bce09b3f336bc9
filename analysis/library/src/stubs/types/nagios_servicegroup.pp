# @summary A group of Nagios services.
# @module nagios_core
# @provider naginator Writes Nagios object configuration files.
define nagios_servicegroup (
  # The name of the service group.
  # @namevar
  String $servicegroup_name,

  # The provider to use for this resource. Puppet usually selects the default for the platform.
  String $provider,

  # Whether the object should exist.
  # @property
  Enum['present', 'absent'] $ensure,

  # The name of the template to inherit from.
  # @property
  $use,

  # A longer name or description.
  # @property
  $alias,

  # The members of the group, separated by commas.
  # @property
  $members,

  # Other service groups whose members belong to this group.
  # @property
  $servicegroup_members,

  # Notes about the object.
  # @property
  $notes,

  # The URL of a page with more notes.
  # @property
  $notes_url,

  # The URL of a page with actions for the object.
  # @property
  $action_url,

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
