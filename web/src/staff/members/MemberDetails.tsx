import { DataList, Stack, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { AgoCell, DateCell } from '../../admin/cells.tsx'
import { PageSection } from '../../admin/PageSection.tsx'
import { formatDate } from '../../format/dates.ts'
import { format } from '../../format/message.ts'
import type { MemberData } from './memberStatus.ts'
import * as texts from './texts.ts'

type Member = MemberData['member']
type DjApplication = NonNullable<Member['application']>

const SIGN_IN_METHODS = {
  password: { plain: texts.password, twoFactor: texts.passwordAndTwoFactor },
  singleSignOn: { plain: texts.singleSignOn, twoFactor: texts.singleSignOnAndTwoFactor },
}

function signInMethod({ has_password, has_two_factor }: Member): string {
  const { plain, twoFactor } = SIGN_IN_METHODS[has_password ? 'password' : 'singleSignOn']
  return has_two_factor ? twoFactor : plain
}

/** The details of a member and their DJ application. */
export const MemberDetails = ({ member }: { member: Member }) => (
  <>
    <PageSection title={texts.details}>
      <Details
        entries={[
          [texts.memberNumberLabel, member.customer_id],
          [texts.group, member.group.name],
          [texts.memberSince, <DateCell key="since" at={member.created_at} />],
          [texts.lastActive, <LastActive key="seen" at={member.last_seen_at} />],
          [texts.phone, member.telephone],
          [texts.postalAddress, member.address],
          [texts.signInMethod, signInMethod(member)],
        ]}
      />
    </PageSection>
    {member.application && <Application application={member.application} />}
  </>
)

const LastActive = ({ at }: { at: string | null }) =>
  at ? <AgoCell at={at} /> : <span title={texts.signInHistoryIsKept}>{texts.notRecently}</span>

/** Labels with their values; those without a value are left out. */
const Details = ({ entries }: { entries: [label: string, value: ReactNode][] }) => (
  <DataList labelWidth="116px" gap={10}>
    {entries
      .filter(([, value]) => value)
      .map(([label, value]) => (
        <DataList.Item key={label}>
          <DataList.ItemLabel>{label}</DataList.ItemLabel>
          <DataList.ItemValue style={{ overflowWrap: 'anywhere' }}>{value}</DataList.ItemValue>
        </DataList.Item>
      ))}
  </DataList>
)

const DECISIONS = {
  approved: { plain: texts.approved, on: texts.approvedOn, onBy: texts.approvedOnBy },
  declined: { plain: texts.declined, on: texts.declinedOn, onBy: texts.declinedOnBy },
}

/** 'Approved on 4 Mar 2026 by Front Desk'. */
function decisionText({ state, decided_at, decided_by }: DjApplication): string {
  if (state === 'pending') return texts.pendingApproval
  const { plain, on, onBy } = DECISIONS[state]
  if (!decided_at) return plain
  const date = formatDate(decided_at)
  return decided_by ? format(onBy, { date, by: decided_by }) : format(on, { date })
}

const Application = ({ application }: { application: DjApplication }) => (
  <PageSection title={texts.djApplication}>
    <Stack gap="md">
      <Text fz="md">{decisionText(application)}</Text>
      <Details
        entries={[
          [texts.applied, formatDate(application.applied_at)],
          [texts.memberReference, application.referred_by],
          [texts.socialLink, application.dj_website],
          [texts.comment, application.comment],
          [texts.reason, application.reason],
          [texts.staffNote, application.note],
        ]}
      />
    </Stack>
  </PageSection>
)
