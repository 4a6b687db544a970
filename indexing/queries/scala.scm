(package_clause name: (_) @name body: (_)) @scope
(package_object name: (_) @name) @definition.object
(object_definition name: (_) @name) @definition.object
(class_definition name: (_) @name) @definition.class
(trait_definition name: (_) @name) @definition.trait
(enum_definition name: (_) @name) @definition.enum
(simple_enum_case name: (_) @name) @definition.constant
(full_enum_case name: (_) @name) @definition.constant
(type_definition name: (_) @name) @definition.type
(given_definition name: (_) @name) @definition.object

((function_definition name: (identifier) @name) (#eq? @name "this")) @definition.constructor
(function_definition name: (_) @name) @definition.function
(function_declaration name: (_) @name) @definition.function
(class_definition class_parameters: (class_parameters
  (class_parameter ["val" "var"] name: (_) @name) @definition.field))
(template_body (val_definition pattern: (identifier) @name) @definition.field)
(template_body (val_declaration name: (_) @name) @definition.field)
(val_definition pattern: (identifier) @name) @definition.constant
(var_definition pattern: (identifier) @name) @definition.variable
(var_declaration name: (_) @name) @definition.variable
(instance_expression (template_body) @scope.type)

(import_declaration) @import
[(lambda_expression) (case_block)] @scope.local
[(comment) (block_comment)] @comment
[(template_body) (enum_body) (with_template_body) (block) (indented_block)] @block
