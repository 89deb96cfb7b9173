"""Results as text, Markdown, CSV, JSON and HTML, one file a result."""
