import type { NewNotification } from '../notices/notifications.ts'

/** What is decided in one go: of each uploader the songs (upload_song_id) so far. */
export type DecisionBatch = Map<number, Set<number>>

type DecidedSong = {
  upload_song_id: number
  customer_id: number
  /** In the pool. */
  entity_id: number | null
  title: string
  /** It did not stand in the pool before. */
  isNew: boolean
  decision: 'published' | 'refused'
}
type UploaderContact = Omit<NewNotification, 'customer_id'>

/** The notice of a decision: of several in one go there is one, which says how many there are by now. */
export function decisionNotification(song: DecidedSong, batch: DecisionBatch = new Map()): UploaderContact {
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

/** What its uploader has seen of a song's notices once they look at it. */
export const uploadSubject = (uploadSongId: number): string => `upload ${uploadSongId}`

export const EXPIRY_SUBJECT = 'uploads leaving'

const formatDay = (date: Date): string =>
  date.toLocaleDateString('en-GB', { day: 'numeric', month: 'long', timeZone: 'UTC' })

export function expiryNotification(songs: readonly { title: string; expires_at: Date }[]): UploaderContact {
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
