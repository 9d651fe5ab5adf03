import type { catalogue } from '@dubplate/contract'
import { playlists } from '@dubplate/contract'
import { enqueue } from '../library/hear.ts'
import { putInCrate } from '../library/many.ts'
import { addToPlaylist } from '../library/playlists.ts'
import { ask } from '../platform/api.ts'
import { queryClient } from '../platform/queries.ts'
import { isSignedIn } from '../platform/session.ts'
import { entriesOf } from '../player/queue.ts'
import css from './rowDrop.module.css'
import * as texts from './texts.ts'

type Songs = catalogue.Song[]

/** Playlists that are offered beside each other while songs are dragged; the others are in the menu. */
const MOST_PLAYLISTS = 6

/**
 * Lights the places that take songs until they are dropped or let go: the link to the crate, the queue, and a strip with
 * the playlists used last. It works on the page itself: a drag ends before a screen would be drawn for it.
 */
export function offerPlaces(songs: Songs) {
  const places: HTMLElement[] = []
  const end = new AbortController()
  const offer = (place: HTMLElement | null, take: () => void) => {
    if (!place) return
    places.push(place)
    place.classList.add(css.place ?? '')
    receive(place, take, end.signal)
  }
  offer(document.querySelector('[data-takes=crate]'), () => void putInCrate(songs))
  offer(document.querySelector('[data-takes=queue]'), () => enqueue(entriesOf(songs)))
  const strip = document.createElement('div')
  void offerPlaylists(strip, songs, (place, take) => !end.signal.aborted && offer(place, take))

  const finish = () => {
    end.abort()
    for (const place of places) place.classList.remove(css.place ?? '', css.over ?? '')
    strip.remove()
  }
  addEventListener('dragend', finish, { signal: end.signal })
  addEventListener('drop', finish, { signal: end.signal })
}

function receive(place: HTMLElement, take: () => void, signal: AbortSignal) {
  const over = (event: DragEvent) => {
    event.preventDefault()
    if (event.dataTransfer) event.dataTransfer.dropEffect = 'copy'
    place.classList.add(css.over ?? '')
  }
  place.addEventListener('dragenter', over, { signal })
  place.addEventListener('dragover', over, { signal })
  place.addEventListener('dragleave', () => place.classList.remove(css.over ?? ''), { signal })
  place.addEventListener(
    'drop',
    (event) => {
      event.preventDefault()
      take()
    },
    { signal },
  )
}

async function offerPlaylists(strip: HTMLElement, songs: Songs, offer: (place: HTMLElement, take: () => void) => void) {
  if (!isSignedIn()) return
  const { playlists: own } = await queryClient.fetchQuery({
    queryKey: [playlists.getPlaylists.path, {}],
    queryFn: () => ask(playlists.getPlaylists, {}),
    staleTime: 30_000,
  })
  if (own.length === 0) return
  strip.className = css.strip ?? ''
  strip.append(Object.assign(document.createElement('p'), { textContent: texts.dropOnAPlaylist }))
  for (const playlist of own.slice(0, MOST_PLAYLISTS)) {
    const place = Object.assign(document.createElement('div'), { textContent: playlist.title, title: playlist.title })
    strip.append(place)
    offer(place, () => void addToPlaylist(playlist, songs))
  }
  document.body.append(strip)
}
