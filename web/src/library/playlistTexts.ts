import { playlists } from '@dubplate/contract'
import { formatDuration, plural } from '../platform/format.ts'
import { format } from '../platform/message.ts'
import * as texts from './texts.ts'

/** The message after songs were added to a playlist. */
export function addedMessage(title: string, requestedCount: number, added: number): string {
  if (added === 0)
    return requestedCount === 1
      ? format(texts.alreadyIn, { title })
      : format(texts.allSongsAreAlreadyIn, { wanted: requestedCount, title })
  const alreadyThereCount = requestedCount - added
  return `${plural(added, 'song')} added to “${title}”.${alreadyThereCount ? ` ${alreadyThereCount} ${alreadyThereCount === 1 ? 'was' : 'were'} already there.` : ''}`
}

/** 'Warm-up (copy)', 'Warm-up (copy 2)' …, within the length limit of a name. */
export function copyTitle(title: string, n: number): string {
  const end = n === 1 ? ' (copy)' : ` (copy ${n})`
  return title.slice(0, playlists.PLAYLIST_TITLE_LENGTH - end.length).trimEnd() + end
}

/** '12 songs · 58:20'. */
export const playlistLength = ({ song_count, duration_seconds }: playlists.Playlist) =>
  song_count ? `${plural(song_count, 'song')} · ${formatDuration(duration_seconds)}` : texts.noSongs
