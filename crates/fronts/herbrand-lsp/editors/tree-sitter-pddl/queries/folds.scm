[
  (definition)
  (section)
  (action)
  (formula)
  (list)
] @fold
