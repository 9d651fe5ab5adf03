/** Invisible characters: white space, no-break spaces, and what editors insert to hold the caret. */
const BLANK_CHARACTERS = /[\s\u00a0\u200b\ufeff]|&nbsp;|&#160;/g

/** Whether HTML contains any text. */
export const hasText = (html: string): boolean => html.replace(/<[^>]*>/g, '').replace(BLANK_CHARACTERS, '') !== ''

const HTML_ESCAPES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' }

/** Plain text as HTML, with one paragraph per block between empty lines. '' if it has no text. */
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

/** The text of an editor's HTML without its formatting, for a plain field. */
export function textOfHtml(html: string): string {
  const textWithBreaks = html.replace(/<br\s*\/?>|<\/li>/gi, '\n').replace(/<\/(p|blockquote|pre|ul|ol)>/gi, '\n\n')
  const { body } = new DOMParser().parseFromString(textWithBreaks, 'text/html')
  return (body.textContent ?? '').replace(/\n{3,}/g, '\n\n').replace(/\n+$/, '')
}

/** The empty paragraph that the editor adds at the end; after a list or a quote it is a `div`. */
const TRAILING_BLANKS = /(<(p|div)>(<br>|&nbsp;|\s)*<\/\2>)+$/

/** The content of an editor without empty lines at its end; '' if it has no text. */
export const trimTrailingBlanks = (html: string): string => (hasText(html) ? html.replace(TRAILING_BLANKS, '') : '')

/**
 * The URL of a link from what was typed: a web address (with or without `https://`), an email address, or a screen of
 * the app. Undefined for everything else, including URLs that run code.
 */
export function normaliseLinkUrl(typed: string): string | undefined {
  const text = typed.trim()
  if (/^https?:\/\/[^\s/]+/i.test(text) || /^mailto:[^\s@]+@[^\s@]+$/i.test(text)) return text
  if (/^\/(?![/\\])\S*$/.test(text)) return text
  if (/^[^\s@:/]+@[^\s@:/]+\.[^\s@:/]+$/.test(text)) return `mailto:${text}`
  return /^[\p{L}\d-]+(\.[\p{L}\d-]+)+(:\d+)?([/?#]\S*)?$/u.test(text) ? `https://${text}` : undefined
}
