"""Scripted stand-ins for the ports: each records its calls and refuses an unscripted one."""
