import { catalogue, charts, site } from '@dubplate/contract'
import { IconVinyl } from '@tabler/icons-react'
import { Link, useSearch } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { format } from '../format/message.ts'
import { MembersOnly } from '../membership/MembersOnly.tsx'
import { ErrorState, needsSignIn } from '../platform/ErrorState.tsx'
import page from '../platform/Page.module.css'
import { useTabTitle } from '../platform/Page.tsx'
import { useIsSectionVisible } from '../platform/pool.ts'
import { useApiQuery } from '../platform/queries.ts'
import { Announcements } from '../site/Announcements.tsx'
import { Button } from '../ui/Button.tsx'
import { lazyOnDemand, lazyOptional } from '../ui/lazyOnDemand.tsx'
import { RenderWhenVisible } from '../ui/RenderWhenVisible.tsx'
import { SectionHead } from '../ui/SectionHead.tsx'
import { GenreChips } from './GenreChips.tsx'
import { Introduction } from './Introduction.tsx'
import { SectionChoice } from './SectionChoice.tsx'
import { SongList, SongListSkeleton } from './SongList.tsx'
import { SpotlightTiles } from './SpotlightTiles.tsx'
import { sectionInput, toSectionParam } from './section.ts'
import css from './Tiles.module.css'
import * as texts from './texts.ts'
import { useListAddress } from './useListAddress.ts'
import { useSection } from './useSection.ts'

/** The songs of a block before “Show all”. */
const FIRST_ROWS = 8

/** The blocks below the first screen start about 400 px below a window of 900 px: they are not loaded before it is scrolled. */
const MARGIN_BELOW = '300px'

/** Rarely shown. */
const NoNewReleases = lazyOnDemand(() => import('./NoNewReleases.tsx').then(({ NoNewReleases }) => NoNewReleases))

/** Far below the first screen, so its code is loaded later. */
const Merchandise = lazyOptional(() => import('../site/Merchandise.tsx').then(({ Merchandise }) => Merchandise))

export function Home() {
  useTabTitle(undefined)
  const { data, error } = useApiQuery(catalogue.homePageGenres, {})
  const isSectionVisible = useIsSectionVisible()
  if (needsSignIn(error)) return <ClosedPool />
  return (
    <div className={`${page.page} ${css.home}`}>
      <h1 className="sr">{texts.home}</h1>
      <Introduction figures={data} />
      <div className={css.notes}>
        <Announcements page="mp3_home" />
      </div>
      {isSectionVisible('spotlights') && <SpotlightTiles />}
      {isSectionVisible('new_releases') && <NewReleasesBlock genres={data?.genres ?? []} />}
      <RenderWhenVisible name="home, below" className={css.below} margin={MARGIN_BELOW}>
        {isSectionVisible('charts') && <ChartBlock />}
        {isSectionVisible('merchandise') && <MerchandiseBlock />}
      </RenderWhenVisible>
    </div>
  )
}

/** What visitors see when browsing is for members only. */
const ClosedPool = () => (
  <div className={page.page}>
    <h1 className="sr">{texts.home}</h1>
    <Announcements page="mp3_home" />
    <MembersOnly icon={<IconVinyl size={24} />} title={texts.membersOnly}>
      {texts.signInToBrowseListen}
    </MembersOnly>
  </div>
)

/** The newest songs, of the genre in the URL if there is one. */
function NewReleasesBlock({ genres }: { genres: catalogue.Song['genres'] }) {
  const { genre } = useSearch({ from: '/' })
  const { section } = useSection()
  const { change } = useListAddress()
  const queryResult = useApiQuery(
    catalogue.getNewRelease,
    { pageName: 'mp3_home', genre_id: genre, ...sectionInput(section) },
    { keepPrevious: true },
  )
  return (
    <section aria-labelledby="new-head">
      <SectionHead id="new-head" title={texts.newReleases}>
        <Link to="/newRelease" search={{ genre, ...toSectionParam(section) }}>
          {texts.seeAll}
        </Link>
        <Link to="/genres/index" search={toSectionParam(section)}>
          {texts.allGenres}
        </Link>
        <SectionChoice label={texts.sectionOfTheList} className={css.sections} />
      </SectionHead>
      <GenreChips
        label={texts.filterNewReleasesByGenre}
        genres={genres}
        chosen={genre}
        onChoose={(genre) => change({ genre })}
      />
      <SongsBlock queryResult={queryResult} label={texts.newReleases} empty={<NoNewReleases />} />
    </section>
  )
}

/** The most downloaded songs of the week; hidden before the first download. */
function ChartBlock() {
  const { section } = useSection()
  const queryResult = useApiQuery(charts.getChart, { chart_type: 'weekly', page: 1, ...sectionInput(section) })
  if (queryResult.data?.songs.length === 0) return null
  return (
    <section aria-labelledby="chart-head">
      <SectionHead id="chart-head" title={texts.thisWeeksChart}>
        <Link to="/charts" search={{ chart: 'weekly', ...toSectionParam(section) }}>
          {texts.seeAll}
        </Link>
      </SectionHead>
      <SongsBlock queryResult={queryResult} label={texts.thisWeeksChart} isBelowFold />
    </section>
  )
}

/** Reserves its space while its code loads, so that the footer does not move. */
function MerchandiseBlock() {
  const { data } = useApiQuery(site.getProducts, {})
  if (data?.products.length === 0) return null
  return (
    <div className={css.merchandise}>
      <Merchandise />
    </div>
  )
}

type SongsProps = {
  queryResult: {
    data: { songs: catalogue.Song[] } | undefined
    error: Error | null
    isPlaceholderData: boolean
    refetch: () => unknown
  }
  label: string
  empty?: ReactNode
  isBelowFold?: boolean
}

/** The first songs of a list, and a button that shows the others. */
function SongsBlock({ queryResult, label, empty, isBelowFold }: SongsProps) {
  const { data, error, isPlaceholderData, refetch } = queryResult
  const [isExpanded, setExpanded] = useState(false)
  if (error && !data) return <ErrorState error={error} title={texts.couldntLoadTheseSongs} retry={refetch} />
  if (!data)
    return (
      <>
        <SongListSkeleton rows={FIRST_ROWS} hasHeadings={false} />
        <div className={css.showAll} />
      </>
    )
  const { songs } = data
  if (songs.length === 0) return empty
  return (
    <>
      <SongList
        songs={isExpanded ? songs : songs.slice(0, FIRST_ROWS)}
        label={label}
        isStale={isPlaceholderData}
        isBelowFold={isBelowFold}
        hasHeadings={false}
      />
      {songs.length > FIRST_ROWS && (
        <Button className={css.showAll} aria-expanded={isExpanded} onClick={() => setExpanded(!isExpanded)}>
          {isExpanded ? texts.showFewer : format(texts.showAll, { count: songs.length })}
        </Button>
      )}
    </>
  )
}
