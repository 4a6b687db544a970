(ambient_declaration) @wrap
(abstract_class_declaration name: (_) @name) @definition.class
(interface_declaration name: (_) @name) @definition.interface
(enum_declaration name: (_) @name) @definition.enum
(type_alias_declaration name: (_) @name value: (_) @_value) @definition.type
(internal_module name: (_) @name) @definition.module
(module name: (_) @name) @definition.module
(function_signature name: (_) @name) @definition.function
(class_body (method_signature name: (_) @name) @definition.method)
(abstract_method_signature name: (_) @name) @definition.method
(class_body (public_field_definition name: (_) @name
  value: [(arrow_function body: (_) @body) (function_expression body: (_) @body)])
  @definition.method)
(class_body (public_field_definition name: (_) @name) @definition.field)
(interface_body (method_signature name: (_) @name) @definition.method)
(interface_body (property_signature name: (_) @name) @definition.field)
(enum_body name: (property_identifier) @name @definition.constant)
(enum_body (enum_assignment name: (property_identifier) @name) @definition.constant)
(ambient_declaration (lexical_declaration (variable_declarator name: (identifier) @name)
  @definition.constant))
(ambient_declaration (variable_declaration (variable_declarator name: (identifier) @name)
  @definition.variable))
(internal_module body: (statement_block (lexical_declaration
  (variable_declarator name: (identifier) @name) @definition.constant)))

(import_statement (import_require_clause (identifier) @import.name
  source: (string) @import.module)) @import

[(interface_body) (enum_body) (object_type)] @block
