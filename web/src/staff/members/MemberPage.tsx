import { members, type ReplyOf } from '@dubplate/contract'
import { IconUserOff } from '@tabler/icons-react'
import { Link, useParams } from '@tanstack/react-router'
import { ApiError } from '../../platform/api.ts'
import { ErrorState } from '../../platform/ErrorState.tsx'
import { format } from '../../platform/message.ts'
import { useApiQuery } from '../../platform/queries.ts'
import { useSession } from '../../platform/session.ts'
import buttonCss from '../../ui/Button.module.css'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { StaffPage } from '../StaffPage.tsx'
import { Deeds, Sessions } from './MemberBeside.tsx'
import { MemberDeeds } from './MemberDeeds.tsx'
import { Downloads, Tickets, Uploads } from './MemberRecords.tsx'
import { MemberHead } from './MemberHeader.tsx'
import { MemberNotes } from './MemberNotes.tsx'
import css from './MemberPage.module.css'
import * as texts from './texts.ts'
import { WhyNoDownload } from './DownloadCheck.tsx'

export function MemberPage() {
  const { customerId } = useParams({ from: '/staff/members/$customerId' })
  return (
    <StaffPage title={format(texts.memberNumber, { customerId })}>
      <Whole key={customerId} customerId={customerId} />
    </StaffPage>
  )
}

function Whole({ customerId }: { customerId: number }) {
  const { data, error, refetch } = useApiQuery(members.getMember, { customer_id: customerId })
  if (error instanceof ApiError && error.code === 'unknown_member') return <NoSuchMember />
  if (!data)
    return error ? <ErrorState error={error} subject={texts.thisMember} retry={() => void refetch()} /> : <Skeleton />
  return <Shown shown={data} />
}

function Shown({ shown }: { shown: ReplyOf<typeof members.getMember> }) {
  const { member, downloads, tickets, uploads, notes, sessions, audit_entries: deeds } = shown
  const role = useSession(({ profile }) => profile?.staff_role)
  const isGone = member.status === 'deleted'
  return (
    <>
      <MemberHead shown={shown} />
      <MemberDeeds shown={shown} />
      <div className={css.desk}>
        <div className={css.column}>
          {!isGone && <WhyNoDownload customerId={member.customer_id} downloads={downloads.newest} />}
          <Downloads downloads={downloads} />
          <Tickets tickets={tickets} email={member.email} isOpen={role !== 'billing'} />
          {(uploads.songs > 0 || uploads.files > 0) && <Uploads uploads={uploads} isOpen={role === 'admin'} />}
        </div>
        <div className={css.column}>
          <MemberNotes customerId={member.customer_id} notes={notes} canWrite={role !== 'billing' && !isGone} />
          <Sessions sessions={sessions} />
          <Deeds deeds={deeds} customerId={member.customer_id} isOpen={role === 'admin'} />
        </div>
      </div>
    </>
  )
}

const NoSuchMember = () => (
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

const Skeleton = () => (
  <div aria-busy>
    <div className={css.headBone} />
    <div className={css.desk}>
      <div className={css.column}>
        <div className={css.bone} />
        <div className={css.bone} />
      </div>
      <div className={css.column}>
        <div className={css.bone} />
        <div className={css.bone} />
      </div>
    </div>
  </div>
)
