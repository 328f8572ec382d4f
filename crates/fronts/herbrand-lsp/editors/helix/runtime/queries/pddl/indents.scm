[
  (definition)
  (section)
  (action)
  (formula)
  (expression)
  (atom)
  (list)
] @indent
")" @outdent
