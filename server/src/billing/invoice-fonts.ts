import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'

/** The fonts of invoices: Noto Sans, which supports most alphabets, each in separate files. */

export type Weight = 'regular' | 'bold'

/**
 * One font file. `thickened` is the stroke width added to files whose strokes are too thin, as a fraction of the size.
 */
export type Face = { name: string; bytes: Buffer; characters: ReadonlySet<number>; thickened: number }

type Family = { folder: string; subsets: RegExp; isThin?: true }

const ALPHABETS: Family[] = [
  { folder: '@fontsource/noto-sans', subsets: /./ },
  { folder: '@fontsource/noto-sans-arabic', subsets: /^arabic$/ },
  { folder: '@fontsource/noto-sans-hebrew', subsets: /^hebrew$/ },
  { folder: '@fontsource/noto-sans-thai', subsets: /^thai$/ },
]
/**
 * These files contain all weights, of which a PDF can only embed the thinnest; an outline around each stroke
 * compensates for that.
 */
const eastAsian = (language: string): Family => ({
  folder: `@fontsource-variable/noto-sans-${language}`,
  subsets: /^\d+$/,
  isThin: true,
})
const THICKENED = { regular: 0.045, bold: 0.085 } satisfies Record<Weight, number>
const [JAPANESE, KOREAN, CHINESE] = [eastAsian('jp'), eastAsian('kr'), eastAsian('sc')]

/** The same character looks slightly different in each language; the surrounding text decides which one is used. */
function familiesFor(text: string): Family[] {
  if (/[\p{Script=Hiragana}\p{Script=Katakana}]/u.test(text)) return [...ALPHABETS, JAPANESE, CHINESE, KOREAN]
  if (/\p{Script=Hangul}/u.test(text)) return [...ALPHABETS, KOREAN, JAPANESE, CHINESE]
  return [...ALPHABETS, CHINESE, JAPANESE, KOREAN]
}

/** Used for a character that no font has. */
export const REPLACEMENT_CHARACTER = '\ufffd'

/** Returns the face of a character; undefined when no font has it. */
export type FaceFor = (character: string) => Face | undefined

/** Loads the faces of a text's characters and of the replacement character. */
export async function loadFaces(text: string, weight: Weight): Promise<FaceFor> {
  const families = familiesFor(text)
  const faces = new Map<string, Face>()
  for (const character of new Set(text + REPLACEMENT_CHARACTER)) {
    const face = await findFace(families, character, weight)
    if (face) faces.set(character, face)
  }
  return (character) => faces.get(character)
}

/** The range of a file can include characters that the file does not have. */
async function findFace(families: Family[], character: string, weight: Weight): Promise<Face | undefined> {
  const code = character.codePointAt(0) ?? 0
  for (const family of families) {
    for (const { from, to, subset } of loadRanges(family)) {
      if (code < from || code > to) continue
      const face = await readFace(family, subset, weight)
      if (face.characters.has(code)) return face
    }
  }
  return undefined
}

const { resolve } = createRequire(import.meta.url)

type UnicodeRange = { from: number; to: number; subset: string }
const ranges = new Map<Family, UnicodeRange[]>()

/** Returns which file has which characters, from the package's CSS unicode-range: `U+0-ff,U+131`. */
function loadRanges(family: Family): UnicodeRange[] {
  const known = ranges.get(family)
  if (known) return known
  const unicodeRanges = JSON.parse(readFileSync(resolve(`${family.folder}/unicode.json`), 'utf8')) as Record<
    string,
    string
  >
  const read = Object.entries(unicodeRanges)
    .map(([name, text]) => ({ subset: name.replace(/[[\]]/g, ''), text }))
    .filter(({ subset }) => family.subsets.test(subset))
    .flatMap(({ subset, text }) => text.split(',').map((range) => ({ ...readRange(range), subset })))
  ranges.set(family, read)
  return read
}

function readRange(range: string): { from: number; to: number } {
  const [from = '', to = from] = range.trim().slice(2).split('-')
  return { from: Number.parseInt(from, 16), to: Number.parseInt(to, 16) }
}

const loadedFaces = new Map<string, Face>()

/**
 * Unpacks a file once per process: pdfkit cannot embed glyphs of WOFF2, and would unpack WOFF again for each document,
 * which takes longer than everything else.
 */
async function readFace({ folder, isThin }: Family, subset: string, weight: Weight): Promise<Face> {
  const stem = `${folder.split('/')[1]}-${subset}`
  const name = `${stem}-${weight}`
  const known = loadedFaces.get(name)
  if (known) return known
  const file = isThin ? `${stem}-wght-normal.woff2` : `${stem}-${weight === 'bold' ? 700 : 400}-normal.woff2`
  const [{ create }, { default: decompress }] = await Promise.all([
    import('fontkit'),
    import('woff2-encoder/decompress'),
  ])
  const bytes = Buffer.from(await decompress(readFileSync(resolve(`${folder}/files/${file}`))))
  const font = create(bytes)
  const characters = new Set('characterSet' in font ? font.characterSet : [])
  const face = { name, bytes, characters, thickened: isThin ? THICKENED[weight] : 0 }
  loadedFaces.set(name, face)
  return face
}
