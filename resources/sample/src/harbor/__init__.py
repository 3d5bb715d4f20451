"""Harbor: berths, boats and who may tie up where."""
