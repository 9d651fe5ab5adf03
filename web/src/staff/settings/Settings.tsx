import { settings } from '@dubplate/contract'
import { useNavigate, useSearch } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { ErrorState } from '../../platform/ErrorState.tsx'
import { useApiQuery } from '../../platform/queries.ts'
import { Chips } from '../../ui/Chips.tsx'
import lists from '../Lists.module.css'
import { StaffPage } from '../StaffPage.tsx'
import { AccentCard } from './AccentCard.tsx'
import { EnvironmentFacts } from './EnvironmentFacts.tsx'
import { GatewaysCard } from './GatewaysCard.tsx'
import { LimitsCard } from './LimitsCard.tsx'
import { LogoCard } from './LogoCard.tsx'
import { NameCard } from './NameCard.tsx'
import { PageStates } from './PageStates.tsx'
import { SectionsCard } from './SectionsCard.tsx'
import { SenderCard } from './SenderCard.tsx'
import { StoreCard } from './StoreCard.tsx'
import type { Everything } from './saving.ts'
import * as texts from './texts.ts'
import { VisitorsCard } from './VisitorsCard.tsx'

/** Settings that admins can change while the pool runs. */
export const Settings = () => (
  <StaffPage title={texts.settings}>
    <Parts />
  </StaffPage>
)

const PARTS = [
  { value: 'site', label: texts.accessAndSections },
  { value: 'limits', label: texts.limits },
  { value: 'mail', label: texts.emailAndStore },
  { value: 'payments', label: texts.payments },
  { value: 'around', label: texts.environment },
] as const
type Part = (typeof PARTS)[number]['value']

function Parts() {
  const { part = 'site' } = useSearch({ from: '/staff/settings' })
  const navigate = useNavigate({ from: '/staff/settings' })
  return (
    <>
      <Chips
        label={texts.settings}
        choices={[...PARTS]}
        chosen={part}
        onChoose={(part) => void navigate({ search: { part } })}
      />
      <Loaded>{CARDS[part]}</Loaded>
    </>
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

/** The current settings in cards, once they have loaded. */
function Loaded({ children }: { children: (all: Everything) => ReactNode }) {
  const { data, error, refetch } = useApiQuery(settings.getSettings, {})
  if (data) return <div className={lists.cards}>{children(data)}</div>
  if (error) return <ErrorState error={error} subject={texts.settingsInSentence} retry={() => void refetch()} />
  return <div className={`${lists.bone} ${lists.tall}`} aria-busy />
}

/** A card is remounted once someone else has saved its group, so that it shows the current values. */
const CARDS: Record<Part, (all: Everything) => ReactNode> = {
  site: (all) => (
    <>
      <VisitorsCard key={`visitors ${all.groups.visitors.version}`} all={all} />
      <SectionsCard key={`sections ${all.groups.sections.version}`} all={all} />
    </>
  ),
  limits: (all) => <LimitsCard key={`limits ${all.groups.limits.version}`} all={all} />,
  mail: (all) => (
    <>
      <SenderCard key={`sender ${all.groups.sender.version}`} all={all} />
      <StoreCard key={`store ${all.groups.store.version}`} all={all} />
    </>
  ),
  payments: (all) => <GatewaysCard all={all} />,
  around: (all) => (
    <>
      <PageStates all={all} />
      <EnvironmentFacts all={all} />
    </>
  ),
}
