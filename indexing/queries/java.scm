[(line_comment) (block_comment)] @comment
(class_declaration name: (_) @name) @definition.class
(record_declaration name: (_) @name) @definition.class
(interface_declaration name: (_) @name) @definition.interface
(annotation_type_declaration name: (_) @name) @definition.interface
(enum_declaration name: (_) @name) @definition.enum
(enum_constant name: (_) @name) @definition.constant
(method_declaration name: (_) @name) @definition.method
(annotation_type_element_declaration name: (_) @name) @definition.method
(constructor_declaration name: (_) @name) @definition.constructor
(compact_constructor_declaration name: (_) @name) @definition.constructor
(field_declaration declarator: (variable_declarator name: (_) @name)) @definition.field
(constant_declaration declarator: (variable_declarator name: (_) @name)) @definition.constant

(import_declaration [(scoped_identifier) (identifier)] @import.module) @import
(import_declaration [(scoped_identifier) (identifier)] @import.module
  (asterisk) @import.name) @import

[(block) (class_body) (interface_body) (enum_body) (enum_body_declarations) (constructor_body)
 (annotation_type_body) (switch_block) (switch_block_statement_group) (array_initializer)] @block
