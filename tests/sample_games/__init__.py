"""Games that exist only to be tested with."""
