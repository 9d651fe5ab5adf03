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
    subject: song.isNew ? `“${song.title}” has been published` : `Your changes to “${song.title}” have been published`,
    lines: [
      `Hi ${dj_name},`,
      song.isNew
        ? `${inQuotes(song)} has been approved and published. Members can now listen to it and download it.`
        : `Your changes to ${inQuotes(song)} have been approved and published.`,
    ],
    button: { label: 'View song', url: `${sender.publicUrl}/song/${song.entityId}` },
  })

export const songRefused = (
  sender: Sender,
  { email: to, dj_name }: Told,
  song: Named & { reason: string; upload_song_id: number; entity_id: number | null },
): Letter =>
  writeLetter(sender, {
    to,
    subject: song.entity_id === null ? `“${song.title}” was declined` : `Your changes to “${song.title}” were declined`,
    lines: [
      `Hi ${dj_name},`,
      `We’ve reviewed ${inQuotes(song)} and declined ${song.entity_id === null ? 'it' : 'your changes. The published version hasn’t changed'}. Reason:`,
      song.reason,
      'You can edit the song and submit it for review again.',
    ],
    button: { label: 'Edit song', url: `${sender.publicUrl}/uploads/edit-song/${song.upload_song_id}` },
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
    subject: songs.length === 1 ? `“${songs[0]?.title}” expires soon` : `${songs.length} of your songs expire soon`,
    lines: [
      `Hi ${dj_name},`,
      songs.length === 1 ? 'One of your songs expires soon:' : 'Some of your songs expire soon:',
      ...songs.map((song) => `${inQuotes(song)}: ${dayOf(song.expires_at)}`),
      `To keep a song published, renew it in your uploads. This extends it by ${uploadDays === 1 ? '1 day' : `${uploadDays} days`}.`,
    ],
    button: { label: 'My uploads', url: `${sender.publicUrl}${LIST}` },
  })
