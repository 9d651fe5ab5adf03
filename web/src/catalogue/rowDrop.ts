import type { catalogue } from '@dubplate/contract'
import { addToCrate } from '../library/bulkAdd.ts'
import { addToPlaylist, ownPlaylistsQuery } from '../library/playlists.ts'
import { enqueue } from '../library/playPlaylist.ts'
import { queryClient } from '../platform/queries.ts'
import { isSignedIn } from '../platform/session.ts'
import { toQueueEntries } from '../player/queue.ts'
import css from './rowDrop.module.css'
import * as texts from './texts.ts'

type DraggedSongs = catalogue.Song[]

/** The number of playlists offered while dragging; the menu offers all of them. */
const MAX_DROP_PLAYLISTS = 6

/**
 * Highlights the drop targets until the drag ends: the link to the crate, the queue, and a strip with the recently used
 * playlists. It changes the DOM directly, because a drag can end before React has rendered.
 */
export function showDropTargets(songs: DraggedSongs) {
  const places: HTMLElement[] = []
  const abortController = new AbortController()
  const addDropTarget = (element: HTMLElement | null, onDrop: () => void) => {
    if (!element) return
    places.push(element)
    element.classList.add(css.dropPlace ?? '')
    handleDrop(element, onDrop, abortController.signal)
  }
  addDropTarget(document.querySelector('[data-takes=crate]'), () => void addToCrate(songs))
  addDropTarget(document.querySelector('[data-takes=queue]'), () => enqueue(toQueueEntries(songs)))
  const dropStrip = document.createElement('div')
  void addPlaylistTargets(
    dropStrip,
    songs,
    (element, onDrop) => !abortController.signal.aborted && addDropTarget(element, onDrop),
  )

  const finish = () => {
    abortController.abort()
    for (const element of places) element.classList.remove(css.dropPlace ?? '', css.dropOver ?? '')
    dropStrip.remove()
  }
  addEventListener('dragend', finish, { signal: abortController.signal })
  addEventListener('drop', finish, { signal: abortController.signal })
}

function handleDrop(element: HTMLElement, onDrop: () => void, signal: AbortSignal) {
  const handleDragOver = (event: DragEvent) => {
    event.preventDefault()
    if (event.dataTransfer) event.dataTransfer.dropEffect = 'copy'
    element.classList.add(css.dropOver ?? '')
  }
  element.addEventListener('dragenter', handleDragOver, { signal })
  element.addEventListener('dragover', handleDragOver, { signal })
  element.addEventListener('dragleave', () => element.classList.remove(css.dropOver ?? ''), { signal })
  element.addEventListener(
    'drop',
    (event) => {
      event.preventDefault()
      onDrop()
    },
    { signal },
  )
}

async function addPlaylistTargets(
  dropStrip: HTMLElement,
  songs: DraggedSongs,
  addDropTarget: (element: HTMLElement, onDrop: () => void) => void,
) {
  if (!isSignedIn()) return
  const { playlists: ownPlaylists } = await queryClient.fetchQuery(ownPlaylistsQuery)
  if (ownPlaylists.length === 0) return
  dropStrip.className = css.dropStrip ?? ''
  dropStrip.append(Object.assign(document.createElement('p'), { textContent: texts.dropOnAPlaylist }))
  for (const playlist of ownPlaylists.slice(0, MAX_DROP_PLAYLISTS)) {
    const element = Object.assign(document.createElement('div'), { textContent: playlist.title, title: playlist.title })
    dropStrip.append(element)
    addDropTarget(element, () => void addToPlaylist(playlist, songs))
  }
  document.body.append(dropStrip)
}
