/**
 * How well colours are told apart, as WCAG 2.2 has it, and what becomes of a pool's own accent colour: one for the night,
 * where it is text and ground on the dark, and one for the day, where it is text on white.
 */

type Rgb = readonly [number, number, number]

/** Text needs 4.5 to 1 (WCAG 2.2, 1.4.3), what shows a control 3 to 1 (1.4.11). */
export const TEXT_RATIO = 4.5
export const CONTROL_RATIO = 3

/** What the accent stands on: the surfaces of web/src/styles/tokens.css. */
export const NIGHT = { page: '#0c0d10', panel: '#121419', field: '#191c22', pressed: '#232730' } as const
export const DAY = { page: '#ffffff', field: '#f1f3f5', pressed: '#e2e5e9' } as const

/** The day's buttons are black in every pool, with the night's accent as their words. */
const DAY_BUTTON = { usual: '#14171c', pressed: '#2a2f38' } as const
/** The words on an accent. */
const ON_ACCENT = '#0c0d10'
/** How much of the accent is in the ground of what is chosen. */
const SOFT = 0.1
/** How much white is in a button under the pointer. */
const HOVER = 0.22

const channels = (hex: string): Rgb => {
  const number = Number.parseInt(hex.slice(1), 16)
  return [(number >> 16) & 255, (number >> 8) & 255, number & 255]
}

const hexOf = (rgb: Rgb): string =>
  `#${rgb.map((channel) => Math.round(channel).toString(16).padStart(2, '0')).join('')}`

/** IEC 61966-2-1, with the threshold that WCAG 2.2 has since 2021. */
const linear = (channel: number): number => {
  const share = channel / 255
  return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
}

const gamma = (light: number): number => 255 * (light <= 0.0031308 ? light * 12.92 : 1.055 * light ** (1 / 2.4) - 0.055)

/** Relative luminance, 0 to 1 (https://www.w3.org/TR/WCAG22/#dfn-relative-luminance). */
export function luminanceOf(hex: string): number {
  const [red, green, blue] = channels(hex).map(linear) as unknown as Rgb
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

/** 1 to 21 (https://www.w3.org/TR/WCAG22/#dfn-contrast-ratio). */
export function contrastOf(one: string, other: string): number {
  const [light, dark] = [luminanceOf(one), luminanceOf(other)].sort((a, b) => b - a) as [number, number]
  return (light + 0.05) / (dark + 0.05)
}

/** What is seen of a colour that covers another by this share. */
export function mixed(over: string, under: string, share: number): string {
  const below = channels(under)
  return hexOf(channels(over).map((channel, n) => channel * share + (below[n] ?? 0) * (1 - share)) as unknown as Rgb)
}

export type Pair = { what: string; colour: string; ground: string; least: number; ratio: number }

const pair = (what: string, colour: string, ground: string, least = TEXT_RATIO): Pair => ({
  what,
  colour,
  ground,
  least,
  ratio: contrastOf(colour, ground),
})

export const passes = ({ ratio, least }: Pair): boolean => ratio >= least

/** Where the night's accent is seen, the hardest of each kind. */
export const pairsOfNight = (night: string): Pair[] => [
  pair('Button text', ON_ACCENT, night),
  pair('Button on page background', night, NIGHT.page, CONTROL_RATIO),
  pair('Body text', night, NIGHT.page),
  pair('Text on pressed elements', night, NIGHT.pressed),
  pair('Current song', night, mixed(night, NIGHT.field, SOFT)),
  pair('Button text (light theme)', night, DAY_BUTTON.pressed),
]

/** Where the day's is. */
export const pairsOfDay = (day: string): Pair[] => [
  pair('Body text', day, DAY.page),
  pair('Text on pressed elements', day, DAY.pressed),
  pair('Current song', day, mixed(day, DAY.page, SOFT)),
  pair('Focus outline', day, DAY.pressed, CONTROL_RATIO),
]

export type Time = 'night' | 'day'

export const pairsOf = (time: Time, colour: string): Pair[] =>
  time === 'night' ? pairsOfNight(colour) : pairsOfDay(colour)

export const isReadable = (time: Time, colour: string): boolean => pairsOf(time, colour).every(passes)

/** OKLab, in which equal steps look alike (https://bottosson.github.io/posts/oklab/). */
function toOklab(hex: string): Rgb {
  const [r, g, b] = channels(hex).map(linear) as unknown as Rgb
  const l = Math.cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b)
  const m = Math.cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b)
  const s = Math.cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b)
  return [
    0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s,
    1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s,
    0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s,
  ]
}

/** In linear light; outside 0 to 1 where no screen shows it. */
function fromOklab([lightness, a, b]: Rgb): Rgb {
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3
  const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3
  return [
    4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
    -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
    -0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s,
  ]
}

const isShowable = (rgb: Rgb): boolean => rgb.every((light) => light >= -0.0001 && light <= 1.0001)

/** A colour of this hue and lightness, as strong as it was or as a screen can show it. */
function withLightness([, a, b]: Rgb, lightness: number): string {
  let [least, most] = [0, 1]
  if (!isShowable(fromOklab([lightness, a, b]))) {
    for (let n = 0; n < 14; n++) {
      const half = (least + most) / 2
      if (isShowable(fromOklab([lightness, a * half, b * half]))) least = half
      else most = half
    }
    most = least
  }
  const rgb = fromOklab([lightness, a * most, b * most])
  return hexOf(rgb.map((light) => gamma(Math.min(1, Math.max(0, light)))) as unknown as Rgb)
}

const STEPS = 400

/**
 * The colour of the same hue nearest to this one that can be read: itself, or one that is lighter for the night and darker
 * for the day, by no more than it takes.
 */
export function nearestReadable(time: Time, colour: string): string {
  if (isReadable(time, colour)) return colour
  const lab = toOklab(colour)
  const towards = time === 'night' ? 1 : 0
  for (let n = 1; n < STEPS; n++) {
    const nearer = withLightness(lab, lab[0] + ((towards - lab[0]) * n) / STEPS)
    if (isReadable(time, nearer)) return nearer
  }
  return time === 'night' ? '#ffffff' : '#000000'
}

export type Accent = { night: string; day: string }

/** The tokens of web/src/styles/tokens.css that a pool's own accent stands in for. */
export const tokensOf = ({ night, day }: Accent): Record<Time, Record<string, string>> => ({
  night: {
    '--brand': night,
    '--accent': night,
    '--accent-hover': mixed('#ffffff', night, HOVER),
    '--on-accent': ON_ACCENT,
    '--accent-ink': night,
    '--accent-soft': `${night}1a`,
  },
  day: {
    '--brand': night,
    '--accent-ink': day,
    '--on-accent': night,
    '--accent-soft': `${day}1a`,
  },
})
