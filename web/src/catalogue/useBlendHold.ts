import type { catalogue } from '@dubplate/contract'
import { type FocusEvent, type MouseEvent, type PointerEvent, type SyntheticEvent, useEffect, useRef } from 'react'
import { preferredVersion } from '../library/preferredVersion.ts'
import { useBlend } from '../player/blend/blendStore.ts'
import type { BlendSongs } from '../player/blend/prepareBlend.ts'
import { isDataSaverOn } from '../player/preload.ts'
import { currentEntry, type Entry, usePlayer } from '../player/store.ts'
import { useLatest } from '../ui/useLatest.ts'

/** A press this long is a hold. With the time to the first sound, it stays below 300 ms. */
const HOLD_MS = 230
/** A pointer that moves further before that scrolls or drags. */
const MAX_MOVE_PX = 10
/** A pointer that rests this long on a row may hold it next. */
const PRELOAD_AFTER_MS = 120

type BlendCode = typeof import('../player/blend/blendPlayer.ts')

const loadCode = (): Promise<BlendCode> => import('../player/blend/blendPlayer.ts')

const toEntry = (song: catalogue.Song): Entry | undefined => {
  const version = preferredVersion(song)
  return version && { song, version }
}

/** What is mixed out: the playing song. Without one, or if it is mixed in itself, the song of the list. */
function outgoingEntry(listSong: catalogue.Song, incoming: catalogue.Song): Entry | undefined {
  const player = usePlayer.getState()
  const playing = player.playing ? currentEntry(player) : undefined
  return playing && playing.song.entity_id !== incoming.entity_id ? playing : toEntry(listSong)
}

type Press = {
  songId: number
  pointerType: string
  isHeld: boolean
  /** Removes its listeners. */
  end: AbortController
}

/**
 * Event handlers for a list of songs that mix with `listSong`: holding a row plays how the playing song mixes into it,
 * releasing it stops. Rows need a `data-blend` attribute with the id of their song; what has `data-no-hold` is left out.
 */
export function useBlendHold(listSong: catalogue.Song, songs: readonly catalogue.Song[] | undefined) {
  const latest = useLatest({ listSong, songs })
  const press = useRef<Press>(undefined)
  const preloadTimer = useRef<ReturnType<typeof setTimeout>>(undefined)
  /** The row under the pointer or with the focus. */
  const pointed = useRef<number>(undefined)
  const list = useRef<HTMLUListElement>(null)

  const songsOf = (songId: number): BlendSongs | undefined => {
    const incoming = latest.current.songs?.find(({ entity_id }) => entity_id === songId)
    const entry = incoming && toEntry(incoming)
    const outgoing = incoming && outgoingEntry(latest.current.listSong, incoming)
    return entry && outgoing && { outgoing, incoming: entry }
  }
  const preload = async (songId: number) => {
    const blend = songsOf(songId)
    if (!blend) return
    const failure = await (await loadCode()).preloadBlend(blend)
    if (pointed.current === songId) useBlend.setState({ checked: failure })
  }
  const point = (songId: number | undefined) => {
    if (pointed.current === songId) return
    pointed.current = songId
    clearTimeout(preloadTimer.current)
    useBlend.setState({ checked: undefined })
    if (songId && !isDataSaverOn())
      preloadTimer.current = setTimeout(() => preload(songId).catch(ignore), PRELOAD_AFTER_MS)
  }
  const leave = () => {
    point(undefined)
    useBlend.setState(({ active }) => ({ active: active?.state === 'failed' ? undefined : active }))
  }
  const start = (songId: number) => {
    const blend = songsOf(songId)
    if (blend)
      loadCode().then(
        (code) => code.startBlend(blend),
        () => showFailure(blend),
      )
  }
  const release = () => {
    const isHeld = isHolding(press.current)
    press.current?.end.abort()
    if (isHeld) stopBlend()
  }
  const hold = (held: Press, row: HTMLElement) => {
    held.isHeld = true
    row.dataset.holding = ''
    held.end.signal.addEventListener('abort', () => delete row.dataset.holding)
    if (held.pointerType === 'touch') navigator.vibrate?.(10)
    start(held.songId)
  }

  useEffect(() => {
    // Loaded before the first hold, because audio has to be started in the event of the press.
    loadCode().catch(ignore)
    const element = list.current
    const stopOwnBlend = () => {
      const { active } = useBlend.getState()
      if (latest.current.songs?.some(({ entity_id }) => entity_id === active?.songId)) stopBlend()
    }
    // React’s own listener could not prevent scrolling.
    const preventScrolling = (event: TouchEvent) => {
      if (isHolding(press.current) && event.cancelable) event.preventDefault()
    }
    element?.addEventListener('touchmove', preventScrolling, { passive: false })
    return () => {
      element?.removeEventListener('touchmove', preventScrolling)
      clearTimeout(preloadTimer.current)
      press.current?.end.abort()
      stopOwnBlend()
    }
  }, [latest])

  const handlers = {
    onPointerOver: ({ pointerType, target }: PointerEvent) => {
      if (pointerType !== 'touch') point(rowOf(target)?.songId)
    },
    onPointerLeave: ({ pointerType }: PointerEvent) => {
      // A finger that is lifted leaves the message, which can only be read then.
      if (pointerType !== 'touch') leave()
    },
    onFocus: ({ target }: FocusEvent) => point(rowOf(target)?.songId),
    onBlur: leave,
    onPointerDown: (event: PointerEvent) => {
      release()
      const row = rowOf(event.target)
      const isOnButton = (event.target as Element).closest('[data-no-hold]')
      if (!row || isOnButton || event.button !== 0 || !event.isPrimary) return
      const end = new AbortController()
      const held: Press = { songId: row.songId, pointerType: event.pointerType, isHeld: false, end }
      press.current = held
      loadCode().then((code) => code.wakeAudio(), ignore)
      pointed.current = row.songId
      preload(row.songId).catch(ignore)
      const timer = setTimeout(() => hold(held, row.element), HOLD_MS)
      end.signal.addEventListener('abort', () => clearTimeout(timer))
      followPointer(event, held, release)
    },
    onClickCapture: (event: MouseEvent) => {
      // The click that ends a hold.
      if (event.detail > 0 && press.current?.isHeld) stopEvent(event)
    },
    onContextMenuCapture: (event: MouseEvent) => {
      // A long press on a touch screen.
      if (press.current?.pointerType === 'touch' && rowOf(event.target)) stopEvent(event)
    },
    onDragStartCapture: (event: SyntheticEvent) => {
      if (isHolding(press.current)) stopEvent(event)
    },
  }
  return { list, handlers, toggle: (songId: number) => (isActive(songId) ? stopBlend() : start(songId)) }
}

/** Until the pointer is released, wherever that is. */
function followPointer(start: PointerEvent, held: Press, release: () => void) {
  const { signal } = held.end
  addEventListener(
    'pointermove',
    ({ clientX, clientY }) => {
      if (!held.isHeld && Math.hypot(clientX - start.clientX, clientY - start.clientY) > MAX_MOVE_PX) release()
    },
    { signal },
  )
  for (const name of ['pointerup', 'pointercancel', 'blur']) addEventListener(name, release, { signal })
}

const isHolding = (press: Press | undefined) => !!press?.isHeld && !press.end.signal.aborted

const isActive = (songId: number) => {
  const { active } = useBlend.getState()
  return active?.songId === songId && active.state !== 'failed'
}

export const stopBlend = () => void loadCode().then((code) => code.stopBlend(), ignore)

const ignore = () => undefined

/** The code of blends could not be loaded. */
const showFailure = ({ outgoing, incoming }: BlendSongs) =>
  useBlend.setState({
    active: {
      songId: incoming.song.entity_id,
      state: 'failed',
      reason: navigator.onLine ? 'failed' : 'offline',
      outgoing: outgoing.song.title,
    },
  })

function rowOf(target: EventTarget) {
  const element = (target as Element).closest<HTMLElement>('[data-blend]')
  return element && { element, songId: Number(element.dataset.blend) }
}

function stopEvent(event: SyntheticEvent) {
  event.preventDefault()
  event.stopPropagation()
}
