; What C and C++ have in common.
(comment) @comment
(compound_statement) @scope.local

(function_definition declarator: (function_declarator declarator: (identifier) @name))
  @definition.function
(function_definition declarator: (pointer_declarator
  declarator: (function_declarator declarator: (identifier) @name))) @definition.function
(function_definition declarator: (pointer_declarator declarator: (pointer_declarator
  declarator: (function_declarator declarator: (identifier) @name)))) @definition.function
(declaration declarator: (function_declarator declarator: (identifier) @name))
  @definition.function
(declaration declarator: (pointer_declarator
  declarator: (function_declarator declarator: (identifier) @name))) @definition.function
(declaration declarator: (pointer_declarator declarator: (pointer_declarator
  declarator: (function_declarator declarator: (identifier) @name)))) @definition.function

; a function whose braces do not match (preprocessor branches): the hook finds its end
(ERROR (function_declarator declarator: (identifier) @name) @definition.function)

(struct_specifier name: (_) @name body: (_)) @definition.struct
(union_specifier name: (_) @name body: (_)) @definition.struct
(enum_specifier name: (_) @name body: (_)) @definition.enum
(enumerator name: (_) @name) @definition.constant
(type_definition type: [(struct_specifier !name body: (_) @body) (union_specifier !name body: (_) @body)]
  declarator: (type_identifier) @name) @definition.struct
(type_definition type: (enum_specifier !name body: (_) @body)
  declarator: (type_identifier) @name) @definition.enum
(type_definition declarator: (type_identifier) @name) @definition.type
(type_definition declarator: (pointer_declarator
  declarator: (type_identifier) @name)) @definition.type
(type_definition declarator: (function_declarator declarator: (parenthesized_declarator
  (pointer_declarator declarator: (type_identifier) @name)))) @definition.type

(field_declaration declarator: (field_identifier) @name) @definition.field
(field_declaration declarator: (pointer_declarator
  declarator: (field_identifier) @name)) @definition.field
(field_declaration declarator: (array_declarator
  declarator: (field_identifier) @name)) @definition.field
(field_declaration declarator: (function_declarator declarator: (parenthesized_declarator
  (pointer_declarator declarator: (field_identifier) @name)))) @definition.field

(declaration declarator: (identifier) @name) @definition.variable
(declaration declarator: (array_declarator declarator: (identifier) @name)) @definition.variable
(declaration declarator: (pointer_declarator declarator: (identifier) @name)) @definition.variable
(declaration declarator: (pointer_declarator
  declarator: (array_declarator declarator: (identifier) @name))) @definition.variable
(declaration declarator: (init_declarator declarator: (identifier) @name)) @definition.variable
(declaration declarator: (init_declarator declarator: (pointer_declarator
  declarator: (array_declarator declarator: (identifier) @name)))) @definition.variable
(declaration declarator: (init_declarator
  declarator: (array_declarator declarator: (identifier) @name))) @definition.variable
(declaration declarator: (init_declarator
  declarator: (pointer_declarator declarator: (identifier) @name))) @definition.variable

(preproc_function_def name: (_) @name value: (_)? @body) @definition.macro
(preproc_def name: (_) @name value: (_)) @definition.constant
(preproc_include path: (_) @import.module) @import

[(compound_statement) (field_declaration_list) (enumerator_list) (case_statement)
 (initializer_list) (preproc_if) (preproc_ifdef) (preproc_else) (preproc_elif)] @block
