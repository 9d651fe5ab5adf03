import type { merging } from '@dubplate/contract'
import { count, formatBpmRange, formatDuration, plural } from '../../platform/format.ts'
import { format } from '../../platform/message.ts'
import * as texts from './texts.ts'

type Song = merging.MergeableSong
type Version = merging.MergeableVersion

const STANDING: Record<Song['status'], string> = { published: '', withdrawn: 'unpublished', draft: 'draft' }

/** '2026 · 124 BPM · 8A · House · 12 downloads · sent by DJ Ana'. */
export const songFacts = (song: Song): string =>
  [
    STANDING[song.status],
    song.year?.toString(),
    song.min_bpm !== null && format(texts.bpm, { bpmRange: formatBpmRange(song.min_bpm, song.max_bpm) }),
    song.song_key,
    song.genres.join(', '),
    song.downloads > 0 && plural(song.downloads, 'download'),
    song.favourites > 0 && plural(song.favourites, 'favourite'),
    song.sent_by.length > 0 && `uploaded by ${song.sent_by.join(', ')}`,
  ]
    .filter(Boolean)
    .join(' · ')

/** 'MP3 320 kbps · 3:24 · 12 downloads'. */
export const versionFacts = (version: Version): string =>
  [
    [
      version.format?.toUpperCase(),
      version.bitrate_kbps && format(texts.kbps, { round: Math.round(version.bitrate_kbps) }),
    ]
      .filter(Boolean)
      .join(' '),
    formatDuration(version.duration_seconds),
    version.downloads > 0 && plural(version.downloads, 'download'),
    !version.is_listed && 'unpublished',
  ]
    .filter(Boolean)
    .join(' · ')

const doubled = ({ rows, doubles }: { rows: number; doubles: number }, one: string, once: string): string =>
  `${plural(rows, one)}${doubles > 0 ? ` (${count(doubles)} ${once})` : ''}`

/** '12 downloads and 1 listen count'. */
const counted = (downloads: number, listens: number): string => {
  const parts = [downloads > 0 && plural(downloads, 'download'), listens > 0 && plural(listens, 'listen')].filter(
    Boolean,
  )
  return `${parts.join(` ${texts.and} `)} ${downloads + listens === 1 ? 'moves' : 'move'}`
}

/** What is moved along with the merged songs, one sentence each. */
export function followsInWords({
  favourites,
  playlists,
  crates,
  downloads,
  listens,
  lists,
  trending,
  uploads,
}: merging.MergeConsequences): string[] {
  const shorter = lists.filter(({ double }) => double).map(({ title }) => `“${title}”`)
  return [
    downloads + listens > 0 && format(texts.toTheRemainingSongDownload, { counted: counted(downloads, listens) }),
    favourites.rows > 0 && `${doubled(favourites, 'favourite', texts.alreadyOnTheRemainingSong)}.`,
    crates > 0 && format(texts.cratesOfMembers, { crates }),
    playlists.rows > 0 && `${doubled(playlists, 'playlist position', 'duplicates')}.`,
    lists.length > 0 &&
      `${plural(lists.length, texts.spotlightOrTop20, texts.spotlightsAndTop20s)}: ${lists.map(({ title }) => `“${title}”`).join(', ')}.`,
    shorter.length > 0 &&
      `${shorter.join(', ')} ${shorter.length === 1 ? 'contains' : 'contain'} more than one of these songs and will get shorter.`,
    trending.rows > 0 &&
      `The trending pin${trending.doubles > 0 ? '; if both are pinned, the higher rank is kept' : ''}.`,
    uploads > 0 && format(texts.memberUploadsTheUploaderContinues, { uploads }),
  ].filter((sentence) => sentence !== false)
}

/** Suggests a title and an artist for versions that become a song, from a file name that contains both. */
export function proposedSong(song: Pick<Song, 'title' | 'artist'>, versions: readonly Version[]) {
  const [first] = versions
  const [, artist, title] = /^(.+?) - (.+?)(?: \([^()]*\))*\.[a-z0-9]+$/i.exec(first?.uploaded_name ?? '') ?? []
  const isOther =
    artist &&
    title &&
    (title.toLowerCase() !== song.title.toLowerCase() || artist.toLowerCase() !== song.artist.toLowerCase())
  if (isOther) return { title, artist }
  return { title: first ? `${song.title} (${first.version_label})` : '', artist: song.artist }
}
