((call target: (identifier) @_def (arguments . (alias) @name) (do_block) @body)
  (#eq? @_def "defmodule")) @definition.module
((call target: (identifier) @_def (arguments . (alias) @name) (do_block) @body)
  (#eq? @_def "defprotocol")) @definition.interface
((call target: (identifier) @_def (arguments . (alias) @name) (do_block) @body)
  (#eq? @_def "defimpl")) @definition.module

((call target: (identifier) @_def
  (arguments . (call target: (identifier) @name)) (do_block)? @body)
  (#any-of? @_def "def" "defp" "defdelegate" "defn" "defnp")) @definition.function
((call target: (identifier) @_def (arguments . (identifier) @name) (do_block)? @body)
  (#any-of? @_def "def" "defp" "defdelegate")) @definition.function
((call target: (identifier) @_def
  (arguments . (binary_operator left: (call target: (identifier) @name) operator: "when"))
  (do_block)? @body)
  (#any-of? @_def "def" "defp" "defn" "defnp")) @definition.function
((call target: (identifier) @_def
  (arguments . (binary_operator left: (identifier) @name operator: "when")) (do_block)? @body)
  (#any-of? @_def "def" "defp")) @definition.function
((call target: (identifier) @_def
  (arguments . (binary_operator left: (identifier) operator: _ @name)) (do_block)? @body)
  (#any-of? @_def "def" "defp")) @definition.function

((call target: (identifier) @_def
  (arguments . (call target: (identifier) @name)) (do_block)? @body)
  (#any-of? @_def "defmacro" "defmacrop" "defguard" "defguardp")) @definition.macro
((call target: (identifier) @_def
  (arguments . (binary_operator left: (call target: (identifier) @name) operator: "when"))
  (do_block)? @body)
  (#any-of? @_def "defmacro" "defmacrop" "defguard" "defguardp")) @definition.macro

((unary_operator operator: "@" operand: (call target: (identifier) @_attribute
  (arguments . (binary_operator left: [(identifier) @name (call target: (identifier) @name)]))))
  (#any-of? @_attribute "type" "typep" "opaque")) @definition.type
((unary_operator operator: "@" operand: (call target: (identifier) @_attribute
  (arguments . (binary_operator left: (call target: (identifier) @name)))))
  (#any-of? @_attribute "callback" "macrocallback")) @definition.function
((unary_operator operator: "@" operand: (call target: (identifier) @_attribute))
  (#any-of? @_attribute "doc" "spec" "impl" "deprecated" "since" "typedoc" "dialyzer"
    "decorate")) @attribute
((unary_operator operator: "@" operand: (call target: (identifier) @name (arguments)))
  (#not-match? @name "^(doc|spec|impl|deprecated|since|typedoc|dialyzer|decorate|moduledoc|behaviour|type|typep|opaque|callback|macrocallback|optional_callbacks|derive|compile|before_compile|after_compile|on_load|on_definition|tag|moduletag|describetag|shortdoc|enforce_keys|external_resource|attr|slot)$")) @definition.constant

((call target: (identifier) @_load
  (arguments . (dot right: (tuple))))
  (#any-of? @_load "alias" "import" "use" "require")) @import
((call target: (identifier) @_load (arguments . (alias) @import.module))
  (#any-of? @_load "alias" "import" "use" "require")) @import

((call target: (identifier) @_quote (do_block) @scope.local) (#eq? @_quote "quote"))
(comment) @comment
[(do_block) (stab_clause) (else_block) (rescue_block)] @block
