import type { catalogue } from '@dubplate/contract'
import { format } from '../format/message.ts'
import * as texts from './texts.ts'

const describeDraggedSongs = ([first, ...more]: catalogue.Song[]) =>
  more.length ? format(texts.songCount, { count: more.length + 1 }) : (first?.title ?? '')

/** A plain label under the pointer instead of an image of half the row. */
function labelFor(text: string): HTMLElement {
  const label = document.createElement('div')
  label.textContent = text
  label.style.cssText = `position:fixed;top:-99px;max-width:240px;padding:6px 12px;border-radius:8px;overflow:hidden;
    white-space:nowrap;text-overflow:ellipsis;background:var(--accent);color:var(--on-accent);font-weight:600`
  document.body.append(label)
  // The browser has captured the label by then.
  setTimeout(() => label.remove())
  return label
}

/** Starts dragging songs as the URLs of their songs, so that they can also be dropped into a message. */
export function setDragData(transfer: DataTransfer, songs: catalogue.Song[]) {
  const addresses = songs.map(({ entity_id }) => `${location.origin}/song/${entity_id}`)
  transfer.clearData()
  transfer.setData('text/uri-list', addresses.join('\r\n'))
  transfer.setData('text/plain', addresses.join('\n'))
  transfer.effectAllowed = 'copyLink'
  transfer.setDragImage(labelFor(describeDraggedSongs(songs)), -14, -10)
}

/** The same, and loads the code that highlights the drop targets. */
export function startRowDrag(transfer: DataTransfer, songs: catalogue.Song[]) {
  setDragData(transfer, songs)
  import('./rowDrop.ts').then(
    ({ showDropTargets }) => showDropTargets(songs),
    // Without that code (offline) nothing accepts the drop; the row's menu offers the same actions.
    () => undefined,
  )
}
