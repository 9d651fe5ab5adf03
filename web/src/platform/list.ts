/** 'A', 'A and B', 'A, B and C'; with `disjunction` 'A, B or C', with `unit` 'A, B, C'. */
export const formatList = (items: readonly string[], type: Intl.ListFormatType = 'conjunction'): string =>
  new Intl.ListFormat('en-GB', { type }).format(items)
