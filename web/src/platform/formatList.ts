/**
 * A list as people read it: 'A, B, C' for facts or names; within a sentence 'A, B and C' (`conjunction`) or 'A, B or C'
 * (`disjunction`). In a file of its own, because the first screen doesn't need it.
 */
export const formatList = (items: readonly string[], type: Intl.ListFormatType = 'unit'): string =>
  new Intl.ListFormat('en-GB', { type }).format(items)
