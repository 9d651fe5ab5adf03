import { type ReplyOf, uploadedSongs } from '@dubplate/contract'
import { Box, Group, SimpleGrid, Text } from '@mantine/core'
import { count } from '../format/format.ts'
import { format } from '../format/message.ts'
import { InlineError } from '../platform/InlineError.tsx'
import { useApiQuery } from '../platform/queries.ts'
import { barHeight, weekName } from './songDisplay.ts'
import * as texts from './texts.ts'
import css from './Uploads.module.css'

type SongFiguresData = ReplyOf<typeof uploadedSongs.getSongFigures>
type FigureKind = keyof SongFiguresData['totals']

const KINDS = [
  { kind: 'listens', name: texts.listens, inWeek: texts.weekOfListens },
  { kind: 'downloads', name: texts.downloads, inWeek: texts.weekOfDownloads },
  { kind: 'favourites', name: texts.favourites, inWeek: texts.weekOfFavourites },
  { kind: 'crates', name: texts.crates, inWeek: texts.weekOfCrates },
] as const satisfies { kind: FigureKind; name: string; inWeek: string }[]

/** The weekly figures of a song: a bar chart, and a table for screen readers. */
export function SongFigures({ entityId, title }: { entityId: number; title: string }) {
  const { data, error, refetch } = useApiQuery(uploadedSongs.getSongFigures, { entity_id: entityId })
  if (!data) {
    return (
      <Box p="md" mih={116} aria-busy={!error}>
        {error && (
          <InlineError error={error} title={texts.couldntLoadStatisticsInline} retry={() => void refetch()} alert />
        )}
      </Box>
    )
  }
  return (
    <>
      <SimpleGrid
        cols={{ base: 2, sm: 4 }}
        spacing="lg"
        p="md"
        mih={116}
        bg="var(--surface-2)"
        style={{ borderRadius: 12 }}
        aria-hidden
      >
        {KINDS.map(({ kind, ...words }) => (
          <WeeklyBars key={kind} figures={data} kind={kind} {...words} />
        ))}
      </SimpleGrid>
      <Table figures={data} title={title} />
    </>
  )
}

function WeeklyBars({
  figures: { weeks, totals },
  kind,
  name,
  inWeek,
}: {
  figures: SongFiguresData
  kind: FigureKind
  name: string
  /** The tooltip of a week. */
  inWeek: (typeof KINDS)[number]['inWeek']
}) {
  const maxCount = Math.max(1, ...weeks.map((week) => week[kind]))
  return (
    <div>
      <Text fz="lg">
        <b className="num">{count(totals[kind])}</b>{' '}
        <Text span size="xs" c="var(--text-2)">
          {name}
        </Text>
      </Text>
      <Group className={css.bars} wrap="nowrap" align="end" gap={3} h={56} mt={6}>
        {weeks.map((week) => (
          <i
            key={week.week}
            data-none={week[kind] === 0 || undefined}
            style={{ height: `${barHeight(week[kind], maxCount)}%` }}
            title={format(inWeek, { week: weekName(week.week), count: week[kind] })}
          />
        ))}
      </Group>
    </div>
  )
}

const Table = ({ figures: { weeks, totals }, title }: { figures: SongFiguresData; title: string }) => (
  <table className="sr">
    <caption>{format(texts.weeklyStatisticsFor, { title })}</caption>
    <thead>
      <tr>
        <th scope="col">{texts.weekOf}</th>
        {KINDS.map(({ kind, name }) => (
          <th key={kind} scope="col">
            {name}
          </th>
        ))}
      </tr>
    </thead>
    <tbody>
      {weeks.map((week) => (
        <tr key={week.week}>
          <th scope="row">{weekName(week.week)}</th>
          {KINDS.map(({ kind }) => (
            <td key={kind}>{count(week[kind])}</td>
          ))}
        </tr>
      ))}
      <tr>
        <th scope="row">{texts.total}</th>
        {KINDS.map(({ kind }) => (
          <td key={kind}>{count(totals[kind])}</td>
        ))}
      </tr>
    </tbody>
  </table>
)
