import { parseQuery, type QueryPart, type QueryToken, tokenAt } from '@dubplate/contract/query'

/** A value as it is written behind an operator: in quotes where it has spaces. */
export const quoteValue = (value: string) => {
  const unquoted = value.replace(/["“”„]/g, '').trim()
  return /\s/.test(unquoted) ? `"${unquoted}"` : unquoted
}

/** The search for everything of one artist. */
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

/** A term with one of its pieces, as it was typed, taken out; unchanged where there is no such piece. */
export function withoutTerm(term: string, source: string): string {
  const token = tokensOf(term).find(({ start, end }) => term.slice(start, end) === source)
  if (!token) return term
  return [term.slice(0, token.start).trim(), term.slice(token.end).trim()].filter(Boolean).join(' ')
}

const isWord = ({ kind, negated }: QueryPart) => (kind === 'word' || kind === 'phrase') && !negated

/** What of a term is looked for in names, without its operators: what suggestions are asked with. */
export const plainWordsOf = (term: string): string =>
  parseQuery(term)
    .filter(isWord)
    .map(({ value }) => value)
    .join(' ')

/** The artist a term asks for, where it asks for one by name. */
export const artistOf = (term: string): string | undefined =>
  parseQuery(term).find(({ kind, negated }) => kind === 'artist' && !negated)?.value
