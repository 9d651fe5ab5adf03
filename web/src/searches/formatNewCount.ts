/** The number of new songs on a badge; the server counts up to 100, which means more than 99. */
export const formatNewCount = (count: number): string => (count > 99 ? '99+' : String(count))
