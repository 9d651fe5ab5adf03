import { dashboard } from '@dubplate/contract'
import { Container, Grid, Skeleton, Stack, Title } from '@mantine/core'
import { PageSection } from '../../admin/PageSection.tsx'
import { ErrorState } from '../../platform/ErrorState.tsx'
import { useTabTitle } from '../../platform/Page.tsx'
import { useApiQuery } from '../../platform/queries.ts'
import { FinishSetup } from './FinishSetup.tsx'
import { Metrics, useMetrics } from './Metrics.tsx'
import { NeedsAttention } from './NeedsAttention.tsx'
import * as texts from './texts.ts'

const REFETCH_MS = 20_000

/** The start page of the back office: what is missing in a new pool, what needs attention, and metrics. */
export function Dashboard() {
  useTabTitle(texts.dashboard)
  const { data, error, refetch } = useApiQuery(dashboard.getAttentionItems, {}, { refetchMs: REFETCH_MS })
  // Both are requested at once. The metrics are shown once the height of the content above them is known.
  const metrics = useMetrics()
  const isSettingUp = data !== undefined && data.steps.length > 0
  return (
    <Container size={1240} px={{ base: 'lg', sm: 32 }} pt="xl" pb={48}>
      <Stack gap="lg">
        <Title order={1}>{texts.dashboard}</Title>
        {!data && !error && <Skeleton h={280} aria-busy role="status" aria-label={texts.loading} />}
        {error && !data && (
          <PageSection title={texts.needsAttention}>
            <ErrorState error={error} subject={texts.thisList} retry={() => void refetch()} />
          </PageSection>
        )}
        {data && (
          <Grid gap="lg">
            {isSettingUp && (
              <Grid.Col span={{ base: 12, md: 7 }}>
                <FinishSetup steps={data.steps} />
              </Grid.Col>
            )}
            <Grid.Col span={{ base: 12, md: isSettingUp ? 5 : 12 }}>
              <NeedsAttention items={data.items} />
            </Grid.Col>
          </Grid>
        )}
        {(data || error) && <Metrics query={metrics} />}
      </Stack>
    </Container>
  )
}
