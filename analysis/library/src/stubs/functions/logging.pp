# Log messages, and failing the compilation.

# @summary Logs a message at the level `debug`, the lowest level.
# @param values The values to log, joined by spaces.
# @return `undef`
# @example Log the value of a variable
#   debug("ports are ${[80, 443]}")
function debug(Any *$values) >> Undef { }

# @summary Logs a message at the level `info`.
# @param values The values to log, joined by spaces.
# @return `undef`
# @example Log two values
#   info('the release is', 7)
function info(Any *$values) >> Undef { }

# @summary Logs a message at the level `notice`, which is shown by default.
#
# The message is logged where the catalog is compiled. To log a message on the agent, declare a
# `notify` resource.
# @param values The values to log, joined by spaces.
# @return `undef`
# @example Log a message
#   notice('compiling')
function notice(Any *$values) >> Undef { }

# @summary Logs a message at the level `warning`.
# @param values The values to log, joined by spaces.
# @return `undef`
# @example Log a warning
#   warning('no ports are given')
function warning(Any *$values) >> Undef { }

# @summary Logs a message at the level `err`. The compilation continues; to stop it, use `fail`.
# @param values The values to log, joined by spaces.
# @return `undef`
# @example Log an error
#   err('the data is incomplete')
function err(Any *$values) >> Undef { }

# @summary Logs a message at the level `crit`.
# @param values The values to log, joined by spaces.
# @return `undef`
# @example Log a critical message
#   crit('the certificate has expired')
function crit(Any *$values) >> Undef { }

# @summary Logs a message at the level `alert`.
# @param values The values to log, joined by spaces.
# @return `undef`
# @example Log an alert
#   alert('no disk is left')
function alert(Any *$values) >> Undef { }

# @summary Logs a message at the level `emerg`, the highest level.
# @param values The values to log, joined by spaces.
# @return `undef`
# @example Log an emergency
#   emerg('everything is lost')
function emerg(Any *$values) >> Undef { }

# @summary Fails the compilation with an error message.
# @ruby3x
# @statement
# @param values The values of the message, joined by spaces.
# @return does not return
# @example Reject an unsupported platform
#   unless $facts['os']['family'] == 'Debian' {
#     fail("${facts['os']['family']} is not supported")
#   }
function fail(Any *$values) { }
