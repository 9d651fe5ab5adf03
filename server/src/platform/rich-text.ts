import type sanitize from 'sanitize-html'
import { escapeHtml } from './html.ts'
import { loadOnFirstUse } from './on-first-use.ts'

export const loadSanitizer = loadOnFirstUse<typeof sanitize>('sanitize-html')

/** The tags an editor produces; nothing that runs, loads or hides anything. */
const TEXT_TAGS = ['p', 'br', 'b', 'strong', 'i', 'em', 'u', 's', 'a', 'ul', 'ol', 'li', 'blockquote', 'code', 'pre']
/** Additional tags allowed in a page. */
const PAGE_TAGS = [...TEXT_TAGS, 'h2', 'h3', 'h4', 'hr', 'table', 'thead', 'tbody', 'tr', 'th', 'td']

/** Mail programs and editors use these for paragraphs and lines. */
const AS_PARAGRAPHS = Object.fromEntries(
  ['div', 'section', 'article', 'header', 'footer', 'center', 'h1', 'h5', 'h6'].map((tag) => [tag, 'p']),
)

const options = (allowedTags: string[]): sanitize.IOptions => ({
  allowedTags,
  allowedAttributes: { a: ['href'], ol: ['start'], th: ['align'], td: ['align'] },
  allowedSchemes: ['http', 'https', 'mailto'],
  // Only links have URLs.
  allowedSchemesAppliedToAttributes: ['href'],
  allowProtocolRelative: false,
  transformTags: AS_PARAGRAPHS,
  parseStyleAttributes: false,
  nestingLimit: 30,
})

const TEXT_OPTIONS = options(TEXT_TAGS)
const PAGE_OPTIONS = options(PAGE_TAGS)
const NO_TAGS: sanitize.IOptions = { allowedTags: [], allowedAttributes: {} }

/** Control characters, which neither text nor the database should contain. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is to be removed
const CONTROLS = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/g

const clean = (html: string, allowed: sanitize.IOptions): string =>
  loadSanitizer()(html.replace(CONTROLS, ''), allowed).trim()

/**
 * Sanitises HTML: removes what could run or load anything; links may lead to http(s), email addresses and pages of the
 * site.
 */
export const cleanHtml = (html: string): string => clean(html, TEXT_OPTIONS)

/** The same with headings, rules and tables. */
export const cleanPage = (html: string): string => clean(html, PAGE_OPTIONS)

const HTML_ENTITIES: Record<string, string> = { '&amp;': '&', '&lt;': '<', '&gt;': '>', '&quot;': '"', '&#39;': "'" }

/** Returns the text only, each block on its own line: for emails, and to check whether there is any text. */
export function textOf(html: string): string {
  const broken = cleanPage(html)
    .replace(/<li>/g, '• ')
    .replace(/<br\s*\/?>|<\/(p|li|blockquote|pre|h2|h3|h4|tr|ul|ol)>/g, '$&\n')
  return (
    loadSanitizer()(broken, NO_TAGS)
      .replace(/&(amp|lt|gt|quot|#39);/g, (sign) => HTML_ENTITIES[sign] ?? sign)
      .replace(/\u00a0/g, ' ')
      // Only matches at the start of a run: otherwise a long run of spaces is scanned once for each of them.
      .replace(/(?<![ \t])[ \t]+\n/g, '\n')
      .replace(/\n{3,}/g, '\n\n')
      .trim()
  )
}

/** Converts plain text to HTML: paragraphs, line breaks, and web addresses as links. */
export function htmlOfText(text: string): string {
  const paragraphs = text
    .replace(/\r\n?/g, '\n')
    .trim()
    .split(/\n{2,}/)
  return cleanHtml(paragraphs.map((paragraph) => `<p>${linkify(paragraph).replaceAll('\n', '<br>')}</p>`).join(''))
}

const ADDRESS = /https?:\/\/[^\s<>"]+[^\s<>".,;:!?)\]]/g

function linkify(text: string): string {
  let html = ''
  let from = 0
  for (const found of text.matchAll(ADDRESS)) {
    html += `${escapeHtml(text.slice(from, found.index))}<a href="${escapeHtml(found[0])}">${escapeHtml(found[0])}</a>`
    from = found.index + found[0].length
  }
  return html + escapeHtml(text.slice(from))
}
