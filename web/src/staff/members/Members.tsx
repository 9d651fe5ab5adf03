import { members } from '@dubplate/contract'
import { IconUsers } from '@tabler/icons-react'
import { Link, useNavigate } from '@tanstack/react-router'
import { AgoCell, DateCell, MainCell, Status } from '../../admin/cells.tsx'
import { emptyState } from '../../admin/emptyState.tsx'
import { type Column, ResourceTable } from '../../admin/ResourceTable.tsx'
import { TablePage } from '../../admin/TablePage.tsx'
import { TableToolbar, ViewTabs } from '../../admin/TableToolbar.tsx'
import { useTableSearch } from '../../admin/useTableSearch.ts'
import { Avatar } from '../../membership/account/Avatar.tsx'
import { countryName } from '../../platform/countries.ts'
import { useApiQuery } from '../../platform/queries.ts'
import { oneOf, positiveInteger, trimmedText } from '../../platform/search-fields.ts'
import { statusOf } from './memberStatus.ts'
import * as texts from './texts.ts'

const STATE_NAMES: Record<(typeof members.MEMBER_STATES)[number], string> = {
  all: texts.all,
  paid: texts.paid,
  unpaid: texts.unpaid,
  suspended: texts.suspended,
  staff: texts.staff,
}

const MemberName = ({ member: { customer_id, dj_name, email } }: { member: members.ListedMember }) => (
  <MainCell
    picture={<Avatar name={dj_name} picture={null} size_px={30} />}
    title={
      <Link to="/staff/members/$customerId" params={{ customerId: customer_id }}>
        {dj_name}
      </Link>
    }
    text={`#${customer_id} · ${email}`}
  />
)

const MemberStatus = ({ member }: { member: members.ListedMember }) => {
  const { text, tone } = statusOf(member)
  return <Status tone={tone}>{text}</Status>
}

const paidText = ({ payment_profile_status }: members.ListedMember) =>
  payment_profile_status === 'paid' ? texts.paid : texts.unpaid

const COLUMNS: Column<members.ListedMember>[] = [
  {
    id: 'name',
    header: texts.member,
    width: 'auto',
    sort: 'name',
    cell: (member) => <MemberName member={member} />,
  },
  { id: 'status', header: texts.status, width: 152, cell: (member) => <MemberStatus member={member} /> },
  { id: 'plan', header: texts.plan, width: 120, cell: (member) => member.plan_name ?? paidText(member) },
  { id: 'group', header: texts.group, width: 160, showFrom: 900, cell: ({ group }) => group.name },
  {
    id: 'country',
    header: texts.country,
    width: 132,
    showFrom: 1100,
    cell: ({ country_id }) => countryName(country_id),
  },
  {
    id: 'seen',
    header: texts.lastActive,
    width: 124,
    isNumeric: true,
    showFrom: 640,
    cell: ({ last_seen_at }) =>
      last_seen_at ? <AgoCell at={last_seen_at} /> : <span title={texts.signInHistoryIsKept}>{texts.notRecently}</span>,
  },
  {
    id: 'joined',
    header: texts.joined,
    width: 124,
    isNumeric: true,
    showFrom: 760,
    sort: 'joined',
    isDescendingFirst: true,
    cell: ({ created_at }) => <DateCell at={created_at} />,
  },
]

/** Everyone who has an account. */
export function Members() {
  const { search, change } = useTableSearch({
    page: positiveInteger,
    state: oneOf(members.MEMBER_STATES),
    find: trimmedText,
    sort: oneOf(members.MEMBER_SORTS),
  })
  const { page = 1, state = 'all', find, sort = '-joined' } = search
  const navigate = useNavigate()
  const input = { page, state, sort, search: find ?? '' }
  const query = useApiQuery(members.getMembers, input, { keepPrevious: true })
  const { data } = query
  return (
    <TablePage
      total={data?.pagination}
      top={
        <ViewTabs
          label={texts.memberStatus}
          views={members.MEMBER_STATES.map((value) => ({
            value,
            name: STATE_NAMES[value],
            count: data?.counts[value],
          }))}
          current={state}
          onChange={(value) => change({ state: value === 'all' ? undefined : value })}
        />
      }
    >
      <ResourceTable
        name={texts.members}
        columns={COLUMNS}
        rows={data?.members}
        pagination={data?.pagination}
        query={query}
        errorTitle={texts.couldntLoadMembers}
        idOf={({ customer_id }) => customer_id}
        labelOf={({ dj_name }) => dj_name}
        narrowRow={(member) => ({
          start: <MemberName member={member} />,
          end: (
            <>
              <MemberStatus member={member} />
              {member.plan_name ?? paidText(member)}
            </>
          ),
        })}
        onOpen={({ customer_id }) =>
          void navigate({ to: '/staff/members/$customerId', params: { customerId: customer_id } })
        }
        sort={sort}
        onSort={(sort) => change({ sort })}
        onPage={(page) => change({ page })}
        toolbar={
          <TableToolbar
            searchLabel={texts.searchByDjNameEmail}
            search={find}
            onSearch={(find) => change({ find }, { replace: true })}
          />
        }
        empty={emptyState({
          icon: <IconUsers size={24} />,
          none: { title: texts.noMembersYet, text: texts.membersAppearHereOnceThey },
          noMatches: { title: texts.noMatchingMembers, text: texts.searchMatchesTheStartOf },
          isFiltered: Boolean(find) || state !== 'all',
        })}
      />
    </TablePage>
  )
}
