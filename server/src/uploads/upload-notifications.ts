import type { NewNotification } from '../notices/notifications.ts'

/** Decisions of one action: for each uploader the songs (upload_song_id) decided in it. */
export type DecisionBatch = Map<number, Set<number>>

type DecidedSong = {
  upload_song_id: number
  customer_id: number
  /** The song in the pool. */
  entity_id: number | null
  title: string
  /** It was not in the pool before. */
  isNew: boolean
  decision: 'published' | 'declined'
}
type NotificationContent = Omit<NewNotification, 'customer_id'>

/** The notification of a decision: several decisions in one action share one, with their number. */
export function decisionNotification(song: DecidedSong, batch: DecisionBatch = new Map()): NotificationContent {
  const songs = (batch.get(song.customer_id) ?? new Set()).add(song.upload_song_id)
  batch.set(song.customer_id, songs)
  const [first] = songs
  return {
    kind: 'upload',
    about: uploadSubject(first ?? song.upload_song_id),
    ...(songs.size > 1 ? groupedNotification(song, songs.size) : songNotification(song)),
  }
}

const songNotification = ({ upload_song_id, entity_id, title, isNew, decision }: DecidedSong) =>
  decision === 'published'
    ? {
        text: isNew ? `“${title}” has been published.` : `Your changes to “${title}” have been published.`,
        address: `/song/${entity_id}`,
      }
    : {
        text: isNew ? `“${title}” was declined.` : `Your changes to “${title}” were declined.`,
        address: `/uploads/edit-song/${upload_song_id}`,
      }

const groupedNotification = ({ decision }: DecidedSong, count: number) => ({
  text:
    decision === 'published' ? `${count} of your songs have been published.` : `${count} of your songs were declined.`,
  address: `/uploads/index?status=${decision}`,
})

/** Subject of a song's notifications, which are marked as read when the uploader opens it. */
export const uploadSubject = (uploadSongId: number): string => `upload ${uploadSongId}`

export const EXPIRY_SUBJECT = 'uploads leaving'

const formatDay = (date: Date): string =>
  date.toLocaleDateString('en-GB', { day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC' })

export function expiryNotification(songs: readonly { title: string; expires_at: Date }[]): NotificationContent {
  const [song] = songs
  return {
    kind: 'upload',
    about: EXPIRY_SUBJECT,
    text:
      songs.length === 1 && song
        ? `“${song.title}” expires on ${formatDay(song.expires_at)}.`
        : `${songs.length} of your songs expire soon.`,
    address: '/uploads/index?sort=expire_date&dir=ASC',
  }
}
