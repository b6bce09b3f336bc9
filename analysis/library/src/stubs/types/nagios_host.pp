# @summary A host that Nagios checks.
# @module nagios_core
# @provider naginator The files of Nagios.
define nagios_host (
  # Its name.
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

  # A longer name.
  # @property
  $alias,

  # The name that is shown.
  # @property
  $display_name,

  # The address.
  # @property
  $address,

  # The hosts between Nagios and it, with commas between them.
  # @property
  $parents,

  # The groups that it is in, with commas between them.
  # @property
  $hostgroups,

  # The command that checks it.
  # @property
  $check_command,

  # The state that is taken for granted before a check.
  # @property
  $initial_state,

  # How often a check is tried before there is a notification.
  # @property
  $max_check_attempts,

  # How long until the next check.
  # @property
  $check_interval,

  # How long until the next check if it is not well.
  # @property
  $retry_interval,

  # Whether Nagios checks it.
  # @property
  $active_checks_enabled,

  # Whether others may say how it is.
  # @property
  $passive_checks_enabled,

  # The period in which it is checked.
  # @property
  $check_period,

  # Whether a command is run after each check.
  # @property
  $obsess_over_host,

  # Whether it is looked at how old the last check is.
  # @property
  $check_freshness,

  # How many seconds old the last check may be.
  # @property
  $freshness_threshold,

  # The command that is run when its state changes.
  # @property
  $event_handler,

  # Whether a command is run when its state changes.
  # @property
  $event_handler_enabled,

  # Below which percentage of changes it is steady again.
  # @property
  $low_flap_threshold,

  # Above which percentage of changes it is not steady.
  # @property
  $high_flap_threshold,

  # Whether it is looked at how often its state changes.
  # @property
  $flap_detection_enabled,

  # Which states count for how often its state changes.
  # @property
  $flap_detection_options,

  # Whether failures are foreseen.
  # @property
  $failure_prediction_enabled,

  # Whether data on performance is used.
  # @property
  $process_perf_data,

  # Whether its state is kept when Nagios is started anew.
  # @property
  $retain_status_information,

  # Whether all but its state is kept when Nagios is started anew.
  # @property
  $retain_nonstatus_information,

  # The contacts, with commas between them.
  # @property
  $contacts,

  # The groups of contacts, with commas between them.
  # @property
  $contact_groups,

  # How long until there is another notification.
  # @property
  $notification_interval,

  # How long to wait before the first notification.
  # @property
  $first_notification_delay,

  # The period in which there are notifications.
  # @property
  $notification_period,

  # For which states there are notifications.
  # @property
  $notification_options,

  # Whether there are notifications.
  # @property
  $notifications_enabled,

  # For which states all that checks say is logged.
  # @property
  $stalking_options,

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

  # The picture on the map in three dimensions.
  # @property
  $vrml_image,

  # The picture on the map.
  # @property
  $statusmap_image,

  # Whether it is an object itself, or only a template: 1 or 0.
  # @property
  $register,

  # The realm that it is in, with Shinken.
  # @property
  $realm,

  # Which poller sees to it, with Shinken.
  # @property
  $poller_tag,

  # How much it matters, with Shinken.
  # @property
  $business_impact,

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
