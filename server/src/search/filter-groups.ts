import { GENRE_FACET, pairFacet, TEMPO_FACET, tempoRangeOf, YEAR_FACET } from '../catalogue/search-index.ts'
import { anyOf, type TermGroup } from './search-plan.ts'
import type { Vocabulary } from './search-vocabulary.ts'

/** More pairs of a genre with a year or a range of tempos take longer to look up than they save. */
const MAX_PAIRS = 120

/** Alternatives of facets, one of which a song must have. */
type Choice = readonly string[]

/**
 * A choice for the index; `rowFilter` is a query with the same result beside the other choices, which is faster for a row. The songs
 * found by the other choices have one of the facets `among`, if that is known.
 */
type PlannedChoice = { facets: Choice; rowFilter?: string; among?: Choice }

/**
 * Choices that find the same songs as these, faster: instead of a genre, the pairs of it with each year and with each
 * range of tempos. The songs of a genre are many, and so are those of a year, but few are both.
 */
function withPairs(choices: readonly Choice[]): PlannedChoice[] {
  const genres = choices.find((choice) => isOf(choice, GENRE_FACET))
  const years = choices.find((choice) => isOf(choice, YEAR_FACET))
  const tempos = choices.find((choice) => isOf(choice, TEMPO_FACET))
  const ranges = tempos && [...new Set(tempos.map(tempoRangeOf))]
  const yearPairs = pairsOf(genres, years)
  const tempoPairs = pairsOf(genres, ranges)
  const replaced = [yearPairs && years, tempoPairs && tempos, (yearPairs ?? tempoPairs) && genres]
  const others = choices.filter((choice) => !replaced.includes(choice)).map((facets) => ({ facets }))
  return [
    ...others,
    ...(genres && years && yearPairs ? [pairedYears(genres, years, yearPairs, tempoPairs !== undefined)] : []),
    ...(genres && tempos && ranges && tempoPairs ? pairedTempos(genres, tempos, ranges, tempoPairs) : []),
  ]
}

const pairedYears = (genres: Choice, years: Choice, pairs: Choice, isGenreChecked: boolean): PlannedChoice =>
  isGenreChecked
    ? { facets: pairs, rowFilter: anyOf(years), among: genres }
    : { facets: pairs, rowFilter: bothOf(genres, years) }

/** Within whole ranges, the tempo needs no choice of its own. */
const pairedTempos = (genres: Choice, tempos: Choice, ranges: Choice, pairs: Choice): PlannedChoice[] =>
  tempos.every((tempo) => ranges.includes(tempo))
    ? [{ facets: pairs, rowFilter: bothOf(genres, ranges) }]
    : [
        { facets: pairs, rowFilter: anyOf(genres) },
        { facets: tempos, among: ranges },
      ]

const bothOf = (one: Choice, other: Choice): string => `(${anyOf(one)})&(${anyOf(other)})`

const isOf = (choice: Choice, facet: RegExp): boolean => choice.length > 0 && choice.every((one) => facet.test(one))

function pairsOf(genres: Choice | undefined, others: Choice | undefined): string[] | undefined {
  if (!genres || !others || genres.length * others.length > MAX_PAIRS) return undefined
  return genres.flatMap((genre) => others.map((other) => pairFacet(genre, other)))
}

/** The facets whose frequency decides how these choices are searched for. */
export const filterTokens = (choices: readonly Choice[]): string[] =>
  withPairs(choices).flatMap(({ facets, among = [] }) => [...facets, ...among])

/** The groups of a search that find the songs with one facet of each choice. */
export const filterGroups = (choices: readonly Choice[], vocabulary: Vocabulary): TermGroup[] =>
  withPairs(choices).map(({ facets, rowFilter, among }) => {
    const group = { ...facetGroup(facets, vocabulary), ...(rowFilter && { filter: rowFilter }) }
    if (!among) return group
    const all = facetGroup(among, vocabulary).expected
    return { ...group, share: Math.min(1, Math.max(group.expected, 1) / Math.max(all, 1)) }
  })

/** A group of songs with one of these facets or words. */
export const facetGroup = (tokens: readonly string[], { df }: Vocabulary): TermGroup => ({
  match: anyOf(tokens),
  expected: tokens.reduce((sum, token) => sum + df(token), 0),
})
