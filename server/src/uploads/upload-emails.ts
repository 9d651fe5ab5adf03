import { type EmailContent, renderEmail, type Sender } from '../platform/email-template.ts'
import type { Settings } from '../platform/settings.ts'

/** The recipient of an email. */
export type UploaderContact = { email: string; dj_name: string }

const LIST_PATH = '/uploads/index'

type SongName = { title: string; artist: string }
const quoteTitle = ({ title, artist }: SongName): string => `“${title}” by ${artist}`

export const songPublishedEmail = (
  sender: Sender,
  { email: to, dj_name }: UploaderContact,
  song: SongName & { isNew: boolean; entityId: number },
): EmailContent =>
  renderEmail(sender, {
    to,
    subject: song.isNew ? `“${song.title}” has been published` : `Your changes to “${song.title}” have been published`,
    lines: [
      `Hi ${dj_name},`,
      song.isNew
        ? `${quoteTitle(song)} has been approved and published. Members can now listen to it and download it.`
        : `Your changes to ${quoteTitle(song)} have been approved and published.`,
    ],
    button: { label: 'View song', url: `${sender.publicUrl}/song/${song.entityId}` },
  })

export const songDeclinedEmail = (
  sender: Sender,
  { email: to, dj_name }: UploaderContact,
  song: SongName & { reason: string; upload_song_id: number; entity_id: number | null },
): EmailContent =>
  renderEmail(sender, {
    to,
    subject: song.entity_id === null ? `“${song.title}” was declined` : `Your changes to “${song.title}” were declined`,
    lines: [
      `Hi ${dj_name},`,
      `We’ve reviewed ${quoteTitle(song)} and declined ${song.entity_id === null ? 'it' : 'your changes. The published version hasn’t changed'}. Reason:`,
      song.reason,
      'You can edit the song and submit it for review again.',
    ],
    button: { label: 'Edit song', url: `${sender.publicUrl}/uploads/edit-song/${song.upload_song_id}` },
  })

type ExpiringSong = SongName & { expires_at: Date }

const formatDay = (date: Date): string =>
  date.toLocaleDateString('en-GB', { day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC' })

/** One email for all of a member's songs that expire within a week. */
export const songsExpiringEmail = (
  { emailSender: sender, uploadDays }: Pick<Settings, 'emailSender' | 'uploadDays'>,
  { email: to, dj_name }: UploaderContact,
  songs: readonly ExpiringSong[],
): EmailContent =>
  renderEmail(sender, {
    to,
    subject: songs.length === 1 ? `“${songs[0]?.title}” expires soon` : `${songs.length} of your songs expire soon`,
    lines: [
      `Hi ${dj_name},`,
      songs.length === 1 ? 'One of your songs expires soon:' : 'Some of your songs expire soon:',
      ...songs.map((song) => `${quoteTitle(song)}: ${formatDay(song.expires_at)}`),
      `To keep a song published, renew it in your uploads. It then stays published for ${uploadDays === 1 ? '1 day' : `${uploadDays} days`} from the day you renew it.`,
    ],
    button: { label: 'My uploads', url: `${sender.publicUrl}${LIST_PATH}` },
  })
