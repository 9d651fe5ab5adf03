import { catalogue } from '@dubplate/contract'
import { ErrorState } from '../platform/ErrorState.tsx'
import { Page } from '../platform/Page.tsx'
import { useApiQuery } from '../platform/queries.ts'
import { SectionHead } from '../ui/SectionHead.tsx'
import { GenreColumns, MoodGrid } from './GenreLists.tsx'
import { NoSongs } from './NoSongs.tsx'
import { SectionChoice } from './SectionChoice.tsx'
import { sectionInput } from './section.ts'
import { TileGrid, TileSkeleton } from './Tile.tsx'
import * as texts from './texts.ts'
import { useSection } from './useSection.ts'

export function GenresIndex() {
  const { section } = useSection()
  const { data, error, refetch } = useApiQuery(catalogue.getGenresWithCount, sectionInput(section), {
    keepPrevious: true,
  })
  return (
    <Page title={texts.genres} actions={<SectionChoice label={texts.sectionOfTheCounts} />}>
      {error && !data && <ErrorState error={error} title={texts.couldntLoadGenres} retry={refetch} />}
      {!data && !error && <Skeleton />}
      {data?.genres.length === 0 && <NoSongs>{texts.genresWillAppearHereOnce}</NoSongs>}
      {data && data.moods.length > 0 && (
        <section>
          <SectionHead title={texts.moods} />
          <MoodGrid genres={data.moods} />
        </section>
      )}
      {data && data.genres.length > 0 && (
        <section>
          <SectionHead title={texts.allGenres} />
          <GenreColumns genres={data.genres} />
        </section>
      )}
    </Page>
  )
}

const Skeleton = () => (
  <section aria-busy>
    <SectionHead title={texts.moods} />
    <TileGrid>
      {Array.from({ length: 8 }, (_, i) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the items are all alike
        <li key={i}>
          <TileSkeleton />
        </li>
      ))}
    </TileGrid>
  </section>
)
