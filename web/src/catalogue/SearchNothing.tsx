import type { catalogue } from '@dubplate/contract'
import { IconSearch } from '@tabler/icons-react'
import { useShown } from '../platform/pool.ts'
import { Button } from '../ui/Button.tsx'
import { EmptyState } from '../ui/EmptyState.tsx'
import type { SearchAddress } from './addresses.ts'
import { NoSongs } from './NoSongs.tsx'
import { hasFilter, NO_FILTERS } from './searchAddress.ts'
import { artistOf, artistTerm, withoutPiece } from './searchTerm.ts'
import { inAddress } from './section.ts'
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
  if ((address.page ?? 1) > 1) return <NoSongs page={address.page}>There are no results on this page.</NoSongs>
  const drop = { label: 'Clear filters', take: () => change(NO_FILTERS) }
  const isNarrow = isShown('kuts') && address.section !== 'all'
  const widen = { label: 'Search songs and kuts', take: () => change(inAddress('all')) }
  const ways = [
    ...(isNarrow ? [widen] : []),
    ...(hasFilter(address) ? [drop] : []),
    ...shorterTerms(term, understood, onSearch),
  ]
  return (
    <EmptyState
      icon={<IconSearch size={24} />}
      title={term ? `No results for “${term}”` : 'No results'}
      action={
        ways.length > 0 &&
        ways.map(({ label, take }) => (
          <Button key={label} onClick={take}>
            {label}
          </Button>
        ))
      }
    >
      {understood.length > 1 && <p>We searched for {understood.map(({ meaning }) => meaning).join(', ')}.</p>}
      <p>{advice(understood, address)}</p>
    </EmptyState>
  )
}

function advice(understood: catalogue.Understood[], address: SearchAddress): string {
  if (understood.some(({ kind }) => kind === 'bpm') || address.bpm) {
    return 'We also searched at half and double tempo.'
  }
  if (hasFilter(address)) return 'Try removing some filters.'
  return 'Check the spelling or try fewer words.'
}

/** The same search without one of its pieces, and everything of the artist it names. */
function shorterTerms(term: string, understood: catalogue.Understood[], onSearch: Props['onSearch']): WayOut[] {
  if (understood.length < 2) return []
  const without = understood.slice(0, PIECES_OFFERED).map(({ source, meaning }) => ({
    label: source.startsWith('-') ? `Include ${source.slice(1)}` : `Search without ${meaning}`,
    take: () => onSearch(withoutPiece(term, source)),
  }))
  const artist = artistOf(term)
  return artist
    ? [{ label: `See all songs by ${artist}`, take: () => onSearch(artistTerm(artist)) }, ...without]
    : without
}
