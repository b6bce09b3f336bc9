# @summary Extended information about a Nagios service.
# @module nagios_core
# @provider naginator Writes Nagios object configuration files.
define nagios_serviceextinfo (
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

  # The description that identifies the service on its host.
  # @property
  $service_description,

  # Notes about the object.
  # @property
  $notes,

  # The URL of a page with more notes.
  # @property
  $notes_url,

  # The URL of a page with actions for the object.
  # @property
  $action_url,

  # The icon image.
  # @property
  $icon_image,

  # The alternative text of the icon image.
  # @property
  $icon_image_alt,

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
