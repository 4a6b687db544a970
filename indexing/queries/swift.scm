(class_declaration "extension" name: (_) @name) @scope.type
(class_declaration "struct" name: (type_identifier) @name) @definition.struct
(class_declaration "enum" name: (type_identifier) @name) @definition.enum
(class_declaration name: (type_identifier) @name) @definition.class
(protocol_declaration name: (type_identifier) @name) @definition.interface
(typealias_declaration . (modifiers)? . "typealias" . name: (type_identifier) @name) @definition.type
(associatedtype_declaration name: (type_identifier) @name) @definition.type

(function_declaration name: _ @name . ["(" (type_parameters)]) @definition.function
(protocol_function_declaration name: _ @name . ["(" (type_parameters)]) @definition.method
(init_declaration "init" @name) @definition.constructor
(deinit_declaration "deinit" @name) @definition.method
(subscript_declaration "subscript" @name (computed_property)? @body) @definition.method

(class_body (property_declaration
  name: (pattern bound_identifier: (simple_identifier) @name)) @definition.field)
(enum_class_body (property_declaration
  name: (pattern bound_identifier: (simple_identifier) @name)) @definition.field)
(protocol_property_declaration
  name: (pattern bound_identifier: (simple_identifier) @name)) @definition.field
(enum_entry name: (simple_identifier) @name) @definition.constant
(property_declaration (value_binding_pattern "let")
  name: (pattern bound_identifier: (simple_identifier) @name)) @definition.constant
(property_declaration
  name: (pattern bound_identifier: (simple_identifier) @name)) @definition.variable

(import_declaration (identifier) @import.module) @import

[(lambda_literal) (computed_property) (do_statement) (if_statement) (guard_statement)
  (for_statement)] @scope.local
[(comment) (multiline_comment)] @comment
[(class_body) (enum_class_body) (protocol_body) (statements)] @block
