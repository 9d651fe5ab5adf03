import { charts, collections } from '@dubplate/contract'
import { Link, useSearch } from '@tanstack/react-router'
import { formatExactDate, formatTime } from '../format/format.ts'
import { format, rich } from '../format/message.ts'
import { useApiQuery } from '../platform/queries.ts'
import { Announcements } from '../site/Announcements.tsx'
import segments from '../ui/Segments.module.css'
import { useStableWhileInUse } from '../ui/useStableWhileInUse.ts'
import { orderInput } from './addresses.ts'
import css from './Charts.module.css'
import header from './CollectionHeader.module.css'
import { CollectionPage } from './CollectionHeader.tsx'
import { referenceSource } from './collectionActions.ts'
import { FollowButton } from './FollowButton.tsx'
import { listTarget } from './followedAfter.ts'
import { GenreChips } from './GenreChips.tsx'
import { NoSongs } from './NoSongs.tsx'
import { PagedSongs } from './PagedSongs.tsx'
import { SectionChoice } from './SectionChoice.tsx'
import { sectionInput } from './section.ts'
import { useSongFilter } from './songFilter.ts'
import { Top20Slider } from './Top20Slider.tsx'
import * as texts from './texts.ts'
import { useListAddress } from './useListAddress.ts'
import { useSection } from './useSection.ts'

type Period = (typeof charts.CHART_TYPES)[number]

const PERIOD_TEXTS: Record<Period, { name: string; chart: string; noDownloads: string; noKuts: string }> = {
  daily: {
    name: texts.daily,
    chart: texts.dailyChart,
    noDownloads: texts.noDownloadsToday,
    noKuts: texts.noKutsDownloadedToday,
  },
  weekly: {
    name: texts.weekly,
    chart: texts.weeklyChart,
    noDownloads: texts.noDownloadsThisWeek,
    noKuts: texts.noKutsDownloadedThisWeek,
  },
  monthly: {
    name: texts.monthly,
    chart: texts.monthlyChart,
    noDownloads: texts.noDownloadsThisMonth,
    noKuts: texts.noKutsDownloadedThisMonth,
  },
}

export function Charts() {
  const searchAddress = useSearch({ from: '/charts' })
  const { change, sortBy } = useListAddress()
  const period = searchAddress.chart ?? 'daily'
  const { section } = useSection()
  const filter = useSongFilter()
  const input = {
    chart_type: period,
    page: searchAddress.page ?? 1,
    genre_id: searchAddress.genre,
    ...sectionInput(section),
    ...orderInput(searchAddress),
    ...filter.input,
  }
  const queryResult = useApiQuery(charts.getChart, input, { keepPrevious: true })
  const { value: chartData, holdHandlers } = useStableWhileInUse(
    queryResult.data,
    queryResult.isPlaceholderData ? 'on its way' : JSON.stringify(input),
  )
  const genre = chartData?.genres.find(({ genre_id }) => genre_id === searchAddress.genre)
  const { chart, noDownloads, noKuts } = PERIOD_TEXTS[period]
  const title = genre ? format(texts.chartOfGenre, { chart, genre: genre.name }) : chart
  const reference = { type: 'chart' as const, chart_type: period, id: searchAddress.genre, ...sectionInput(section) }
  const facts = useApiQuery(collections.getCollection, reference)
  return (
    <CollectionPage
      kind={texts.charts}
      title={title}
      description={format(texts.mostDownloadedInPeriod, {
        days: charts.CHART_DAYS[period],
        minutes: charts.CHART_UPDATE_MINUTES[period],
      })}
      facts={facts.data?.collection}
      isFailed={!!facts.error || (!!queryResult.error && !queryResult.data)}
      updated={chartData?.counted_at ? <UpdatedAt at={chartData.counted_at} /> : ''}
      source={referenceSource(title, reference)}
      actions={<FollowButton target={facts.data && listTarget('chart', { ...reference, name: title })} />}
    >
      <div className={header.choices}>
        <SectionChoice label={texts.sectionOfTheChart} />
        <Periods chosen={period} />
      </div>
      <Announcements page="mp3_chart" />
      <GenreChips
        genres={chartData?.genres ?? []}
        chosen={searchAddress.genre}
        onChoose={(genre) => change({ genre })}
      />
      <div className={css.chart} {...holdHandlers}>
        <PagedSongs
          queryResult={chartData ? ({ ...queryResult, data: chartData } as typeof queryResult) : queryResult}
          label={chart}
          filterOf={{
            list: 'chart',
            chart_type: period,
            genre_id: searchAddress.genre,
            ...sectionInput(section),
          }}
          sorting={{ sort: searchAddress, onSort: sortBy }}
          empty={<NoSongs page={searchAddress.page}>{section === 'kuts' ? noKuts : noDownloads}</NoSongs>}
        />
      </div>
      {!queryResult.isPending && <Top20Slider />}
    </CollectionPage>
  )
}

/** Day, week or month; links, because each has its own URL. */
const Periods = ({ chosen }: { chosen: Period }) => (
  <nav className={segments.segments} aria-label={texts.period}>
    {charts.CHART_TYPES.map((period) => (
      <Link
        key={period}
        from="/charts"
        to="/charts"
        search={(search) => ({ ...search, page: undefined, chart: period === 'daily' ? undefined : period })}
        resetScroll={false}
        aria-current={period === chosen ? 'page' : undefined}
      >
        {PERIOD_TEXTS[period].name}
      </Link>
    ))}
  </nav>
)

const UpdatedAt = ({ at }: { at: string }) =>
  rich(texts.updated, {
    clock: formatTime(at),
    time: (inside) => (
      <time dateTime={at} title={formatExactDate(at)} className="num">
        {inside}
      </time>
    ),
  })
