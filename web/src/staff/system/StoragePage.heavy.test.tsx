import { dashboard, staff } from '@dubplate/contract'
import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { fakeApi } from '../../../test/fakeApi.ts'
import { openApp, signInAs } from '../../../test/openApp.tsx'
import { makeProfile } from '../../../test/samples.ts'
import { makeBackup, makeDashboard, makeMeasurement } from '../../../test/staffSamples.ts'
import type { StorageReport } from './storageTexts.ts'

const section = (name: string) => page.getByRole('region', { name, exact: true }).first()
const hoursAgo = (hours: number) => new Date(Date.now() - hours * 3_600_000).toISOString()

async function openStorage(report: Partial<StorageReport> = {}) {
  signInAs(makeProfile({ staff_role: 'admin' }))
  fakeApi.reply(staff.getDashboard, makeDashboard())
  fakeApi.reply(dashboard.getStorage, { backup_days: 2, ...report })
  await openApp('/staff/storage')
}

test('measures storage on request, and then lists files and tables by size', async () => {
  await openStorage({ measured: null })
  await expect.element(section('Usage')).toHaveTextContent('Not measured yet')
  fakeApi.reply(dashboard.getStorage, { is_measuring: true })
  await section('Usage').getByRole('button', { name: 'Measure now' }).click()
  await expect.element(section('Usage').getByRole('button', { name: 'Measuring…' })).toBeDisabled()
  expect(fakeApi.inputsOf(dashboard.measureStorage)).toEqual([{}])
  // Polled more often while something is in progress.
  fakeApi.reply(dashboard.getStorage, { measured: makeMeasurement({ missing: 2 }) })
  const kinds = page.getByRole('table', { name: 'By type' })
  await expect.element(kinds.getByRole('row', { name: 'Originals' })).toHaveTextContent('1,204')
  await expect
    .element(page.getByRole('table', { name: 'Largest database tables' }).getByRole('row', { name: 'Total' }))
    .toBeVisible()
  await expect.element(page.getByText('2 files missing from storage.')).toBeVisible()
})

test('moves through the growth of storage with the arrow keys', async () => {
  const growth = [
    { day: '2026-11-18', store_bytes: 1_000_000, database_bytes: 50_000 },
    { day: '2026-11-19', store_bytes: 3_000_000, database_bytes: 60_000 },
  ]
  await openStorage({ measured: makeMeasurement(), growth })
  await expect.element(page.getByText(/^\+2(\.0)? MB since/)).toBeVisible()
  const points = page.getByRole('group', { name: 'Size per day' }).getByRole('img')
  points.nth(1).element().focus()
  await userEvent.keyboard('{ArrowLeft}')
  await expect.element(points.nth(0)).toHaveFocus()
})

test('lists damaged and missing files with their paths', async () => {
  const sha256 = 'abcd'.padEnd(64, '0')
  await openStorage({
    damaged_files: [{ stored_as: 'images', sha256, kind: 'altered', found_at: hoursAgo(3), song: null }],
    missing_originals: [
      { file_id: 1, sha256, missing_since: hoursAgo(3), song: 'Nightdrive', bytes: 100, found_bytes: 40 },
    ],
  })
  const damaged = page.getByRole('table', { name: 'File integrity' }).getByRole('row').nth(1)
  await expect.element(damaged).toHaveTextContent(/Picture.*images\/ab\/cd\/abcd.*Content changed/)
  const missing = page.getByRole('table', { name: 'Missing and damaged originals' }).getByRole('row').nth(1)
  await expect.element(missing).toHaveTextContent(/Nightdrive.*audio\/ab\/cd\/abcd.*Damaged: 40 of 100 bytes/)
})

test('warns when the disk is almost full', async () => {
  await openStorage({ place: { bucket: null, free_bytes: 5, disk_bytes: 100, is_nearly_full: true } })
  await expect.element(page.getByRole('progressbar', { name: 'Disk usage' })).toHaveAttribute('aria-valuenow', '95')
  await expect.element(page.getByText(/^The disk is almost full/)).toBeVisible()
})

test('lists backups with their state, and starts one', async () => {
  const good = makeBackup({
    folder: '/backups/b',
    taken_at: hoursAgo(3),
    checked_at: hoursAgo(1),
    copied: 3,
    files: 33,
  })
  const bad = makeBackup({ folder: '/backups/a', taken_at: null, error_message: 'No space left', is_scheduled: true })
  await openStorage({ backups: [good, bad], backup_dir: '/backups' })
  await expect.element(page.getByText('Latest backup: 3 h ago')).toBeVisible()
  const rows = page.getByRole('table', { name: 'Backups, newest first' }).getByRole('row')
  await expect.element(rows.nth(1)).toHaveTextContent(/33 files, 30 unchanged.*Verified, 1 h ago/)
  await expect.element(rows.nth(2)).toHaveTextContent(/scheduled.*No space left.*Failed/)
  fakeApi.reply(dashboard.backUp, { folder: '/backups/c' })
  await section('Backups').getByRole('button', { name: 'Back up now' }).click()
  await expect.element(page.getByText('Backup started in /backups/c')).toBeVisible()
  // The styles of toasts, loaded with the first one, leave other buttons as they are.
  expect(getComputedStyle(section('Backups').getByRole('button').first().element()).paddingLeft).toBe('18px')
})

test('warns of an old backup, and without BACKUP_DIR shows the command', async () => {
  await openStorage({ backups: [makeBackup({ taken_at: hoursAgo(80) })], is_backup_old: true })
  await expect.element(section('Backups').getByRole('alert')).toHaveTextContent(/old \(limit: 2 days\)/)
  await expect.element(page.getByText('npm run pool -- backup FOLDER')).toBeVisible()
  await expect.element(page.getByRole('button', { name: 'Back up now' })).not.toBeInTheDocument()
  await page.getByRole('button', { name: 'How to restore' }).click()
  await expect.element(page.getByText(/--dry-run/)).toBeVisible()
})

test('shows what the last check and the last rehearsal found', async () => {
  await openStorage({
    last_check: { at: hoursAgo(5), read_files: true, problems: ['The ledger does not balance.'], unnamed: 0 },
    last_rehearsal: { folder: '/backups/a', ended_at: hoursAgo(5), error_message: 'The dump is empty.' },
  })
  await expect.element(page.getByText('The ledger does not balance.')).toBeVisible()
  await expect.element(page.getByText('The dump is empty.')).toBeVisible()
})

test('offers to try again when the report cannot be loaded', async () => {
  signInAs(makeProfile({ staff_role: 'admin' }))
  fakeApi.reply(staff.getDashboard, makeDashboard())
  fakeApi.rejectWith(dashboard.getStorage, { code: 'internal_error', message: 'Something went wrong.' })
  await openApp('/staff/storage')
  await expect.element(page.getByRole('heading', { name: 'Couldn’t load storage' })).toBeVisible()
  fakeApi.reply(dashboard.getStorage, {})
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect.element(page.getByRole('heading', { name: 'Backups', exact: true })).toBeVisible()
})
