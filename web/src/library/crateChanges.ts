import { type catalogue, downloads, library, type ReplyOf } from '@dubplate/contract'
import { format } from '../format/message.ts'
import { callApi } from '../platform/api.ts'
import { queryClient } from '../platform/queries.ts'
import { toast, toastError } from '../ui/toast.ts'
import { isInCrate, loadCrate, runExclusive, useLibrary, withMember } from './library.ts'
import { preferredVersions } from './preferredVersion.ts'
import * as texts from './texts.ts'

const idsOf = (versions: readonly catalogue.Version[]) => versions.map(({ song_version_id }) => song_version_id)

/** Shows versions of songs as added to the crate or removed, before the server has replied. */
export function showInCrate(changes: { song: catalogue.Song; versionIds: number[] }[], on: boolean) {
  useLibrary.setState(({ crateSongs, crateVersions }) => {
    const versions = new Set(crateVersions)
    const songs = new Set(crateSongs)
    for (const { song, versionIds } of changes) {
      for (const id of versionIds) on ? versions.add(id) : versions.delete(id)
      if (on || idsOf(song.version).some((id) => versions.has(id))) songs.add(song.entity_id)
      else songs.delete(song.entity_id)
    }
    return { crateVersions: versions, crateSongs: songs, crateCount: songs.size }
  })
}

const setRemoved = (songId: number, isRemoved: boolean) =>
  useLibrary.setState(({ removedSongs }) => ({ removedSongs: withMember(removedSongs, songId, isRemoved) }))

export const invalidateCrate = () => {
  void queryClient.invalidateQueries({ queryKey: [downloads.crateSummary.path] })
  void queryClient.invalidateQueries({ queryKey: [library.crateTempos.path] })
  return queryClient.invalidateQueries({ queryKey: [library.crateIndex.path] })
}

/**
 * Adds a version to the crate or removes it; without a version, adds the preferred versions of the song or removes all
 * of its versions. Reverted with an error message if the request fails.
 */
export async function toggleInCrate(song: catalogue.Song, version?: catalogue.Version): Promise<void> {
  const { crateVersions } = useLibrary.getState()
  const songId = song.entity_id
  const versionId = version?.song_version_id
  const on = versionId ? !crateVersions.has(versionId) : !isInCrate(songId)
  const named = version ? [version] : on ? preferredVersions(song) : song.version
  const versionIds = idsOf(named).filter((id) => crateVersions.has(id) !== on)
  const show = (on: boolean) => {
    // The crate on screen keeps a song whose last version was switched off.
    if (!version) setRemoved(songId, !on)
    showInCrate([{ song, versionIds }], on)
  }
  show(on)
  await runExclusive(`crate ${songId}`, async () => {
    try {
      const { count } = await callApi(library.crateAddRemove, { songId, versionId })
      useLibrary.setState({ crateCount: count })
      if (!on && !version) offerUndo(song, versionIds)
      void invalidateCrate()
    } catch (error) {
      show(!on)
      void toastError(on ? texts.couldntAddToCrate : texts.couldntRemoveFromCrate, error)
    }
  })
}

const reloadCrate = () => Promise.all([loadCrate(), invalidateCrate()])

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

/** Removes versions from the crate, and offers to restore them. */
export async function removeFromCrate(version_ids: number[]) {
  try {
    const { changed } = await callApi(library.crateChange, { version_ids, action: 'remove' })
    await reloadCrate()
    void toast({
      message: format(texts.versionsRemovedFromCrate, { count: changed }),
      action: { label: texts.undo, run: () => void restoreToCrate({ version_ids }) },
    })
  } catch (error) {
    void toastError(texts.couldntRemoveFromCrate, error)
  }
}

/** The song right above another one in the crate, as far as it was loaded. */
function songAbove(songId: number): number | undefined {
  const pages = queryClient.getQueriesData<ReplyOf<typeof library.crateIndex>>({ queryKey: [library.crateIndex.path] })
  const list = pages.find(([, data]) => data?.list.includes(songId))?.[1]?.list ?? []
  return list[list.indexOf(songId) - 1]
}

/** Says that a song was removed, and offers to restore it with the same versions to its position. */
export function offerUndo(song: catalogue.Song, versionIds: number[]) {
  const below = songAbove(song.entity_id)
  void toast({
    message: format(texts.removedFromYourCrate, { title: song.title }),
    action: { label: texts.undo, run: () => void restoreSong(song, versionIds, below) },
  })
}

/** Adds a song with these versions, right below another one or at the top. */
export function restoreSong(song: catalogue.Song, versionIds: number[], below: number | undefined) {
  showInCrate([{ song, versionIds }], true)
  const params = versionIds.length > 0 ? { version_ids: versionIds } : { song_ids: [song.entity_id] }
  return runExclusive(`crate ${song.entity_id}`, () => restoreToCrate({ ...params, below }))
}
