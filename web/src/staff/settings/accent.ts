import {
  type ColourMode,
  type ContrastUse,
  contrastPairs,
  isReadable,
  meetsContrast,
  nearestReadable,
} from '@dubplate/contract/contrast'
import { format } from '../../platform/message.ts'
import type { Everything } from './saving.ts'
import * as texts from './texts.ts'

export type AccentEntry = { night: string; day: string }

/** The product's default colours (styles/tokens.css). */
export const MADE: AccentEntry = { night: '#c8f135', day: '#476500' }

/** Normalises `#c8f135` or `#ccc` to six digits; undefined when it is not a colour. */
export function readColour(typed: string): string | undefined {
  const [, hex = ''] = /^#?([0-9a-f]{6}|[0-9a-f]{3})$/.exec(typed.trim().toLowerCase()) ?? []
  if (hex === '') return undefined
  return `#${hex.length === 3 ? [...hex].map((digit) => digit + digit).join('') : hex}`
}

const TIMES: ColourMode[] = ['night', 'day']

export const CONTRAST_USES: Record<ContrastUse, string> = {
  button_text: texts.contrastOfButtonText,
  button: texts.contrastOfButton,
  body_text: texts.contrastOfBodyText,
  text_on_pressed: texts.contrastOfTextOnPressed,
  current_song: texts.contrastOfCurrentSong,
  light_mode_button_text: texts.contrastOfLightModeButtonText,
  focus_outline: texts.contrastOfFocusOutline,
}

/** The same messages as the server's, by the path of the colour. */
export function complaintsOfAccent(entry: AccentEntry): Record<string, string> {
  const complaints: Record<string, string> = {}
  for (const time of TIMES) {
    const colour = readColour(entry[time])
    if (!colour) complaints[`accent.${time}`] = texts.enterAColourSuchAs
    else if (!isReadable(time, colour)) complaints[`accent.${time}`] = unreadable(time, colour)
  }
  return complaints
}

function unreadable(time: ColourMode, colour: string): string {
  const failing = contrastPairs(time, colour).filter((pair) => !meetsContrast(pair))
  const text = failing.length > 1 ? texts.notReadableOnSeveral : texts.notReadable
  return format(text, { place: failing[0] ? CONTRAST_USES[failing[0].use] : '', colour: nearestReadable(time, colour) })
}

export const accentValues = ({ night, day }: AccentEntry) => ({
  accent: { night: readColour(night) ?? night, day: readColour(day) ?? day },
})

export const accentInWords = (accent: Everything['settings']['accent']['value']): string =>
  accent ? format(texts.darkLight, { night: accent.night, day: accent.day }) : texts.defaultColours
