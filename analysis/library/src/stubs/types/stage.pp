# @summary A stage of a run: all that is in one comes before or after all that is in another.
#
# Classes are in the stage `main` unless their metaparameter `stage` says otherwise.
# @example A stage before all others
#   stage { 'first':
#     before => Stage['main'],
#   }
define stage (
  # Its name.
  # @namevar
  String $name_,
) { }
