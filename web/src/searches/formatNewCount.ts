/** How many songs are new, as a badge shows it: more than 99 come as 100. */
export const formatNewCount = (count: number): string => (count > 99 ? '99+' : String(count))
