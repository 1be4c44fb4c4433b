"""The subcommands of `petricheck batch`."""
