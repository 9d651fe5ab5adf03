/** How values are written to tags, in every format. Each function returns null when there is nothing valid to write. */

/** Removes control characters other than line ends, and replaces broken surrogates. */
export function textValue(text: string | undefined): string | null {
  if (text === undefined) return null
  // biome-ignore lint/suspicious/noControlCharactersInRegex: a zero inside a value would end it
  const printable = text.replace(/[\u0000-\u0009\u000b\u000c\u000e-\u001f\u007f]/g, '').trim()
  return printable === '' ? null : Buffer.from(printable, 'utf8').toString('utf8')
}

/**
 * Joins several values for a field that holds one text: ID3v2.3 and LIST INFO have no separator for genres. A slash is
 * part of names like 'Hip-Hop/Rap', and readers of ID3v2.3 do not show what follows a zero byte.
 */
export const joinedValue = (texts: readonly string[] = []): string | null => textValue(texts.join('; '))

/** '128', or '127.5' with a dot: ID3 specifies an integer, but DJ software reads both. */
export function bpmValue(bpm: number | undefined): string | null {
  if (bpm === undefined || !Number.isFinite(bpm) || bpm <= 0 || bpm >= 1000) return null
  return String(Math.round(bpm * 100) / 100)
}

/** 'Am', 'F#m': TKEY of ID3v2.3 has three characters at most, so a longer key is invalid. */
export function keyValue(key: string | undefined): string | null {
  const text = textValue(key)
  return text !== null && text.length <= 3 ? text : null
}

/** Four digits. */
export function yearValue(year: number | undefined): string | null {
  if (year === undefined || !Number.isInteger(year) || year < 1 || year > 9999) return null
  return String(year).padStart(4, '0')
}

/** '7', as Mixed In Key writes it. */
export const energyValue = (energy: number | undefined): string | null => (energy === undefined ? null : String(energy))

/** '-3.20 dB', the form of the ReplayGain 2.0 specification (wiki.hydrogenaud.io). */
export function gainValue(decibels: number | undefined): string | null {
  if (decibels === undefined || !Number.isFinite(decibels)) return null
  return `${withoutMinusZero(decibels.toFixed(2))} dB`
}

/** '0.988525', 1.0 being full scale. */
export function peakValue(peak: number | undefined): string | null {
  if (peak === undefined || !Number.isFinite(peak) || peak < 0) return null
  return peak.toFixed(6)
}

function withoutMinusZero(text: string): string {
  return text === '-0.00' ? '0.00' : text
}
