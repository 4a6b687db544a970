(comment) @comment
(namespace_declaration name: (_) @name) @scope
(compilation_unit (file_scoped_namespace_declaration name: (_) @name)) @scope

(class_declaration name: (_) @name) @definition.class
(record_declaration name: (_) @name) @definition.class
(interface_declaration name: (_) @name) @definition.interface
(struct_declaration name: (_) @name) @definition.struct
(enum_declaration name: (_) @name) @definition.enum
(enum_member_declaration name: (_) @name) @definition.constant
(delegate_declaration name: (_) @name) @definition.type
(method_declaration name: (_) @name) @definition.method
(local_function_statement name: (_) @name) @definition.function
(constructor_declaration name: (_) @name) @definition.constructor
(destructor_declaration name: (_) @name) @definition.method
(property_declaration name: (_) @name accessors: (_) @body) @definition.field
(property_declaration name: (_) @name) @definition.field
(event_declaration name: (_) @name) @definition.field
(event_field_declaration (variable_declaration (variable_declarator name: (_) @name)))
  @definition.field
(field_declaration (variable_declaration (variable_declarator name: (_) @name))) @definition.field

(using_directive !name [(identifier) (qualified_name)] @import.module) @import
(using_directive name: (_) (qualified_name) @import.module) @import

[(block) (declaration_list) (enum_member_declaration_list) (switch_body) (switch_section)
 (accessor_list) (initializer_expression)] @block
