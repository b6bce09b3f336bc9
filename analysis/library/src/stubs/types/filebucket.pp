# @summary A repository for backups of files, on this host or on a server.
# @example A filebucket on the server
#   filebucket { 'main':
#     path   => false,
#     server => 'puppet.example.com',
#   }
define filebucket (
  # The name of the filebucket.
  # @namevar
  String $name_,

  # The server that stores the files. If neither `server` nor `port` is set, the filebucket is
  # local.
  String $server,

  # The port of the server.
  $port,

  # The directory that stores the files. Defaults to the setting `clientbucketdir`. Use `false` for
  # a filebucket on a server.
  # @accepts Variant[Boolean, Numeric, Hash, Pattern[/^\//, /^[A-Za-z]:[\/\\]/, /^[\/\\]{2}/]]
  # @expects an absolute path or `false`
  # @single
  Variant[String, Boolean] $path,
) { }
