import type { dashboard, ReplyOf } from '@dubplate/contract'
import { Box, Text } from '@mantine/core'
import { PageSection } from '../../admin/PageSection.tsx'
import { SimpleTable } from '../../admin/SimpleTable.tsx'
import { format } from '../../format/message.ts'
import { Chart, type Point } from './Chart.tsx'
import { formatPoint, MEANINGS, nameOf, pointName, summaryOf } from './metricTexts.ts'
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
    <PageSection
      title={title}
      actions={
        <Text fz="xs" c="var(--text-2)">
          {texts.previousPeriodIsDashed}
        </Text>
      }
    >
      <Text fz="sm" c="var(--text-2)">
        {summaryOf(metric, reply)}.
      </Text>
      <Chart
        label={title}
        points={pointsOf(metric, reply)}
        look={MOMENTARY_METRICS.includes(metric.metric) ? 'line' : 'bars'}
        height={200}
      />
      <Box component="details" fz="sm">
        <summary>{format(texts.tableFor, { name: nameOf(metric) })}</summary>
        <Text fz="sm" c="var(--text-2)" my="sm">
          {MEANINGS[metric.metric]}
        </Text>
        <MetricTable metric={metric} reply={reply} />
      </Box>
    </PageSection>
  )
}

function pointsOf(metric: dashboard.MetricValues, { unit, starts }: MetricsReply): Point[] {
  return starts.map((start, n) => {
    const [value, before] = [metric.points[n] ?? null, metric.previous_points[n] ?? null]
    return { name: pointName(unit, start), value, before, words: describeValues(metric, value, before) }
  })
}

function describeValues(metric: dashboard.MetricValues, value: number | null, before: number | null): string {
  const [now, then] = [formatPoint(metric, value), formatPoint(metric, before)]
  if (before === null) return value === null ? texts.noData : now
  return value === null
    ? format(texts.inThePreviousPeriod, { previous: then })
    : format(texts.nowAndInThePreviousPeriod, { now, previous: then })
}

const MetricTable = ({ metric, reply: { unit, starts, previous_starts } }: Props) => (
  <SimpleTable
    name={format(texts.table, { name: nameOf(metric) })}
    head={[
      POINT_HEADERS[unit],
      metric.metric === 'churn' ? texts.lost : texts.current,
      texts.previousDate,
      texts.previous,
    ]}
    minWidth={440}
    rows={starts.map((start, n) => ({
      key: start,
      cells: [
        pointName(unit, start),
        formatPoint(metric, metric.points[n] ?? null),
        pointName(unit, previous_starts[n] ?? ''),
        formatPoint(metric, metric.previous_points[n] ?? null),
      ],
    }))}
  />
)
