"""Commands that run and measure the algorithms of the papers."""
