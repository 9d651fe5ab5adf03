import { operations, type ReplyOf } from '@dubplate/contract'
import { IconChecks } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { callApi } from '../../platform/api.ts'
import { ErrorState } from '../../platform/ErrorState.tsx'
import { count, formatExactDate } from '../../platform/format.ts'
import { format, rich } from '../../platform/message.ts'
import { queryClient, useApiQuery } from '../../platform/queries.ts'
import { formatTimeAgo, useCurrentMinute } from '../../platform/timeAgo.ts'
import { Button } from '../../ui/Button.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { lazyOnDemand } from '../../ui/lazyOnDemand.tsx'
import { SectionHead } from '../../ui/SectionHead.tsx'
import { toast, toastError } from '../../ui/toast.ts'
import keys from '../Keys.module.css'
import lists from '../Lists.module.css'
import { momentInWords } from '../moments.ts'
import { queueKeys } from '../queueKeys.ts'
import { StaffPage } from '../StaffPage.tsx'
import css from './Jobs.module.css'
import * as texts from './texts.ts'

const ThrowAway = lazyOnDemand(() => import('./ThrowAway.tsx').then((code) => code.ThrowAway))

/** Background jobs. */
export const Jobs = () => (
  <StaffPage title={texts.jobs}>
    <Work />
  </StaffPage>
)

type Shown = ReplyOf<typeof operations.getJobs>

function Work() {
  const { data, error, refetch } = useApiQuery(operations.getJobs, {})
  if (!data)
    return error ? <ErrorState error={error} subject={texts.jobsInSentence} retry={() => void refetch()} /> : <ToCome />
  return (
    <>
      <Queue jobs={data.jobs} more={data.more} />
      {data.abandoned.length > 0 && <GivenUp uploads={data.abandoned} />}
      <Timetable lines={data.schedule} />
    </>
  )
}

const askAnew = () => queryClient.invalidateQueries({ queryKey: [operations.getJobs.path] })

function Queue({ jobs, more }: Pick<Shown, 'jobs' | 'more'>) {
  return (
    <section className={lists.part} aria-labelledby="queue">
      <SectionHead id="queue" title={texts.queue} />
      {jobs.length === 0 && (
        <EmptyState icon={<IconChecks size={24} />} title={texts.theQueueIsEmpty}>
          {texts.noJobsWaitingFailedJobs}
        </EmptyState>
      )}
      {jobs.length > 0 && (
        <>
          <ol className={lists.cards} aria-label={texts.queuedJobs} {...queueKeys}>
            {jobs.map((job) => (
              <JobCard key={job.job_id} job={job} />
            ))}
          </ol>
          {more > 0 && <p className={lists.note}>{format(texts.moreNotShown, { more: count(more) })}</p>}
          <p className={keys.keys}>
            {rich(texts.shortcutsJKMoveR, {
              kbd: (inside) => <kbd>{inside}</kbd>,
              kbd2: (inside) => <kbd>{inside}</kbd>,
              kbd3: (inside) => <kbd>{inside}</kbd>,
              kbd4: (inside) => <kbd>{inside}</kbd>,
            })}
          </p>
        </>
      )}
    </section>
  )
}

const STATE_WORDS: Record<operations.Job['state'], string> = {
  running: texts.running,
  waiting: texts.pending,
  failing: texts.retrying,
  failed: texts.failed,
}

function JobCard({ job }: { job: operations.Job }) {
  const { job_id, task, state, attempts, max_attempts, run_at, last_error } = job
  const [isBusy, setBusy] = useState(false)
  const [isAsked, setAsked] = useState(false)
  const runAgain = async () => {
    setBusy(true)
    try {
      await callApi(operations.runJobAgain, { job_id })
      void toast({ message: format(texts.queued, { task }) })
    } catch (error) {
      void toastError(format(texts.couldntRun, { task }), error)
    }
    setBusy(false)
    await askAnew()
  }
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: the keys of the list move the focus between items
    <li className={lists.card} data-item tabIndex={0} aria-label={`${task}, ${STATE_WORDS[state]}`}>
      <header className={css.head}>
        <h3>{task}</h3>
        <b data-state={state}>{STATE_WORDS[state]}</b>
      </header>
      <p className={lists.facts}>
        <span>
          {rich(texts.due, {
            run_at: momentInWords(run_at),
            time: (inside) => (
              <time dateTime={run_at} title={formatExactDate(run_at)}>
                {inside}
              </time>
            ),
          })}
        </span>
        {attempts > 0 && (
          <span>{rich(texts.attemptOf, { attempts, b: (inside) => <b>{inside}</b>, max_attempts })}</span>
        )}
      </p>
      {last_error && <p className={lists.trouble}>{last_error}</p>}
      {state !== 'running' && (
        <div className={lists.actions}>
          <Button
            data-key="r"
            busy={isBusy}
            aria-label={format(texts.runTaskNowLabel, { task })}
            onClick={() => void runAgain()}
          >
            {state === 'waiting' ? texts.runNow : texts.retry}
          </Button>
          <Button
            data-key="d"
            variant="danger"
            aria-label={format(texts.discardTaskLabel, { task })}
            onClick={() => setAsked(true)}
          >
            {texts.discardMenuItem}
          </Button>
        </div>
      )}
      {isAsked && <ThrowAway job={job} onClose={() => setAsked(false)} onDone={askAnew} />}
    </li>
  )
}

function GivenUp({ uploads }: { uploads: Shown['abandoned'] }) {
  const now = useCurrentMinute()
  return (
    <section className={lists.part} aria-labelledby="given-up">
      <SectionHead id="given-up" title={texts.failedAnalyses} />
      <ol className={lists.cards} aria-labelledby="given-up">
        {uploads.map(({ upload_id, name, error_message, customer, at }) => (
          <li key={upload_id} className={lists.card}>
            <header className={css.head}>
              <h3>{name}</h3>
              <time dateTime={at} title={formatExactDate(at)}>
                {formatTimeAgo(at, now)}
              </time>
            </header>
            <p className={lists.facts}>
              <Link to="/staff/members/$customerId" params={{ customerId: customer.customer_id }}>
                {customer.dj_name}
              </Link>
            </p>
            {error_message && <p className={lists.trouble}>{error_message}</p>}
            <div className={lists.actions}>
              <AnalyseAgain uploadId={upload_id} name={name} />
            </div>
          </li>
        ))}
      </ol>
    </section>
  )
}

function AnalyseAgain({ uploadId, name }: { uploadId: number; name: string }) {
  const [isBusy, setBusy] = useState(false)
  const again = async () => {
    setBusy(true)
    try {
      await callApi(operations.analyseAgain, { upload_id: uploadId })
      void toast({ message: format(texts.queuedForAnalysis, { name }) })
    } catch (error) {
      void toastError(format(texts.couldntReAnalyse, { name }), error)
    }
    setBusy(false)
    await askAnew()
  }
  return (
    <Button busy={isBusy} aria-label={format(texts.reAnalyseLabel, { name })} onClick={() => void again()}>
      {texts.reAnalyse}
    </Button>
  )
}

const Timetable = ({ lines }: { lines: Shown['schedule'] }) => (
  <section className={lists.part} aria-labelledby="timetable">
    <SectionHead id="timetable" title={texts.schedule} />
    <ul className={css.timetable}>
      {lines.map(({ task, about, times, next_at }) => (
        <li key={task}>
          <div>
            <b>{task}</b>
            <p>{about}</p>
          </div>
          <code title={texts.cronScheduleUtc}>{times}</code>
          {next_at && (
            <time dateTime={next_at} title={formatExactDate(next_at)}>
              {momentInWords(next_at)}
            </time>
          )}
        </li>
      ))}
    </ul>
  </section>
)

const CARDS = 4

const ToCome = () => (
  <ol className={lists.cards} aria-busy aria-label={texts.loadingJobs}>
    {Array.from({ length: CARDS }, (_, i) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: identical placeholders
      <li key={i} className={lists.bone} aria-hidden />
    ))}
  </ol>
)
