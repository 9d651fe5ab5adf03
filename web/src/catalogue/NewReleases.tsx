import { catalogue } from '@dubplate/contract'
import { useSearch } from '@tanstack/react-router'
import { plural } from '../platform/format.ts'
import { useShown } from '../platform/pool.ts'
import { useAsk } from '../platform/queries.ts'
import { Announcements } from '../site/Announcements.tsx'
import { Page } from '../ui/Page.tsx'
import { orderInput } from './addresses.ts'
import { FirstTop20 } from './FirstTop20.tsx'
import { GenreChips } from './GenreChips.tsx'
import { NoSongs } from './NoSongs.tsx'
import { PagedSongs } from './PagedSongs.tsx'
import { useListAddress } from './useListAddress.ts'

export function NewReleases() {
  const address = useSearch({ from: '/newRelease' })
  const { change, sortBy } = useListAddress()
  const isShown = useShown()
  const asked = useAsk(
    catalogue.getNewRelease,
    { pageName: 'mp3_latest', page: address.page ?? 1, genre_id: address.genre, ...orderInput(address) },
    { keepPrevious: true },
  )
  return (
    <Page title="New releases" note={asked.data ? plural(asked.data.pagination.totalCount, 'song') : ''}>
      <Announcements page="mp3_latest" />
      <GenreChips genres={asked.data?.genres ?? []} chosen={address.genre} onChoose={(genre) => change({ genre })} />
      {isShown('top20') && <FirstTop20 />}
      <PagedSongs
        asked={asked}
        label="New releases"
        sorting={{ sort: address, onSort: sortBy }}
        empty={<NoSongs page={address.page}>Nothing has been released in this genre so far.</NoSongs>}
      />
    </Page>
  )
}
