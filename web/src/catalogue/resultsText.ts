import type { catalogue, ReplyOf } from '@dubplate/contract'
import { count } from '../format/format.ts'
import { format } from '../format/message.ts'
import type { ListSection } from './section.ts'
import * as texts from './texts.ts'

const RESULT_TEXTS = {
  songs: {
    total: { all: texts.songCount, otherTempo: texts.songsAtOtherTempo, withExact: texts.songsWithExact },
    moreThan: {
      all: texts.moreThanSongs,
      otherTempo: texts.moreThanSongsAtOtherTempo,
      withExact: texts.moreThanSongsWithExact,
    },
  },
  kuts: {
    total: { all: texts.kutCount, otherTempo: texts.kutsAtOtherTempo, withExact: texts.kutsWithExact },
    moreThan: {
      all: texts.moreThanKuts,
      otherTempo: texts.moreThanKutsAtOtherTempo,
      withExact: texts.moreThanKutsWithExact,
    },
  },
} as const

type CountedReply = Pick<ReplyOf<typeof catalogue.searchSongs>, 'exact_count'> & {
  songs: { found: Pick<catalogue.FoundSong['found'], 'words'> }[]
  pagination: { totalCount: number; more?: boolean | undefined }
}

/** The number of results, and how many of them are only similar. */
export function resultsText(
  { songs, pagination: { totalCount, more }, exact_count }: CountedReply,
  section: ListSection,
): string {
  const { all, otherTempo, withExact } =
    RESULT_TEXTS[section === 'kuts' ? 'kuts' : 'songs'][more ? 'moreThan' : 'total']
  if (songs.length === 0 || exact_count >= totalCount) return format(all, { count: totalCount })
  if (exact_count > 0) return format(withExact, { count: totalCount, exact: count(exact_count) })
  if (songs[0]?.found.words === 'exact') return format(otherTempo, { count: totalCount })
  return format(more ? texts.moreThanSimilarResults : texts.similarResults, { count: totalCount })
}
