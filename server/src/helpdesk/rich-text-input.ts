import { helpdesk } from '@dubplate/contract'
import { ApiError } from '../platform/api-error.ts'
import { cleanHtml, htmlOfText, textOf } from '../platform/rich-text.ts'

/** A tag or a character reference. */
const IS_HTML = /<\/?[a-z][^>]*>|&(#\d+|#x[0-9a-f]+|[a-z]+);/i

/**
 * Throws `invalid_request` for a blank text in a form with other errors; values that are not text were refused before.
 */
export async function rejectBlankHtml(rawHtml: unknown, rule: { field: string; blank: string }): Promise<void> {
  if (typeof rawHtml === 'string' && rawHtml.length <= helpdesk.MAX_TEXT_LENGTH) parseWrittenHtml(rawHtml, rule)
}

/**
 * Returns text from an editor as clean HTML; text without tags keeps its line breaks. Throws `invalid_request` when no
 * text is left.
 */
export function parseWrittenHtml(rawHtml: string, { field, blank }: { field: string; blank: string }): string {
  const html = IS_HTML.test(rawHtml) ? cleanHtml(rawHtml) : htmlOfText(rawHtml)
  if (textOf(html) === '') throw new ApiError('invalid_request', blank, { fields: { [field]: blank }, errors: [blank] })
  return html
}
