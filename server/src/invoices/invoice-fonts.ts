import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { listCharacters, toOpenType } from './font-files.ts'

/** The font files that invoices are set in: Noto Sans, which has most alphabets, each in files of their own. */

export type Weight = 'regular' | 'bold'

/** One file. `thickened`: its strokes are thin as hairs and are drawn so much wider, in parts of the size. */
export type Face = { name: string; bytes: Buffer; characters: ReadonlySet<number>; thickened: number }

type Family = { folder: string; subsets: RegExp; isThin?: true }

const ALPHABETS: Family[] = [
  { folder: '@fontsource/noto-sans', subsets: /./ },
  { folder: '@fontsource/noto-sans-arabic', subsets: /^arabic$/ },
  { folder: '@fontsource/noto-sans-hebrew', subsets: /^hebrew$/ },
  { folder: '@fontsource/noto-sans-thai', subsets: /^thai$/ },
]
/**
 * These come in files that hold all weights, of which a PDF can embed the thinnest alone; the line around each stroke
 * makes up for it.
 */
const eastAsian = (language: string): Family => ({
  folder: `@fontsource-variable/noto-sans-${language}`,
  subsets: /^\d+$/,
  isThin: true,
})
const THICKENED = { regular: 0.045, bold: 0.085 } satisfies Record<Weight, number>
const [JAPANESE, KOREAN, CHINESE] = [eastAsian('jp'), eastAsian('kr'), eastAsian('sc')]

/** The same character is drawn a little differently in each language; what is around it tells which one is meant. */
function familiesFor(text: string): Family[] {
  if (/[\p{Script=Hiragana}\p{Script=Katakana}]/u.test(text)) return [...ALPHABETS, JAPANESE, CHINESE, KOREAN]
  if (/\p{Script=Hangul}/u.test(text)) return [...ALPHABETS, KOREAN, JAPANESE, CHINESE]
  return [...ALPHABETS, CHINESE, JAPANESE, KOREAN]
}

/** Finds the faces of a text: one for each character, undefined where no font has it. */
export function facesFor(text: string, weight: Weight): (character: string) => Face | undefined {
  const families = familiesFor(text)
  return (character) => {
    const code = character.codePointAt(0) ?? 0
    for (const family of families) {
      const face = findFace(family, code, weight)
      if (face) return face
    }
    return undefined
  }
}

/** A file's range may name characters that the file does not have. */
function findFace(family: Family, code: number, weight: Weight): Face | undefined {
  for (const { from, to, subset } of loadRanges(family)) {
    if (code < from || code > to) continue
    const face = readFace(family, subset, weight)
    if (face.characters.has(code)) return face
  }
  return undefined
}

const { resolve } = createRequire(import.meta.url)

type UnicodeRange = { from: number; to: number; subset: string }
const ranges = new Map<Family, UnicodeRange[]>()

/** Which file has which characters, as the package says in CSS's unicode-range: `U+0-ff,U+131`. */
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

const faces = new Map<string, Face>()

function readFace({ folder, isThin }: Family, subset: string, weight: Weight): Face {
  const stem = `${folder.split('/')[1]}-${subset}`
  const name = `${stem}-${weight}`
  const known = faces.get(name)
  if (known) return known
  const file = isThin ? `${stem}-wght-normal.woff2` : `${stem}-${weight === 'bold' ? 700 : 400}-normal.woff`
  const bytes = toOpenType(readFileSync(resolve(`${folder}/files/${file}`)))
  const face = { name, bytes, characters: listCharacters(bytes), thickened: isThin ? THICKENED[weight] : 0 }
  faces.set(name, face)
  return face
}
