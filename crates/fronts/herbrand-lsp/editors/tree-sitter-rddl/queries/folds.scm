[
  (block)
  (section)
  (list)
  (group)
  (switch)
] @fold
