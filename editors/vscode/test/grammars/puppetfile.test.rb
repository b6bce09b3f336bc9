# SYNTAX TEST "source.puppetfile" "Puppetfiles"
forge 'https://forge.example.com'
# <----- entity.name.function.puppetfile
#     ^^^^^^^^^^^^^^^^^^^^^^^^^^^ string.quoted.single.puppetfile
mod 'a/b', '1.0.0'
# <--- entity.name.function.puppetfile
mod 'c',
  git: "https://example.com/#{name}",
# ^^^^ constant.other.symbol.puppetfile
#                             ^^^^ meta.embedded.interpolation.puppetfile
  :ref => 'main'
# ^^^^ constant.other.symbol.puppetfile
#      ^^ keyword.operator.puppetfile
