import { staff } from '@dubplate/contract'
import { IconUserCheck } from '@tabler/icons-react'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { ErrorState } from '../../platform/ErrorState.tsx'
import { count } from '../../platform/format.ts'
import { rich } from '../../platform/message.ts'
import { useApiQuery } from '../../platform/queries.ts'
import { Chips } from '../../ui/Chips.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { Pagination } from '../../ui/Pagination.tsx'
import { SearchField } from '../../ui/SearchField.tsx'
import keys from '../Keys.module.css'
import lists from '../Lists.module.css'
import { queueKeys } from '../queueKeys.ts'
import { StaffPage } from '../StaffPage.tsx'
import { ApplicationCard } from './ApplicationCard.tsx'
import * as texts from './texts.ts'

/** Applications: read, approve, or decline with a reason. */
export const Applications = () => (
  <StaffPage title={texts.applications}>
    <Queue />
  </StaffPage>
)

const STATE_NAMES: Record<staff.ApplicationState, string> = {
  pending: texts.pending,
  approved: texts.approved,
  declined: texts.declined,
}

function Queue() {
  const { page = 1, state = 'pending', find } = useSearch({ from: '/staff/applications' })
  const navigate = useNavigate({ from: '/staff/applications' })
  const asked = useApiQuery(staff.getApplications, { page, state, search: find ?? '' }, { keepPrevious: true })
  const { data, error, isPlaceholderData, refetch } = asked
  const nameOf = (each: staff.ApplicationState) =>
    data ? `${STATE_NAMES[each]} ${count(data.counts[each])}` : STATE_NAMES[each]
  return (
    <>
      <div className={lists.bar}>
        <Chips
          label={texts.applicationStatus}
          choices={staff.APPLICATION_STATES.map((value) => ({ value, label: nameOf(value) }))}
          chosen={state}
          onChoose={(state) => void navigate({ search: { state: state === 'pending' ? undefined : state, find } })}
        />
        <SearchField
          label={texts.searchByDjNameOr}
          value={find ?? ''}
          onSearch={(find) => void navigate({ search: (was) => ({ ...was, page: undefined, find }), replace: true })}
        />
      </div>
      {error && !data && (
        <ErrorState error={error} subject={texts.applicationsInSentence} retry={() => void refetch()} />
      )}
      {!data && !error && <ToCome />}
      {data?.applications.length === 0 && <NoApplications state={state} isSearch={!!find} />}
      {data && data.applications.length > 0 && (
        <>
          <ol
            className={lists.cards}
            aria-label={texts.applications}
            aria-busy={isPlaceholderData || undefined}
            {...queueKeys}
          >
            {data.applications.map((application) => (
              <ApplicationCard key={application.customer_id} application={application} />
            ))}
          </ol>
          <Pagination pagination={data.pagination} />
          <p className={keys.keys}>
            {rich(texts.shortcutsJKMoveA, {
              kbd: (inside) => <kbd>{inside}</kbd>,
              kbd2: (inside) => <kbd>{inside}</kbd>,
              kbd3: (inside) => <kbd>{inside}</kbd>,
              kbd4: (inside) => <kbd>{inside}</kbd>,
              kbd5: (inside) => <kbd>{inside}</kbd>,
              kbd6: (inside) => <kbd>{inside}</kbd>,
              kbd7: (inside) => <kbd>{inside}</kbd>,
            })}
          </p>
        </>
      )}
    </>
  )
}

function NoApplications({ state, isSearch }: { state: staff.ApplicationState; isSearch: boolean }) {
  const icon = <IconUserCheck size={24} />
  if (isSearch)
    return (
      <EmptyState icon={icon} title={texts.noMatchingApplications}>
        {texts.tryADifferentSearchOr}
      </EmptyState>
    )
  if (state === 'pending')
    return (
      <EmptyState icon={icon} title={texts.noPendingApplications}>
        {texts.allApplicationsHaveBeenReviewed}
      </EmptyState>
    )
  return (
    <EmptyState
      icon={icon}
      title={state === 'approved' ? texts.noApprovedApplicationsYet : texts.noDeclinedApplicationsYet}
    >
      {state === 'approved' ? texts.approvedApplicationsAppearHere : texts.declinedApplicationsAppearHere}
    </EmptyState>
  )
}

const CARDS = 4

const ToCome = () => (
  <ol className={lists.cards} aria-busy aria-label={texts.loadingApplications}>
    {Array.from({ length: CARDS }, (_, i) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: identical placeholders
      <li key={i} className={lists.bone} style={{ height: 184 }} aria-hidden />
    ))}
  </ol>
)
