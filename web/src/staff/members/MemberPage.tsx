import { members } from '@dubplate/contract'
import { Container, Grid, ScrollArea, Skeleton, Stack, Tabs } from '@mantine/core'
import { IconUserOff } from '@tabler/icons-react'
import { Link, useParams } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { useTableSearch } from '../../admin/useTableSearch.ts'
import { format } from '../../format/message.ts'
import { ApiError } from '../../platform/api.ts'
import { ErrorState } from '../../platform/ErrorState.tsx'
import { useTabTitle } from '../../platform/Page.tsx'
import { useApiQuery } from '../../platform/queries.ts'
import { oneOf } from '../../platform/search-fields.ts'
import { useSession } from '../../platform/session.ts'
import buttonCss from '../../ui/Button.module.css'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { lazyOnDemand } from '../../ui/lazyOnDemand.tsx'
import { MemberDetails } from './MemberDetails.tsx'
import { type ActionName, MemberHeader } from './MemberHeader.tsx'
import { MemberNotes } from './MemberNotes.tsx'
import { MemberOverview } from './MemberOverview.tsx'
import { Downloads, Payments, SignIns, StaffActivity, Tickets, Uploads } from './MemberRecords.tsx'
import type { MemberData } from './memberStatus.ts'
import * as texts from './texts.ts'

const MemberActionDialog = lazyOnDemand(() => import('./MemberActions.tsx').then((code) => code.MemberActionDialog))

const TABS = ['overview', 'downloads', 'payments', 'tickets', 'uploads', 'sign-ins', 'staff-activity'] as const
type Tab = (typeof TABS)[number]

const TAB_NAMES: Record<Tab, string> = {
  overview: texts.overview,
  downloads: texts.downloads,
  payments: texts.payments,
  tickets: texts.tickets,
  uploads: texts.uploads,
  'sign-ins': texts.signIns,
  'staff-activity': texts.staffActivity,
}

/** Everything staff know about one member, and what they can do for them. */
export function MemberPage() {
  const { customerId } = useParams({ from: '/staff/members/$customerId' })
  const { data, error, refetch } = useApiQuery(members.getMember, { customer_id: customerId })
  useTabTitle(
    format(texts.memberTabTitle, { name: data?.member.dj_name ?? format(texts.memberNumber, { customerId }) }),
  )
  return (
    <Container size={1240} px={{ base: 'lg', sm: 32 }} pt="lg" pb={48}>
      {data ? (
        <LoadedMember key={customerId} data={data} />
      ) : error instanceof ApiError && error.code === 'unknown_member' ? (
        <UnknownMember />
      ) : error ? (
        <ErrorState error={error} subject={texts.thisMember} retry={() => void refetch()} />
      ) : (
        <LoadingMember />
      )}
    </Container>
  )
}

function LoadedMember({ data }: { data: MemberData }) {
  const { member, uploads, notes } = data
  const role = useSession(({ profile }) => profile?.staff_role)
  const [action, setAction] = useState<ActionName>()
  const { search, change } = useTableSearch({ tab: oneOf(TABS) })
  const hidden: Partial<Record<Tab, boolean>> = {
    payments: role === 'support',
    uploads: uploads.songs === 0 && uploads.files === 0,
  }
  const tabs = TABS.filter((tab) => !hidden[tab])
  const tab = tabs.find((tab) => tab === search.tab) ?? 'overview'
  const panels: Record<Tab, () => ReactNode> = {
    overview: () => <MemberOverview data={data} onAction={setAction} />,
    downloads: () => <Downloads data={data} />,
    payments: () => <Payments data={data} />,
    tickets: () => <Tickets data={data} />,
    uploads: () => <Uploads data={data} />,
    'sign-ins': () => <SignIns data={data} />,
    'staff-activity': () => <StaffActivity data={data} />,
  }
  return (
    <>
      <MemberHeader data={data} onAction={setAction} />
      <Grid gap="xl">
        <Grid.Col span={{ base: 12, lg: 'auto' }} miw={0}>
          <Tabs
            value={tab}
            onChange={(value) => change({ tab: value === 'overview' ? undefined : value })}
            keepMounted={false}
          >
            <ScrollArea type="never">
              <Tabs.List style={{ flexWrap: 'nowrap' }}>
                {tabs.map((value) => (
                  <Tabs.Tab key={value} value={value}>
                    {TAB_NAMES[value]}
                  </Tabs.Tab>
                ))}
              </Tabs.List>
            </ScrollArea>
            <Tabs.Panel value={tab} pt="lg">
              {panels[tab]()}
            </Tabs.Panel>
          </Tabs>
        </Grid.Col>
        <Grid.Col span={{ base: 12, lg: 'content' }} w={{ lg: 344 }}>
          <Stack gap="lg">
            <MemberDetails member={member} />
            <MemberNotes
              customerId={member.customer_id}
              notes={notes}
              canWrite={role !== 'billing' && member.status !== 'deleted'}
            />
          </Stack>
        </Grid.Col>
      </Grid>
      {action && <MemberActionDialog action={action} data={data} onClose={() => setAction(undefined)} />}
    </>
  )
}

const UnknownMember = () => (
  <EmptyState
    icon={<IconUserOff size={24} />}
    title={texts.memberNotFound}
    action={
      <Link to="/staff/members" className={buttonCss.button}>
        {texts.backToMembers}
      </Link>
    }
  >
    {texts.thisMemberDoesntExistOr}
  </EmptyState>
)

const LoadingMember = () => (
  <Stack gap="lg" aria-busy role="status" aria-label={texts.loading}>
    <Skeleton h={92} />
    <Grid gap="xl">
      <Grid.Col span={{ base: 12, lg: 'auto' }}>
        <Skeleton h={560} />
      </Grid.Col>
      <Grid.Col span={{ base: 12, lg: 'content' }} w={{ lg: 344 }}>
        <Skeleton h={400} />
      </Grid.Col>
    </Grid>
  </Stack>
)
