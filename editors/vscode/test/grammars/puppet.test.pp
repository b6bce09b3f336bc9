# SYNTAX TEST "source.puppet" "manifests"

class shop::web (
# <----- keyword.other.puppet
#     ^^^^^^^^^ entity.name.type.class.puppet
  Integer[1, 5] $count = 0x1F,
# ^^^^^^^ entity.name.type.puppet
#         ^ constant.numeric.puppet
#               ^^^^^^ variable.other.readwrite.puppet
#                      ^ keyword.operator.puppet
#                        ^^^^ constant.numeric.puppet
) inherits shop::params {
# ^^^^^^^^ keyword.other.puppet
#          ^^^^^^^^^^^^ entity.name.type.class.puppet
  file { "/etc/${name}.conf":
# ^^^^ entity.name.type.resource.puppet
#        ^^^^^^ string.quoted.double.puppet
#              ^^ punctuation.section.interpolation.begin.puppet
#                ^^^^ meta.embedded.interpolation.puppet variable.other.readwrite.puppet
#                     ^^^^^^ string.quoted.double.puppet
    ensure  => file,
#   ^^^^^^ variable.other.property.puppet
#           ^^ keyword.operator.puppet
#              ^^^^ string.unquoted.puppet
    require => Class['shop::install'],
#   ^^^^^^^ variable.other.property.puppet
#              ^^^^^ entity.name.type.puppet
#                     ^^^^^^^^^^^^^ entity.name.type.class.puppet
  }

  include shop::a, 'shop::b'
# ^^^^^^^ entity.name.function.puppet
#         ^^^^^^^ entity.name.type.class.puppet
#                   ^^^^^^^ entity.name.type.class.puppet

  if $a =~ /^\d+\/x$/ and $b / 2 == 3 {
# ^^ keyword.control.puppet
#          ^^^^^^^^^^ string.regexp.puppet
#                     ^^^ keyword.control.puppet
#                            ^ keyword.operator.puppet
    notice("tab\t${$x['a']} and $::y")
#   ^^^^^^ entity.name.function.puppet
#              ^^ constant.character.escape.puppet
#                   ^ meta.embedded.interpolation.puppet
#                               ^^^^ variable.other.readwrite.puppet
  }

  $z = $os ? {
    debian  => 'a',
#   ^^^^^^ meta.selector.puppet string.unquoted.puppet
    default => { b => 1 },
#   ^^^^^^^ constant.language.puppet
#                ^ variable.other.property.puppet
  }

  User <| group == 'web' |> { shell => undef }
# ^^^^ entity.name.type.puppet
#         ^^^^^ meta.collector.puppet variable.other.property.puppet
#                             ^^^^^ variable.other.property.puppet
#                                      ^^^^^ constant.language.puppet

  $list.each |$index, $it| { $it.upcase }
#       ^^^^ entity.name.function.puppet
#                                ^^^^^^ entity.name.function.puppet

  /* a block
# ^^^^^^^^^^ comment.block.puppet
  */ $after = 1
#    ^^^^^^ variable.other.readwrite.puppet

  $text = fix(@("END"/L), 2)
#             ^^^^^^^^^^ keyword.control.heredoc.puppet
#                         ^ constant.numeric.puppet
    text of ${name}
#   ^^^^^^^ string.unquoted.heredoc.interpolated.puppet
#             ^^^^ variable.other.readwrite.puppet
    | END
#     ^^^ keyword.control.heredoc.puppet
  $raw = @(RAW)
    not ${this}
#   ^^^^^^^^^^^ string.unquoted.heredoc.raw.puppet
    |- RAW
#      ^^^ keyword.control.heredoc.puppet
}

function shop::f(String *$rest) >> String { 'x' }
# <-------- keyword.other.puppet
#        ^^^^^^^ entity.name.function.puppet
#                       ^ keyword.operator.puppet
type Shop::Port = Integer[1, 65535]
# <---- keyword.control.puppet
#    ^^^^^^^^^^ entity.name.type.puppet
node 'a.example.com', /^b\d/, default { }
# <---- keyword.other.puppet
#    ^^^^^^^^^^^^^^^ string.quoted.single.puppet
#                     ^^^^^^ string.regexp.puppet
#                             ^^^^^^^ keyword.other.puppet
