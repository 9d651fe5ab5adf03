/** Staff lists are counted exactly up to this number of rows; one more means that there are more. */
export const MAX_COUNTED_ROWS = 10_000
