"""The tests. A package, so that they can import what they share."""
