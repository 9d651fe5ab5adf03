import { type catalogue, library } from '@dubplate/contract'
import { ask } from '../platform/api.ts'
import { format } from '../platform/message.ts'
import { queryClient } from '../platform/queries.ts'
import { toast, toastTrouble } from '../ui/toast.ts'
import { loadCrate, takeTurn } from './library.ts'
import * as texts from './texts.ts'

const reload = () => Promise.all([loadCrate(), queryClient.invalidateQueries({ queryKey: [library.crateIndex.path] })])

type PutBack = { song_ids?: number[]; version_ids?: number[]; below?: number | undefined }

async function putBack(what: PutBack) {
  try {
    await ask(library.crateChange, what)
  } catch (error) {
    void toastTrouble(texts.couldntAddTheSongBack, error)
  } finally {
    await reload()
  }
}

/** Empties the crate, and offers to put everything back as it was. */
export async function clearCrate() {
  try {
    const { version } = await ask(library.getCrates, {})
    const { cleared } = await ask(library.clearCrates, {})
    await reload()
    void toast({
      title: texts.crateCleared,
      message: format(texts.versionsRemoved, { cleared }),
      action: { label: 'Undo', run: () => void putBack({ version_ids: version }) },
    })
  } catch (error) {
    void toastTrouble(texts.couldntClearYourCrate, error)
  }
}

/**
 * Puts a song back that was taken out just now: the versions that were held, right below the song that stood above it.
 * Of a song that had been put in just before, the versions are not known: it had gone in whole.
 */
export function putSongBack(song: catalogue.Song, held: ReadonlySet<number>, below: catalogue.Song | undefined) {
  const version_ids = song.version.map(({ song_version_id }) => song_version_id).filter((id) => held.has(id))
  const what = version_ids.length > 0 ? { version_ids } : { song_ids: [song.entity_id] }
  return takeTurn(`crate ${song.entity_id}`, () => putBack({ ...what, below: below?.entity_id }))
}
