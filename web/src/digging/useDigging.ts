import { digging } from '@dubplate/contract'
import { useEffect, useRef, useState } from 'react'
import { format } from '../format/message.ts'
import { invalidateCrate } from '../library/crateChanges.ts'
import { loadCrate, loadFavourites } from '../library/library.ts'
import { callApi } from '../platform/api.ts'
import { toastError } from '../ui/toast.ts'
import { useLatest } from '../ui/useLatest.ts'
import { type DigAction, type DigSong, EMPTY, idOf, withDecision, withoutDecision, withReply } from './digState.ts'
import { listenToOutbox, type Outgoing, resumeOutbox, saveDecision, useOutbox } from './outbox.ts'
import * as texts from './texts.ts'

/** With fewer songs than this, the next ones are loaded. */
const MIN_SONGS = 8

// Also after the screen was left: what was decided is still being saved then.
listenToOutbox({
  onRejected: ({ title }, error) => void toastError(format(texts.couldntSaveDecision, { title }), error),
  onSaved: (saved) => void refreshLibrary(saved),
})

async function refreshLibrary(saved: Outgoing[]) {
  const has = (action: DigAction) => saved.some((entry) => entry.action === action || !entry.action)
  // The marks of rows are right again after the next load, too.
  await Promise.allSettled([has('crate') && loadCrate().then(invalidateCrate), has('favourite') && loadFavourites()])
}

const isDecision = (entry: Outgoing): entry is Outgoing & { action: DigAction } => entry.action !== undefined

/** The songs of a list, one at a time, and what was decided about them. */
export function useDigging(list: string) {
  const [state, setState] = useState(EMPTY)
  const [status, setStatus] = useState<{ isReady: boolean; error?: Error }>({ isReady: false })
  const isLoading = useRef(false)
  const load = async () => {
    if (isLoading.current) return
    isLoading.current = true
    try {
      const reply = await callApi(digging.digSongs, { list })
      const pending = useOutbox.getState().entries.filter((entry) => entry.list === list)
      setState((before) => withReply(before, reply, pending.filter(isDecision)))
      setStatus({ isReady: true })
    } catch (error) {
      setStatus(({ isReady }) => ({ isReady, error: error as Error }))
    } finally {
      isLoading.current = false
    }
  }
  const latestLoad = useLatest(load)
  useEffect(() => {
    resumeOutbox()
    void latestLoad.current()
    return listenToOutbox({
      onSaved: () => undefined,
      onRejected: (entry) => {
        if (entry.list === list && isDecision(entry)) setState((before) => withoutDecision(before, entry.entity_id))
      },
    })
  }, [list, latestLoad])

  const isSaved = useOutbox(({ entries }) => entries.length === 0)
  const needsMore = status.isReady && state.songs.length < MIN_SONGS && state.left > state.songs.length
  useEffect(() => {
    if (needsMore && isSaved && !status.error) void latestLoad.current()
  }, [needsMore, isSaved, status.error, latestLoad])

  const current: DigSong | undefined = state.songs[0]
  return {
    ...state,
    ...status,
    current,
    load: () => {
      setStatus(({ isReady }) => ({ isReady }))
      return load()
    },
    /** @param song_version_id the version that was chosen for the crate, if not the preferred one */
    decide: (action: DigAction, song_version_id?: number) => {
      if (!current) return
      const { title } = current.song
      saveDecision({ list, entity_id: idOf(current), title, action, song_version_id })
      setState((before) => withDecision(before, action))
    },
    undo: () => {
      const last = state.history.at(-1)
      if (!last) return
      saveDecision({ list, entity_id: idOf(last.song), title: last.song.song.title })
      setState((before) => withoutDecision(before, idOf(last.song)))
    },
    startAgain: async () => {
      try {
        await callApi(digging.digReset, { list })
        setState(EMPTY)
        setStatus({ isReady: false })
        await load()
      } catch (error) {
        void toastError(texts.couldntStartAgain, error)
      }
    },
  }
}

export type Digging = ReturnType<typeof useDigging>
