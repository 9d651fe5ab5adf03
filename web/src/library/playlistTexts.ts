import { playlists } from '@dubplate/contract'
import { formatDuration } from '../format/format.ts'
import { format } from '../format/message.ts'
import * as texts from './texts.ts'

/** The message after songs were added to a playlist. */
export function addedMessage(title: string, requestedCount: number, added: number): string {
  if (added === 0) return format(texts.alreadyIn, { count: requestedCount, title })
  if (added === requestedCount) return format(texts.songsAddedTo, { count: added, title })
  return format(texts.songsAddedSomeAlreadyThere, { count: added, title, alreadyThere: requestedCount - added })
}

/** 'Warm-up (copy)', 'Warm-up (copy 2)' …, within the length limit of a name. */
export function copyTitle(title: string, n: number): string {
  const withTitle = (title: string) =>
    n === 1 ? format(texts.copyOfTitle, { title }) : format(texts.numberedCopyOfTitle, { title, n })
  return withTitle(title.slice(0, playlists.PLAYLIST_TITLE_LENGTH - withTitle('').length).trimEnd())
}

/** '12 songs · 58:20'. */
export const playlistLength = ({ song_count, duration_seconds }: playlists.Playlist) =>
  song_count ? `${format(texts.songCount, { count: song_count })} · ${formatDuration(duration_seconds)}` : texts.noSongs
