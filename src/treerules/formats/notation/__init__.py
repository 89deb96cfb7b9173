"""The notation of conditions that rule text, table cells and FEEL share: lexer, parser, literals, sets of values."""
