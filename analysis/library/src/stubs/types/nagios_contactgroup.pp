# @summary A group of Nagios contacts.
# @module nagios_core
# @provider naginator Writes Nagios object configuration files.
define nagios_contactgroup (
  # The name of the contact group.
  # @namevar
  String $contactgroup_name,

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

  # Other contact groups whose members belong to this group.
  # @property
  $contactgroup_members,

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
