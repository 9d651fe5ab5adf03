/** The first letters of a name, two at most, for where there is no picture. */
export const initials = (name: string): string =>
  name
    .split(/\s+/)
    .filter(Boolean)
    .slice(0, 2)
    // By code points: a letter beyond the first plane, or an emoji, is not cut in half.
    .map((word) => [...word][0])
    .join('')
    .toUpperCase()
