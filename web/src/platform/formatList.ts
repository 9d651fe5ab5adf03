/**
 * A list as people read it: 'A, B, C', or as a conjunction 'A, B and C'. In a file of its own, because the first screen
 * doesn't need it.
 * @param type `unit` for a list of facts or names, `conjunction` within a sentence
 */
export const formatList = (items: readonly string[], type: 'unit' | 'conjunction' = 'unit'): string =>
  new Intl.ListFormat('en-GB', { type }).format(items)
