/** As much as stands in a row; the rest folds out. */
const SHORT = 90
/** Less than this is not worth folding away. */
const REST = 30

/** The beginning of a long text, up to the end of a word: 'The intro has no beat…'. A text that is hardly longer stays whole. */
export function shortened(text: string): string {
  if (text.length <= SHORT + REST) return text
  const beginning = text.slice(0, SHORT)
  const end = beginning.lastIndexOf(' ')
  return `${(end > 0 ? beginning.slice(0, end) : beginning).replace(/[\s.,:;–-]+$/, '')}…`
}
