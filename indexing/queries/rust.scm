(attribute_item) @attribute
[(line_comment !inner) (block_comment !inner)] @comment
(impl_item trait: (_) body: (_) @export)
(impl_item type: (_) @name) @scope.type
(foreign_mod_item body: (_) @export)

(function_item (visibility_modifier)? @export name: (_) @name) @definition.function
(function_signature_item (visibility_modifier)? @export name: (_) @name) @definition.function
(struct_item (visibility_modifier)? @export name: (_) @name) @definition.struct
(union_item (visibility_modifier)? @export name: (_) @name) @definition.struct
(enum_item (visibility_modifier)? @export name: (_) @name) @definition.enum
(enum_variant name: (_) @name) @definition.constant
(field_declaration (visibility_modifier)? @export name: (_) @name) @definition.field
(trait_item (visibility_modifier)? @export name: (_) @name) @definition.trait
(type_item (visibility_modifier)? @export name: (_) @name) @definition.type
(associated_type name: (_) @name) @definition.type
(mod_item (visibility_modifier)? @export name: (_) @name body: (_)) @definition.module
(const_item (visibility_modifier)? @export name: (_) @name) @definition.constant
(static_item (visibility_modifier)? @export name: (_) @name) @definition.variable
(macro_definition name: (_) @name) @definition.macro

; items that a macro call wraps; the hook finds where they end
(source_file (macro_invocation (token_tree "fn" @definition.function . (identifier) @name)))
(source_file (expression_statement
  (macro_invocation (token_tree "fn" @definition.function . (identifier) @name))))

(use_declaration) @import
(mod_item name: (_) @import.module !body) @import
(extern_crate_declaration name: (_) @import.module) @import

[(block) (declaration_list) (field_declaration_list) (enum_variant_list) (match_block)
 (array_expression) (field_initializer_list) (macro_definition)] @block
