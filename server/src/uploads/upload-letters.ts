import { type Letter, type Sender, writeLetter } from '../platform/letter.ts'
import type { Settings } from '../platform/settings.ts'

/** Whom a letter is for. */
export type Told = { email: string; dj_name: string }

const LIST = '/uploads/index'

type Named = { title: string; artist: string }
const inQuotes = ({ title, artist }: Named): string => `“${title}” by ${artist}`

export const songPublished = (
  sender: Sender,
  { email: to, dj_name }: Told,
  song: Named & { isNew: boolean; entityId: number },
): Letter =>
  writeLetter(sender, {
    to,
    subject: song.isNew ? `“${song.title}” is in the pool` : `Your change of “${song.title}” is in the pool`,
    lines: [
      `Hello ${dj_name},`,
      song.isNew
        ? `${inQuotes(song)} was looked at and is in the pool now. Members can hear and download it.`
        : `what you changed of ${inQuotes(song)} was looked at, and the pool shows it now.`,
    ],
    button: { label: 'See it', url: `${sender.publicUrl}/song/${song.entityId}` },
  })

export const songRefused = (
  sender: Sender,
  { email: to, dj_name }: Told,
  song: Named & { reason: string; upload_song_id: number; entity_id: number | null },
): Letter =>
  writeLetter(sender, {
    to,
    subject: song.entity_id === null ? `“${song.title}” was not taken` : `Your change of “${song.title}” was not taken`,
    lines: [
      `Hello ${dj_name},`,
      `${inQuotes(song)} was looked at and not taken into the pool${song.entity_id === null ? '' : ' as you changed it; it stays there as it was'}. The reason:`,
      song.reason,
      'You can change it and save it again; it is then looked at once more.',
    ],
    button: { label: 'Change it', url: `${sender.publicUrl}/uploads/edit-song/${song.upload_song_id}` },
  })

type Leaving = Named & { expires_at: Date }

const dayOf = (date: Date): string =>
  date.toLocaleDateString('en-GB', { day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' })

/** One letter for all songs of a member that leave the pool within a week. */
export const songsLeave = (
  { letterhead: sender, uploadDays }: Pick<Settings, 'letterhead' | 'uploadDays'>,
  { email: to, dj_name }: Told,
  songs: readonly Leaving[],
): Letter =>
  writeLetter(sender, {
    to,
    subject:
      songs.length === 1
        ? `“${songs[0]?.title}” leaves the pool soon`
        : `${songs.length} of your songs leave the pool soon`,
    lines: [
      `Hello ${dj_name},`,
      songs.length === 1 ? 'one of your songs leaves the pool soon:' : 'some of your songs leave the pool soon:',
      ...songs.map((song) => `${inQuotes(song)}: ${dayOf(song.expires_at)}`),
      `If it should stay, renew it in your list; that gives it another ${uploadDays === 1 ? 'day' : `${uploadDays} days`}.`,
    ],
    button: { label: 'My uploads', url: `${sender.publicUrl}${LIST}` },
  })
