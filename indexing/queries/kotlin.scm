(class_declaration "interface" (type_identifier) @name (class_body)? @body) @definition.interface
(class_declaration "enum" (type_identifier) @name (enum_class_body)? @body) @definition.enum
(class_declaration (type_identifier) @name (class_body)? @body) @definition.class
(object_declaration (type_identifier) @name (class_body)? @body) @definition.object
; A companion without a name adds none: Kotlin code says Crate.of, not Crate.Companion.of.
(companion_object (type_identifier) @name (class_body)? @body) @definition.object
(companion_object "object" . (class_body)) @scope.type
(companion_object "object" . (delegation_specifier)) @scope.type
(object_literal (class_body) @scope.type)
(enum_entry (class_body) @scope.type)
(enum_entry (simple_identifier) @name) @definition.constant
(type_alias . (modifiers)? . (type_identifier) @name) @definition.type

(function_declaration (simple_identifier) @name (function_body)? @body) @definition.function
(secondary_constructor "constructor" @name (statements)? @body) @definition.constructor
(class_parameter (binding_pattern_kind) (simple_identifier) @name) @definition.field
(property_declaration (modifiers (property_modifier) @_const)
  (variable_declaration (simple_identifier) @name)
  (#eq? @_const "const")) @definition.constant
(property_declaration (variable_declaration (simple_identifier) @name)) @definition.variable

[(lambda_literal) (anonymous_initializer) (getter) (setter)] @scope.local

(import_header (identifier) @import.module (wildcard_import)? @import.name) @import

[(line_comment) (multiline_comment)] @comment
[(class_body) (enum_class_body) (statements)] @block
