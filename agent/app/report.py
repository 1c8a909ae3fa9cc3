"""The graded transcript as a page."""
