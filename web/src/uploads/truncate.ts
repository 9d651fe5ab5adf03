/** As much as stands in a row; the rest folds out. */
const MAX_PREVIEW_LENGTH = 90
/** Less than this is not worth folding away. */
const MIN_HIDDEN_LENGTH = 30

/** The beginning of a long text, up to the end of a word: 'The intro has no beat…'. A text that is hardly longer stays whole. */
export function truncate(text: string): string {
  if (text.length <= MAX_PREVIEW_LENGTH + MIN_HIDDEN_LENGTH) return text
  const head = text.slice(0, MAX_PREVIEW_LENGTH)
  const end = head.lastIndexOf(' ')
  return `${(end > 0 ? head.slice(0, end) : head).replace(/[\s.,:;–-]+$/, '')}…`
}
