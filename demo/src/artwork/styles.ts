import { between, pick, type Random } from '../random.ts'
import type { Palette } from './palettes.ts'

export const SIDE = 640
const HALF = SIDE / 2
const OVERLAP = 0.8

/** Draws the picture of a cover on its background, 640 × 640 pixels. */
export type DrawStyle = (random: Random, palette: Palette) => string

const repeatMarkup = (count: number, draw: (i: number) => string) =>
  Array.from({ length: count }, (_, i) => draw(i)).join('')
const rect = (x: number, y: number, width: number, height: number, fill: string) =>
  `<rect x="${x}" y="${y}" width="${width}" height="${height}" fill="${fill}"/>`
const circle = (x: number, y: number, radius: number, fill: string) =>
  `<circle cx="${x}" cy="${y}" r="${radius}" fill="${fill}"/>`
const fixed = (value: number) => value.toFixed(1)

/** A polyline through `y(x)` from edge to edge. */
function curve(y: (x: number) => number): string {
  const points: string[] = []
  for (let x = -20; x <= SIDE + 20; x += 20) points.push(`${x} ${fixed(y(x))}`)
  return `M${points.join('L')}`
}

/** Op art: lines bent over a hill that moves from line to line. */
function wavyLines(random: Random, { ground, ink }: Palette): string {
  const lean = 0.35 + random() * 0.4
  const reach = 9000 * between(random, 3, 6)
  const waves = 80 + 60 * random()
  return repeatMarkup(26, (i) => {
    const top = -60 + i * 30
    const d = curve((x) => top - Math.sin(x / waves + i * lean) * 62 * Math.exp(-((x - HALF) ** 2) / reach))
    return `<path d="${d}V800H-20Z" fill="${ground}" stroke="${ink}" stroke-width="7"/>`
  })
}

function tile(random: Random, x: number, y: number, side: number, { ink, accent, shade }: Palette): string {
  const roll = random()
  const far = `${x + side} ${y + side}`
  // Squares overlap slightly; otherwise thin gaps show between them at other sizes.
  if (roll < 0.3) return rect(x, y, side + OVERLAP, side + OVERLAP, ink)
  if (roll < 0.5) return `<path d="M${x} ${y}H${x + side}V${y + side}Z" fill="${accent}"/>`
  if (roll < 0.64) return circle(x + side / 2, y + side / 2, side * 0.44, accent)
  if (roll < 0.8) return `<path d="M${x} ${y}A${side} ${side} 0 0 0 ${far}V${y}Z" fill="${ink}"/>`
  if (roll < 0.9) return rect(x, y, side + OVERLAP, side + OVERLAP, shade)
  return ''
}

function tiles(random: Random, palette: Palette): string {
  const count = pick(random, [4, 5, 8])
  const side = SIDE / count
  return repeatMarkup(count * count, (i) =>
    tile(random, (i % count) * side, Math.floor(i / count) * side, side, palette),
  )
}

/** Two lights over a dark background, with a planet in front of them. */
function glow(random: Random, { ground, ink, accent, shade }: Palette): string {
  const light = (name: string, color: string) =>
    `<radialGradient id="${name}" cx="${fixed(0.15 + 0.7 * random())}" cy="${fixed(0.1 + 0.6 * random())}" r=".75"><stop offset="0" stop-color="${color}"/><stop offset="1" stop-color="${color}" stop-opacity="0"/></radialGradient>`
  const [x, y] = [between(random, 220, 440), between(random, 230, 380)]
  const field = (fill: string) => rect(0, 0, SIDE, SIDE, fill)
  return `<defs>${light('a', ink)}${light('b', shade)}</defs>${field(ground)}${field('url(#b)')}${field('url(#a)')}${circle(x, y, between(random, 110, 175), accent)}`
}

/** The levels of a bar, mirrored about the middle. */
function levels(random: Random, { ink, accent }: Palette): string {
  const count = pick(random, [17, 23, 29])
  const pitch = (SIDE - 80) / count
  const stress = between(random, 2, 4)
  return repeatMarkup(count, (i) => {
    const swell = 0.35 + 0.65 * Math.abs(Math.sin((i / count) * Math.PI * stress))
    const height = 60 + 420 * swell * (0.45 + 0.55 * random())
    const color = random() > 0.25 ? ink : accent
    return `<rect x="${fixed(40 + i * pitch)}" y="${fixed(HALF - height / 2)}" width="${fixed(pitch * 0.58)}" height="${fixed(height)}" rx="${fixed(pitch * 0.29)}" fill="${color}"/>`
  })
}

function mountainPeak(random: Random, base: number, height: number, fill: string): string {
  const points = [`-20 ${SIDE + 20}`, `-20 ${base}`]
  for (let x = 60; x < SIDE; x += between(random, 90, 150)) points.push(`${x} ${fixed(base - height * random())}`)
  points.push(`${SIDE + 20} ${base - height * 0.3}`, `${SIDE + 20} ${SIDE + 20}`)
  return `<path d="M${points.join('L')}Z" fill="${fill}"/>`
}

/** Three mountain ranges, one in front of the other, under a low sun. */
function mountains(random: Random, { ground, ink, accent, shade }: Palette): string {
  const sun = circle(between(random, 170, 470), between(random, 170, 240), between(random, 70, 115), accent)
  return (
    rect(0, 0, SIDE, SIDE, ground) +
    sun +
    mountainPeak(random, 380, 190, shade) +
    mountainPeak(random, 480, 190, ink) +
    mountainPeak(random, 590, 120, ground)
  )
}

/** Rings around a point that may be off centre. */
function rings(random: Random, { ground, ink, accent }: Palette): string {
  const [drift, climb] = [between(random, -9, 9), between(random, -9, 9)]
  const count = pick(random, [8, 11, 14])
  const step = 300 / count
  return repeatMarkup(count, (i) => {
    const color = i === count - 1 ? accent : i % 2 ? ground : ink
    return circle(HALF + drift * i, HALF + climb * i, fixedRadius(300 - i * step), color)
  })
}

const fixedRadius = (radius: number) => Math.round(radius * 10) / 10

/** A sun cut by stripes that widen towards the water. */
function sunset(random: Random, { ground, ink, accent, shade }: Palette): string {
  const horizon = between(random, 380, 430)
  const radius = between(random, 180, 220)
  const sky = rect(0, 0, SIDE, horizon, ground) + circle(HALF, horizon - 60, radius, accent)
  const cuts = repeatMarkup(6, (i) => rect(0, horizon - 110 + i * i * 5 + i * 16, SIDE, 4 + i * 3, ground))
  const waves = repeatMarkup(9, (i) => rect(0, horizon + i * i * 3.2, SIDE, 3 + i * 1.8, i % 2 ? shade : ink))
  return sky + cuts + rect(0, horizon, SIDE, SIDE, ground) + waves
}

/** Two sets of fine circles, a little apart. */
function moire(random: Random, { ink, accent }: Palette): string {
  const gap = between(random, 40, 110)
  const set = (x: number, color: string) =>
    repeatMarkup(
      26,
      (i) => `<circle cx="${x}" cy="${HALF}" r="${8 + i * 15}" fill="none" stroke="${color}" stroke-width="5"/>`,
    )
  return `${set(HALF - gap, ink)}<g opacity=".9">${set(HALF + gap, accent)}</g>`
}

/** Dots whose size follows a wave across the sleeve. */
function dots(random: Random, { ink, accent }: Palette): string {
  const count = pick(random, [9, 11, 13])
  const pitch = SIDE / count
  const [fx, fy, phase] = [0.3 + random() * 0.35, 0.3 + random() * 0.35, random() * 6]
  const accentedDot = between(random, 0, count * count - 1)
  return repeatMarkup(count * count, (i) => {
    const [column, row] = [i % count, Math.floor(i / count)]
    const size = 0.12 + 0.34 * (0.5 + 0.5 * Math.sin(column * fx + row * fy + phase))
    return circle(
      (column + 0.5) * pitch,
      (row + 0.5) * pitch,
      fixedRadius(pitch * (i === accentedDot ? 0.48 : size)),
      i === accentedDot ? accent : ink,
    )
  })
}

/** Frames within frames, each turned a little further. */
function rotatedSquares(random: Random, { ink, accent }: Palette): string {
  const turn = pick(random, [-7, 5, 9, 12])
  return repeatMarkup(11, (i) => {
    const side = 500 * 0.86 ** i
    const color = i % 3 === 2 ? accent : ink
    return `<rect x="${fixed(HALF - side / 2)}" y="${fixed(HALF - side / 2)}" width="${fixed(side)}" height="${fixed(side)}" fill="none" stroke="${color}" stroke-width="9" transform="rotate(${i * turn} ${HALF} ${HALF})"/>`
  })
}

/** Rays from a point near the edge. */
function rays(random: Random, { ink, accent, shade }: Palette): string {
  const [x, y] = [between(random, 120, 520), between(random, 460, 560)]
  const count = pick(random, [9, 12, 16])
  const beam = (i: number) => {
    const angle = (i * 2 * Math.PI) / count
    const half = Math.PI / count / 2
    const point = (a: number) => `${fixed(x + 1000 * Math.cos(a))} ${fixed(y + 1000 * Math.sin(a))}`
    return `<path d="M${x} ${y}L${point(angle - half)}L${point(angle + half)}Z" fill="${i % 3 ? ink : shade}"/>`
  }
  return repeatMarkup(count, beam) + circle(x, y, between(random, 90, 140), accent)
}

/** Quarter circles stacked like arches. */
function arches(random: Random, { ground, ink, accent, shade }: Palette): string {
  const count = pick(random, [2, 3])
  const side = SIDE / count
  const colors = [ink, ground, accent, ground, shade]
  return repeatMarkup(count * count, (i) => {
    const [left, top] = [(i % count) * side, Math.floor(i / count) * side]
    const [x, y] = pick(random, [
      [0, 0],
      [1, 0],
      [0, 1],
      [1, 1],
    ] as const)
    const arcs = colors
      .map((color, k) => circle(left + x * side, top + y * side, fixedRadius(side * (0.95 - k * 0.19)), color))
      .join('')
    return `<svg x="${left}" y="${top}" width="${side}" height="${side}" viewBox="${left} ${top} ${side} ${side}">${arcs}</svg>`
  })
}

/** Stripes at a slant with a disc that turns their colours. */
function eclipse(random: Random, { ground, ink, accent }: Palette): string {
  const slant = pick(random, [-35, 35, 90, 0])
  const stripes = (color: string) =>
    `<g transform="rotate(${slant} ${HALF} ${HALF})">${repeatMarkup(16, (i) => rect(-200, -180 + i * 64, 1040, 30, color))}</g>`
  const [x, y] = [between(random, 250, 390), between(random, 230, 350)]
  const disc = `<clipPath id="d"><circle cx="${x}" cy="${y}" r="190"/></clipPath>`
  return `<defs>${disc}</defs>${stripes(ink)}<g clip-path="url(#d)">${rect(0, 0, SIDE, SIDE, accent)}${stripes(ground)}</g>`
}

/** Soft bands of colour, one hill over another. */
function dunes(random: Random, { ground, ink, accent, shade }: Palette): string {
  const colors = [shade, accent, ink, ground]
  return (
    rect(0, 0, SIDE, SIDE, ground) +
    circle(between(random, 130, 510), 150, 76, ink) +
    colors
      .map((color, i) => {
        const [reach, phase] = [90 + 60 * random(), 6 * random()]
        return `<path d="${curve((x) => 250 + i * 95 - Math.sin(x / reach + phase) * 46)}V700H-20Z" fill="${color}"/>`
      })
      .join('')
  )
}

/** A grid of light in perspective under a disc. */
function horizon(random: Random, { ink, accent, shade }: Palette): string {
  const horizonY = between(random, 340, 390)
  const across = repeatMarkup(9, (i) => `<path d="M0 ${fixed(horizonY + (SIDE - horizonY) * (i / 8) ** 2)}H${SIDE}" />`)
  const along = repeatMarkup(
    17,
    (i) => `<path d="M${HALF + (i - 8) * 22} ${horizonY}L${HALF + (i - 8) * 150} ${SIDE}"/>`,
  )
  return `${circle(HALF, horizonY - 110, 150, accent)}${rect(0, horizonY, SIDE, SIDE - horizonY, shade)}<g stroke="${ink}" stroke-width="4">${across}${along}</g>`
}

/** Pictures with space for a word on top. */
export const CALM_STYLES: readonly DrawStyle[] = [
  glow,
  levels,
  mountains,
  rings,
  sunset,
  dunes,
  horizon,
  rotatedSquares,
  eclipse,
]

/** Pictures that fill the cover with a pattern. */
export const BUSY_STYLES: readonly DrawStyle[] = [wavyLines, tiles, moire, dots, rays, arches]
