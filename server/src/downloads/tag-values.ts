/** How values are written in tags, whatever the format. Each gives null when there is nothing fit to write. */

/** Without control characters other than line ends, and with broken surrogates replaced. */
export function textValue(text: string | undefined): string | null {
  if (text === undefined) return null
  // biome-ignore lint/suspicious/noControlCharactersInRegex: a zero inside a value would end it
  const printable = text.replace(/[\u0000-\u0009\u000b\u000c\u000e-\u001f\u007f]/g, '').trim()
  return printable === '' ? null : Buffer.from(printable, 'utf8').toString('utf8')
}

/**
 * Several values in a field that holds one text: ID3v2.3 and LIST INFO know no separator for genres. A slash is part of
 * names like 'Hip-Hop/Rap', and what follows a zero is not shown by readers of ID3v2.3.
 */
export const joinedValue = (texts: readonly string[] = []): string | null => textValue(texts.join('; '))

/** '128', or '127.5' with a dot: ID3 asks for an integer, DJ software reads both. */
export function bpmValue(bpm: number | undefined): string | null {
  if (bpm === undefined || !Number.isFinite(bpm) || bpm <= 0 || bpm >= 1000) return null
  return String(Math.round(bpm * 100) / 100)
}

/** 'Am', 'F#m': ID3v2.3's TKEY takes three characters at most, and a longer key is not one. */
export function keyValue(key: string | undefined): string | null {
  const text = textValue(key)
  return text !== null && text.length <= 3 ? text : null
}

/** Four digits. */
export function yearValue(year: number | undefined): string | null {
  if (year === undefined || !Number.isInteger(year) || year < 1 || year > 9999) return null
  return String(year).padStart(4, '0')
}

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
