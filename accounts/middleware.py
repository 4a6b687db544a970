"""Until the first administrator exists, every page leads to the first-run page."""
