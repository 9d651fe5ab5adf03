import { uploadedSongs } from '@dubplate/contract'
import { ask } from '../platform/api.ts'
import { keepFiles } from './files.ts'
import { formOfEntry, onTopOf } from './songForm.ts'
import type { SongFormState } from './useSongForm.ts'

/** The song as it stands on the server now, with what was typed here on top. */
export async function readAgain(entityId: number | undefined, { setForm }: SongFormState) {
  const entity_id = entityId ?? 0
  const [{ song }, { versions }] = await Promise.all([
    ask(uploadedSongs.getSongEntry, { entity_id }),
    ask(uploadedSongs.getSongVersions, { entity_id }),
  ])
  keepFiles(versions.map(({ file }) => file))
  setForm((form) => onTopOf(formOfEntry(song, versions), form))
}
