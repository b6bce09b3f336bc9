# Records Ruby's verdicts on the patterns of cases.tsv, which tests.rs compares with ours:
#
#     ruby record_cases.rb            # the existing patterns
#     ruby record_cases.rb more.txt   # and those of more.txt, one per line, in the same notation
#
# Each line is Ruby's verdict, a tab, and the pattern, in which %, line breaks, tabs and other control
# characters are written as %HH. The verdict is "error", or "ok" and the number of groups.

$VERBOSE = nil
CASES = File.join(__dir__, 'cases.tsv')

# An empty alternative always matches. The line break is for a pattern that ends in a comment of
# extended mode.
def group_count(pattern)
  Regexp.union(Regexp.new(pattern), //).match('').size - 1
rescue RegexpError
  Regexp.union(Regexp.new("#{pattern}\n"), //).match('').size - 1
end

def verdict(pattern)
  Regexp.new(pattern)
rescue RegexpError
  'error'
else
  "ok #{group_count(pattern)}"
end

notations = File.readlines(CASES, chomp: true, encoding: 'UTF-8').map { |line| line.split("\t", 2).last }
ARGV.each { |path| notations.concat(File.readlines(path, chomp: true, encoding: 'UTF-8')) }
lines = notations.uniq.sort.map do |notation|
  pattern = notation.gsub(/%(\h\h)/) { $1.hex.chr }
  "#{verdict(pattern)}\t#{notation}\n"
end
File.write(CASES, lines.join)
