"""Games in the browser: their state, clocks, storage, and the moves that programs make in them."""
