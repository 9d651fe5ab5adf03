/**
 * An alphabet of strokes on a grid four units wide and six high, so that covers need no installed font. Each letter is
 * its width and an SVG path; A and Q in the path draw the round ones.
 */
const GLYPHS: Record<string, readonly [width: number, path: string]> = {
  A: [4, 'M0 6L2 0L4 6M.7 4H3.3'],
  B: [3.6, 'M0 3H2.1A1.5 1.5 0 0 0 2.1 0H0V6H2.1A1.5 1.5 0 0 0 2.1 3'],
  C: [3.8, 'M3.8 1.2Q3.2 0 2 0Q0 0 0 3Q0 6 2 6Q3.2 6 3.8 4.8'],
  D: [3.8, 'M0 0H1.4Q3.8 0 3.8 3Q3.8 6 1.4 6H0Z'],
  E: [3.2, 'M3.2 0H0V6H3.2M0 3H2.7'],
  F: [3.2, 'M3.2 0H0V6M0 3H2.7'],
  G: [3.9, 'M3.8 1.2Q3.2 0 2 0Q0 0 0 3Q0 6 2 6Q3.9 6 3.9 3.3H2.3'],
  H: [3.6, 'M0 0V6M3.6 0V6M0 3H3.6'],
  I: [0, 'M0 0V6'],
  J: [2.8, 'M2.8 0V4.4A1.4 1.6 0 0 1 0 4.4'],
  K: [3.6, 'M0 0V6M3.6 0L0 3.6M1.3 2.6L3.7 6'],
  L: [3, 'M0 0V6H3'],
  M: [4.4, 'M0 6V0L2.2 4L4.4 0V6'],
  N: [3.8, 'M0 6V0L3.8 6V0'],
  O: [4, 'M2 0Q4 0 4 3Q4 6 2 6Q0 6 0 3Q0 0 2 0Z'],
  P: [3.5, 'M0 6V0H1.9A1.7 1.7 0 0 1 1.9 3.4H0'],
  Q: [4, 'M2 0Q4 0 4 3Q4 6 2 6Q0 6 0 3Q0 0 2 0ZM2.5 4.4L4 6.2'],
  R: [3.6, 'M0 6V0H1.9A1.65 1.65 0 0 1 1.9 3.3H0M1.9 3.3L3.6 6'],
  S: [3.6, 'M3.5 1.2Q3 0 1.8 0Q.1 0 .1 1.5Q.1 2.7 1.8 3Q3.6 3.3 3.6 4.5Q3.6 6 1.8 6Q.4 6 0 4.8'],
  T: [3.8, 'M0 0H3.8M1.9 0V6'],
  U: [3.7, 'M0 0V3.9Q0 6 1.85 6Q3.7 6 3.7 3.9V0'],
  V: [4, 'M0 0L2 6L4 0'],
  W: [5.2, 'M0 0L1.3 6L2.6 1.4L3.9 6L5.2 0'],
  X: [3.8, 'M0 0L3.8 6M3.8 0L0 6'],
  Y: [3.8, 'M0 0L1.9 3L3.8 0M1.9 3V6'],
  Z: [3.6, 'M0 0H3.6L0 6H3.6'],
  '0': [3.6, 'M1.8 0Q3.6 0 3.6 3Q3.6 6 1.8 6Q0 6 0 3Q0 0 1.8 0Z'],
  '1': [1.4, 'M0 1.2L1.4 0V6'],
  '2': [3.4, 'M0 1.4Q.2 0 1.7 0Q3.4 0 3.4 1.6Q3.4 2.8 0 6H3.4'],
  '3': [3.4, 'M.1 0H3.2L1.6 2.4Q3.4 2.5 3.4 4.2Q3.4 6 1.6 6Q.4 6 0 4.9'],
  '4': [3.6, 'M2.7 6V0L0 4.3H3.6'],
  '5': [3.4, 'M3.1 0H.4L.2 2.7Q3.4 1.8 3.4 4.1Q3.4 6 1.6 6Q.4 6 0 5'],
  '6': [3.5, 'M2.9 0Q0 1.8 0 4.1Q0 6 1.75 6Q3.5 6 3.5 4.2Q3.5 2.5 1.75 2.5Q.6 2.5 .1 3.6'],
  '7': [3.4, 'M0 0H3.4L1.3 6'],
  '8': [3.4, 'M1.7 2.8A1.4 1.4 0 1 1 1.71 2.8A1.6 1.6 0 1 0 1.7 2.8'],
  '9': [3.5, 'M.6 6Q3.5 4.2 3.5 1.9Q3.5 0 1.75 0Q0 0 0 1.8Q0 3.5 1.75 3.5Q2.9 3.5 3.4 2.4'],
}

const GRID_HEIGHT = 6
const LETTER_GAP = 1.5
const SPACE = 2

export type Lettering = { path: string; width: number; unit: number }

/** Letters that Unicode normalisation does not decompose. */
const TRANSLITERATIONS: Record<string, string> = { Ø: 'O', Æ: 'AE', Ł: 'L', Đ: 'D', '&': 'AND', $: 'S' }

/** Latin capitals and digits of a text; characters without a glyph are left out. */
export function plainCapitals(text: string): string {
  return text
    .normalize('NFD')
    .toUpperCase()
    .replaceAll(/[ØÆŁĐ&$]/g, (character) => TRANSLITERATIONS[character] ?? '')
    .replaceAll(/[^A-Z0-9 ]/g, '')
    .trim()
}

/** Lays out capitals. `x`, `y` is the top left, `height` the height of a capital; returns its paths and the width in pixels. */
export function layoutText(text: string, { x, y, height }: { x: number; y: number; height: number }): Lettering {
  const unit = height / GRID_HEIGHT
  let at = 0
  let path = ''
  for (const character of text) {
    const shape = GLYPHS[character]
    if (shape) {
      path += `<path transform="translate(${(x + at * unit).toFixed(1)} ${y.toFixed(1)}) scale(${unit.toFixed(3)})" d="${shape[1]}"/>`
      at += shape[0]
    }
    at += shape ? LETTER_GAP : SPACE
  }
  return { path, width: Math.max(0, at - LETTER_GAP) * unit, unit }
}

/** Width in pixels of a word set in capitals of this height. */
export function widthOf(text: string, height: number): number {
  return layoutText(text, { x: 0, y: 0, height }).width
}

/** Strokes of the given weight in grid units, 0.5 (light) to 1.4 (black). */
export function strokes(lettering: Lettering, color: string, weight: number): string {
  return `<g fill="none" stroke="${color}" stroke-width="${weight}" stroke-linecap="square" stroke-linejoin="round">${lettering.path}</g>`
}
