import { settings } from '@dubplate/contract'
import { Box, Skeleton, Stack } from '@mantine/core'
import type { ReactNode } from 'react'
import { ViewTabs } from '../../admin/TableToolbar.tsx'
import { useTableSearch } from '../../admin/useTableSearch.ts'
import { ErrorState } from '../../platform/ErrorState.tsx'
import { useApiQuery } from '../../platform/queries.ts'
import { oneOf } from '../../platform/search-fields.ts'
import { StaffPage } from '../StaffPage.tsx'
import { AccentCard } from './AccentCard.tsx'
import { EnvironmentCard, GatewaysCard, PagesCard } from './environmentCards.tsx'
import {
  ConversionsCard,
  LimitsCard,
  NameCard,
  SectionsCard,
  SenderCard,
  StoreCard,
  VisitorsCard,
} from './groupCards.tsx'
import { LogoCard } from './LogoCard.tsx'
import type { Everything } from './settingsGroup.ts'
import * as texts from './texts.ts'

const VIEWS = ['site', 'limits', 'mail', 'payments', 'environment'] as const
type View = (typeof VIEWS)[number]

const VIEW_NAMES: Record<View, string> = {
  site: texts.accessAndSections,
  limits: texts.limits,
  mail: texts.emailAndStore,
  payments: texts.payments,
  environment: texts.environment,
}

/** Settings that admins can change while the pool runs, and those of the environment. */
export function Settings() {
  const { search, change } = useTableSearch({ view: oneOf(VIEWS) })
  const { view = 'site' } = search
  return (
    <StaffPage title={texts.settings}>
      <Box mx={{ base: -16, sm: -24 }}>
        <ViewTabs
          label={texts.settings}
          views={VIEWS.map((value) => ({ value, name: VIEW_NAMES[value] }))}
          current={view}
          onChange={(view) => change({ view })}
        />
      </Box>
      <Loaded>{CARDS[view]}</Loaded>
    </StaffPage>
  )
}

/** The pool's name, logo and colour. */
export const StaffAppearance = () => (
  <StaffPage title={texts.appearance}>
    <Loaded>
      {(all) => (
        <>
          <NameCard key={`name ${all.groups.name.version}`} all={all} />
          <LogoCard key={`logo ${all.groups.logo.version}`} all={all} />
          <AccentCard key={`accent ${all.groups.accent.version}`} all={all} />
        </>
      )}
    </Loaded>
  </StaffPage>
)

/** The current settings, once they have loaded. */
function Loaded({ children }: { children: (all: Everything) => ReactNode }) {
  const { data, error, refetch } = useApiQuery(settings.getSettings, {})
  if (error && !data)
    return <ErrorState error={error} subject={texts.settingsInSentence} retry={() => void refetch()} />
  return (
    <Stack gap="lg" maw={920} mt="lg" aria-busy={!data || undefined}>
      {data ? children(data) : <Skeleton height={420} radius="lg" />}
    </Stack>
  )
}

/** The cards of each view. A card starts again once someone else has saved its group, with the new values. */
const CARDS: Record<View, (all: Everything) => ReactNode> = {
  site: (all) => (
    <>
      <VisitorsCard key={`visitors ${all.groups.visitors.version}`} all={all} />
      <SectionsCard key={`sections ${all.groups.sections.version}`} all={all} />
    </>
  ),
  limits: (all) => (
    <>
      <LimitsCard key={`limits ${all.groups.limits.version}`} all={all} />
      <ConversionsCard key={`conversions ${all.groups.conversions.version}`} all={all} />
    </>
  ),
  mail: (all) => (
    <>
      <SenderCard key={`sender ${all.groups.sender.version}`} all={all} />
      <StoreCard key={`store ${all.groups.store.version}`} all={all} />
    </>
  ),
  payments: (all) => <GatewaysCard all={all} />,
  environment: (all) => (
    <>
      <PagesCard all={all} />
      <EnvironmentCard all={all} />
    </>
  ),
}
