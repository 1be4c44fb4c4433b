"""What all commands share: options, limits, terminal, exit statuses."""
