import { operations, type ReplyOf, staff } from '@dubplate/contract'
import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { fakeApi } from '../../../test/fakeApi.ts'
import { openApp, signInAs } from '../../../test/openApp.tsx'
import { makeProfile } from '../../../test/samples.ts'
import { makeDashboard, makeJob } from '../../../test/staffSamples.ts'

const queue = page.getByRole('region', { name: 'Queued jobs' })
const row = (name: string) => queue.getByRole('row', { name, exact: true })

const SCHEDULE = [
  { task: 'measure-storage', about: 'Measures storage.', times: '0 3 * * *', next_at: '2026-11-24T03:00:00Z' },
]

async function openJobs(reply: Partial<ReplyOf<typeof operations.getJobs>>) {
  signInAs(makeProfile({ staff_role: 'admin' }))
  fakeApi.reply(staff.getDashboard, makeDashboard())
  fakeApi.reply(operations.getJobs, { schedule: SCHEDULE, ...reply })
  await openApp('/staff/jobs')
}

test('shows the state, attempts and error of each job, and how many are not shown', async () => {
  const failed = makeJob({ task: 'send-email', state: 'failed', attempts: 5, max_attempts: 5, last_error: 'No route' })
  await openJobs({ jobs: [failed, makeJob({ task: 'back-up', state: 'running' })], more: 12 })
  await expect.element(row('send-email, Failed')).toHaveTextContent(/No route.*5 of 5/)
  await expect.element(page.getByText('12 more not shown.')).toBeVisible()
  await expect.element(queue.getByRole('button', { name: 'Actions for send-email, Failed' })).toBeVisible()
  await expect.element(queue.getByRole('button', { name: 'Actions for back-up, Running' })).not.toBeInTheDocument()
})

test('retries a job with R, and discards it with D once that is confirmed', async () => {
  await openJobs({ jobs: [makeJob({ job_id: 7, task: 'send-email', state: 'failing' })] })
  await expect.element(row('send-email, Retrying')).toBeVisible()
  row('send-email, Retrying').element().focus()
  await userEvent.keyboard('r')
  await expect.poll(() => fakeApi.inputsOf(operations.runJobAgain)).toEqual([{ job_id: 7 }])
  await userEvent.keyboard('d')
  const dialog = page.getByRole('dialog', { name: 'Discard send-email?' })
  await expect.element(dialog.getByRole('button', { name: 'Cancel' })).toHaveFocus()
  expect(fakeApi.inputsOf(operations.discardJob)).toEqual([])
  await dialog.getByRole('button', { name: 'Discard' }).click()
  await expect.poll(() => fakeApi.inputsOf(operations.discardJob)).toEqual([{ job_id: 7 }])
  await expect.element(dialog).not.toBeInTheDocument()
})

test('loads the queue again when a job no longer exists', async () => {
  await openJobs({ jobs: [makeJob({ task: 'send-email', state: 'waiting' })] })
  fakeApi.rejectWith(operations.runJobAgain, { code: 'unknown_job', message: 'This job no longer exists.' })
  await queue.getByRole('button', { name: 'Actions for send-email, Pending' }).click()
  fakeApi.reply(operations.getJobs, { jobs: [], schedule: SCHEDULE })
  await page.getByRole('menuitem', { name: 'Run now' }).click()
  await expect.element(page.getByText('This job no longer exists.')).toBeVisible()
  await expect.element(queue.getByRole('heading', { name: 'The queue is empty' })).toBeVisible()
})

test('analyses a failed file again', async () => {
  const customer = { customer_id: 3, dj_name: 'DJ Marlow' }
  const upload = { upload_id: 9, name: 'mix.wav', error_message: 'Not audio', customer, at: '2026-11-20T10:00:00Z' }
  await openJobs({ abandoned: [upload] })
  const failed = page.getByRole('table').filter({ hasText: 'mix.wav' })
  await expect.element(failed.getByRole('link', { name: 'DJ Marlow' })).toHaveAttribute('href', '/staff/members/3')
  await failed.getByRole('button', { name: 'Re-analyse mix.wav' }).click()
  await expect.poll(() => fakeApi.inputsOf(operations.analyseAgain)).toEqual([{ upload_id: 9 }])
})

test('lists the schedule', async () => {
  await openJobs({})
  await expect
    .element(page.getByRole('row', { name: 'measure-storage' }))
    .toHaveTextContent(/Measures storage.*0 3 \* \* \*/)
})

test('offers to try again when jobs cannot be loaded', async () => {
  signInAs(makeProfile({ staff_role: 'admin' }))
  fakeApi.reply(staff.getDashboard, makeDashboard())
  fakeApi.rejectWith(operations.getJobs, { code: 'internal_error', message: 'Something went wrong.' })
  await openApp('/staff/jobs')
  await expect.element(page.getByRole('heading', { name: 'Couldn’t load jobs' })).toBeVisible()
  fakeApi.reply(operations.getJobs, { schedule: SCHEDULE })
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect.element(page.getByRole('row', { name: 'measure-storage' })).toBeVisible()
})

test('shows the lengths of the other queues, each with a link to its page', async () => {
  const queues: operations.WorkQueue[] = [
    { queue: 'email', waiting: 12, running: 0, failed: 3, waiting_since: '2026-11-20T10:00:00Z' },
    { queue: 'import', waiting: 0, running: 1, failed: 0, waiting_since: null },
  ]
  await openJobs({ queues })
  const other = page.getByRole('table', { name: 'Other queues' })
  await expect.element(other.getByRole('row', { name: 'Email' })).toHaveTextContent(/^Email3120\S/)
  await expect.element(other.getByRole('row', { name: 'Imports' })).toHaveTextContent(/^Imports001$/)
  await expect.element(other.getByRole('link', { name: 'Email' })).toHaveAttribute('href', '/staff/outgoing-mail')
})
