(script_element (start_tag) @embedded.tag (raw_text) @embedded)
(comment) @comment
(element) @block
