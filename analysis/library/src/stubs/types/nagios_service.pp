# @summary A Nagios service.
# @module nagios_core
# @provider naginator Writes Nagios object configuration files.
define nagios_service (
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

  # The description that identifies the service on its host.
  # @property
  $service_description,

  # The name to show in the web interface.
  # @property
  $display_name,

  # The service groups that the service belongs to, separated by commas.
  # @property
  $servicegroups,

  # Whether the service is volatile: every check that does not return OK counts as a new problem.
  # @property
  $is_volatile,

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

  # The interval between checks. Nagios 3 and later call it `check_interval`.
  # @property
  $normal_check_interval,

  # The interval between checks while a problem is not confirmed. Nagios 3 and later call it
  # `retry_interval`.
  # @property
  $retry_check_interval,

  # Whether active checks are enabled.
  # @property
  $active_checks_enabled,

  # Whether passive checks are enabled.
  # @property
  $passive_checks_enabled,

  # Whether the check can run in parallel with others. Nagios 3 and later ignore it.
  # @property
  $parallelize_check,

  # The time period in which Nagios runs active checks.
  # @property
  $check_period,

  # Whether Nagios runs the obsessive compulsive service processor command after each check.
  # @property
  $obsess_over_service,

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

  # Whether Nagios processes performance data.
  # @property
  $process_perf_data,

  # Whether failure prediction is enabled.
  # @property
  $failure_prediction_enabled,

  # Whether the status is retained across restarts of Nagios.
  # @property
  $retain_status_information,

  # Whether information other than the status is retained across restarts of Nagios.
  # @property
  $retain_nonstatus_information,

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

  # The contacts to notify, separated by commas.
  # @property
  $contacts,

  # The contact groups to notify, separated by commas.
  # @property
  $contact_groups,

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

  # Whether the definition is an object (1) or only a template (0).
  # @property
  $register,

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
