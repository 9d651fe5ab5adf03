import type { catalogue } from '@dubplate/contract'
import { IconSearch } from '@tabler/icons-react'
import { format } from '../platform/message.ts'
import { useShown } from '../platform/pool.ts'
import { Button } from '../ui/Button.tsx'
import { EmptyState } from '../ui/EmptyState.tsx'
import type { SearchAddress } from './addresses.ts'
import { NoSongs } from './NoSongs.tsx'
import { hasFilter, NO_FILTERS } from './searchAddress.ts'
import { artistOf, artistTerm, withoutPiece } from './searchTerm.ts'
import { inAddress } from './section.ts'
import * as texts from './texts.ts'
import { useListAddress } from './useListAddress.ts'

type Props = {
  term: string
  address: SearchAddress
  understood: catalogue.Understood[]
  onSearch: (term: string) => void
}

type WayOut = { label: string; take: () => void }

/** More than these would hide each other. */
const PIECES_OFFERED = 3

/** Nothing was found: what was asked for, and each way to ask for less. */
export function SearchNothing({ term, address, understood, onSearch }: Props) {
  const { change } = useListAddress()
  const isShown = useShown()
  if ((address.page ?? 1) > 1) return <NoSongs page={address.page}>{texts.thereAreNoResultsOn}</NoSongs>
  const drop = { label: texts.clearFilters, take: () => change(NO_FILTERS) }
  const isNarrow = isShown('kuts') && address.section !== 'all'
  const widen = { label: texts.searchSongsAndKuts, take: () => change(inAddress('all')) }
  const ways = [
    ...(isNarrow ? [widen] : []),
    ...(hasFilter(address) ? [drop] : []),
    ...shorterTerms(term, understood, onSearch),
  ]
  return (
    <EmptyState
      icon={<IconSearch size={24} />}
      title={term ? format(texts.noResultsFor, { term }) : texts.noResults}
      action={
        ways.length > 0 &&
        ways.map(({ label, take }) => (
          <Button key={label} onClick={take}>
            {label}
          </Button>
        ))
      }
    >
      {understood.length > 1 && (
        <p>
          {texts.weSearchedFor} {understood.map(({ meaning }) => meaning).join(', ')}.
        </p>
      )}
      <p>{advice(understood, address)}</p>
    </EmptyState>
  )
}

function advice(understood: catalogue.Understood[], address: SearchAddress): string {
  if (understood.some(({ kind }) => kind === 'bpm') || address.bpm) {
    return texts.weAlsoSearchedAtHalf
  }
  if (hasFilter(address)) return texts.tryRemovingSomeFilters
  return texts.checkTheSpellingOrTry
}

/** The same search without one of its pieces, and everything of the artist it names. */
function shorterTerms(term: string, understood: catalogue.Understood[], onSearch: Props['onSearch']): WayOut[] {
  if (understood.length < 2) return []
  const without = understood.slice(0, PIECES_OFFERED).map(({ source, meaning }) => ({
    label: source.startsWith('-')
      ? format(texts.include, { slice: source.slice(1) })
      : format(texts.searchWithout, { meaning }),
    take: () => onSearch(withoutPiece(term, source)),
  }))
  const artist = artistOf(term)
  return artist
    ? [{ label: format(texts.seeAllSongsBy, { artist }), take: () => onSearch(artistTerm(artist)) }, ...without]
    : without
}
