(class_definition name: (identifier) @name) @definition.class
(function_definition name: (identifier) @name) @definition.function
(decorated_definition) @wrap

; name = lambda ... is a function to whoever looks for it
(module
  (assignment left: (identifier) @name right: (lambda body: (_) @body)) @definition.function)
(module (assignment left: (identifier) @name) @definition.constant
  (#match? @name "^_*[A-Z][A-Z0-9_]*$"))
(module (assignment left: (identifier) @name) @definition.variable)
(module (type_alias_statement left: (type (identifier) @name)) @definition.type)
(class_definition body: (block (assignment left: (identifier) @name) @definition.field))

(import_statement name: (dotted_name) @import.module) @import
(import_statement name: (aliased_import name: (dotted_name) @import.module)) @import
(import_from_statement module_name: (_) @import.module) @import
(import_from_statement module_name: (_) @import.module name: (dotted_name) @import.name) @import
(import_from_statement module_name: (_) @import.module
  name: (aliased_import name: (dotted_name) @import.name)) @import
(import_from_statement module_name: (_) @import.module (wildcard_import) @import.name) @import
(future_import_statement) @import

(comment) @comment
(block) @block
[(dictionary) (list) (set) (tuple) (argument_list)] @block
