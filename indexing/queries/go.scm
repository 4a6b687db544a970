[(type_declaration) (const_declaration) (var_declaration)] @wrap
(comment) @comment

(function_declaration name: (_) @name) @definition.function
(method_declaration
  receiver: (parameter_list (parameter_declaration type: (_) @receiver))
  name: (_) @name) @definition.method
(type_spec name: (_) @name type: (struct_type (field_declaration_list) @body)) @definition.struct
(type_spec name: (_) @name type: (interface_type)) @definition.interface
(type_spec name: (_) @name) @definition.type
(type_alias name: (_) @name) @definition.type
(type_spec type: (struct_type (field_declaration_list
  (field_declaration name: (_) @name) @definition.field)))
(interface_type (method_elem name: (_) @name) @definition.method)
(source_file (const_declaration (const_spec name: (_) @name) @definition.constant))
(source_file (var_declaration (var_spec name: (_) @name) @definition.variable))
(source_file (var_declaration (var_spec_list (var_spec name: (_) @name) @definition.variable)))

(import_spec path: (_) @import.module) @import

[(statement_list) (field_declaration_list) (interface_type) (literal_value) (var_spec_list)] @block
[(const_declaration) (import_spec_list) (expression_switch_statement) (type_switch_statement)
 (select_statement)] @block
