# @summary A Nagios contact.
# @module nagios_core
# @provider naginator Writes Nagios object configuration files.
define nagios_contact (
  # The name of the contact.
  # @namevar
  String $contact_name,

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

  # The contact groups that the contact belongs to, separated by commas.
  # @property
  $contactgroups,

  # Whether the contact receives notifications about hosts.
  # @property
  $host_notifications_enabled,

  # Whether the contact receives notifications about services.
  # @property
  $service_notifications_enabled,

  # The time period in which the contact receives notifications about hosts.
  # @property
  $host_notification_period,

  # The time period in which the contact receives notifications about services.
  # @property
  $service_notification_period,

  # The host states for which the contact receives notifications.
  # @property
  $host_notification_options,

  # The service states for which the contact receives notifications.
  # @property
  $service_notification_options,

  # The commands that send notifications about hosts, separated by commas.
  # @property
  $host_notification_commands,

  # The commands that send notifications about services, separated by commas.
  # @property
  $service_notification_commands,

  # The email address.
  # @property
  $email,

  # The pager number or address.
  # @property
  $pager,

  # An additional address for notifications.
  # @property
  $address1,

  # An additional address for notifications.
  # @property
  $address2,

  # An additional address for notifications.
  # @property
  $address3,

  # An additional address for notifications.
  # @property
  $address4,

  # An additional address for notifications.
  # @property
  $address5,

  # An additional address for notifications.
  # @property
  $address6,

  # Whether the contact can submit commands in the web interface.
  # @property
  $can_submit_commands,

  # Whether the status is retained across restarts of Nagios.
  # @property
  $retain_status_information,

  # Whether information other than the status is retained across restarts of Nagios.
  # @property
  $retain_nonstatus_information,

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
