# @summary What Nagios shows of a service.
# @module nagios_core
# @provider naginator The files of Nagios.
define nagios_serviceextinfo (
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

  # The hosts, with commas between them.
  # @property
  $host_name,

  # The service.
  # @property
  $service_description,

  # A remark.
  # @property
  $notes,

  # The URL of more remarks.
  # @property
  $notes_url,

  # The URL of what can be done.
  # @property
  $action_url,

  # The picture.
  # @property
  $icon_image,

  # The text for who cannot see the picture.
  # @property
  $icon_image_alt,

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
