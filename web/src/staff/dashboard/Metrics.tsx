import { dashboard, type ReplyOf } from '@dubplate/contract'
import { Box, Card, Group, SegmentedControl, SimpleGrid, Skeleton, Stack, Text, Title } from '@mantine/core'
import { DownloadButton } from '../../admin/DownloadButton.tsx'
import { PageSection } from '../../admin/PageSection.tsx'
import { useTableSearch } from '../../admin/useTableSearch.ts'
import { ErrorState } from '../../platform/ErrorState.tsx'
import { useApiQuery } from '../../platform/queries.ts'
import { oneOf, trimmedText } from '../../platform/search-fields.ts'
import { Sparkline } from './Chart.tsx'
import { MetricDetail } from './MetricDetail.tsx'
import { changeOf, comparisonOf, formatValue, MEANINGS, nameOf } from './metricTexts.ts'
import * as texts from './texts.ts'

const REFETCH_MS = 60_000

const PERIOD_NAMES: Record<dashboard.Period, string> = {
  day: texts.today,
  week: texts.n7Days,
  month: texts.n30Days,
  quarter: texts.n90Days,
  year: texts.n12Months,
}

type MetricsReply = ReplyOf<typeof dashboard.getMetrics>

const useDashboardSearch = () => useTableSearch({ period: oneOf(dashboard.PERIODS), metric: trimmedText })

/** The metrics of the period in the URL, refreshed while the page is open. */
export function useMetrics() {
  const { period = 'week' } = useDashboardSearch().search
  return useApiQuery(dashboard.getMetrics, { period }, { keepPrevious: true, refetchMs: REFETCH_MS })
}

/** The metrics for the caller's role, each describeChange with the previous period, and one of them in detail. */
export function Metrics({
  query: { data, error, isPlaceholderData, refetch },
}: {
  query: ReturnType<typeof useMetrics>
}) {
  const { search, change } = useDashboardSearch()
  const { period = 'week' } = search
  return (
    <Stack component="section" gap="lg" aria-labelledby="metrics">
      <Group justify="space-between" gap="sm">
        <Title order={2} id="metrics">
          {texts.metrics}
        </Title>
        <Group gap="sm" maw="100%">
          <Box maw="100%" style={{ overflowX: 'auto' }}>
            <SegmentedControl
              size="xs"
              aria-label={texts.period}
              data={dashboard.PERIODS.map((value) => ({ value, label: PERIOD_NAMES[value] }))}
              value={period}
              onChange={(value) => change({ period: value === 'week' ? undefined : value }, { replace: true })}
            />
          </Box>
          <DownloadButton
            call={dashboard.getMetricsFile}
            input={{}}
            errorTitle={texts.couldntExportMetrics}
            label={texts.exportCsv}
          />
        </Group>
      </Group>
      {error && !data && (
        <PageSection title={texts.metrics}>
          <ErrorState error={error} subject={texts.metricsInSentence} retry={() => void refetch()} />
        </PageSection>
      )}
      {!data && !error && <LoadingMetrics />}
      {data && <LoadedMetrics reply={data} isStale={isPlaceholderData} />}
    </Stack>
  )
}

const COLUMNS = { base: 2, sm: 3, lg: 4 }

const keyOf = ({ metric, currency }: dashboard.MetricValues) => (currency ? `${metric}-${currency}` : metric)

function LoadedMetrics({ reply, isStale }: { reply: MetricsReply; isStale: boolean }) {
  const { search, change } = useDashboardSearch()
  const { metrics } = reply
  const selected = metrics.find((metric) => keyOf(metric) === search.metric) ?? metrics[0]
  return (
    <>
      <SimpleGrid
        component="ul"
        cols={COLUMNS}
        spacing="lg"
        aria-label={texts.metrics}
        aria-busy={isStale || undefined}
      >
        {metrics.map((metric) => (
          <li key={keyOf(metric)}>
            <MetricCard
              metric={metric}
              reply={reply}
              isSelected={metric === selected}
              onSelect={() => change({ metric: keyOf(metric) }, { replace: true })}
            />
          </li>
        ))}
      </SimpleGrid>
      {selected && <MetricDetail metric={selected} reply={reply} />}
    </>
  )
}

type CardProps = { metric: dashboard.MetricValues; reply: MetricsReply; isSelected: boolean; onSelect: () => void }

/** One metric: its value, the comparison with the previous period, and its course. A click shows it in detail. */
function MetricCard({ metric, reply, isSelected, onSelect }: CardProps) {
  const { direction, isGood } = changeOf(metric)
  return (
    <Card
      component="button"
      type="button"
      aria-pressed={isSelected}
      title={MEANINGS[metric.metric]}
      ta="left"
      w="100%"
      h="100%"
      style={{ borderColor: isSelected ? 'var(--chart)' : 'var(--line)' }}
      onClick={onSelect}
    >
      <Text component="span" display="block" fz="sm" c="var(--text-2)">
        {nameOf(metric)}
      </Text>
      <Text component="span" display="block" fz={24} lh={1.3} fw={680} className="num">
        {formatValue(metric, metric.now)}
      </Text>
      <Text component="span" display="block" fz="xs" c="var(--text-2)" mb="sm">
        {direction && (
          <Text component="span" inherit fw={640} c={isGood ? 'var(--ok)' : 'var(--danger)'}>
            {direction === 'up' ? '↑ ' : '↓ '}
          </Text>
        )}
        {comparisonOf(metric, reply).replace(/^[+−]/, '')}
      </Text>
      <Card.Section mt="auto">
        <Sparkline values={metric.points} />
      </Card.Section>
    </Card>
  )
}

const LoadingMetrics = () => (
  <>
    <SimpleGrid cols={COLUMNS} spacing="lg" aria-busy role="status" aria-label={texts.loadingMetrics}>
      <Skeleton h={138} />
      <Skeleton h={138} />
      <Skeleton h={138} />
      <Skeleton h={138} />
    </SimpleGrid>
    <Skeleton h={400} />
  </>
)
