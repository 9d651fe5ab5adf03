import { type catalogue, library } from '@dubplate/contract'
import { format } from '../format/message.ts'
import { callApi } from '../platform/api.ts'
import { queryClient } from '../platform/queries.ts'
import { toast, toastError } from '../ui/toast.ts'
import { loadCrate, runExclusive } from './library.ts'
import * as texts from './texts.ts'

const reloadCrate = () =>
  Promise.all([loadCrate(), queryClient.invalidateQueries({ queryKey: [library.crateIndex.path] })])

type RestoreParams = { song_ids?: number[]; version_ids?: number[]; below?: number | undefined }

async function restoreToCrate(params: RestoreParams) {
  try {
    await callApi(library.crateChange, params)
  } catch (error) {
    void toastError(texts.couldntAddTheSongBack, error)
  } finally {
    await reloadCrate()
  }
}

/** Empties the crate, and offers to restore it as it was. */
export async function clearCrate() {
  try {
    const { version } = await callApi(library.getCrates, {})
    const { cleared } = await callApi(library.clearCrates, {})
    await reloadCrate()
    void toast({
      title: texts.crateCleared,
      message: format(texts.versionsRemoved, { cleared }),
      action: { label: texts.undo, run: () => void restoreToCrate({ version_ids: version }) },
    })
  } catch (error) {
    void toastError(texts.couldntClearYourCrate, error)
  }
}

/**
 * Restores a song that was just removed: with the same versions, right below the song that was above it. If it had only
 * just been added, its versions are not known here: it had been added whole.
 */
export function restoreSong(
  song: catalogue.Song,
  versionIds: ReadonlySet<number>,
  songAbove: catalogue.Song | undefined,
) {
  const version_ids = song.version.map(({ song_version_id }) => song_version_id).filter((id) => versionIds.has(id))
  const params = version_ids.length > 0 ? { version_ids } : { song_ids: [song.entity_id] }
  return runExclusive(`crate ${song.entity_id}`, () => restoreToCrate({ ...params, below: songAbove?.entity_id }))
}
