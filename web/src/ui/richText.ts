/** Signs that show nothing by themselves: white space, no-break spaces, what editors leave to hold the caret. */
const BLANK_CHARACTERS = /[\s\u00a0\u200b\ufeff]|&nbsp;|&#160;/g

/** Whether HTML says anything at all. */
export const hasText = (html: string): boolean => html.replace(/<[^>]*>/g, '').replace(BLANK_CHARACTERS, '') !== ''

const HTML_ESCAPES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' }

/** Plain text as the HTML it would be: a paragraph for each part between empty lines. '' where it says nothing. */
export function htmlOfText(text: string): string {
  if (text.trim() === '') return ''
  const escapedText = text
    .replace(/\r\n?/g, '\n')
    .replace(/[&<>]/g, (character) => HTML_ESCAPES[character] ?? character)
  return escapedText
    .split(/\n{2,}/)
    .map((paragraph) => `<p>${paragraph.replaceAll('\n', '<br>')}</p>`)
    .join('')
}

/** The words of HTML that an editor made, without their formatting, as a plain field can hold them. */
export function textOfHtml(html: string): string {
  const textWithBreaks = html.replace(/<br\s*\/?>|<\/li>/gi, '\n').replace(/<\/(p|blockquote|pre|ul|ol)>/gi, '\n\n')
  const { body } = new DOMParser().parseFromString(textWithBreaks, 'text/html')
  return (body.textContent ?? '').replace(/\n{3,}/g, '\n\n').replace(/\n+$/, '')
}

/** An empty paragraph, as the editor keeps one below the last words; behind a list or a quote it is a `div`. */
const TRAILING_BLANKS = /(<(p|div)>(<br>|&nbsp;|\s)*<\/\2>)+$/

/** What an editor holds, without the empty end of it; '' where it says nothing. */
export const trimTrailingBlanks = (html: string): string => (hasText(html) ? html.replace(TRAILING_BLANKS, '') : '')

/**
 * Where a link leads, of what somebody typed: an address of the web (also without its `https://`), of mail, or of a screen
 * of ours. Undefined for everything else, programs among it.
 */
export function normaliseLinkUrl(typed: string): string | undefined {
  const text = typed.trim()
  if (/^https?:\/\/[^\s/]+/i.test(text) || /^mailto:[^\s@]+@[^\s@]+$/i.test(text)) return text
  if (/^\/(?![/\\])\S*$/.test(text)) return text
  if (/^[^\s@:/]+@[^\s@:/]+\.[^\s@:/]+$/.test(text)) return `mailto:${text}`
  return /^[\p{L}\d-]+(\.[\p{L}\d-]+)+(:\d+)?([/?#]\S*)?$/u.test(text) ? `https://${text}` : undefined
}
