import type { desk } from '@dubplate/contract'

export const KIND_NAMES: Record<desk.KindKept, string> = {
  originals: 'Originals',
  previews: 'Previews',
  pictures: 'Pictures',
  attachments: 'Attachments of tickets',
  waveforms: 'Waveforms (in the database)',
  unfinished: 'Uploads under way',
  in_the_making: 'Files in the making',
}

/** How old the newest of the backups is; undefined where there is none. */
export function newestOf(backups: readonly desk.Backup[]): string | undefined {
  const moments = backups.flatMap(({ taken_at }) => taken_at ?? [])
  return moments.sort().at(-1)
}

/** Whether a backup was read through since, in words. */
export function checkInWords({ checked_at, check_trouble }: Pick<desk.Backup, 'checked_at' | 'check_trouble'>): string {
  if (checked_at === null) return 'Not read through yet'
  return check_trouble === '' ? 'Read through: whole' : 'Read through: damaged'
}
