(module name: (_) @name body: (_)? @body) @definition.module
(class name: (_) @name body: (_)? @body) @definition.class
(singleton_class body: (_)) @scope.type
((assignment left: (constant) @name
  right: (call receiver: (constant) @_maker method: (identifier) @_new block: (_)? @body))
  (#any-of? @_maker "Struct" "Class" "Data")
  (#any-of? @_new "new" "define")) @definition.class
(assignment left: (constant) @name) @definition.constant

((method name: (identifier) @name body: (_)? @body)
  (#eq? @name "initialize")) @definition.constructor
(assignment left: (constant) right: (call block: (_ body: (body_statement
  (method name: (_) @name body: (_)? @body) @definition.method))))
(module body: (body_statement (method name: (_) @name body: (_)? @body) @definition.method))
(method name: (_) @name body: (_)? @body) @definition.function
(singleton_method object: (constant) @receiver name: (_) @name
  body: (_)? @body) @definition.function
(singleton_method name: (_) @name body: (_)? @body) @definition.method
(alias name: (identifier) @name) @definition.function
((call !receiver method: (identifier) @_macro arguments: (argument_list (simple_symbol) @name))
  (#any-of? @_macro "attr_reader" "attr_writer" "attr_accessor" "cattr_accessor"
    "mattr_accessor" "class_attribute")) @definition.field
((call !receiver method: (identifier) @_macro
  arguments: (argument_list . (simple_symbol) @name) block: (_ body: (_) @body)?)
  (#any-of? @_macro "define_method" "define_singleton_method" "alias_method"
    "scope")) @definition.method

((call !receiver method: (identifier) @_load
  arguments: (argument_list . (string (string_content) @import.module)))
  (#any-of? @_load "require" "require_relative" "load")) @import
((call !receiver method: (identifier) @_load
  arguments: (argument_list (simple_symbol) (string (string_content) @import.module)))
  (#eq? @_load "autoload")) @import

[(block) (do_block)] @scope.local
(comment) @comment
[(body_statement) (block_body) (then) (else)] @block
