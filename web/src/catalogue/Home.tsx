import { catalogue, charts } from '@dubplate/contract'
import { IconVinyl } from '@tabler/icons-react'
import { Link, useSearch } from '@tanstack/react-router'
import { format } from '../format/message.ts'
import { MembersOnly } from '../membership/MembersOnly.tsx'
import { ErrorState, needsSignIn } from '../platform/ErrorState.tsx'
import page from '../platform/Page.module.css'
import { useTabTitle } from '../platform/Page.tsx'
import { useIsSectionVisible } from '../platform/pool.ts'
import { useApiQuery } from '../platform/queries.ts'
import { Announcements } from '../site/Announcements.tsx'
import { SidebarBlocks } from '../site/Sidebar.tsx'
import { lazyOnDemand, lazyOptional } from '../ui/lazyOnDemand.tsx'
import { RenderWhenVisible } from '../ui/RenderWhenVisible.tsx'
import { SectionHead } from '../ui/SectionHead.tsx'
import { ChartAside } from './ChartAside.tsx'
import { GenreChips } from './GenreChips.tsx'
import css from './Home.module.css'
import { SpotlightSlider, Top20Slider } from './HomeSliders.tsx'
import { SongList, SongListSkeleton } from './SongList.tsx'
import { sectionInput, toSectionParam } from './section.ts'
import * as texts from './texts.ts'
import { useListAddress } from './useListAddress.ts'
import { useSection } from './useSection.ts'

/** Rarely shown. */
const NoNewReleases = lazyOnDemand(() => import('./NoNewReleases.tsx').then(({ NoNewReleases }) => NoNewReleases))

/** Far below the first screen, so its code is loaded later. */
const Merchandise = lazyOptional(() => import('../site/Merchandise.tsx').then(({ Merchandise }) => Merchandise))

export function Home() {
  useTabTitle(undefined)
  const { error } = useApiQuery(catalogue.homePageGenres, {})
  return needsSignIn(error) ? <ClosedPool /> : <OpenPool />
}

/** What visitors see when browsing is for members only. */
const ClosedPool = () => (
  <div className={page.page}>
    <h1 className="sr">{texts.explore}</h1>
    <Announcements page="mp3_home" />
    <MembersOnly icon={<IconVinyl size={24} />} title={texts.membersOnly}>
      {texts.signInToBrowseListen}
    </MembersOnly>
  </div>
)

function OpenPool() {
  const isSectionVisible = useIsSectionVisible()
  return (
    <div className={css.page}>
      <div className={css.column}>
        <h1 className="sr">{texts.explore}</h1>
        <div className={css.notes}>
          <Announcements page="mp3_home" />
        </div>
        {isSectionVisible('spotlights') && <SpotlightSlider />}
        <GenreBlock />
        <RenderWhenVisible name="home, below" className={css.blocksBelow}>
          {isSectionVisible('new_releases') && <NewReleasesBlock />}
          {isSectionVisible('top20') && <Top20Slider />}
          {isSectionVisible('merchandise') && <Merchandise />}
        </RenderWhenVisible>
      </div>
      <div className={css.beside}>
        <RenderWhenVisible name="home, beside" className={css.blocksBeside}>
          <HomeSidebar />
        </RenderWhenVisible>
      </div>
    </div>
  )
}

/** The newest songs of one genre: the one in the URL, or the pool's default. */
function GenreBlock() {
  const { genre } = useSearch({ from: '/' })
  const { section } = useSection()
  const { change } = useListAddress()
  const chips = useApiQuery(catalogue.homePageGenres, {})
  const genreQuery = useApiQuery(
    catalogue.getGenresSong,
    { pageName: 'mp3_home', genre_id: genre, ...sectionInput(section) },
    { keepPrevious: true },
  )
  const isEmptyPool = chips.data?.default_genre_id === null && genre === undefined
  const shown = genreQuery.data?.genre
  const chosen = genre ?? shown?.genre_id ?? chips.data?.default_genre_id ?? catalogue.HOME_GENRE_ID
  // The block of new releases explains that the pool is empty.
  if (isEmptyPool) return null
  return (
    <section className={css.block} aria-labelledby="genre-head">
      <SectionHead id="genre-head" title={shown?.name ?? texts.genres}>
        <Link to="/genres/view/$genreId" params={{ genreId: chosen }} search={toSectionParam(section)}>
          {texts.seeAll}
        </Link>
      </SectionHead>
      <GenreChips
        all={false}
        label={texts.filterByGenre}
        genres={chips.data?.genres ?? []}
        chosen={chosen}
        onChoose={(genre) => change({ genre })}
      />
      <SongsBlock songsQuery={genreQuery} label={format(texts.songsIn, { name: shown?.name ?? '' })} />
    </section>
  )
}

function NewReleasesBlock() {
  const { fresh } = useSearch({ from: '/' })
  const { section } = useSection()
  const { change } = useListAddress()
  const chips = useApiQuery(catalogue.homePageGenres, {})
  const genreQuery = useApiQuery(
    catalogue.getNewRelease,
    { pageName: 'mp3_home', genre_id: fresh, ...sectionInput(section) },
    { keepPrevious: true },
  )
  return (
    <section className={css.block} aria-labelledby="new-head">
      <SectionHead id="new-head" title={texts.newReleases}>
        <Link to="/newRelease" search={{ genre: fresh, ...toSectionParam(section) }}>
          {texts.seeAll}
        </Link>
      </SectionHead>
      <GenreChips
        label={texts.filterNewReleasesByGenre}
        genres={chips.data?.genres ?? []}
        chosen={fresh}
        onChoose={(fresh) => change({ fresh })}
      />
      <SongsBlock songsQuery={genreQuery} label={texts.newReleases} isBelowFold />
    </section>
  )
}

type SongsQuery = {
  data: { songs: catalogue.Song[] } | undefined
  error: Error | null
  isPlaceholderData: boolean
  refetch: () => unknown
}

type SongsProps = { songsQuery: SongsQuery; label: string; isBelowFold?: boolean }

function SongsBlock({ songsQuery: { data, error, isPlaceholderData, refetch }, label, isBelowFold }: SongsProps) {
  if (error && !data) return <ErrorState error={error} title={texts.couldntLoadTheseSongs} retry={refetch} />
  if (!data) return <SongListSkeleton />
  if (data.songs.length === 0) return <NoNewReleases />
  return <SongList songs={data.songs} label={label} isStale={isPlaceholderData} isBelowFold={isBelowFold} />
}

/**
 * Two charts and the right column. Each appears once the height of the content above it is known, so that nothing
 * moves.
 */
function HomeSidebar() {
  const enabled = useIsSectionVisible()('charts')
  const today = useApiQuery(charts.getMostDownloadedToday, {}, { enabled })
  const trending = useApiQuery(charts.getTrendingTracks, {}, { enabled })
  return (
    <>
      {enabled && (
        <aside className={css.aside} aria-label={texts.charts}>
          <ChartAside
            title={texts.mostDownloadedToday}
            queryResult={today}
            first={8}
            empty={texts.noDownloadsYetToday}
          />
          {!today.isPending && (
            <ChartAside
              title={texts.top30Trending}
              queryResult={trending}
              first={10}
              empty={texts.noTrendingSongsYet}
            />
          )}
        </aside>
      )}
      {enabled && (today.isPending || trending.isPending) ? (
        // Keeps the footer of narrow windows in place.
        <div className={css.blocksBeside} />
      ) : (
        <RenderWhenVisible name="home, around">
          <SidebarBlocks />
        </RenderWhenVisible>
      )}
    </>
  )
}
