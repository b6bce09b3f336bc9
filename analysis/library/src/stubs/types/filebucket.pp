# @summary A place where old contents of files are kept, on this host or on a server.
# @example A bucket on the server
#   filebucket { 'main':
#     path   => false,
#     server => 'puppet.example.com',
#   }
define filebucket (
  # Its name.
  # @namevar
  String $name_,

  # The server that keeps the files. Without `server` and `port` they are kept here.
  String $server,

  # The port of the server.
  $port,

  # The folder that keeps the files, that of the setting `clientbucketdir` by default; `false` for
  # a bucket on a server.
  Variant[String, Boolean] $path,
) { }
