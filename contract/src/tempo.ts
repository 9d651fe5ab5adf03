/** '124', '98-124', '98 – 124' as [98, 124]; undefined when it is no tempo. */
export function readTempo(text: string): { min_bpm: number; max_bpm: number } | undefined {
  const said = /^(\d{1,3}(?:[.,]\d{1,2})?)(?:\s*[-–—]\s*(\d{1,3}(?:[.,]\d{1,2})?))?$/.exec(text.trim())
  if (!said) return undefined
  const ends = [said[1], said[2] ?? said[1]].map((end) => Number(end?.replace(',', '.')))
  if (ends.some((bpm) => bpm < 20 || bpm > 400)) return undefined
  return { min_bpm: Math.min(...ends), max_bpm: Math.max(...ends) }
}
