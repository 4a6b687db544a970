(function_statement (function_name) @name "{" @body) @definition.function
(class_statement . (simple_name) @name "{" @body) @definition.class
(enum_statement (simple_name) @name "{" @body) @definition.enum
(enum_member (simple_name) @name) @definition.constant
(class_property_definition (variable) @name) @definition.field
(class_method_definition (simple_name) @name (script_block)? @body) @definition.method

((command command_name: (command_name) @_load
  command_elements: (command_elements (generic_token) @import.module))
  (#match? @_load "^[Ii][Mm][Pp][Oo][Rr][Tt]-[Mm]odule$")) @import
((command command_name: (command_name) @_using
  command_elements: (command_elements (generic_token) @_kind (generic_token) @import.module))
  (#any-of? @_using "using" "Using")
  (#eq? @_kind "module")) @import
(command (command_invokation_operator) @_dot
  command_name: (command_name_expr (string_literal) @import.module)
  (#eq? @_dot ".")) @import

(comment) @comment
[(statement_list) (class_statement) (enum_statement)] @block
