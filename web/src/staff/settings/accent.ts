import {
  type ColourMode,
  type ContrastUse,
  contrastPairs,
  isReadable,
  meetsContrast,
  nearestReadable,
} from '@dubplate/contract/contrast'
import { format } from '../../format/message.ts'
import type { Everything } from './settingsGroup.ts'
import * as texts from './texts.ts'

/** The colours as typed, for dark and light mode. */
export type AccentValues = { night: string; day: string }

/** The product's default colours (styles/tokens.css). */
export const DEFAULT_COLOURS: AccentValues = { night: '#c8f135', day: '#476500' }

/** Normalises `#c8f135` or `#ccc` to six digits; undefined when it is not a colour. */
export function readColour(typed: string): string | undefined {
  const [, hex = ''] = /^#?([0-9a-f]{6}|[0-9a-f]{3})$/.exec(typed.trim().toLowerCase()) ?? []
  if (hex === '') return undefined
  return `#${hex.length === 3 ? [...hex].map((digit) => digit + digit).join('') : hex}`
}

const MODES: ColourMode[] = ['night', 'day']

export const CONTRAST_USES: Record<ContrastUse, string> = {
  button_text: texts.contrastOfButtonText,
  button: texts.contrastOfButton,
  body_text: texts.contrastOfBodyText,
  text_on_pressed: texts.contrastOfTextOnPressed,
  current_song: texts.contrastOfCurrentSong,
  light_mode_button_text: texts.contrastOfLightModeButtonText,
  focus_outline: texts.contrastOfFocusOutline,
}

/** Colours with too little contrast, by mode. The contract's schema only knows what a colour is. */
export function validateAccent(values: AccentValues): Partial<Record<ColourMode, string>> {
  const errors: Partial<Record<ColourMode, string>> = {}
  for (const mode of MODES) {
    const colour = readColour(values[mode])
    if (colour && !isReadable(mode, colour)) errors[mode] = unreadable(mode, colour)
  }
  return errors
}

function unreadable(mode: ColourMode, colour: string): string {
  const failing = contrastPairs(mode, colour).filter((pair) => !meetsContrast(pair))
  const text = failing.length > 1 ? texts.notReadableOnSeveral : texts.notReadable
  return format(text, { place: failing[0] ? CONTRAST_USES[failing[0].use] : '', colour: nearestReadable(mode, colour) })
}

export const toStored = ({ night, day }: AccentValues) => ({
  accent: { night: readColour(night) ?? night, day: readColour(day) ?? day },
})

export const describeAccent = (accent: Everything['settings']['accent']['value']): string =>
  accent ? format(texts.darkLight, { night: accent.night, day: accent.day }) : texts.theDefaultColours
