; Shared by JavaScript, TypeScript and TSX: only nodes that all three grammars have.
(export_statement) @wrap @export
[(lexical_declaration) (variable_declaration)] @wrap
(decorator) @attribute
(comment) @comment

(class_declaration name: (_) @name) @definition.class
(function_declaration name: (identifier) @name) @definition.function
(generator_function_declaration name: (identifier) @name) @definition.function

(class_body (method_definition name: (_) @name
  (#eq? @name "constructor")) @definition.constructor)
(class_body (method_definition ["get" "set"] name: (_) @name) @definition.field)
(class_body (method_definition name: (_) @name) @definition.method)

; methods of named objects and of the options of a component
(variable_declarator value: (object (method_definition name: (_) @name) @definition.method))
(export_statement value: (object (method_definition name: (_) @name) @definition.method))
(export_statement value: (object (pair value: (object
  (method_definition name: (_) @name) @definition.method))))

(variable_declarator name: (identifier) @name
  value: [(arrow_function body: (_) @body) (function_expression body: (_) @body)
          (generator_function body: (_) @body)]) @definition.function
(variable_declarator name: (identifier) @name
  value: (class body: (_) @body)) @definition.class
(assignment_expression
  left: (member_expression
    object: (member_expression object: (_) @receiver property: (property_identifier) @_prototype)
    property: (property_identifier) @name)
  right: [(arrow_function body: (_) @body) (function_expression body: (_) @body)]
  (#eq? @_prototype "prototype")) @definition.method
(assignment_expression
  left: (member_expression object: (identifier) @_exports property: (property_identifier) @name) @export
  right: [(arrow_function body: (_) @body) (function_expression body: (_) @body)]
  (#eq? @_exports "exports")) @definition.function
(assignment_expression
  left: (member_expression
    object: (member_expression) @_exports property: (property_identifier) @name) @export
  right: [(arrow_function body: (_) @body) (function_expression body: (_) @body)]
  (#eq? @_exports "module.exports")) @definition.function

; what is hung on an object at the margin: `app.listen = function () {...}`
(program (expression_statement (assignment_expression
  left: (member_expression
    object: [(identifier) (member_expression)] @receiver property: (property_identifier) @name)
  right: [(arrow_function body: (_) @body) (function_expression body: (_) @body)
          (generator_function body: (_) @body)]
  (#not-eq? @name "exports")) @definition.method))
; `module.exports = function render() {...}`, `define(app, 'x', function named() {...})`
(program (expression_statement (assignment_expression left: (member_expression) @_exports @export
  right: (function_expression name: (identifier) @name body: (_) @body)
  (#eq? @_exports "module.exports")) @definition.function))
(program (expression_statement (call_expression arguments: (arguments
  (function_expression name: (identifier) @name body: (_) @body) @definition.function))))
; functions as values in named and exported objects
(variable_declarator value: (object (pair key: (property_identifier) @name
  value: [(arrow_function body: (_) @body) (function_expression body: (_) @body)])
  @definition.method))
(export_statement value: (object (pair key: (property_identifier) @name
  value: [(arrow_function body: (_) @body) (function_expression body: (_) @body)])
  @definition.method))
(program (expression_statement (assignment_expression left: (member_expression) @_exports @export
  right: (object [
  (method_definition name: (_) @name body: (_) @body)
  (pair key: (property_identifier) @name
    value: [(arrow_function body: (_) @body) (function_expression body: (_) @body)])]
  @definition.function) (#eq? @_exports "module.exports"))))
(program (expression_statement (assignment_expression right: (object [
  (method_definition name: (_) @name body: (_) @body)
  (pair key: (property_identifier) @name
    value: [(arrow_function body: (_) @body) (function_expression body: (_) @body)])]
  @definition.method))))

(program (lexical_declaration "const" (variable_declarator name: (identifier) @name)
  @definition.constant))
(program (lexical_declaration "let" (variable_declarator name: (identifier) @name)
  @definition.variable))
(program (variable_declaration (variable_declarator name: (identifier) @name)
  @definition.variable))
(export_statement (lexical_declaration "const" (variable_declarator name: (identifier) @name)
  @definition.constant))
(export_statement (lexical_declaration "let" (variable_declarator name: (identifier) @name)
  @definition.variable))
(export_statement (variable_declaration (variable_declarator name: (identifier) @name)
  @definition.variable))

(export_statement !source (export_clause (export_specifier name: (_) @export.name)))
(export_statement value: (identifier) @export.name)
(assignment_expression left: (member_expression) @_exports
  right: [(identifier) @export.name (object (shorthand_property_identifier) @export.name)]
  (#eq? @_exports "module.exports"))

(import_statement source: (string) @import.module) @import
(import_statement (import_clause (identifier) @import.name)
  source: (string) @import.module) @import
(import_statement (import_clause (named_imports (import_specifier name: (_) @import.name)))
  source: (string) @import.module) @import
(import_statement (import_clause (namespace_import "*" @import.name))
  source: (string) @import.module) @import
(export_statement source: (string) @import.module) @import
(export_statement "*" @import.name source: (string) @import.module) @import
(export_statement (namespace_export "*" @import.name) source: (string) @import.module) @import
(export_statement (export_clause (export_specifier name: (_) @import.name))
  source: (string) @import.module) @import
(call_expression function: [(identifier) @_require (import) @_require]
  arguments: (arguments . (string) @import.module .)
  (#any-of? @_require "require" "import")) @import

[(statement_block) (class_body) (switch_body) (object) (array)] @block
[(switch_case) (switch_default)] @block
