import { corrections, type staffSongs } from '@dubplate/contract'
import { format } from '../../format/message.ts'
import { callApi } from '../../platform/api.ts'
import { applyChange, applyOutcome, type NamedSong, queueChange, type Song, toastWithUndo } from './songActions.ts'
import * as texts from './texts.ts'

/** Throws the first reason when no song was changed. */
function rejectIfNoneChanged({ changed, same, left }: corrections.Outcome): void {
  const [first] = left
  if (changed + same === 0 && first) throw new Error(first.message)
}

const CALLS = { unpublish: corrections.unpublishSongs, restore: corrections.restoreSongs } as const

/** Unpublishes or republishes songs and says how many. Throws when none could be changed. */
export async function changePublication(
  which: 'unpublish' | 'restore',
  songs: readonly NamedSong[],
  reason: string,
): Promise<corrections.Outcome> {
  const outcome = await applyOutcome(await callApi(CALLS[which], { songs: [...songs], reason }))
  rejectIfNoneChanged(outcome)
  const { changed, left, song_edit_id } = outcome
  const done = format(which === 'unpublish' ? texts.songsUnpublished : texts.songsPublished, { n: changed })
  const [first] = left
  const kept = first
    ? format(texts.couldntChangeSongs, { count: left.length, title: first.title, message: first.message })
    : ''
  toastWithUndo(kept ? `${done} ${kept}` : done, song_edit_id)
  return outcome
}

const VERSION_CALLS = { unpublish: corrections.unpublishVersion, restore: corrections.restoreVersion } as const

/** The same for one version. Throws an `ApiError` when the server rejects the change. */
export async function changeVersionPublication(
  which: 'unpublish' | 'restore',
  song: Song,
  version: staffSongs.StaffVersion,
  reason: string,
): Promise<void> {
  const { entity_id } = song
  const { song_version_id, version_label } = version
  const { song_edit_id } = await queueChange(entity_id, async (revision) =>
    applyChange(await callApi(VERSION_CALLS[which], { entity_id, revision, song_version_id, reason })),
  )
  const done = which === 'unpublish' ? texts.versionOfSongUnpublished : texts.versionOfSongPublished
  toastWithUndo(format(done, { version_label, title: song.title }), song_edit_id)
}
