const createFormat = (type: Intl.ListFormatType) => new Intl.ListFormat('en-GB', { type })

// Creating one takes longer than using it, and a table uses it for each row.
const FORMATS = {
  unit: createFormat('unit'),
  conjunction: createFormat('conjunction'),
  disjunction: createFormat('disjunction'),
}

/**
 * A list as people read it: 'A, B, C' for facts or names; within a sentence 'A, B and C' (`conjunction`) or 'A, B or C'
 * (`disjunction`). In a file of its own, because the first screen doesn't need it.
 */
export const formatList = (items: readonly string[], type: Intl.ListFormatType = 'unit'): string =>
  FORMATS[type].format(items)
