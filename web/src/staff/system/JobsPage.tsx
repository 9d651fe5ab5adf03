import { operations, type ReplyOf } from '@dubplate/contract'
import { Box, Button, Code, Stack, Text } from '@mantine/core'
import { IconChecks, IconPlayerPlay, IconRefresh, IconTrash } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { AgoCell, Status, TimeCell, type Tone } from '../../admin/cells.tsx'
import { PageSection } from '../../admin/PageSection.tsx'
import { type Column, ResourceTable } from '../../admin/ResourceTable.tsx'
import type { RowAction } from '../../admin/RowMenu.tsx'
import { SimpleTable } from '../../admin/SimpleTable.tsx'
import { count } from '../../format/format.ts'
import { format, rich } from '../../format/message.ts'
import { useApiQuery } from '../../platform/queries.ts'
import { refreshReplies, useApiMutation } from '../../platform/useApiMutation.ts'
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx'
import { StaffPage } from '../StaffPage.tsx'
import * as texts from './texts.ts'

type Job = operations.Job

const STATUSES: Record<Job['state'], { text: string; tone: Tone }> = {
  running: { text: texts.running, tone: 'ok' },
  waiting: { text: texts.pending, tone: 'neutral' },
  failing: { text: texts.retrying, tone: 'warning' },
  failed: { text: texts.failed, tone: 'danger' },
}

const JobStatus = ({ state }: Pick<Job, 'state'>) => <Status tone={STATUSES[state].tone}>{STATUSES[state].text}</Status>

/** The name of a task or file, with its error in full. */
const NameWithError = ({ name, error }: { name: string; error: string }) => (
  <Box py={4}>
    <b>{name}</b>
    {error && (
      <Text fz="xs" c="var(--danger)" style={{ whiteSpace: 'normal', overflowWrap: 'anywhere' }}>
        {error}
      </Text>
    )}
  </Box>
)

const attemptsText = ({ attempts, max_attempts }: Job) =>
  attempts > 0 ? format(texts.attemptsOfMaximum, { attempts, max_attempts }) : ''

const COLUMNS: Column<Job>[] = [
  {
    id: 'task',
    header: texts.task,
    width: 'auto',
    cell: ({ task, last_error }) => <NameWithError name={task} error={last_error} />,
  },
  { id: 'status', header: texts.status, width: 124, cell: JobStatus },
  { id: 'attempts', header: texts.attempts, width: 110, cell: attemptsText },
  { id: 'due', header: texts.due, width: 180, isNumeric: true, cell: ({ run_at }) => <TimeCell at={run_at} /> },
]

/** Background jobs: the queue, uploads that could not be analysed, and the schedule. */
export function JobsPage() {
  const { data } = useApiQuery(operations.getJobs, {})
  return (
    <StaffPage title={texts.jobs}>
      <Stack maw={1080} gap="lg">
        <Queue />
        {data && <OtherQueues queues={data.queues} />}
        {data && data.abandoned.length > 0 && <FailedAnalyses uploads={data.abandoned} />}
        {data && (
          <PageSection title={texts.schedule}>
            <SimpleTable
              name={texts.schedule}
              head={[texts.task, texts.nextRun]}
              rows={data.schedule.map(({ task, about, times, next_at }) => ({
                key: task,
                cells: [
                  <>
                    {task}
                    <Text fz="xs" c="dimmed">
                      {about}
                    </Text>
                  </>,
                  <>
                    {next_at && <TimeCell at={next_at} />}
                    <Text fz="xs" c="dimmed" title={texts.cronScheduleUtc}>
                      {rich(texts.cronInUtc, { times, code: (inside) => <Code>{inside}</Code> })}
                    </Text>
                  </>,
                ],
              }))}
            />
          </PageSection>
        )}
      </Stack>
    </StaffPage>
  )
}

/** The list may be outdated if a job no longer exists. */
const refreshJobs = () => void refreshReplies([operations.getJobs])

function Queue() {
  const query = useApiQuery(operations.getJobs, {})
  const { jobs, more = 0 } = query.data ?? {}
  const [discarded, setDiscarded] = useState<Job>()
  const run = useApiMutation(operations.runJobAgain, {
    success: () => ({ message: texts.jobQueued }),
    errorTitle: texts.couldntRunJob,
    invalidates: [operations.getJobs],
  })
  const discard = useApiMutation(operations.discardJob, {
    success: () => ({ message: texts.jobDiscarded }),
    invalidates: [operations.getJobs],
  })
  const runNow = ({ job_id }: Job) => run.mutate({ job_id }, { onError: refreshJobs })
  const actions: RowAction<Job>[] = [
    {
      label: texts.runNow,
      icon: IconPlayerPlay,
      key: 'r',
      isAvailable: ({ state }) => state === 'waiting',
      run: runNow,
    },
    {
      label: texts.retry,
      icon: IconRefresh,
      key: 'r',
      isAvailable: ({ state }) => state === 'failing' || state === 'failed',
      run: runNow,
    },
    {
      label: texts.discardMenuItem,
      icon: IconTrash,
      key: 'd',
      isDanger: true,
      isAvailable: ({ state }) => state !== 'running',
      run: setDiscarded,
    },
  ]
  return (
    <>
      <ResourceTable
        isEmbedded
        name={texts.queuedJobs}
        columns={COLUMNS}
        rows={jobs}
        query={query}
        errorTitle={texts.couldntLoadJobs}
        idOf={({ job_id }) => job_id}
        labelOf={({ task, state }) => `${task}, ${STATUSES[state].text}`}
        narrowRow={(job) => ({
          start: <NameWithError name={job.task} error={job.last_error} />,
          end: (
            <>
              <JobStatus state={job.state} />
              {attemptsText(job)}
              <TimeCell at={job.run_at} />
            </>
          ),
        })}
        rowActions={actions}
        empty={{ icon: <IconChecks size={24} />, title: texts.theQueueIsEmpty, text: texts.noJobsWaitingFailedJobs }}
      />
      {more > 0 && (
        <Text fz="sm" c="dimmed">
          {format(texts.moreNotShown, { more: count(more) })}
        </Text>
      )}
      {discarded && (
        <ConfirmDialog
          title={format(texts.discardTaskQuestion, discarded)}
          what={texts.thisRunIsSkippedScheduled}
          confirmLabel={texts.discard}
          isDanger
          onConfirm={() => discard.mutateAsync({ job_id: discarded.job_id }, { onError: refreshJobs })}
          onClose={() => setDiscarded(undefined)}
        />
      )}
    </>
  )
}

const QUEUES: Record<operations.WorkQueue['queue'], { name: string; to: string }> = {
  email: { name: texts.outgoingEmail, to: '/staff/outgoing-mail' },
  upload_analysis: { name: texts.analysisOfUploads, to: '/staff/uploads' },
  song_analysis: { name: texts.reanalysisOfSongs, to: '/staff/songs' },
  import: { name: texts.imports, to: '/staff/import' },
}

/** Work that is not a job of the queue above, with the page on which staff see and change it. */
const OtherQueues = ({ queues }: { queues: readonly operations.WorkQueue[] }) => (
  <PageSection title={texts.otherQueues}>
    <SimpleTable
      name={texts.otherQueues}
      minWidth={480}
      head={[texts.queue, texts.failed, texts.pending, texts.running, texts.oldest]}
      rows={queues.map(({ queue, waiting, running, failed, waiting_since }) => ({
        key: queue,
        cells: [
          <Link key="name" to={QUEUES[queue].to}>
            {QUEUES[queue].name}
          </Link>,
          failed > 0 ? <FailedCount key="failed" failed={failed} /> : count(0),
          count(waiting),
          count(running),
          waiting_since ? <AgoCell key="since" at={waiting_since} /> : '',
        ],
      }))}
    />
  </PageSection>
)

const FailedCount = ({ failed }: { failed: number }) => (
  <Text span fz="sm" c="var(--danger)" fw={520}>
    {count(failed)}
  </Text>
)

type FailedUpload = ReplyOf<typeof operations.getJobs>['abandoned'][number]

/** Uploads whose analysis failed, and is not repeated automatically. */
function FailedAnalyses({ uploads }: { uploads: readonly FailedUpload[] }) {
  const analyse = useApiMutation(operations.analyseAgain, {
    success: () => ({ message: texts.queuedForAnalysis }),
    errorTitle: texts.couldntReAnalyse,
    invalidates: [operations.getJobs],
  })
  return (
    <PageSection title={texts.failedAnalyses}>
      <SimpleTable
        name={texts.failedAnalyses}
        head={[texts.file, texts.member, texts.time, '']}
        rows={uploads.map(({ upload_id, name, error_message, customer, at }) => ({
          key: String(upload_id),
          cells: [
            <NameWithError key="name" name={name} error={error_message} />,
            <Link key="member" to="/staff/members/$customerId" params={{ customerId: customer.customer_id }}>
              {customer.dj_name}
            </Link>,
            <AgoCell key="time" at={at} />,
            <Button
              key="analyse"
              variant="default"
              size="xs"
              aria-label={format(texts.reAnalyseLabel, { name })}
              loading={analyse.isPending && analyse.variables.upload_id === upload_id}
              onClick={() => analyse.mutate({ upload_id }, { onError: refreshJobs })}
            >
              {texts.reAnalyse}
            </Button>,
          ],
        }))}
      />
    </PageSection>
  )
}
