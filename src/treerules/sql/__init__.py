"""What is known of SQL, whoever writes or reads it: languages, dialects, literals."""
