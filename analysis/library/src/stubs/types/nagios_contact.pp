# @summary Somebody whom Nagios notifies.
# @module nagios_core
# @provider naginator The files of Nagios.
define nagios_contact (
  # Its name.
  # @namevar
  String $contact_name,

  # What manages the file.
  String $provider,

  # Whether it is there.
  # @property
  Enum['present', 'absent'] $ensure,

  # The template that it takes what it does not say itself from.
  # @property
  $use,

  # A longer name.
  # @property
  $alias,

  # The groups that it is in, with commas between them.
  # @property
  $contactgroups,

  # Whether there are notifications of hosts.
  # @property
  $host_notifications_enabled,

  # Whether there are notifications of services.
  # @property
  $service_notifications_enabled,

  # The period in which there are notifications of hosts.
  # @property
  $host_notification_period,

  # The period in which there are notifications of services.
  # @property
  $service_notification_period,

  # For which states of hosts there are notifications.
  # @property
  $host_notification_options,

  # For which states of services there are notifications.
  # @property
  $service_notification_options,

  # The commands that notify of hosts.
  # @property
  $host_notification_commands,

  # The commands that notify of services.
  # @property
  $service_notification_commands,

  # The mail address.
  # @property
  $email,

  # The number or address of a pager.
  # @property
  $pager,

  # Another address.
  # @property
  $address1,

  # Another address.
  # @property
  $address2,

  # Another address.
  # @property
  $address3,

  # Another address.
  # @property
  $address4,

  # Another address.
  # @property
  $address5,

  # Another address.
  # @property
  $address6,

  # Whether it may give commands in the web interface.
  # @property
  $can_submit_commands,

  # Whether its state is kept when Nagios is started anew.
  # @property
  $retain_status_information,

  # Whether all but its state is kept when Nagios is started anew.
  # @property
  $retain_nonstatus_information,

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
