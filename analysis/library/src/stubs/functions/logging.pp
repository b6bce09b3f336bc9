# Messages in the log of the server, by level, and failing on purpose.

# @summary Logs a message at the level `debug`, the lowest.
# @param values What to log, joined by blanks.
# @return nothing
# @example Log the value of a variable
#   debug("ports are ${[80, 443]}")
function debug(Any *$values) >> Undef { }

# @summary Logs a message at the level `info`.
# @param values What to log, joined by blanks.
# @return nothing
# @example Log two values
#   info('the release is', 7)
function info(Any *$values) >> Undef { }

# @summary Logs a message at the level `notice`, which is shown by default.
#
# The message is written where the catalog is compiled. For one in the log of the agent declare a
# `notify` resource.
# @param values What to log, joined by blanks.
# @return nothing
# @example Log a message
#   notice('compiling')
function notice(Any *$values) >> Undef { }

# @summary Logs a message at the level `warning`.
# @param values What to log, joined by blanks.
# @return nothing
# @example Warn about a value
#   warning('no ports are given')
function warning(Any *$values) >> Undef { }

# @summary Logs a message at the level `err`. The compilation goes on; see `fail`.
# @param values What to log, joined by blanks.
# @return nothing
# @example Log an error
#   err('the data is incomplete')
function err(Any *$values) >> Undef { }

# @summary Logs a message at the level `crit`.
# @param values What to log, joined by blanks.
# @return nothing
# @example Log a critical message
#   crit('the certificate has expired')
function crit(Any *$values) >> Undef { }

# @summary Logs a message at the level `alert`.
# @param values What to log, joined by blanks.
# @return nothing
# @example Log an alert
#   alert('no disk is left')
function alert(Any *$values) >> Undef { }

# @summary Logs a message at the level `emerg`, the highest.
# @param values What to log, joined by blanks.
# @return nothing
# @example Log an emergency
#   emerg('everything is lost')
function emerg(Any *$values) >> Undef { }

# @summary Ends the compilation with an error.
# @ruby3x
# @statement
# @param values What the error says, joined by blanks.
# @return never
# @example Refuse a platform
#   unless $facts['os']['family'] == 'Debian' {
#     fail("${facts['os']['family']} is not supported")
#   }
function fail(Any *$values) { }
