import type { merging } from '@dubplate/contract'
import { formatBpmRange, formatDuration } from '../../format/format.ts'
import { formatList } from '../../format/formatList.ts'
import { format } from '../../format/message.ts'
import * as texts from './texts.ts'

type Song = merging.MergeableSong
type Version = merging.MergeableVersion

const STATUS_TEXTS: Record<Song['status'], string> = {
  published: '',
  unpublished: texts.unpublishedInSentence,
  draft: texts.draftInSentence,
}

/** '2026 · 124 BPM · 8A · House · 12 downloads · sent by DJ Ana'. */
export const describeSong = (song: Song): string =>
  [
    STATUS_TEXTS[song.status],
    song.year?.toString(),
    song.min_bpm !== null && format(texts.bpmText, { bpmRange: formatBpmRange(song.min_bpm, song.max_bpm) }),
    song.song_key,
    formatList(song.genres),
    song.downloads > 0 && format(texts.downloadsCount, { n: song.downloads }),
    song.favourites > 0 && format(texts.favouritesCount, { n: song.favourites }),
    song.sent_by.length > 0 && format(texts.uploadedByText, { names: formatList(song.sent_by) }),
  ]
    .filter(Boolean)
    .join(' · ')

/** 'MP3 320 kbps · 3:24 · 12 downloads'. */
export const describeVersion = (version: Version): string =>
  [
    [
      version.format?.toUpperCase(),
      version.bitrate_kbps && format(texts.kbps, { bitrate: Math.round(version.bitrate_kbps) }),
    ]
      .filter(Boolean)
      .join(' '),
    formatDuration(version.duration_seconds),
    version.downloads > 0 && format(texts.downloadsCount, { n: version.downloads }),
    !version.is_listed && texts.unpublishedInSentence,
  ]
    .filter(Boolean)
    .join(' · ')

/** 'The 12 downloads and 1 listen move …'. */
function describeCounts(downloads: number, listens: number): string {
  if (listens === 0) return format(texts.downloadsMove, { downloads })
  return downloads === 0 ? format(texts.listensMove, { listens }) : format(texts.countsMove, { downloads, listens })
}

const quoted = ({ title }: { title: string }): string => format(texts.quotedTitle, { title })

/** What is moved along with the merged songs, one sentence each. */
export function describeMovedData({
  favourites,
  playlists,
  crates,
  downloads,
  listens,
  lists,
  trending,
  uploads,
}: merging.MergeConsequences): string[] {
  const shorter = lists.filter(({ double }) => double).map(quoted)
  return [
    downloads + listens > 0 && describeCounts(downloads, listens),
    favourites.rows > 0 &&
      format(favourites.doubles > 0 ? texts.favouritesMoveSomeDouble : texts.favouritesMove, favourites),
    crates > 0 && format(texts.cratesOfMembers, { crates }),
    playlists.rows > 0 &&
      format(playlists.doubles > 0 ? texts.playlistsMoveSomeDouble : texts.playlistsMove, playlists),
    lists.length > 0 && format(texts.listsMove, { count: lists.length, titles: formatList(lists.map(quoted)) }),
    shorter.length > 0 &&
      format(texts.listsGetShorter, { count: shorter.length, titles: formatList(shorter, 'conjunction') }),
    trending.rows > 0 && (trending.doubles > 0 ? texts.trendingPinsMove : texts.trendingPinMoves),
    uploads > 0 && format(texts.memberUploadsTheUploaderContinues, { uploads }),
  ].filter((sentence) => sentence !== false)
}

/** Suggests a title and an artist for versions that become a song, from a file name that contains both. */
export function suggestNewSong(song: Pick<Song, 'title' | 'artist'>, versions: readonly Version[]) {
  const [first] = versions
  const [, artist, title] = /^(.+?) - (.+?)(?: \([^()]*\))*\.[a-z0-9]+$/i.exec(first?.uploaded_name ?? '') ?? []
  const isOther =
    artist &&
    title &&
    (title.toLowerCase() !== song.title.toLowerCase() || artist.toLowerCase() !== song.artist.toLowerCase())
  if (isOther) return { title, artist }
  return { title: first ? `${song.title} (${first.version_label})` : '', artist: song.artist }
}
