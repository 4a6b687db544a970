(template_declaration) @wrap
(namespace_definition name: (_) @name) @scope
(namespace_definition !name) @scope

(class_specifier name: (_) @name body: (_)) @definition.class
(alias_declaration name: (_) @name) @definition.type
(concept_definition name: (_) @name) @definition.type

(function_definition declarator: (function_declarator
  declarator: [(qualified_identifier) (field_identifier) (destructor_name) (operator_name)] @name))
  @definition.function
(function_definition declarator: (pointer_declarator declarator: (function_declarator
  declarator: [(qualified_identifier) (field_identifier) (operator_name)] @name)))
  @definition.function
(function_definition declarator: (reference_declarator (function_declarator
  declarator: [(identifier) (qualified_identifier) (field_identifier) (operator_name)] @name)))
  @definition.function
(declaration declarator: (function_declarator declarator: [(destructor_name) (operator_name)] @name))
  @definition.function
(declaration declarator: (reference_declarator (function_declarator
  declarator: [(identifier) (operator_name)] @name))) @definition.function
(field_declaration declarator: (function_declarator
  declarator: [(field_identifier) (operator_name)] @name)) @definition.method
(field_declaration declarator: (pointer_declarator declarator: (function_declarator
  declarator: (field_identifier) @name))) @definition.method
(field_declaration declarator: (reference_declarator (function_declarator
  declarator: [(field_identifier) (operator_name)] @name))) @definition.method
(field_declaration declarator: (reference_declarator (field_identifier) @name)) @definition.field

(declaration_list) @block
