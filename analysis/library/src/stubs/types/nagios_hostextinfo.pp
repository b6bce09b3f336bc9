# @summary What Nagios shows of a host.
# @module nagios_core
# @provider naginator The files of Nagios.
define nagios_hostextinfo (
  # The host.
  # @namevar
  String $host_name,

  # What manages the file.
  String $provider,

  # Whether it is there.
  # @property
  Enum['present', 'absent'] $ensure,

  # The template that it takes what it does not say itself from.
  # @property
  $use,

  # A remark.
  # @property
  $notes,

  # The URL of more remarks.
  # @property
  $notes_url,

  # The picture.
  # @property
  $icon_image,

  # The text for who cannot see the picture.
  # @property
  $icon_image_alt,

  # The picture on the map in three dimensions.
  # @property
  $vrml_image,

  # The picture on the map.
  # @property
  $statusmap_image,

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
