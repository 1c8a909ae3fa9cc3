"""`python -m agent.app` is `viva`."""

from agent.app.cli import main

main()
