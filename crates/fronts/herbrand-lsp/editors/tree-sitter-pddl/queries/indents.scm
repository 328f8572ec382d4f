[
  (definition)
  (section)
  (action)
  (formula)
  (expression)
  (atom)
  (list)
] @indent.begin
")" @indent.end
