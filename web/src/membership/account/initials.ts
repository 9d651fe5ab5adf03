/** The first letters of a name, two at most, shown when there is no picture. */
export const initials = (name: string): string =>
  name
    .split(/\s+/)
    .filter(Boolean)
    .slice(0, 2)
    // Splits by code points, so that letters outside the basic plane and emoji are not cut in half.
    .map((word) => [...word][0])
    .join('')
    .toUpperCase()
