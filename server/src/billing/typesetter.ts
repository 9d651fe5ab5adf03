import bidiFactory from 'bidi-js'
import { type Face, type FaceFor, loadFaces, REPLACEMENT_CHARACTER, type Weight } from './invoice-fonts.ts'

/** Typesets text of any alphabet in a PDF: a font for each run of characters, and lines that fit a width. */
export type Typesetter = {
  /** Splits a text into lines that fit a width, in points; a word that is too long is broken anywhere. */
  layOut(text: string, style: Style, width: number): Promise<TextLine[]>
  /** Draws a line that begins at `x` on the `baseline`. */
  draw(line: TextLine, place: { x: number; baseline: number }, style: Style): void
}

export type Style = { size: number; weight: Weight; colour: string }

export type TextLine = { runs: TextRun[]; width: number }

/** Characters of one font and one direction, in logical order. */
type TextRun = { text: string; face: Face; level: number }

const bidi = bidiFactory()

export function makeTypesetter(document: PDFKit.PDFDocument): Typesetter {
  const registeredFaces = new Set<Face>()
  const use = ({ face, text }: TextRun, { size }: Style) => {
    if (!registeredFaces.has(face)) document.registerFont(face.name, face.bytes)
    registeredFaces.add(face)
    document.font(face.name, size)
    // With a list of features the whole run is shaped at once, which also reorders the words of a right-to-left run.
    return isRightToLeft(text) ? { features: [] } : {}
  }
  const measure = (run: TextRun, style: Style) => document.widthOfString(run.text, use(run, style))
  return {
    layOut: async (text, style, width) => {
      const normalised = normaliseText(text)
      const faceFor = await loadFaces(normalised, style.weight)
      const toLine = (line: string): TextLine => {
        const runs = splitRuns(line, faceFor)
        return { runs, width: runs.reduce((sum, run) => sum + measure(run, style), 0) }
      }
      return wrap(normalised, (line) => toLine(line).width <= width).map(toLine)
    },
    draw: ({ runs }, { x, baseline }, style) => {
      let at = x
      for (const run of runs) {
        const width = measure(run, style)
        const { thickened } = run.face
        const options = { ...use(run, style), lineBreak: false, baseline: 'alphabetic' as const }
        document
          .fillColor(style.colour)
          .strokeColor(style.colour)
          .lineWidth(thickened * style.size)
          .lineJoin('round')
        document.text(run.text, at, baseline, { ...options, fill: true, stroke: thickened > 0 })
        at += width
      }
    },
  }
}

const RIGHT_TO_LEFT = /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u
export const isRightToLeft = (text: string): boolean => RIGHT_TO_LEFT.test(text)

/** Puts a text into one line, without invisible characters; the joiners of Persian and Indic scripts stay. */
const normaliseText = (text: string): string =>
  text
    .normalize('NFC')
    .replace(/[\s\p{Zl}\p{Zp}]+/gu, ' ')
    .replace(/(?![\u200c\u200d])(?:\p{Cc}|\p{Cf}|[\ufe00-\ufe0f])/gu, '')
    // The ring of Thai sara am belongs below a tone mark; fontkit leaves it above.
    .replace(/([\u0e48-\u0e4b])\u0e33/g, '\u0e4d$1\u0e32')
    .trim()

/** Returns the runs of a line in display order, from the left. */
function splitRuns(line: string, faceFor: FaceFor): TextRun[] {
  const embedding = bidi.getEmbeddingLevels(line)
  const runs: (TextRun & { start: number })[] = []
  let at = 0
  for (const character of line) {
    const start = at
    at += character.length
    const level = embedding.levels[start] ?? 0
    const last = runs.at(-1)
    const chosenFace = continuesRun(last, character) ? last?.face : faceFor(character)
    const face = chosenFace ?? faceFor(REPLACEMENT_CHARACTER)
    if (!face || (!chosenFace && isJoiner(character))) continue
    const shownCharacter = chosenFace ? character : REPLACEMENT_CHARACTER
    if (last?.face === face && last.level === level) last.text += shownCharacter
    else runs.push({ text: shownCharacter, face, level, start })
  }
  const indices = bidi.getReorderedIndices(line, embedding)
  return runs
    .sort((a, b) => indices.indexOf(a.start) - indices.indexOf(b.start))
    .map((run) => ({ ...run, text: orderForShaping(run) }))
}

const isJoiner = (character: string): boolean => /[\u200c\u200d]/.test(character)

/** Spaces, marks and joiners use the font before them if it has them, so that words are shaped as a whole. */
const continuesRun = (last: TextRun | undefined, character: string): boolean =>
  last !== undefined &&
  /[\s\p{M}\u200c\u200d]/u.test(character) &&
  last.face.characters.has(character.codePointAt(0) ?? 0)

/** Shaping reverses the characters of right-to-left scripts, also their digits, which are read from the left. */
function orderForShaping({ text, level }: TextRun): string {
  const isOdd = level % 2 === 1
  const characters = [...text].map((character) => (isOdd && bidi.getMirroredCharacter(character)) || character)
  return (isOdd === isRightToLeft(text) ? characters : characters.reverse()).join('')
}

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' })

function wrap(text: string, fits: (line: string) => boolean): string[] {
  const lines: string[] = []
  let line = ''
  const add = (piece: string) => {
    if (line !== '' && !fits(line + piece)) {
      lines.push(line.trimEnd())
      line = ''
    }
    line += piece
  }
  for (const word of text.split(/(?<=\s)/u)) {
    if (fits(word)) add(word)
    else for (const { segment } of graphemes.segment(word)) add(segment)
  }
  return [...lines, line.trimEnd()]
}
