const ISRC = /^[A-Z]{2}[A-Z0-9]{3}\d{7}$/

/** 'us-rc1-76-07839' → 'USRC17607839'; '' for a text that is none. */
export function normalizeIsrc(text: string): string {
  const isrc = text.toUpperCase().replace(/[^A-Z0-9]/g, '')
  return ISRC.test(isrc) ? isrc : ''
}
