(comment) @comment
(number) @constant.numeric
(variable) @variable.parameter
(operator) @operator
(type "-" @operator type: (name) @type)
(keyword) @keyword
(connective) @keyword.operator
"define" @keyword
(header kind: _ @keyword name: (name) @namespace)
(action name: (name) @function.method)
(atom name: (name) @function)

; The words of a list of types are types, those of a list of objects are constants.
(section keyword: (keyword) @_types (name) @type (#match? @_types "^:[tT][yY][pP][eE][sS]$"))
(section keyword: (keyword) @_objects (name) @constant (#match? @_objects "^:([oO][bB][jJ][eE][cC]|[cC][oO][nN][sS][tT][aA][nN])[tT][sS]$"))
(section keyword: (keyword) @_domain . (name) @namespace (#match? @_domain "^:[dD][oO][mM][aA][iI][nN]$"))
["(" ")"] @punctuation.bracket
