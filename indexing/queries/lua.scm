(function_declaration name: (_) @name) @definition.function
(variable_declaration (assignment_statement (variable_list . name: (_) @name)
  (expression_list . value: (function_definition body: (_)? @body)))) @definition.function
(assignment_statement (variable_list . name: (_) @name)
  (expression_list . value: (function_definition body: (_)? @body))) @definition.function
(field name: (identifier) @name
  value: (function_definition body: (_)? @body)) @definition.function
((chunk (variable_declaration (assignment_statement (variable_list
  . name: (identifier) @name attribute: (attribute (identifier) @_const))))
  @definition.constant)
  (#eq? @_const "const"))
((chunk (variable_declaration (assignment_statement
  (variable_list . name: (identifier) @name)
  (expression_list . value: (_) @_value))) @definition.variable)
  (#not-match? @_value "^require[^A-Za-z0-9_]"))
((chunk (assignment_statement (variable_list . name: (_) @name)) @definition.variable)
  (#not-match? @name "__index$"))

((function_call name: (identifier) @_require
  arguments: (arguments . (string content: (_) @import.module)))
  (#eq? @_require "require")) @import

(function_definition) @scope.local
(comment) @comment
[(chunk) (block) (table_constructor)] @block
