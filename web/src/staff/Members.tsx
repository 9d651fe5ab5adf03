import { members } from '@dubplate/contract'
import { IconUsers } from '@tabler/icons-react'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { ErrorState } from '../platform/ErrorState.tsx'
import { count, formatExactDate } from '../platform/format.ts'
import { format, rich } from '../platform/message.ts'
import { useApiQuery } from '../platform/queries.ts'
import { formatTimeAgo, useCurrentMinute } from '../platform/timeAgo.ts'
import { Chips } from '../ui/Chips.tsx'
import { EmptyState } from '../ui/EmptyState.tsx'
import { Pagination } from '../ui/Pagination.tsx'
import { SearchField } from '../ui/SearchField.tsx'
import keys from './Keys.module.css'
import lists from './Lists.module.css'
import css from './Members.module.css'
import { standingInWords } from './memberWords.ts'
import { queueKeys } from './queueKeys.ts'
import { StaffPage } from './StaffPage.tsx'
import * as texts from './texts.ts'

/** Everyone who has an account. */
export const Members = () => (
  <StaffPage title={texts.members}>
    <List />
  </StaffPage>
)

type State = (typeof members.MEMBER_STATES)[number]

const STATE_NAMES: Record<State, string> = {
  all: texts.all,
  paid: texts.paid,
  unpaid: texts.unpaid,
  suspended: texts.suspended,
  staff: texts.staff,
}

function List() {
  const { page = 1, state = 'all', find } = useSearch({ from: '/staff/members' })
  const navigate = useNavigate({ from: '/staff/members' })
  const asked = useApiQuery(members.getMembers, { page, state, search: find ?? '' }, { keepPrevious: true })
  const { data, error, isPlaceholderData, refetch } = asked
  const nameOf = (each: State) => (data ? `${STATE_NAMES[each]} ${count(data.counts[each])}` : STATE_NAMES[each])
  return (
    <>
      <div className={lists.bar}>
        <Chips
          label={texts.memberStatus}
          choices={members.MEMBER_STATES.map((value) => ({ value, label: nameOf(value) }))}
          chosen={state}
          onChoose={(state) => void navigate({ search: { state: state === 'all' ? undefined : state, find } })}
        />
        <SearchField
          label={texts.searchByDjNameEmail}
          value={find ?? ''}
          onSearch={(find) => void navigate({ search: (was) => ({ ...was, page: undefined, find }), replace: true })}
        />
      </div>
      {error && !data && <ErrorState error={error} subject={texts.membersInSentence} retry={() => void refetch()} />}
      {!data && !error && <ToCome />}
      {data?.members.length === 0 && <NoMembers isNarrowed={!!find || state !== 'all'} />}
      {data && data.members.length > 0 && (
        <>
          <ol
            className={lists.rows}
            aria-label={texts.members}
            aria-busy={isPlaceholderData || undefined}
            {...queueKeys}
          >
            {data.members.map((member) => (
              <Row key={member.customer_id} member={member} />
            ))}
          </ol>
          <Pagination pagination={data.pagination} />
          <p className={keys.keys}>
            {rich(texts.shortcutsJKMoveEnter, {
              kbd: (inside) => <kbd>{inside}</kbd>,
              kbd2: (inside) => <kbd>{inside}</kbd>,
              kbd3: (inside) => <kbd>{inside}</kbd>,
            })}
          </p>
        </>
      )}
    </>
  )
}

function Row({ member }: { member: members.ListedMember }) {
  const { customer_id, dj_name, email, group, payment_profile_status, last_seen_at } = member
  const now = useCurrentMinute()
  const standing = standingInWords(member)
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: the keys of the list move the focus between items
    <li className={css.row} data-item tabIndex={0} aria-label={dj_name}>
      <div className={css.who}>
        <h2>
          <Link to="/staff/members/$customerId" params={{ customerId: customer_id }} data-key="Enter">
            {dj_name}
          </Link>
        </h2>
        <p>
          <span className="num">#{customer_id}</span> {email}
        </p>
      </div>
      <span>{group.name}</span>
      <span data-tone={payment_profile_status === 'paid' ? 'ok' : undefined}>
        {payment_profile_status === 'paid' ? texts.paid : texts.unpaid}
      </span>
      <span data-tone={standing.tone}>{standing.text}</span>
      <span className={css.seen}>
        {last_seen_at ? (
          <time
            dateTime={last_seen_at}
            title={format(texts.lastSeenInList, { last_seen_at: formatExactDate(last_seen_at) })}
          >
            {formatTimeAgo(last_seen_at, now)}
          </time>
        ) : (
          <span title={texts.signInHistoryIsKept}>{texts.notRecently}</span>
        )}
      </span>
    </li>
  )
}

const NoMembers = ({ isNarrowed }: { isNarrowed: boolean }) => (
  <EmptyState icon={<IconUsers size={24} />} title={isNarrowed ? texts.noMatchingMembers : texts.noMembersYet}>
    {isNarrowed ? texts.searchMatchesTheStartOf : texts.membersAppearHereOnceThey}
  </EmptyState>
)

const ROWS = 12

const ToCome = () => (
  <ol className={lists.rows} aria-busy aria-label={texts.loadingMembers}>
    {Array.from({ length: ROWS }, (_, i) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: identical placeholders
      <li key={i} className={css.bone} aria-hidden />
    ))}
  </ol>
)
