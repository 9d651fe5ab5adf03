import { uploadedSongs } from '@dubplate/contract'
import { callApi } from '../platform/api.ts'
import { cacheFiles } from './files.ts'
import { formOfEntry, mergeForms } from './songForm.ts'
import type { SongFormState } from './useSongForm.ts'

/** Reloads the song from the server and applies the unsaved changes to it. */
export async function reloadForm(entityId: number | undefined, { setForm }: SongFormState) {
  const entity_id = entityId ?? 0
  const [{ song }, { versions }] = await Promise.all([
    callApi(uploadedSongs.getSongEntry, { entity_id }),
    callApi(uploadedSongs.getSongVersions, { entity_id }),
  ])
  cacheFiles(versions.map(({ file }) => file))
  setForm((form) => mergeForms(formOfEntry(song, versions), form))
}
