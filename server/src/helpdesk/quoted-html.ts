import type sanitize from 'sanitize-html'
import { cleanHtml, loadSanitizer } from '../platform/rich-text.ts'
import { findOwnLines, ORIGINAL_MESSAGE_MARKER, type SplitMessage } from './quoted-text.ts'

const BLOCKS = ['p', 'div', 'ul', 'ol', 'li', 'blockquote', 'pre', 'x-quote', 'x-below']
const INLINE_TAGS = ['br', 'b', 'strong', 'i', 'em', 'u', 's', 'a', 'code', 'img']
const BLOCK_TAGS_TO_P = /^(h[1-6]|table|tr|section|article|header|footer|center|hr|address|dl|dt|dd|form|fieldset)$/

/** Used by programs that mark quotes: Gmail, Yahoo, Proton, Tuta, GMX, Front, Zoho, Outlook on phones. */
const QUOTE_CLASS_PATTERN =
  /(^|\s)(gmail_quote|gmail_quote_container|yahoo_quoted|protonmail_quote|tutanota_quote|front-blockquote|zmail_extra|moz-forward-container)(\s|$)/
const QUOTE_CONTAINER_ID_PATTERN =
  /^(yahoo_quoted|mail-editor-reference-message-container|ms-outlook-mobile-reference-message)/
/** Used by Outlook, which puts the original email below a line, in the same way in every language. */
const QUOTE_ID_PATTERN = /^(divRplyFwdMsg|appendonsend)$/
const QUOTE_STYLE_PATTERN = /border:\s*none;\s*border-top:\s*solid\s+#(E1E1E1|B5C4DF)/i

type Attributes = Record<string, string>

function markQuoteTag(tag: string, { class: classNames = '', id = '', style = '', name, type }: Attributes): string {
  if (tag === 'div' && (QUOTE_ID_PATTERN.test(id) || QUOTE_STYLE_PATTERN.test(style))) return 'x-below'
  if (tag === 'blockquote' && type === 'cite') return 'x-quote'
  if (
    QUOTE_CLASS_PATTERN.test(classNames) ||
    QUOTE_CONTAINER_ID_PATTERN.test(id) ||
    (tag === 'div' && name === 'quote')
  )
    return 'x-quote'
  if (tag.startsWith('x-')) return 'span'
  return BLOCK_TAGS_TO_P.test(tag) ? 'div' : tag
}

const MARKER_OPTIONS: sanitize.IOptions = {
  allowedTags: [...BLOCKS, ...INLINE_TAGS],
  allowedAttributes: { a: ['href'], ol: ['start'], img: ['src'] },
  allowedSchemes: ['http', 'https', 'mailto', 'cid'],
  nonTextTags: ['script', 'style', 'textarea', 'option', 'title', 'xml', 'noscript'],
  transformTags: { '*': (tag, attribs) => ({ tagName: markQuoteTag(tag, attribs), attribs }) },
  parseStyleAttributes: false,
}

/** A piece of HTML between two line breaks, and its text as one line, which begins with `>` in a quote. */
type HtmlLine = { html: string; text: string }

const TOKEN = /<(\/?)([a-z0-9-]+)[^>]*>|[^<]+/g

/** Splits the HTML of an email like its text. Both parts are clean; `cids` are the pictures they contain. */
export function splitHtml(html: string): SplitMessage & { cids: SplitMessage<Set<string>> } {
  const lines = splitLines(loadSanitizer()(html, MARKER_OPTIONS))
  const { start, end } = findOwnLines(lines.map(({ text }) => text))
  const own = lines.slice(start, end)
  const others = [...lines.slice(0, start), ...lines.slice(end)]
  return {
    visible: joinHtml(own),
    quoted: joinHtml(others),
    cids: { visible: collectCids(own), quoted: collectCids(others) },
  }
}

function splitLines(marked: string): HtmlLine[] {
  const lines: HtmlLine[] = []
  let [html, text, depth] = ['', '', 0]
  const endLine = () => {
    const words = text.replace(/\s+/g, ' ').trim()
    if (html) lines.push({ html, text: depth > 0 && words ? `> ${words}` : words })
    html = ''
    text = ''
  }
  for (const [token, slash, tag] of marked.matchAll(TOKEN)) {
    const isBlockTag = tag !== undefined && BLOCKS.includes(tag)
    if (isBlockTag && !slash) endLine()
    html += token
    if (tag === undefined) text += decoded(token)
    if (tag === 'br' || (isBlockTag && slash)) endLine()
    if (tag === 'x-quote') depth += slash ? -1 : 1
    if (tag === 'x-below' && !slash) text = ORIGINAL_MESSAGE_MARKER
    if (tag === 'x-below' && !slash) endLine()
  }
  endLine()
  return lines
}

const HTML_ENTITIES: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"' }
const decoded = (text: string): string =>
  text.replace(/&(amp|lt|gt|quot);/g, (_, name: string) => HTML_ENTITIES[name] ?? '').replaceAll('\u00a0', ' ')

function joinHtml(lines: HtmlLine[]): string {
  const first = lines.findIndex(({ text }) => text !== '')
  if (first < 0) return ''
  const last = lines.findLastIndex(({ text }) => text !== '')
  const html = lines
    .slice(first, last + 1)
    .map((line) => line.html)
    .join('')
    .replace(/<(\/?)x-quote[^>]*>/g, '<$1blockquote>')
  return stripLeadingBlanks(cleanHtml(html))
}

/** The closing tag of a paragraph that begins in the other part becomes an empty paragraph. */
const stripLeadingBlanks = (html: string): string => html.replace(/^(?:<p><\/p>|<br \/>)+/, '')

const collectCids = (lines: HtmlLine[]): Set<string> =>
  new Set(lines.flatMap(({ html }) => [...html.matchAll(/src="cid:([^"]+)"/g)].map(([, cid = '']) => cid)))
