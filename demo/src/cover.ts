import { layoutText, plainCapitals, strokes, widthOf } from './artwork/lettering.ts'
import { PALETTES, type Palette } from './artwork/palettes.ts'
import { BUSY_STYLES, CALM_STYLES, SIDE } from './artwork/styles.ts'
import { between, pick, type Random, seededRandom, seedOf } from './random.ts'

const MARGIN = 36
const MAX_WORD_LENGTH = 9
const SMALL_WORDS = new Set([
  'THE',
  'A',
  'AN',
  'OF',
  'IN',
  'ON',
  'MY',
  'DE',
  'LA',
  'EL',
  'DO',
  'DA',
  'NO',
  'TO',
  'FOR',
  'AND',
  'FEAT',
])

/**
 * The word shown on a cover: the first suitable word of the title that fits, or '' when the title has no Latin letter.
 */
function coverWord(title: string): string {
  const words = plainCapitals(title.replace(/ \(.*/, '')).split(/ +/)
  const fits = words.filter((word) => word.length > 1 && word.length <= MAX_WORD_LENGTH)
  return fits.find((word) => !SMALL_WORDS.has(word)) ?? fits[0] ?? ''
}

type CoverText = { word: string; artist: string }

/** Height of capitals at which the word takes up `share` of the cover's width, within limits that look good. */
function heightFor(word: string, share: number): number {
  return Math.min(150, Math.max(48, ((SIDE - 2 * MARGIN) * share) / widthOf(word, 1)))
}

/** A strip of plain background above or below the picture, with the word at its left and the artist below it. */
function bandText(random: Random, { ground, accent, ink }: Palette, { word, artist }: CoverText): string {
  const height = Math.min(84, heightFor(word, 0.8))
  const band = height + (artist ? 104 : 68)
  const top = random() < 0.65 ? SIDE - band : 0
  const title = strokes(layoutText(word, { x: MARGIN, y: top + 36, height }), accent, 1.15)
  const small = Math.min(20, (20 * (SIDE - 2 * MARGIN)) / Math.max(1, widthOf(artist, 20)))
  const name = strokes(layoutText(artist, { x: MARGIN, y: top + 36 + height + 26, height: small }), ink, 0.8)
  return `<rect y="${top.toFixed(1)}" width="${SIDE}" height="${band.toFixed(1)}" fill="${ground}"/>${title}${name}`
}

/** The word over the picture, with an outline in the background colour so that it is readable on anything. */
function overlayText(random: Random, { ground, accent }: Palette, { word }: CoverText): string {
  const height = heightFor(word, pick(random, [0.5, 0.7, 1]))
  const y = pick(random, [MARGIN + 8, SIDE - MARGIN - 8 - height, SIDE - MARGIN - 8 - height])
  const lettering = layoutText(word, { x: MARGIN + 6, y, height })
  return strokes(lettering, ground, 2.5) + strokes(lettering, accent, 1.25)
}

/** A small plate in a corner, like a label's stamp. */
function framedText(random: Random, { ground, ink }: Palette, { word }: CoverText): string {
  const height = between(random, 34, 50)
  const width = widthOf(word, height) + 2 * 28
  const x = random() < 0.5 ? MARGIN : SIDE - MARGIN - width
  const y = random() < 0.5 ? MARGIN : SIDE - MARGIN - height - 52
  const frame = `<rect x="${x.toFixed(1)}" y="${y}" width="${width.toFixed(1)}" height="${height + 52}" fill="${ink}"/>`
  return frame + strokes(layoutText(word, { x: x + 28, y: y + 26, height }), ground, 1.1)
}

const STYLES = [...CALM_STYLES, ...BUSY_STYLES]
const CALM_LAYOUTS = [bandText, overlayText, framedText] as const
const BUSY_LAYOUTS = [bandText, framedText] as const

/**
 * Draws a cover: SVG, 640 × 640, the same for the same seed and texts. Its letters are paths, so it looks the same on a
 * machine without fonts. For texts without Latin letters or digits, only the picture is drawn.
 */
export function coverSvg(seed: number, { title, artist = '' }: { title: string; artist?: string }): string {
  const random = seededRandom(seedOf(seed, 'cover'))
  const palette = pick(random, PALETTES)
  const style = pick(random, STYLES)
  const picture = style(random, palette)
  const word = coverWord(title)
  const layout = pick(random, CALM_STYLES.includes(style) ? CALM_LAYOUTS : BUSY_LAYOUTS)
  const lettering = word ? layout(random, palette, { word, artist: plainCapitals(artist) }) : ''
  const ground = `<rect width="${SIDE}" height="${SIDE}" fill="${palette.ground}"/>`
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${SIDE}" height="${SIDE}" viewBox="0 0 ${SIDE} ${SIDE}">${ground}${picture}${lettering}</svg>`
}
