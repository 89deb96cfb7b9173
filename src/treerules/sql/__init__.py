"""SQL for readers and writers: languages, dialects, the lexer, literals."""
