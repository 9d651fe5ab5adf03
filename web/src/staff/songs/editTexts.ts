import type { staffSongs } from '@dubplate/contract'
import { formatList } from '../../format/formatList.ts'
import { FIELD_NAMES } from './songFields.ts'
import * as texts from './texts.ts'

type Edit = Pick<staffSongs.SongEdit, 'kind' | 'fields' | 'undoes'>

const KINDS: Record<staffSongs.SongEdit['kind'], string> = {
  edited: texts.edited,
  unpublished: texts.unpublished,
  restored: texts.republished,
  version_unpublished: texts.versionUnpublished,
  version_restored: texts.versionRepublished,
  cover: texts.coverChanged,
  analysed: texts.reAnalysed,
  undone: texts.undone,
}

/** An edit that undid one of this kind. */
const UNDONE: typeof KINDS = {
  edited: texts.undoneEdited,
  unpublished: texts.undoneUnpublished,
  restored: texts.undoneRepublished,
  version_unpublished: texts.undoneVersionUnpublished,
  version_restored: texts.undoneVersionRepublished,
  cover: texts.undoneCoverChanged,
  analysed: texts.undoneReAnalysed,
  undone: texts.redone,
}

export const describeEdit = ({ kind, undoes }: Edit): string => (undoes ? UNDONE[undoes.kind] : KINDS[kind])

/** The fields of a song, in a list of what changed. */
const NAMES: Record<string, string> = {
  title: texts.titleInSentence,
  artist: texts.artistInSentence,
  album: texts.albumInSentence,
  label: texts.labelInSentence,
  remixer: texts.remixerInSentence,
  year: texts.yearInSentence,
  genres: texts.genresInSentence,
  isrc: texts.isrc,
  bpm: texts.bpm,
  song_key: texts.keyInSentence,
  song_section_id: texts.sectionInSentence,
  version: texts.versionsInSentence,
}

/** The fields an edit changed: 'title, BPM'; '' when its kind already says it. */
export const describeFields = ({ kind, fields }: Edit): string =>
  kind === 'edited' || kind === 'analysed' || kind === 'undone'
    ? formatList(
        fields.filter((field) => field !== 'status' && field !== 'artwork').map((field) => NAMES[field] ?? field),
      )
    : ''

const CHANGED: Record<string, string> = {
  ...FIELD_NAMES,
  status: texts.status,
  artwork: texts.cover,
  version: texts.versions,
  'version name': texts.versionName,
  'version place': texts.versionPosition,
  'version start': texts.previewStart,
  'version status': texts.versionStatus,
  'version bpm': texts.versionBpm,
  'version key': texts.versionKey,
}

/** 'version name' → 'Version name'. */
export const changedFieldName = (field: string): string => CHANGED[field] ?? field
