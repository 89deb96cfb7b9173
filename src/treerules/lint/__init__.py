"""What a check of SQL reports: findings with codes and severities, and files of SQL with their findings."""
