import { parseQuery, type QueryPart, type QueryToken, tokenAt } from '@dubplate/contract/query'

/** A value after an operator: in quotes if it contains spaces. */
export const quoteValue = (value: string) => {
  const unquoted = value.replace(/["“”„]/g, '').trim()
  return /\s/.test(unquoted) ? `"${unquoted}"` : unquoted
}

/** The search for all songs of one artist. */
export const artistTerm = (artist: string) => `artist:${quoteValue(artist)}`

function tokensOf(term: string): QueryToken[] {
  const tokens: QueryToken[] = []
  for (let at = 0; at <= term.length; ) {
    const token = tokenAt(term, at)
    if (token) tokens.push(token)
    at = (token?.end ?? at) + 1
  }
  return tokens
}

/** A term without one of its parts, given as typed; unchanged if it does not contain that part. */
export function withoutTerm(term: string, source: string): string {
  const token = tokensOf(term).find(({ start, end }) => term.slice(start, end) === source)
  if (!token) return term
  return [term.slice(0, token.start).trim(), term.slice(token.end).trim()].filter(Boolean).join(' ')
}

const isWord = ({ kind, negated }: QueryPart) => (kind === 'word' || kind === 'phrase') && !negated

/** The words of a term without its operators, for suggestions. */
export const plainWordsOf = (term: string): string =>
  parseQuery(term)
    .filter(isWord)
    .map(({ value }) => value)
    .join(' ')

/** The artist in an `artist:` operator of a term. */
export const artistOf = (term: string): string | undefined =>
  parseQuery(term).find(({ kind, negated }) => kind === 'artist' && !negated)?.value
