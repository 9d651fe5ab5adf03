import type { review } from '@dubplate/contract'
import { useRef, useState } from 'react'
import type { useOpenRow } from '../../admin/useOpenRow.ts'
import { decideUploads, type Failures, loadedUpload } from './decideUploads.ts'
import type { Decision } from './uploadStates.ts'

type Song = review.ReviewedUpload
type Songs = readonly Song[]

/** Decisions on the songs of a page. Once the open song is decided, the next one opens. */
export function useDecisions(songs: Songs = [], open: ReturnType<typeof useOpenRow<Song>>) {
  const openId = open.row?.entity_id
  const [failures, setFailures] = useState<Failures>(new Map())
  const [isBusy, setBusy] = useState(false)
  /** Until the list shows the last decision, a key pressed twice would decide a song that was not read. */
  const isRefreshing = useRef(false)

  const decide = async (chosen: Songs, decision: Decision, reason = ''): Promise<Failures> => {
    if (isRefreshing.current) return new Map()
    isRefreshing.current = true
    setBusy(true)
    const next = neighbourOf(songs, chosen)
    const { failures, refreshed } = await decideUploads(chosen.map(asRead), decision, reason)
    setFailures(failures)
    const isOpenDecided = chosen.some(({ entity_id }) => entity_id === openId && !failures.has(entity_id))
    if (isOpenDecided && next) open.tableProps.onOpen(next)
    else if (isOpenDecided) open.panelProps.onClose()
    void refreshed.then(() => {
      isRefreshing.current = false
      setBusy(false)
    })
    return failures
  }
  /** The song in the version that the side panel shows, which may be newer than that of the list. */
  const asRead = (song: Song) => (song.entity_id === openId ? (loadedUpload(song.entity_id)?.song ?? song) : song)

  /** Throws the reason if nothing could be declined. */
  const decline = async (chosen: Songs, reason: string): Promise<void> => {
    const failures = await decide(chosen, 'decline', reason)
    const [message] = failures.values()
    if (message && failures.size === chosen.length) throw new Error(message)
  }
  return { decide, decline, failures, isBusy }
}

/** The first song after those that leave the list, or else the last one before them. */
function neighbourOf(songs: Songs, leaving: Songs): Song | undefined {
  const leaves = ({ entity_id }: Song) => leaving.some((song) => song.entity_id === entity_id)
  const last = songs.findLastIndex(leaves)
  return songs.slice(last + 1).find((song) => !leaves(song)) ?? songs.slice(0, last).findLast((song) => !leaves(song))
}
