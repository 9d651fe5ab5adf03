import { catalogue } from '@dubplate/contract'
import { useSearch } from '@tanstack/react-router'
import { DigButton } from '../digging/DigButton.tsx'
import { Page } from '../platform/Page.tsx'
import { useIsSectionVisible } from '../platform/pool.ts'
import { useApiQuery } from '../platform/queries.ts'
import { Announcements } from '../site/Announcements.tsx'
import { orderInput } from './addresses.ts'
import { FirstTop20 } from './FirstTop20.tsx'
import { GenreChips } from './GenreChips.tsx'
import { NoNewReleases } from './NoNewReleases.tsx'
import { PagedSongs } from './PagedSongs.tsx'
import { SectionChoice } from './SectionChoice.tsx'
import { sectionInput } from './section.ts'
import { useSongFilter } from './songFilter.ts'
import * as texts from './texts.ts'
import { useListAddress } from './useListAddress.ts'
import { useSection } from './useSection.ts'

export function NewReleases() {
  const searchAddress = useSearch({ from: '/newRelease' })
  const { change, sortBy } = useListAddress()
  const { section } = useSection()
  const { input } = useSongFilter()
  const isSectionVisible = useIsSectionVisible()
  const queryResult = useApiQuery(
    catalogue.getNewRelease,
    {
      pageName: 'mp3_latest',
      page: searchAddress.page ?? 1,
      genre_id: searchAddress.genre,
      ...sectionInput(section),
      ...orderInput(searchAddress),
      ...input,
    },
    { keepPrevious: true },
  )
  return (
    <Page
      title={texts.newReleases}
      actions={
        <>
          {section !== 'kuts' && <DigButton list="new" isLabelled />}
          <SectionChoice label={texts.sectionOfTheList} />
        </>
      }
    >
      <Announcements page="mp3_latest" />
      <GenreChips
        genres={queryResult.data?.genres ?? []}
        chosen={searchAddress.genre}
        onChoose={(genre) => change({ genre, genres: undefined })}
      />
      {isSectionVisible('top20') && <FirstTop20 />}
      <PagedSongs
        queryResult={queryResult}
        label={texts.newReleases}
        filterOf={{ list: 'new_releases', ...sectionInput(section) }}
        sorting={{ sort: searchAddress, onSort: sortBy }}
        empty={<NoNewReleases page={searchAddress.page} />}
      />
    </Page>
  )
}
