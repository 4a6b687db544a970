(function_definition name: (_) @name body: (_) @body) @definition.function
((declaration_command "readonly" (variable_assignment
  name: (variable_name) @name))) @definition.constant
((declaration_command ["declare" "typeset"] (word) @_flags (variable_assignment
  name: (variable_name) @name))
  (#match? @_flags "^-[a-zA-Z]*r")) @definition.constant
(program (declaration_command (variable_assignment
  name: (variable_name) @name)) @definition.variable)
(program (variable_assignment name: (variable_name) @name) @definition.variable)

((command name: (command_name) @_load . argument: (_) @import.module)
  (#any-of? @_load "source" ".")) @import

(subshell) @scope.local
(comment) @comment
[(compound_statement) (do_group) (if_statement) (case_statement) (case_item)] @block
