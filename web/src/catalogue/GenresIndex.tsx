import { catalogue } from '@dubplate/contract'
import { Trouble } from '../platform/errors.tsx'
import { useAsk } from '../platform/queries.ts'
import { Page } from '../ui/Page.tsx'
import { SectionHead } from '../ui/SectionHead.tsx'
import { GenreColumns, MoodGrid } from './GenreLists.tsx'
import { NoSongs } from './NoSongs.tsx'
import { SectionChoice } from './SectionChoice.tsx'
import { sectionInput } from './section.ts'
import { TileGrid, TileSkeleton } from './Tile.tsx'
import { useSection } from './useSection.ts'

export function GenresIndex() {
  const { section } = useSection()
  const { data, error, refetch } = useAsk(catalogue.getGenresWithCount, sectionInput(section), { keepPrevious: true })
  return (
    <Page title="Genres" actions={<SectionChoice label="Section of the counts" />}>
      {error && !data && <Trouble error={error} what="genres" retry={refetch} />}
      {!data && !error && <Skeleton />}
      {data?.genres.length === 0 && <NoSongs>Genres will appear here once they’re added.</NoSongs>}
      {data && data.moods.length > 0 && (
        <section>
          <SectionHead title="Moods" />
          <MoodGrid genres={data.moods} />
        </section>
      )}
      {data && data.genres.length > 0 && (
        <section>
          <SectionHead title="All genres" />
          <GenreColumns genres={data.genres} />
        </section>
      )}
    </Page>
  )
}

const Skeleton = () => (
  <section aria-busy>
    <SectionHead title="Moods" />
    <TileGrid>
      {Array.from({ length: 8 }, (_, i) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: they are all alike
        <li key={i}>
          <TileSkeleton />
        </li>
      ))}
    </TileGrid>
  </section>
)
