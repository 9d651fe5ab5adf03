/** About as much as fits in a row; the rest is shown on request. */
const MAX_PREVIEW_LENGTH = 90
/** Hiding less than this is not worthwhile. */
const MIN_HIDDEN_LENGTH = 30

/**
 * The beginning of a long text, up to the end of a word: 'The intro has no beat…'. A text that is only slightly longer
 * is returned unchanged.
 */
export function truncate(text: string): string {
  if (text.length <= MAX_PREVIEW_LENGTH + MIN_HIDDEN_LENGTH) return text
  const head = text.slice(0, MAX_PREVIEW_LENGTH)
  const end = head.lastIndexOf(' ')
  return `${(end > 0 ? head.slice(0, end) : head).replace(/[\s.,:;–-]+$/, '')}…`
}
