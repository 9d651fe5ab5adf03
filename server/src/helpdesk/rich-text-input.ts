import { helpdesk } from '@dubplate/contract'
import { ApiError } from '../platform/api-error.ts'
import { cleanHtml, htmlOfText, textOf } from '../platform/rich-text.ts'

/** A tag, or a sign written as HTML writes it. */
const IS_HTML = /<\/?[a-z][^>]*>|&(#\d+|#x[0-9a-f]+|[a-z]+);/i

/** Refuses a text without words in a form that is wrong elsewhere; what is not text the contract has refused. */
export async function rejectBlankHtml(rawHtml: unknown, rule: { field: string; blank: string }): Promise<void> {
  if (typeof rawHtml === 'string' && rawHtml.length <= helpdesk.MAX_TEXT_LENGTH) parseWrittenHtml(rawHtml, rule)
}

/**
 * What somebody wrote, as clean HTML; text without a tag in it keeps its lines. Throws `invalid_request` when no words
 * are left.
 */
export function parseWrittenHtml(rawHtml: string, { field, blank }: { field: string; blank: string }): string {
  const html = IS_HTML.test(rawHtml) ? cleanHtml(rawHtml) : htmlOfText(rawHtml)
  if (textOf(html) === '') throw new ApiError('invalid_request', blank, { fields: { [field]: blank }, errors: [blank] })
  return html
}
