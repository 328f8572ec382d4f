[
  (block)
  (section)
  (list)
  (group)
  (call)
] @indent.begin
["}" ")" "]"] @indent.end
