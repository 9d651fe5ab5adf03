import { chunksOf, type LibraryFile, LibraryFileError } from './library-file.ts'

/** Libraries have hundreds of megabytes of XML, so it is never in memory as a whole, neither as a text nor as a tree. */

export type StartTag = { name: string; attributes: Record<string, string | undefined> }

/** A longer tag means that a quotation mark is missing. */
const MAX_MARKUP = 1024 * 1024

/**
 * The start tags with these names, in order, until the root element ends.
 *
 * @throws {LibraryFileError} if the file ends before the root element.
 */
export async function* startTags(file: LibraryFile, root: string, names: readonly string[]): AsyncGenerator<StartTag> {
  const decoder = new TextDecoder()
  let text = ''
  for await (const chunk of chunksOf(file)) {
    text += decoder.decode(chunk, { stream: true })
    let position = 0
    for (;;) {
      const start = text.indexOf('<', position)
      const end = start < 0 ? -1 : endOfMarkup(text, start)
      if (end < 0) {
        text = start < 0 ? '' : text.slice(start)
        break
      }
      const name = nameOf(text, start + 1)
      if (name === `/${root}`) return
      if (names.includes(name)) yield { name, attributes: attributesOf(text.slice(start + 1 + name.length, end)) }
      position = end
    }
    if (text.length > MAX_MARKUP) throw new LibraryFileError('damaged')
  }
  throw new LibraryFileError('incomplete')
}

/** The position after a tag, comment, CDATA section or instruction; -1 if it does not end in this text. */
function endOfMarkup(text: string, start: number): number {
  if (text.startsWith('<!--', start)) return after(text, '-->', start + 4)
  if (text.startsWith('<![CDATA[', start)) return after(text, ']]>', start)
  if (text.startsWith('<?', start)) return after(text, '?>', start)
  let quote = 0
  for (let at = start + 1; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (quote !== 0) quote = code === quote ? 0 : quote
    else if (code === QUOTE || code === APOSTROPHE) quote = code
    else if (code === GREATER_THAN) return at + 1
  }
  return -1
}

const QUOTE = 0x22
const APOSTROPHE = 0x27
const GREATER_THAN = 0x3e

function after(text: string, ending: string, from: number): number {
  const at = text.indexOf(ending, from)
  return at < 0 ? -1 : at + ending.length
}

/** With '/' in front for an end tag. */
function nameOf(text: string, from: number): string {
  NAME.lastIndex = from
  return NAME.exec(text)?.[0] ?? ''
}
const NAME = /\/?[\w:.-]*/y

const ATTRIBUTE = /([\w:.-]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g

function attributesOf(text: string): Record<string, string> {
  const attributes: Record<string, string> = {}
  for (const [, name = '', quoted, inApostrophes = ''] of text.matchAll(ATTRIBUTE))
    attributes[name] = decodeEntities(quoted ?? inApostrophes)
  return attributes
}

const ENTITIES: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }
const ENTITY = /&(?:#x([0-9a-f]{1,6})|#(\d{1,7})|(amp|lt|gt|quot|apos));/gi

/** Unknown entities stay. */
const decodeEntities = (text: string): string =>
  text.includes('&')
    ? text.replace(ENTITY, (whole, hex?: string, decimal?: string, name?: string) =>
        name ? (ENTITIES[name.toLowerCase()] ?? whole) : character(hex ? Number.parseInt(hex, 16) : Number(decimal)),
      )
    : text

const isCharacter = (code: number) => code > 0 && code <= 0x10ffff && (code < 0xd800 || code > 0xdfff)

const character = (code: number): string => (isCharacter(code) ? String.fromCodePoint(code) : '')
