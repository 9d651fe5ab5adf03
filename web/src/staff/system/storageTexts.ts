import type { dashboard, ReplyOf } from '@dubplate/contract'
import { formatExactDate } from '../../format/format.ts'
import { format } from '../../format/message.ts'
import * as texts from './texts.ts'

export type StorageReport = ReplyOf<typeof dashboard.getStorage>

export const KIND_NAMES: Record<dashboard.StoredKind, string> = {
  originals: texts.originals,
  previews: texts.previews,
  conversions: texts.convertedFiles,
  pictures: texts.pictures,
  attachments: texts.ticketAttachments,
  waveforms: texts.waveformsInTheDatabase,
  unfinished: texts.uploadsInProgress,
  in_the_making: texts.temporaryFiles,
}

/** Age of the newest backup; undefined when there is none. */
export function newestBackupTime(backups: readonly dashboard.Backup[]): string | undefined {
  const moments = backups.flatMap(({ taken_at }) => taken_at ?? [])
  return moments.sort().at(-1)
}

/** Whether a backup was verified since it was made, in words. */
export function describeVerification({
  checked_at,
  check_error,
}: Pick<dashboard.Backup, 'checked_at' | 'check_error'>): string {
  if (checked_at === null) return texts.notVerified
  return check_error === '' ? texts.verified : texts.damaged
}

/** Names of damaged files that belong to no song. */
export const KIND_OF_FILE: Record<StorageReport['damaged_files'][number]['stored_as'], string> = {
  audio: texts.original,
  previews: texts.preview,
  images: texts.picture,
  attachments: texts.ticketAttachment,
}

/** Progress of the check of stored files. */
export function describeFileCheck(scrub: StorageReport['scrub']): string {
  if (!scrub) return texts.missingAndTruncatedFilesAre
  const { days, last_run_at, finished_at, done } = scrub
  const every = format(texts.workersReadEveryStoredFile, { days })
  if (!last_run_at) return `${every} ${texts.theFirstPartIsRead}`
  const last = format(texts.lastRunOfThisRound, {
    last_run_at: formatExactDate(last_run_at),
    percent: Math.round(done * 100),
  })
  const round = finished_at && format(texts.lastCompleteRoundEnded, { time: formatExactDate(finished_at) })
  return [every, last, round].filter(Boolean).join(' ')
}

/** The schedule of automatic backups. */
export function describeSchedule(schedule: StorageReport['schedule']): string {
  if (!schedule) return texts.scheduledBackupsAreOffBackup
  const { time, daily, weekly } = schedule
  return weekly > 0
    ? format(texts.backupsKeptDailyAndWeekly, { time, daily, weekly })
    : format(texts.backupsKeptDaily, { time, daily })
}
