import { catalogue } from '@dubplate/contract'
import { useSearch } from '@tanstack/react-router'
import { useShown } from '../platform/pool.ts'
import { useAsk } from '../platform/queries.ts'
import { Announcements } from '../site/Announcements.tsx'
import { Page } from '../ui/Page.tsx'
import { orderInput } from './addresses.ts'
import { FirstTop20 } from './FirstTop20.tsx'
import { GenreChips } from './GenreChips.tsx'
import { NoneReleased } from './NoneReleased.tsx'
import { PagedSongs } from './PagedSongs.tsx'
import { SectionChoice } from './SectionChoice.tsx'
import { sectionInput } from './section.ts'
import { countOf } from './sectionWords.ts'
import * as texts from './texts.ts'
import { useListAddress } from './useListAddress.ts'
import { useSection } from './useSection.ts'

export function NewReleases() {
  const address = useSearch({ from: '/newRelease' })
  const { change, sortBy } = useListAddress()
  const { section } = useSection()
  const isShown = useShown()
  const asked = useAsk(
    catalogue.getNewRelease,
    {
      pageName: 'mp3_latest',
      page: address.page ?? 1,
      genre_id: address.genre,
      ...sectionInput(section),
      ...orderInput(address),
    },
    { keepPrevious: true },
  )
  return (
    <Page
      title={texts.newReleases}
      note={asked.data ? countOf(asked.data.pagination.totalCount, section) : ''}
      actions={<SectionChoice label={texts.sectionOfTheList} />}
    >
      <Announcements page="mp3_latest" />
      <GenreChips genres={asked.data?.genres ?? []} chosen={address.genre} onChoose={(genre) => change({ genre })} />
      {isShown('top20') && <FirstTop20 />}
      <PagedSongs
        asked={asked}
        label={texts.newReleases}
        sorting={{ sort: address, onSort: sortBy }}
        empty={<NoneReleased page={address.page} />}
      />
    </Page>
  )
}
