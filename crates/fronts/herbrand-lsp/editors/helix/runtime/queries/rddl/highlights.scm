(comment) @comment
(number) @constant.numeric
(variable) @variable.parameter
(value) @constant
(block kind: _ @keyword name: (name) @namespace)
(section keyword: (name) @keyword)
(setting key: (name) @keyword)
(quantifier) @keyword.operator
["if" "then" "else" "switch" "case" "default"] @keyword.control.conditional
(typed type: (name) @type)
(call name: (name) @function)
(declaration name: (name) @variable.other.member)
(declaration name: (call name: (name) @variable.other.member))
(definition name: (name) @variable.other.member)
(definition name: (call name: (name) @variable.other.member))
(default key: (name) @keyword)
((name) @constant.builtin.boolean (#any-of? @constant.builtin.boolean "true" "false"))
((name) @type.builtin (#any-of? @type.builtin "bool" "int" "real" "object"))
((name) @attribute (#any-of? @attribute "non-fluent" "state-fluent" "action-fluent" "interm-fluent" "derived-fluent" "observ-fluent"))
(unary operator: _ @operator)
(binary operator: _ @operator)
["(" ")" "[" "]" "{" "}"] @punctuation.bracket
["," ";" ":"] @punctuation.delimiter
