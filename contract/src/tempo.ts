/** Parses '124', '98-124' or '98 – 124' to [98, 124]; returns undefined if it is not a tempo. */
export function parseTempo(text: string): { min_bpm: number; max_bpm: number } | undefined {
  const match = /^(\d{1,3}(?:[.,]\d{1,2})?)(?:\s*[-–—]\s*(\d{1,3}(?:[.,]\d{1,2})?))?$/.exec(text.trim())
  if (!match) return undefined
  const bounds = [match[1], match[2] ?? match[1]].map((end) => Number(end?.replace(',', '.')))
  if (bounds.some((bpm) => bpm < 20 || bpm > 400)) return undefined
  return { min_bpm: Math.min(...bounds), max_bpm: Math.max(...bounds) }
}
