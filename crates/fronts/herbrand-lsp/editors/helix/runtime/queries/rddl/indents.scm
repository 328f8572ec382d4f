[
  (block)
  (section)
  (list)
  (group)
  (call)
] @indent
["}" ")" "]"] @outdent
