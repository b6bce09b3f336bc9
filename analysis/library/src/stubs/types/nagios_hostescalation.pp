# @summary Who else is notified of hosts, after how many notifications of Nagios.
# @module nagios_core
# @provider naginator The files of Nagios.
define nagios_hostescalation (
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

  # The groups of hosts, with commas between them.
  # @property
  $hostgroup_name,

  # The contacts, with commas between them.
  # @property
  $contacts,

  # The groups of contacts, with commas between them.
  # @property
  $contact_groups,

  # The first notification that it holds for.
  # @property
  $first_notification,

  # The last notification that it holds for; 0 is none.
  # @property
  $last_notification,

  # How long until there is another notification.
  # @property
  $notification_interval,

  # The period in which it holds.
  # @property
  $escalation_period,

  # For which states it holds.
  # @property
  $escalation_options,

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
