import sanitize from 'sanitize-html'
import { cleanHtml } from '../platform/rich-text.ts'
import { MAIL_BELOW, ownLines, type Split } from './quoted-text.ts'

const BLOCKS = ['p', 'div', 'ul', 'ol', 'li', 'blockquote', 'pre', 'x-quote', 'x-below']
const IN_LINES = ['br', 'b', 'strong', 'i', 'em', 'u', 's', 'a', 'code', 'img']
const AS_BLOCKS = /^(h[1-6]|table|tr|section|article|header|footer|center|hr|address|dl|dt|dd|form|fieldset)$/

/** Of programs that mark what they quote: Gmail, Yahoo, Proton, Tuta, GMX, Front, Zoho, Outlook on phones. */
const OF_QUOTES =
  /(^|\s)(gmail_quote|gmail_quote_container|yahoo_quoted|protonmail_quote|tutanota_quote|front-blockquote|zmail_extra|moz-forward-container)(\s|$)/
const ID_OF_QUOTES = /^(yahoo_quoted|mail-editor-reference-message-container|ms-outlook-mobile-reference-message)/
/** Of Outlook, which puts the mail it answers below a line, the same in every tongue. */
const ID_OF_BELOW = /^(divRplyFwdMsg|appendonsend)$/
const STYLE_OF_BELOW = /border:\s*none;\s*border-top:\s*solid\s+#(E1E1E1|B5C4DF)/i

type Attributes = Record<string, string>

function markOf(tag: string, { class: classes = '', id = '', style = '', name, type }: Attributes): string {
  if (tag === 'div' && (ID_OF_BELOW.test(id) || STYLE_OF_BELOW.test(style))) return 'x-below'
  if (tag === 'blockquote' && type === 'cite') return 'x-quote'
  if (OF_QUOTES.test(classes) || ID_OF_QUOTES.test(id) || (tag === 'div' && name === 'quote')) return 'x-quote'
  if (tag.startsWith('x-')) return 'span'
  return AS_BLOCKS.test(tag) ? 'div' : tag
}

const MARKING: sanitize.IOptions = {
  allowedTags: [...BLOCKS, ...IN_LINES],
  allowedAttributes: { a: ['href'], ol: ['start'], img: ['src'] },
  allowedSchemes: ['http', 'https', 'mailto', 'cid'],
  nonTextTags: ['script', 'style', 'textarea', 'option', 'title', 'xml', 'noscript'],
  transformTags: { '*': (tag, attribs) => ({ tagName: markOf(tag, attribs), attribs }) },
  parseStyleAttributes: false,
}

/** A piece of HTML between two breaks of a line, and its words as a line of text: those of a quote begin with `>`. */
type Line = { html: string; text: string }

const TOKEN = /<(\/?)([a-z0-9-]+)[^>]*>|[^<]+/g

/** HTML of a mail, split as its text would be. Both parts are clean; `cids` are the pictures that stand in them. */
export function splitHtml(html: string): Split & { cids: Split<Set<string>> } {
  const lines = linesOf(sanitize(html, MARKING))
  const { start, end } = ownLines(lines.map(({ text }) => text))
  const own = lines.slice(start, end)
  const others = [...lines.slice(0, start), ...lines.slice(end)]
  return { visible: joined(own), quoted: joined(others), cids: { visible: cidsOf(own), quoted: cidsOf(others) } }
}

function linesOf(marked: string): Line[] {
  const lines: Line[] = []
  let [html, text, depth] = ['', '', 0]
  const end = () => {
    const words = text.replace(/\s+/g, ' ').trim()
    if (html) lines.push({ html, text: depth > 0 && words ? `> ${words}` : words })
    html = ''
    text = ''
  }
  for (const [token, slash, tag] of marked.matchAll(TOKEN)) {
    const isBlock = tag !== undefined && BLOCKS.includes(tag)
    if (isBlock && !slash) end()
    html += token
    if (tag === undefined) text += decoded(token)
    if (tag === 'br' || (isBlock && slash)) end()
    if (tag === 'x-quote') depth += slash ? -1 : 1
    if (tag === 'x-below' && !slash) text = MAIL_BELOW
    if (tag === 'x-below' && !slash) end()
  }
  end()
  return lines
}

const SIGNS: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"' }
const decoded = (text: string): string =>
  text.replace(/&(amp|lt|gt|quot);/g, (_, name: string) => SIGNS[name] ?? '').replaceAll('\u00a0', ' ')

function joined(lines: Line[]): string {
  const first = lines.findIndex(({ text }) => text !== '')
  if (first < 0) return ''
  const last = lines.findLastIndex(({ text }) => text !== '')
  const html = lines
    .slice(first, last + 1)
    .map((line) => line.html)
    .join('')
    .replace(/<(\/?)x-quote[^>]*>/g, '<$1blockquote>')
  return withoutEmptyStart(cleanHtml(html))
}

/** An end of a paragraph whose beginning stands in the other part becomes an empty one. */
const withoutEmptyStart = (html: string): string => html.replace(/^(?:<p><\/p>|<br \/>)+/, '')

const cidsOf = (lines: Line[]): Set<string> =>
  new Set(lines.flatMap(({ html }) => [...html.matchAll(/src="cid:([^"]+)"/g)].map(([, cid = '']) => cid)))
