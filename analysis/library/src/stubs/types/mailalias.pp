# @summary An email alias in the alias database of the mail server.
# @module mailalias_core
# @provider aliases Parses and writes the `aliases` file of sendmail and compatible mail servers.
# @example Forward the mail of root
#   mailalias { 'root':
#     recipient => 'admin@example.com',
#   }
define mailalias (
  # The name of the alias.
  # @namevar
  String $name_,

  # The provider to use for this resource. Puppet usually selects the default for the platform.
  String $provider,

  # Whether the alias should exist.
  # @property
  Enum['present', 'absent'] $ensure,

  # The recipients: addresses, commands or files.
  # @property
  Variant[String, Array[String]] $recipient,

  # A file that contains the recipients. Mutually exclusive with `recipient`.
  # @property
  # @accepts Pattern[/^\//, /^[A-Za-z]:[\/\\]/, /^[\/\\]{2}/]
  # @expects an absolute path
  String $file,

  # The path of the aliases file, which is `/etc/aliases` on most platforms.
  # @property
  String $target,
) { }
