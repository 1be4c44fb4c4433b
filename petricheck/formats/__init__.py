"""What is text or a foreign object: nets, questions, properties, exports, other libraries."""
