import { imports } from '@dubplate/contract'
import { IconFolder } from '@tabler/icons-react'
import { Link, useSearch } from '@tanstack/react-router'
import { ErrorState } from '../../platform/ErrorState.tsx'
import { formatExactDate } from '../../platform/format.ts'
import { useApiQuery } from '../../platform/queries.ts'
import { formatTimeAgo, useCurrentMinute } from '../../platform/timeAgo.ts'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { Pagination } from '../../ui/Pagination.tsx'
import { SectionHead } from '../../ui/SectionHead.tsx'
import lists from '../Lists.module.css'
import { StaffPage } from '../StaffPage.tsx'
import { BrowserFolder } from './BrowserFolder.tsx'
import { ImportView } from './ImportPage.tsx'
import css from './Imports.module.css'
import { isWorkedOn, outcomeOf, standingOf } from './importStatus.ts'
import { ServerFolder } from './ServerFolder.tsx'
import * as texts from './texts.ts'

/** Imports whole folders of music. */
export const ImportsPage = () => (
  <StaffPage title={texts.importLabel}>
    <Screen />
  </StaffPage>
)

function Screen() {
  const { run } = useSearch({ from: '/staff/import' })
  return run ? <ImportView key={run} runId={run} /> : <Start />
}

const LOOK_EVERY_MS = 3000

function Start() {
  const { page = 1 } = useSearch({ from: '/staff/import' })
  const { data, error, refetch } = useApiQuery(
    imports.getImports,
    { page },
    { keepPrevious: true, refetchMs: LOOK_EVERY_MS },
  )
  if (!data && error) return <ErrorState error={error} subject={texts.importsInSentence} retry={() => void refetch()} />
  return (
    <>
      <p className={lists.note}>{texts.weScanTheFolderFirst}</p>
      <div className={css.ways}>
        <ServerFolder folders={data?.folders} />
        <BrowserFolder />
      </div>
      <section className={lists.part} aria-labelledby="imports">
        <SectionHead id="imports" title={texts.importHistory} />
        {!data && <ToCome />}
        {data?.imports.length === 0 && (
          <EmptyState icon={<IconFolder size={24} />} title={texts.noImportsYet}>
            {texts.eachImportIsListedHere}
          </EmptyState>
        )}
        {data && data.imports.length > 0 && (
          <>
            <ol className={css.runs} aria-label={texts.imports}>
              {data.imports.map((run) => (
                <RunRow key={run.import_run_id} run={run} />
              ))}
            </ol>
            <Pagination pagination={data.pagination} />
          </>
        )}
      </section>
    </>
  )
}

function RunRow({ run }: { run: imports.ImportRun }) {
  const now = useCurrentMinute()
  const { import_run_id, folder, source, created_at, state, phase } = run
  const hasOutcome = !isWorkedOn(run) && state !== 'uploading' && !(state === 'failed' && phase === 'plan')
  return (
    <li className={css.run}>
      <div>
        <h3>
          <Link to="/staff/import" search={{ run: import_run_id }}>
            {folder}
          </Link>
        </h3>
        <p>
          {source === 'browser' ? texts.uploadedFromBrowser : texts.serverFolder}
          {hasOutcome && `: ${outcomeOf(run)}`}
        </p>
      </div>
      <span>{standingOf(run)}</span>
      <time dateTime={created_at} title={formatExactDate(created_at)}>
        {formatTimeAgo(created_at, now)}
      </time>
    </li>
  )
}

const ToCome = () => (
  <ol className={css.runs} aria-busy aria-label={texts.loadingImports}>
    {[1, 2, 3].map((n) => (
      <li key={n} className={css.bone} aria-hidden />
    ))}
  </ol>
)
