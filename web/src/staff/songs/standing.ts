import { corrections, type staffSongs } from '@dubplate/contract'
import { callApi } from '../../platform/api.ts'
import { format } from '../../platform/message.ts'
import { inTurn, type NamedSong, type Song, sayDone, took, tookSeveral } from './songDeeds.ts'
import * as texts from './texts.ts'

/** Throws the first reason when no song was changed. */
function refuseNone({ changed, same, left }: corrections.Outcome): void {
  const [first] = left
  if (changed + same === 0 && first) throw new Error(first.message)
}

const CALLS = { unpublish: corrections.unpublishSongs, restore: corrections.restoreSongs } as const

/** Unpublishes or republishes songs and says how many. Throws when none could be changed. */
export async function setStanding(
  which: 'unpublish' | 'restore',
  songs: readonly NamedSong[],
  reason: string,
): Promise<corrections.Outcome> {
  const outcome = await tookSeveral(await callApi(CALLS[which], { songs: [...songs], reason }))
  refuseNone(outcome)
  const { changed, left, song_edit_id } = outcome
  const done = format(which === 'unpublish' ? texts.songsUnpublished : texts.songsPublished, { n: changed })
  const [first] = left
  const kept = first
    ? format(texts.couldntChangeSongs, { count: left.length, title: first.title, message: first.message })
    : ''
  sayDone(kept ? `${done} ${kept}` : done, song_edit_id)
  return outcome
}

const OF_VERSION = { unpublish: corrections.unpublishVersion, restore: corrections.restoreVersion } as const

/** The same for one version. Throws an `ApiError` when the server rejects the change. */
export async function setVersionStanding(
  which: 'unpublish' | 'restore',
  song: Song,
  version: staffSongs.StaffVersion,
  reason: string,
): Promise<void> {
  const { entity_id } = song
  const { song_version_id, version_label } = version
  const { song_edit_id } = await inTurn(entity_id, async (revision) =>
    took(await callApi(OF_VERSION[which], { entity_id, revision, song_version_id, reason })),
  )
  const done = which === 'unpublish' ? texts.versionOfSongUnpublished : texts.versionOfSongPublished
  sayDone(format(done, { version_label, title: song.title }), song_edit_id)
}
