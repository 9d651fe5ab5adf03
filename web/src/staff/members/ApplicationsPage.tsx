import { staff } from '@dubplate/contract'
import { Button } from '@mantine/core'
import { IconCheck, IconExternalLink, IconNote, IconRotate, IconUserCheck, IconX } from '@tabler/icons-react'
import { useRef, useState } from 'react'
import { AgoCell, MainCell, Status, type Tone } from '../../admin/cells.tsx'
import { emptyState } from '../../admin/emptyState.tsx'
import { type Column, ResourceTable } from '../../admin/ResourceTable.tsx'
import type { RowAction } from '../../admin/RowMenu.tsx'
import { SidePanel, TablePage } from '../../admin/TablePage.tsx'
import { TableToolbar, ViewTabs } from '../../admin/TableToolbar.tsx'
import { useOpenRow } from '../../admin/useOpenRow.ts'
import { useTableSearch } from '../../admin/useTableSearch.ts'
import { format } from '../../format/message.ts'
import { Avatar } from '../../membership/account/Avatar.tsx'
import { useApiQuery } from '../../platform/queries.ts'
import { oneOf, positiveInteger, trimmedText } from '../../platform/search-fields.ts'
import { lazyOnDemand } from '../../ui/lazyOnDemand.tsx'
import { ApplicationPanel, SocialLink } from './ApplicationPanel.tsx'
import { decideApplications, declineApplication } from './decideApplications.ts'
import * as texts from './texts.ts'

type Application = staff.Application

const ReasonDialog = lazyOnDemand(() => import('../../admin/ReasonDialog.tsx').then((code) => code.ReasonDialog))

export const STATUSES: Record<staff.ApplicationState, { text: string; tone: Tone }> = {
  pending: { text: texts.pending, tone: 'warning' },
  approved: { text: texts.approved, tone: 'ok' },
  declined: { text: texts.declined, tone: 'danger' },
}

const COMMON_REASONS = [texts.weCouldntFindYourWork, texts.theMemberYouNamedCouldnt, texts.thisPoolIsForWorking]

const ApplicantCell = ({ dj_name, email, email_verified }: Application) => (
  <MainCell
    picture={<Avatar name={dj_name} picture={null} size_px={30} />}
    title={dj_name}
    text={email_verified ? email : format(texts.emailNotVerified, { email })}
  />
)

const ReferenceCell = ({ referred_by, referrer }: Application) =>
  referred_by && (
    <MainCell
      title={referred_by}
      text={referrer ? format(texts.isAMember, { dj_name: referrer.dj_name }) : texts.noMemberWithThisName}
    />
  )

const COLUMNS: Column<Application>[] = [
  { id: 'applicant', header: texts.applicant, width: 'auto', cell: ApplicantCell },
  { id: 'reference', header: texts.memberReference, width: 210, showFrom: 700, cell: ReferenceCell },
  {
    id: 'link',
    header: texts.socialLink,
    width: 180,
    showFrom: 860,
    cell: (application) => <SocialLink application={application} />,
  },
]

const COMMENT: Column<Application> = {
  id: 'comment',
  header: texts.comment,
  width: 220,
  showFrom: 1080,
  cell: ({ comment }) => <span title={comment}>{comment}</span>,
}

const APPLIED: Column<Application> = {
  id: 'applied',
  header: texts.applied,
  width: 124,
  isNumeric: true,
  cell: ({ applied_at }) => <AgoCell at={applied_at} />,
}

const DECIDED: Column<Application>[] = [
  {
    id: 'reason',
    header: texts.reason,
    width: 220,
    showFrom: 1080,
    cell: ({ reason }) => <span title={reason}>{reason}</span>,
  },
  {
    id: 'decidedBy',
    header: texts.decidedBy,
    width: 140,
    showFrom: 560,
    cell: ({ decided_by }) => decided_by,
  },
  {
    id: 'decided',
    header: texts.decided,
    width: 124,
    isNumeric: true,
    cell: ({ decided_at }) => decided_at && <AgoCell at={decided_at} />,
  },
]

const COLUMNS_OF: Record<staff.ApplicationState, Column<Application>[]> = {
  pending: [...COLUMNS, COMMENT, APPLIED],
  approved: [...COLUMNS, COMMENT, ...DECIDED.slice(1)],
  declined: [...COLUMNS, ...DECIDED],
}

const EMPTY: Record<staff.ApplicationState, { title: string; text: string }> = {
  pending: { title: texts.noPendingApplications, text: texts.allApplicationsHaveBeenReviewed },
  approved: { title: texts.noApprovedApplicationsYet, text: texts.approvedApplicationsAppearHere },
  declined: { title: texts.noDeclinedApplicationsYet, text: texts.declinedApplicationsAppearHere },
}

const idOf = ({ customer_id }: Application) => customer_id

/** Applications of new members: staff approve them, or decline them with a reason. */
export function ApplicationsPage() {
  const { search, change } = useTableSearch({
    page: positiveInteger,
    state: oneOf(staff.APPLICATION_STATES),
    find: trimmedText,
  })
  const { page = 1, state = 'pending', find } = search
  const query = useApiQuery(staff.getApplications, { page, state, search: find ?? '' }, { keepPrevious: true })
  const { data } = query
  const open = useOpenRow(data?.applications, idOf)
  const [declining, setDeclining] = useState<Application>()
  const [noteOf, setNoteOf] = useState<number>()
  const { decide, isDeciding } = useDecisions()

  /** Once the open application is decided, the next one opens. */
  const showNext = ({ customer_id }: Application) => {
    const { onNext, onPrevious, onClose } = open.panelProps
    if (customer_id === open.row?.customer_id) (onNext ?? onPrevious ?? onClose)()
  }
  const decideOne = async (application: Application, decision: 'approve' | 'reopen') => {
    showNext(application)
    await decide([application], decision)
  }
  const editNote = (application: Application) => {
    open.tableProps.onOpen(application)
    setNoteOf(application.customer_id)
  }
  const actions: RowAction<Application>[] = [
    {
      label: texts.approve,
      icon: IconCheck,
      key: 'a',
      isAvailable: ({ state }) => state === 'pending',
      run: (application) => void decideOne(application, 'approve'),
    },
    {
      label: texts.declineMenuItem,
      icon: IconX,
      key: 'd',
      isAvailable: ({ state }) => state === 'pending',
      run: setDeclining,
    },
    {
      label: texts.reopen,
      icon: IconRotate,
      key: 'u',
      isAvailable: ({ state }) => state !== 'pending',
      run: (application) => void decideOne(application, 'reopen'),
    },
    { label: texts.editNote, icon: IconNote, key: 'n', run: editNote },
    {
      label: texts.openSocialLink,
      icon: IconExternalLink,
      key: 'o',
      isAvailable: ({ link }) => link !== null,
      run: ({ link }) => window.open(link ?? '', '_blank', 'noopener,noreferrer'),
    },
  ]
  return (
    <TablePage
      total={data?.pagination}
      top={
        <ViewTabs
          label={texts.applicationStatus}
          views={staff.APPLICATION_STATES.map((value) => ({
            value,
            name: STATUSES[value].text,
            count: data?.counts[value],
          }))}
          current={state}
          onChange={(value) => change({ state: value === 'pending' ? undefined : value })}
        />
      }
      panel={
        open.row && (
          <SidePanel label={open.row.dj_name} {...open.panelProps}>
            <ApplicationPanel
              application={open.row}
              panelProps={open.panelProps}
              rowActions={actions}
              isEditingNote={noteOf === open.row.customer_id}
              onEditNote={setNoteOf}
            />
          </SidePanel>
        )
      }
    >
      <ResourceTable
        name={texts.applications}
        columns={COLUMNS_OF[state]}
        rows={data?.applications}
        pagination={data?.pagination}
        query={query}
        errorTitle={texts.couldntLoadApplications}
        idOf={idOf}
        labelOf={({ dj_name }) => dj_name}
        narrowRow={(application) => ({
          start: <ApplicantCell {...application} />,
          end: (
            <>
              <Status tone={STATUSES[application.state].tone}>{STATUSES[application.state].text}</Status>
              <AgoCell at={application.decided_at ?? application.applied_at} />
            </>
          ),
        })}
        rowActions={actions}
        {...(state === 'pending' && {
          bulkActions: (selected: Application[], clear: () => void) => (
            <Button loading={isDeciding} onClick={() => void decide(selected, 'approve').then(clear)}>
              {texts.approve}
            </Button>
          ),
        })}
        {...open.tableProps}
        onPage={(page) => change({ page })}
        toolbar={
          <TableToolbar
            searchLabel={texts.searchByDjNameOr}
            search={find}
            onSearch={(find) => change({ find }, { replace: true })}
          />
        }
        empty={emptyState({
          icon: <IconUserCheck size={24} />,
          none: EMPTY[state],
          noMatches: { title: texts.noMatchingApplications, text: texts.tryADifferentSearchOr },
          isFiltered: Boolean(find),
        })}
      />
      {declining && (
        <ReasonDialog
          title={format(texts.declineApplicationOf, { dj_name: declining.dj_name })}
          draftName={`decline.${declining.customer_id}`}
          hint={texts.theApplicantWillSeeThis}
          missingMessage={texts.enterAReasonForTheApplicant}
          suggestions={COMMON_REASONS}
          verb={texts.decline}
          onSend={async (reason) => {
            await declineApplication(declining, reason)
            showNext(declining)
          }}
          onClose={() => setDeclining(undefined)}
        />
      )}
    </TablePage>
  )
}

/** Decisions one after the other: a second one on the same row does nothing until the list is reloaded. */
function useDecisions() {
  const [isDeciding, setDeciding] = useState(false)
  const inProgress = useRef(new Set<number>())
  const decide = async (applications: readonly Application[], decision: 'approve' | 'reopen') => {
    const free = applications.filter(({ customer_id }) => !inProgress.current.has(customer_id))
    for (const { customer_id } of free) inProgress.current.add(customer_id)
    setDeciding(true)
    await decideApplications(free, decision)
    setDeciding(false)
    for (const { customer_id } of free) inProgress.current.delete(customer_id)
  }
  return { decide, isDeciding }
}
