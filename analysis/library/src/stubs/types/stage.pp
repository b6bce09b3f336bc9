# @summary A run stage: all classes in it are applied before or after the classes in other stages.
#
# Classes are in the stage `main` unless they set the metaparameter `stage`.
# @example A stage before the main stage
#   stage { 'first':
#     before => Stage['main'],
#   }
define stage (
  # The name of the stage.
  # @namevar
  String $name_,
) { }
