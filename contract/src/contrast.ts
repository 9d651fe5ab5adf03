/**
 * Contrast of colours as defined by WCAG 2.2, and how a pool's accent colour is adapted: one colour for dark mode,
 * where it is used as text and as background, and one for light mode, where it is text on white.
 */

type Rgb = readonly [number, number, number]

/** Text needs a contrast of 4.5 to 1 (WCAG 2.2, 1.4.3), control borders and icons 3 to 1 (1.4.11). */
const TEXT_RATIO = 4.5
const CONTROL_RATIO = 3

/** The backgrounds of the accent: the surfaces of web/src/styles/tokens.css. */
export const DARK_MODE = { page: '#0c0d10', panel: '#121419', field: '#191c22', pressed: '#232730' } as const
export const LIGHT_MODE = { page: '#ffffff', field: '#f1f3f5', pressed: '#e2e5e9' } as const

/** Light-mode buttons are black in every pool; their label has the dark-mode accent colour. */
const LIGHT_MODE_BUTTON = { usual: '#14171c', pressed: '#2a2f38' } as const
/** Text colour on an accent background. */
const ON_ACCENT = '#0c0d10'
/** Opacity of the accent in the background of a selected item. */
const SOFT_OPACITY = 0.1
/** Share of white in a hovered button. */
const HOVER = 0.22

const channels = (hex: string): Rgb => {
  const number = Number.parseInt(hex.slice(1), 16)
  return [(number >> 16) & 255, (number >> 8) & 255, number & 255]
}

const hexOf = (rgb: Rgb): string =>
  `#${rgb.map((channel) => Math.round(channel).toString(16).padStart(2, '0')).join('')}`

/** IEC 61966-2-1, with the threshold WCAG 2.2 has used since 2021. */
const linear = (channel: number): number => {
  const value = channel / 255
  return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4
}

const gamma = (light: number): number => 255 * (light <= 0.0031308 ? light * 12.92 : 1.055 * light ** (1 / 2.4) - 0.055)

/** Relative luminance, 0 to 1 (https://www.w3.org/TR/WCAG22/#dfn-relative-luminance). */
export function luminanceOf(hex: string): number {
  const [red, green, blue] = channels(hex).map(linear) as unknown as Rgb
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

/** 1 to 21 (https://www.w3.org/TR/WCAG22/#dfn-contrast-ratio). */
export function contrastOf(first: string, second: string): number {
  const [light, dark] = [luminanceOf(first), luminanceOf(second)].sort((a, b) => b - a) as [number, number]
  return (light + 0.05) / (dark + 0.05)
}

/** The visible colour when a colour with this opacity covers another. */
export function blend(foreground: string, background: string, opacity: number): string {
  const below = channels(background)
  return hexOf(
    channels(foreground).map((channel, n) => channel * opacity + (below[n] ?? 0) * (1 - opacity)) as unknown as Rgb,
  )
}

/** What has a colour of an accent. */
export type ContrastUse =
  | 'button_text'
  | 'button'
  | 'body_text'
  | 'text_on_pressed'
  | 'current_song'
  | 'light_mode_button_text'
  | 'focus_outline'

export type ContrastPair = { use: ContrastUse; colour: string; background: string; minRatio: number; ratio: number }

const contrastPair = (use: ContrastUse, colour: string, background: string, minRatio = TEXT_RATIO): ContrastPair => ({
  use,
  colour,
  background,
  minRatio,
  ratio: contrastOf(colour, background),
})

export const meetsContrast = ({ ratio, minRatio }: ContrastPair): boolean => ratio >= minRatio

/** Where the dark-mode accent is used: for each requirement, the pairs with the lowest contrast. */
const darkModePairs = (night: string): ContrastPair[] => [
  contrastPair('button_text', ON_ACCENT, night),
  contrastPair('button', night, DARK_MODE.page, CONTROL_RATIO),
  contrastPair('body_text', night, DARK_MODE.page),
  contrastPair('text_on_pressed', night, DARK_MODE.pressed),
  contrastPair('current_song', night, blend(night, DARK_MODE.field, SOFT_OPACITY)),
  contrastPair('light_mode_button_text', night, LIGHT_MODE_BUTTON.pressed),
]

/** The same for the light-mode accent. */
const lightModePairs = (day: string): ContrastPair[] => [
  contrastPair('body_text', day, LIGHT_MODE.page),
  contrastPair('text_on_pressed', day, LIGHT_MODE.pressed),
  contrastPair('current_song', day, blend(day, LIGHT_MODE.page, SOFT_OPACITY)),
  contrastPair('focus_outline', day, LIGHT_MODE.pressed, CONTROL_RATIO),
]

export type ColourMode = 'night' | 'day'

export const contrastPairs = (mode: ColourMode, colour: string): ContrastPair[] =>
  mode === 'night' ? darkModePairs(colour) : lightModePairs(colour)

export const isReadable = (mode: ColourMode, colour: string): boolean =>
  contrastPairs(mode, colour).every(meetsContrast)

/** Converts to OKLab, in which equal distances look equally large (https://bottosson.github.io/posts/oklab/). */
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

/** In linear light; outside 0 to 1 if the colour is outside sRGB. */
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

const isInGamut = (rgb: Rgb): boolean => rgb.every((light) => light >= -0.0001 && light <= 1.0001)

/** Returns a colour with this hue and lightness; its chroma is reduced if sRGB requires it. */
function withLightness([, a, b]: Rgb, lightness: number): string {
  let [low, high] = [0, 1]
  if (!isInGamut(fromOklab([lightness, a, b]))) {
    for (let n = 0; n < 14; n++) {
      const middle = (low + high) / 2
      if (isInGamut(fromOklab([lightness, a * middle, b * middle]))) low = middle
      else high = middle
    }
    high = low
  }
  const rgb = fromOklab([lightness, a * high, b * high])
  return hexOf(rgb.map((light) => gamma(Math.min(1, Math.max(0, light)))) as unknown as Rgb)
}

const SEARCH_STEPS = 400

/**
 * Returns the readable colour of the same hue that is nearest to this one: itself, or the first one that is lighter
 * (dark mode) or darker (light mode).
 */
export function nearestReadable(mode: ColourMode, colour: string): string {
  if (isReadable(mode, colour)) return colour
  const lab = toOklab(colour)
  const targetLightness = mode === 'night' ? 1 : 0
  for (let n = 1; n < SEARCH_STEPS; n++) {
    const nearer = withLightness(lab, lab[0] + ((targetLightness - lab[0]) * n) / SEARCH_STEPS)
    if (isReadable(mode, nearer)) return nearer
  }
  return mode === 'night' ? '#ffffff' : '#000000'
}

export type Accent = { night: string; day: string }

/** The tokens of web/src/styles/tokens.css that a pool's accent replaces. */
export const accentTokens = ({ night, day }: Accent): Record<ColourMode, Record<string, string>> => ({
  night: {
    '--brand': night,
    '--accent': night,
    '--accent-hover': blend('#ffffff', night, HOVER),
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
