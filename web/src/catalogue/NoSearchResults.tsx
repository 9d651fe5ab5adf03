import type { catalogue, ReplyOf } from '@dubplate/contract'
import { IconSearch } from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import { formatList } from '../format/formatList.ts'
import { format } from '../format/message.ts'
import { useIsSectionVisible } from '../platform/pool.ts'
import { Button } from '../ui/Button.tsx'
import { EmptyState } from '../ui/EmptyState.tsx'
import type { SearchAddress } from './addresses.ts'
import { NoSongs } from './NoSongs.tsx'
import { hasFilter, NO_FILTERS } from './searchAddress.ts'
import { artistOf, artistTerm, withoutTerm } from './searchTerm.ts'
import { toSectionParam } from './section.ts'
import { DidYouMean, hasCorrections } from './TopHits.tsx'
import * as texts from './texts.ts'
import { useListAddress } from './useListAddress.ts'

type Props = {
  term: string
  address: SearchAddress
  parsedTerms: catalogue.ParsedTerm[]
  corrections?: ReplyOf<typeof catalogue.searchSongs>['did_you_mean'] | undefined
  onSearch: (term: string) => void
}

type SearchFix = { label: string; action: () => void }

/** More suggestions would be hard to compare. */
const MAX_SUGGESTED_TERMS = 3

/** The empty search result: what was searched for, with ways to broaden the search. */
export function NoSearchResults({ term, address: searchAddress, parsedTerms, corrections, onSearch }: Props) {
  const { change } = useListAddress()
  const isSectionVisible = useIsSectionVisible()
  const navigate = useNavigate()
  if ((searchAddress.page ?? 1) > 1) return <NoSongs page={searchAddress.page}>{texts.noResultsOnThisPage}</NoSongs>
  const clearFiltersAction = { label: texts.clearFilters, action: () => change(NO_FILTERS) }
  const isLimitedToKuts = isSectionVisible('kuts') && searchAddress.section !== 'all'
  const widenAction = { label: texts.searchSongsAndKuts, action: () => change(toSectionParam('all')) }
  const fixes = [
    ...(isLimitedToKuts ? [widenAction] : []),
    ...(hasFilter(searchAddress) ? [clearFiltersAction] : []),
    ...shorterTerms(term, parsedTerms, onSearch),
  ]
  return (
    <EmptyState
      icon={<IconSearch size={24} />}
      title={term ? format(texts.noResultsFor, { term }) : texts.noResults}
      action={
        <>
          {fixes.map(({ label, action }) => (
            <Button key={label} onClick={action}>
              {label}
            </Button>
          ))}
          <Button onClick={() => void navigate({ to: '/genres/index' })}>{texts.browseGenres}</Button>
        </>
      }
    >
      {corrections && hasCorrections(corrections) && <DidYouMean corrections={corrections} />}
      {parsedTerms.length > 1 && (
        <p>
          {format(texts.weSearchedFor, {
            terms: formatList(
              parsedTerms.map(({ meaning }) => meaning),
              'conjunction',
            ),
          })}
        </p>
      )}
      <p>{advice(parsedTerms, searchAddress)}</p>
    </EmptyState>
  )
}

function advice(parsedTerms: catalogue.ParsedTerm[], searchAddress: SearchAddress): string {
  if (parsedTerms.some(({ kind }) => kind === 'bpm') || searchAddress.bpm) {
    return texts.weAlsoSearchedAtHalf
  }
  if (hasFilter(searchAddress)) return texts.tryRemovingSomeFilters
  return texts.checkTheSpellingOrTry
}

/** The same search without one of its terms, and all songs of the artist it names. */
function shorterTerms(term: string, parsedTerms: catalogue.ParsedTerm[], onSearch: Props['onSearch']): SearchFix[] {
  if (parsedTerms.length < 2) return []
  const shorterTermsList = parsedTerms.slice(0, MAX_SUGGESTED_TERMS).map(({ source, meaning }) => ({
    label: source.startsWith('-')
      ? format(texts.include, { values: source.slice(1) })
      : format(texts.searchWithout, { meaning }),
    action: () => onSearch(withoutTerm(term, source)),
  }))
  const artist = artistOf(term)
  return artist
    ? [
        { label: format(texts.seeAllSongsBy, { artist }), action: () => onSearch(artistTerm(artist)) },
        ...shorterTermsList,
      ]
    : shorterTermsList
}
