import type { dashboard, ReplyOf } from '@dubplate/contract'
import { Box, Table, Text } from '@mantine/core'
import { Section } from '../../admin/Section.tsx'
import { format } from '../../platform/message.ts'
import { Chart, type Point } from './Chart.tsx'
import { MEANINGS, nameOf, pointInWords, pointName, summaryOf } from './figureWords.ts'
import * as texts from './texts.ts'

type MetricsReply = ReplyOf<typeof dashboard.getMetrics>
type Props = { metric: dashboard.MetricValues; reply: MetricsReply }

/** Momentary values: they cannot be summed. */
const MOMENTARY_METRICS: readonly dashboard.Metric[] = ['subscribers', 'first_reply']

const TITLES = { hour: texts.byHour, day: texts.byDay, week: texts.byWeek } as const
const POINT_HEADERS = { hour: texts.fromUtc, day: texts.dayUtc, week: texts.weekStartingUtc }

/** A metric's course: a sentence, a chart and a table. */
export function MetricDetail({ metric, reply }: Props) {
  const title = format(TITLES[reply.unit], { name: nameOf(metric) })
  return (
    <Section
      title={title}
      end={
        <Text fz="xs" c="var(--text-2)">
          {texts.previousPeriodIsDashed}
        </Text>
      }
    >
      <Text fz="sm" c="var(--text-2)" mb="md">
        {summaryOf(metric, reply)}.
      </Text>
      <Chart
        label={title}
        points={pointsOf(metric, reply)}
        look={MOMENTARY_METRICS.includes(metric.metric) ? 'line' : 'bars'}
        height={200}
      />
      <Box component="details" mt="md" fz="sm">
        <summary>{format(texts.tableFor, { name: nameOf(metric) })}</summary>
        <Text fz="sm" c="var(--text-2)" my="sm">
          {MEANINGS[metric.metric]}
        </Text>
        <MetricTable metric={metric} reply={reply} />
      </Box>
    </Section>
  )
}

function pointsOf(metric: dashboard.MetricValues, { unit, starts }: MetricsReply): Point[] {
  return starts.map((start, n) => {
    const [value, before] = [metric.points[n] ?? null, metric.previous_points[n] ?? null]
    return { name: pointName(unit, start), value, before, words: describeValues(metric, value, before) }
  })
}

function describeValues(metric: dashboard.MetricValues, value: number | null, before: number | null): string {
  const [now, then] = [pointInWords(metric, value), pointInWords(metric, before)]
  if (before === null) return value === null ? texts.noData : now
  return value === null
    ? format(texts.inThePreviousPeriod, { then })
    : format(texts.nowAndInThePreviousPeriod, { now, then })
}

const MetricTable = ({ metric, reply: { unit, starts, previous_starts } }: Props) => (
  <Box
    component="section"
    // Focusable, so that the keyboard can scroll it.
    tabIndex={0}
    mah={360}
    style={{ overflow: 'auto' }}
    aria-label={format(texts.table, { name: nameOf(metric) })}
  >
    <Table className="num" fz="sm">
      <Table.Thead>
        <Table.Tr>
          <Table.Th scope="col">{POINT_HEADERS[unit]}</Table.Th>
          <Table.Th scope="col">{metric.metric === 'churn' ? texts.lost : texts.current}</Table.Th>
          <Table.Th scope="col">{texts.previousDate}</Table.Th>
          <Table.Th scope="col">{texts.previous}</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {starts.map((start, n) => (
          <Table.Tr key={start}>
            <Table.Th scope="row">{pointName(unit, start)}</Table.Th>
            <Table.Td>{pointInWords(metric, metric.points[n] ?? null)}</Table.Td>
            <Table.Td>{pointName(unit, previous_starts[n] ?? '')}</Table.Td>
            <Table.Td>{pointInWords(metric, metric.previous_points[n] ?? null)}</Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  </Box>
)
