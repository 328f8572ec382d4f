(comment) @comment
(number) @number
(variable) @variable.parameter
(value) @constant
(block kind: _ @keyword name: (name) @module)
(section keyword: (name) @keyword)
(setting key: (name) @keyword)
(quantifier) @keyword.operator
["if" "then" "else" "switch" "case" "default"] @keyword.conditional
(typed type: (name) @type)
(call name: (name) @function)
(declaration name: (name) @property)
(declaration name: (call name: (name) @property))
(definition name: (name) @property)
(definition name: (call name: (name) @property))
(default key: (name) @keyword)
((name) @boolean (#any-of? @boolean "true" "false"))
((name) @type.builtin (#any-of? @type.builtin "bool" "int" "real" "object"))
((name) @attribute (#any-of? @attribute "non-fluent" "state-fluent" "action-fluent" "interm-fluent" "derived-fluent" "observ-fluent"))
(unary operator: _ @operator)
(binary operator: _ @operator)
["(" ")" "[" "]" "{" "}"] @punctuation.bracket
["," ";" ":"] @punctuation.delimiter
