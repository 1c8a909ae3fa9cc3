"""One loop: say, listen, log, again."""
