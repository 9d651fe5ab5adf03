import { operations } from '@dubplate/contract'
import { IconDownload, IconHistory } from '@tabler/icons-react'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { callApi } from '../platform/api.ts'
import { isReversedRange, parseDay } from '../platform/dates.ts'
import { ErrorState } from '../platform/ErrorState.tsx'
import { count } from '../platform/format.ts'
import { format, rich } from '../platform/message.ts'
import { useApiQuery } from '../platform/queries.ts'
import { saveAs } from '../platform/saveAs.ts'
import { Button } from '../ui/Button.tsx'
import { DayRange, InvalidRange, NoResultsInRange } from '../ui/DayRange.tsx'
import { EmptyState } from '../ui/EmptyState.tsx'
import { Pagination } from '../ui/Pagination.tsx'
import { SearchField } from '../ui/SearchField.tsx'
import { toast, toastError } from '../ui/toast.ts'
import { AuditLine } from './AuditLine.tsx'
import css from './AuditLog.module.css'
import { Choice } from './Choice.tsx'
import keys from './Keys.module.css'
import lists from './Lists.module.css'
import { queueKeys } from './queueKeys.ts'
import { StaffPage } from './StaffPage.tsx'
import * as texts from './texts.ts'

export const AuditLog = () => (
  <StaffPage title={texts.auditLog}>
    <Log />
  </StaffPage>
)

const icon = <IconHistory size={24} />

/** The filters in the URL, as the API takes them. */
function useFilters() {
  const { who, action, subject, from, to } = useSearch({ from: '/staff/audit' })
  return {
    staff_id: who,
    action: action ?? '',
    subject: subject ?? '',
    from: parseDay(from),
    to: parseDay(to),
  }
}

function Log() {
  const { page = 1, from, to } = useSearch({ from: '/staff/audit' })
  const filters = useFilters()
  const isNoRange = isReversedRange({ from, to })
  const asked = useApiQuery(operations.getAudit, { ...filters, page }, { keepPrevious: true, enabled: !isNoRange })
  const { data, error, isPlaceholderData, refetch } = asked
  const deeds = isNoRange ? undefined : data?.entries
  const isNarrowed = Object.values(filters).some(Boolean)
  return (
    <>
      <Filters people={data?.people ?? []} actions={data?.actions ?? []} total={data?.pagination.totalCount} />
      {isNoRange && <InvalidRange icon={icon} />}
      {error && !data && !isNoRange && (
        <ErrorState error={error} subject={texts.theAuditLog} retry={() => void refetch()} />
      )}
      {!data && !error && !isNoRange && <ToCome />}
      {deeds?.length === 0 &&
        (isNarrowed ? (
          <NoResultsInRange icon={icon} title={texts.noMatchingEntries}>
            {texts.tryADifferentSearchOrClear}
          </NoResultsInRange>
        ) : (
          <EmptyState icon={icon} title={texts.noActivityYet}>
            {texts.everythingStaffDoInThe}
          </EmptyState>
        ))}
      {data && deeds && deeds.length > 0 && (
        <>
          <ol
            className={lists.rows}
            data-wide
            aria-label={texts.auditLogEntries}
            aria-busy={isPlaceholderData || undefined}
            {...queueKeys}
          >
            {deeds.map((deed) => (
              <AuditLine key={deed.audit_id} deed={deed} />
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

type Choices = {
  people: { customer_id: number; dj_name: string }[]
  actions: string[]
  total: number | undefined
}

function Filters({ people, actions, total }: Choices) {
  const { who, action, subject, from, to } = useSearch({ from: '/staff/audit' })
  const navigate = useNavigate({ from: '/staff/audit' })
  const change = (fields: { who?: number; action?: string; subject?: string }, replace = false) =>
    void navigate({ search: ({ page: _, ...was }) => ({ ...was, ...fields }), replace, resetScroll: false })
  return (
    <search className={css.filters}>
      <div className={css.fields}>
        <Choice
          label={texts.staffMember}
          chosen={String(who ?? '')}
          choices={people.map(({ customer_id, dj_name }) => [String(customer_id), dj_name])}
          onChoose={(id) => change({ who: Number(id) || undefined } as { who?: number })}
        />
        <Choice
          label={texts.action}
          chosen={action ?? ''}
          choices={actions.map((action) => [action, action])}
          onChoose={(action) => change({ action: action || undefined } as { action?: string })}
        />
        <div className={css.subject}>
          <SearchField
            label={texts.subjectPlaceholder}
            value={subject ?? ''}
            onSearch={(subject) => change({ subject } as { subject?: string }, true)}
          />
        </div>
      </div>
      <DayRange
        range={{ from, to }}
        onChange={({ from, to }, replace) =>
          void navigate({ search: ({ page: _, ...was }) => ({ ...was, from, to }), replace, resetScroll: false })
        }
      >
        <Export total={total} />
      </DayRange>
    </search>
  )
}

/** Downloads the log as a spreadsheet. */
function Export({ total }: { total: number | undefined }) {
  const filters = useFilters()
  const [isBusy, setBusy] = useState(false)
  const send = async () => {
    setBusy(true)
    try {
      const { url, file } = await callApi(operations.getAuditFile, filters)
      saveAs(url, file)
      void toast({ title: texts.downloadStarted, message: file })
    } catch (error) {
      void toastError(texts.couldntExportTheAuditLog, error)
    }
    setBusy(false)
  }
  return (
    <Button busy={isBusy} disabled={!total} onClick={() => void send()}>
      <IconDownload size={16} aria-hidden />
      {total ? format(texts.exportAsCsv, { total: count(total) }) : texts.exportCsv}
    </Button>
  )
}

const LINES = 10

const ToCome = () => (
  <ol className={lists.rows} data-wide aria-busy aria-label={texts.loadingAuditLog}>
    {Array.from({ length: LINES }, (_, i) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: identical placeholders
      <li key={i} className={css.bone} aria-hidden />
    ))}
  </ol>
)
