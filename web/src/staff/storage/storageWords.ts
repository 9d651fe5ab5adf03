import type { desk, ReplyOf } from '@dubplate/contract'
import { plural } from '../../platform/format.ts'
import { momentInWords } from '../moments.ts'

type Shown = ReplyOf<typeof desk.getStorage>

export const KIND_NAMES: Record<desk.KindKept, string> = {
  originals: 'Originals',
  previews: 'Previews',
  pictures: 'Pictures',
  attachments: 'Ticket attachments',
  waveforms: 'Waveforms (in the database)',
  unfinished: 'Uploads in progress',
  in_the_making: 'Temporary files',
}

/** How old the newest of the backups is; undefined where there is none. */
export function newestOf(backups: readonly desk.Backup[]): string | undefined {
  const moments = backups.flatMap(({ taken_at }) => taken_at ?? [])
  return moments.sort().at(-1)
}

/** Whether a backup was read through since, in words. */
export function checkInWords({ checked_at, check_trouble }: Pick<desk.Backup, 'checked_at' | 'check_trouble'>): string {
  if (checked_at === null) return 'Not verified'
  return check_trouble === '' ? 'Verified' : 'Damaged'
}

/** A damaged file that belongs to no song. */
export const KIND_OF_FILE: Record<Shown['damaged_files'][number]['stored_as'], string> = {
  audio: 'Original',
  previews: 'Preview',
  images: 'Picture',
  attachments: 'Ticket attachment',
}

/** How far the workers have read through the stored files. */
export function scrubInWords(scrub: Shown['scrub']): string {
  if (!scrub)
    return 'Missing and truncated files are found every night. Set SCRUB_DAYS to have the content of every file read too.'
  const { days, last_run_at, finished_at, done } = scrub
  const every = `Workers read every stored file once in ${plural(days, 'day')}, a part each night.`
  if (!last_run_at) return `${every} The first part is read tonight.`
  const last = `Last run ${momentInWords(last_run_at)}, ${Math.round(done * 100)}% of this round done.`
  return `${every} ${last}${finished_at ? ` The last complete round ended ${momentInWords(finished_at)}.` : ''}`
}

/** When workers make backups by themselves. */
export function scheduleInWords(schedule: Shown['schedule']): string {
  if (!schedule) return 'Scheduled backups are off (BACKUP_TIME=off).'
  const { time, daily, weekly } = schedule
  const weeks = weekly > 0 ? ` and the last of ${plural(weekly, 'week')}` : ''
  return `A backup is made every day at ${time} UTC. The last of ${plural(daily, 'day')}${weeks} are kept; the ones you start here are never removed.`
}
