const lettersOf = (text: string): string =>
  text
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '')

/** Whether one of the texts contains the other, ignoring case, accents and punctuation. */
export function overlaps(one: string | undefined, other: string | undefined): boolean {
  const [a, b] = [lettersOf(one ?? ''), lettersOf(other ?? '')]
  return a !== '' && b !== '' && (a.includes(b) || b.includes(a))
}
