import { catalogue, charts } from '@dubplate/contract'
import { IconVinyl } from '@tabler/icons-react'
import { Link, useSearch } from '@tanstack/react-router'
import { Suspense } from 'react'
import { MembersOnly } from '../library/MembersOnly.tsx'
import { needsSignIn, Trouble } from '../platform/errors.tsx'
import { format } from '../platform/message.ts'
import { part } from '../platform/part.ts'
import { useShown } from '../platform/pool.ts'
import { useAsk } from '../platform/queries.ts'
import { Announcements } from '../site/Announcements.tsx'
import { Around } from '../site/Beside.tsx'
import { late } from '../ui/late.tsx'
import page from '../ui/Page.module.css'
import { useTabTitle } from '../ui/Page.tsx'
import { SectionHead } from '../ui/SectionHead.tsx'
import { WhenNear } from '../ui/WhenNear.tsx'
import { ChartAside } from './ChartAside.tsx'
import { GenreChips } from './GenreChips.tsx'
import css from './Home.module.css'
import { SpotlightSlider, Top20Slider } from './HomeSliders.tsx'
import { SongList, SongListSkeleton } from './SongList.tsx'
import { inAddress, sectionInput } from './section.ts'
import * as texts from './texts.ts'
import { useListAddress } from './useListAddress.ts'
import { useSection } from './useSection.ts'

/** Hardly ever shown. */
const NoneReleased = late(() => import('./NoneReleased.tsx').then(({ NoneReleased }) => NoneReleased))

/** What is far below the first screen: its code comes after it. */
const Merchandise = part(() => import('../site/Merchandise.tsx').then(({ Merchandise }) => Merchandise))

export function Home() {
  useTabTitle(undefined)
  const { error } = useAsk(catalogue.homePageGenres, {})
  return needsSignIn(error) ? <ClosedPool /> : <OpenPool />
}

/** What a visitor finds where browsing is for members. */
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
  const isShown = useShown()
  return (
    <div className={css.page}>
      <div className={css.column}>
        <h1 className="sr">{texts.explore}</h1>
        <div className={css.notes}>
          <Announcements page="mp3_home" />
        </div>
        {isShown('spotlights') && <SpotlightSlider />}
        <GenreBlock />
        <WhenNear name="home, below" className={css.blocksBelow}>
          {isShown('new_releases') && <NewReleasesBlock />}
          {isShown('top20') && <Top20Slider />}
          {isShown('merchandise') && (
            <Suspense>
              <Merchandise />
            </Suspense>
          )}
        </WhenNear>
      </div>
      <div className={css.beside}>
        <WhenNear name="home, beside" className={css.blocksBeside}>
          <BesideHome />
        </WhenNear>
      </div>
    </div>
  )
}

/** The newest songs of one genre: the one in the address, or the pool's own choice. */
function GenreBlock() {
  const { genre } = useSearch({ from: '/' })
  const { section } = useSection()
  const { change } = useListAddress()
  const chips = useAsk(catalogue.homePageGenres, {})
  const block = useAsk(
    catalogue.getGenresSong,
    { pageName: 'mp3_home', genre_id: genre, ...sectionInput(section) },
    { keepPrevious: true },
  )
  const isEmptyPool = chips.data?.default_genre_id === null && genre === undefined
  const shown = block.data?.genre
  const chosen = genre ?? shown?.genre_id ?? chips.data?.default_genre_id ?? catalogue.HOME_GENRE_ID
  // The block of new releases says what an empty pool is waiting for.
  if (isEmptyPool) return null
  return (
    <section className={css.block} aria-labelledby="genre-head">
      <SectionHead id="genre-head" title={shown?.name ?? 'Genres'}>
        <Link to="/genres/view/$genreId" params={{ genreId: chosen }} search={inAddress(section)}>
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
      <Songs asked={block} label={format(texts.songsIn, { name: shown?.name ?? '' })} />
    </section>
  )
}

function NewReleasesBlock() {
  const { fresh } = useSearch({ from: '/' })
  const { section } = useSection()
  const { change } = useListAddress()
  const chips = useAsk(catalogue.homePageGenres, {})
  const block = useAsk(
    catalogue.getNewRelease,
    { pageName: 'mp3_home', genre_id: fresh, ...sectionInput(section) },
    { keepPrevious: true },
  )
  return (
    <section className={css.block} aria-labelledby="new-head">
      <SectionHead id="new-head" title={texts.newReleases}>
        <Link to="/newRelease" search={{ genre: fresh, ...inAddress(section) }}>
          {texts.seeAll}
        </Link>
      </SectionHead>
      <GenreChips
        label={texts.filterNewReleasesByGenre}
        genres={chips.data?.genres ?? []}
        chosen={fresh}
        onChoose={(fresh) => change({ fresh })}
      />
      <Songs asked={block} label={texts.newReleases} isBelow />
    </section>
  )
}

type Asked = {
  data: { songs: catalogue.Song[] } | undefined
  error: Error | null
  isPlaceholderData: boolean
  refetch: () => unknown
}

type SongsProps = { asked: Asked; label: string; isBelow?: boolean }

function Songs({ asked: { data, error, isPlaceholderData, refetch }, label, isBelow }: SongsProps) {
  if (error && !data) return <Trouble error={error} what={texts.theseSongs} retry={refetch} />
  if (!data) return <SongListSkeleton />
  if (data.songs.length === 0) return <NoneReleased />
  return <SongList songs={data.songs} label={label} stale={isPlaceholderData} isBelow={isBelow} />
}

/** Two charts and the right column. Each appears once the height of what is above it is known, so that nothing moves. */
function BesideHome() {
  const when = useShown()('charts')
  const today = useAsk(charts.getMostDownloadedToday, {}, { when })
  const trending = useAsk(charts.getTrendingTracks, {}, { when })
  return (
    <>
      {when && (
        <aside className={css.aside} aria-label={texts.charts}>
          <ChartAside title={texts.mostDownloadedToday} asked={today} first={8} empty={texts.noDownloadsYetToday} />
          {!today.isPending && (
            <ChartAside title={texts.top30Trending} asked={trending} first={10} empty={texts.noTrendingSongsYet} />
          )}
        </aside>
      )}
      {when && (today.isPending || trending.isPending) ? (
        // Keeps the footer of narrow windows where it is.
        <div className={css.blocksBeside} />
      ) : (
        <WhenNear name="home, around">
          <Around />
        </WhenNear>
      )}
    </>
  )
}
