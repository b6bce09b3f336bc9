# @summary An alias in the file of the mail server's aliases.
# @module mailalias_core
# @provider aliases The file `aliases` of sendmail and its kin.
# @example Mail for root
#   mailalias { 'root':
#     recipient => 'admin@example.com',
#   }
define mailalias (
  # The alias.
  # @namevar
  String $name_,

  # What manages the file.
  String $provider,

  # Whether it is there.
  # @property
  Enum['present', 'absent'] $ensure,

  # Who gets the mail: addresses, commands, files.
  # @property
  Variant[String, Array[String]] $recipient,

  # A file that has the recipients. It excludes `recipient`.
  # @property
  String $file,

  # The file of aliases, `/etc/aliases` on most platforms.
  # @property
  String $target,
) { }
