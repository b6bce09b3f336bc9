# @summary A Nagios host.
# @module nagios_core
# @provider naginator Writes Nagios object configuration files.
define nagios_host (
  # The name of the host.
  # @namevar
  String $host_name,

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

  # The name to show in the web interface.
  # @property
  $display_name,

  # The IP address or host name.
  # @property
  $address,

  # The hosts between the monitoring server and this host, separated by commas.
  # @property
  $parents,

  # The host groups that the host belongs to, separated by commas.
  # @property
  $hostgroups,

  # The name of the check command, and its arguments.
  # @property
  $check_command,

  # The state to assume before the first check.
  # @property
  $initial_state,

  # The number of failed checks before Nagios sends a notification.
  # @property
  $max_check_attempts,

  # The interval between checks.
  # @property
  $check_interval,

  # The interval between checks while a problem is not confirmed.
  # @property
  $retry_interval,

  # Whether active checks are enabled.
  # @property
  $active_checks_enabled,

  # Whether passive checks are enabled.
  # @property
  $passive_checks_enabled,

  # The time period in which Nagios runs active checks.
  # @property
  $check_period,

  # Whether Nagios runs the obsessive compulsive host processor command after each check.
  # @property
  $obsess_over_host,

  # Whether freshness checks are enabled.
  # @property
  $check_freshness,

  # The age of the last check result, in seconds, above which it counts as stale.
  # @property
  $freshness_threshold,

  # The command to run when the state changes.
  # @property
  $event_handler,

  # Whether the event handler is enabled.
  # @property
  $event_handler_enabled,

  # The percentage of state changes below which flapping ends.
  # @property
  $low_flap_threshold,

  # The percentage of state changes above which flapping starts.
  # @property
  $high_flap_threshold,

  # Whether flap detection is enabled.
  # @property
  $flap_detection_enabled,

  # The states that flap detection takes into account.
  # @property
  $flap_detection_options,

  # Whether failure prediction is enabled.
  # @property
  $failure_prediction_enabled,

  # Whether Nagios processes performance data.
  # @property
  $process_perf_data,

  # Whether the status is retained across restarts of Nagios.
  # @property
  $retain_status_information,

  # Whether information other than the status is retained across restarts of Nagios.
  # @property
  $retain_nonstatus_information,

  # The contacts to notify, separated by commas.
  # @property
  $contacts,

  # The contact groups to notify, separated by commas.
  # @property
  $contact_groups,

  # The interval between repeated notifications.
  # @property
  $notification_interval,

  # The delay before the first notification.
  # @property
  $first_notification_delay,

  # The time period in which Nagios sends notifications.
  # @property
  $notification_period,

  # The states for which Nagios sends notifications.
  # @property
  $notification_options,

  # Whether notifications are enabled.
  # @property
  $notifications_enabled,

  # The states for which Nagios logs every change of the check output.
  # @property
  $stalking_options,

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

  # The image for the 3-D status map.
  # @property
  $vrml_image,

  # The image for the status map.
  # @property
  $statusmap_image,

  # Whether the definition is an object (1) or only a template (0).
  # @property
  $register,

  # The realm that the object belongs to (Shinken only).
  # @property
  $realm,

  # The tag of the poller that runs the checks (Shinken only).
  # @property
  $poller_tag,

  # The importance of the object for the business (Shinken only).
  # @property
  $business_impact,

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
