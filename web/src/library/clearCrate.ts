import { library } from '@dubplate/contract'
import { ask } from '../platform/api.ts'
import { plural } from '../platform/format.ts'
import { queryClient } from '../platform/queries.ts'
import { toast, toastTrouble } from '../ui/toast.ts'
import { loadCrate, useLibrary } from './library.ts'

const reload = () => Promise.all([loadCrate(), queryClient.invalidateQueries({ queryKey: [library.crateIndex.path] })])

/** Everything in the crate as calls that put it back: whole songs where the song is in, else the versions. */
async function contents() {
  const held: { songId: number; versionId: number }[] = []
  const versions = useLibrary.getState().crateVersions
  for (let page = 1; ; page++) {
    const { songs, pagination } = await ask(library.crateIndex, { page, pageLimit: 100 })
    for (const { entity_id, version } of songs) {
      for (const { song_version_id } of version) {
        if (versions.has(song_version_id)) held.push({ songId: entity_id, versionId: song_version_id })
      }
    }
    if (page * pagination.perPageLimit >= pagination.totalCount) return held
  }
}

async function putBack(held: { songId: number; versionId: number }[]) {
  try {
    for (const item of held) await ask(library.crateAddRemove, item)
  } catch (error) {
    void toastTrouble('Not everything is back in your crate', error)
  } finally {
    await reload()
  }
}

/** Empties the crate, and offers to put everything back. */
export async function clearCrate() {
  try {
    await loadCrate()
    const held = await contents()
    const { cleared } = await ask(library.clearCrates, {})
    await reload()
    void toast({
      title: 'Crate cleared',
      message: `${plural(cleared, 'version')} taken out.`,
      action: { label: 'Undo', run: () => void putBack(held) },
    })
  } catch (error) {
    void toastTrouble('Your crate was not cleared', error)
  }
}
