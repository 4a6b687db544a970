(namespace_definition name: (namespace_name) @name body: (_) @body) @definition.module
(class_declaration name: (name) @name) @definition.class
(interface_declaration name: (name) @name) @definition.interface
(trait_declaration name: (name) @name) @definition.trait
(enum_declaration name: (name) @name) @definition.enum
(anonymous_class body: (declaration_list) @scope.type)

((method_declaration name: (name) @name) (#eq? @name "__construct")) @definition.constructor
(method_declaration name: (name) @name) @definition.method
(function_definition name: (name) @name) @definition.function
(program (expression_statement (assignment_expression
  left: (variable_name) @name
  right: [(anonymous_function) (arrow_function)])) @definition.function)

(const_declaration (const_element . (name) @name)) @definition.constant
(enum_case name: (name) @name) @definition.constant
((function_call_expression function: (name) @_define
  arguments: (arguments . (argument (string (string_content) @name))))
  (#eq? @_define "define")) @definition.constant
(property_declaration
  (property_element name: (variable_name) @name)) @definition.field
(property_promotion_parameter name: (variable_name) @name) @definition.field

(namespace_use_declaration body: (namespace_use_group)) @import
(namespace_use_declaration
  (namespace_use_clause . [(qualified_name) (name)] @import.module) @import)
[(require_expression) (require_once_expression) (include_expression)
  (include_once_expression)] @import

[(anonymous_function) (arrow_function)] @scope.local
(comment) @comment
[(declaration_list) (compound_statement) (enum_declaration_list)] @block
