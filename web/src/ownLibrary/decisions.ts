import { type InputOf, ownLibrary, type ReplyOf } from '@dubplate/contract'
import { useMemo, useRef, useState } from 'react'
import { runExclusive } from '../library/library.ts'
import { callApi } from '../platform/api.ts'
import { queryClient } from '../platform/queries.ts'
import { toastError } from '../ui/toast.ts'
import { showOverview } from './libraries.ts'
import { loadOwned } from './owned.ts'
import * as texts from './texts.ts'

type Match = ownLibrary.EntryMatch
type Decision = InputOf<typeof ownLibrary.decideMatches>['decisions'][number]
type MatchesReply = Pick<ReplyOf<typeof ownLibrary.getMatches>, 'matches' | 'songs'>

/** Decisions in quick succession load what the member owns once, after the last one. */
const RELOAD_DELAY_MS = 1_000

let reloadTimer: ReturnType<typeof setTimeout>

function reloadOwnedSoon() {
  clearTimeout(reloadTimer)
  reloadTimer = setTimeout(() => void loadOwned(), RELOAD_DELAY_MS)
}

/** The match as it will most likely be, until the server replies. */
function withDecision(match: Match, { action, entity_id, song_version_id }: Decision): Match {
  const versionId = song_version_id == null ? null : Number(song_version_id)
  const songId = entity_id == null ? match.entity_id : Number(entity_id)
  if (action === 'reject') return { ...match, state: 'not_found', decision: 'rejected' }
  if (action === 'confirm')
    return { ...match, state: 'matched', decision: 'confirmed', entity_id: songId, song_version_id: versionId }
  const isFound = match.candidates.length > 0
  return { ...match, state: isFound ? 'review' : 'not_found', decision: null, entity_id: null }
}

const byId = (matches: readonly Match[]) => matches.map((match) => [match.entry_id, match] as const)

/**
 * The files of a page with the decisions made on it. Decided files stay where they are until the list is requested
 * again.
 */
export function useDecisions(reply: MatchesReply) {
  const [decided, setDecided] = useState<ReadonlyMap<number, Match>>(new Map())
  const [addedSongs, setAddedSongs] = useState<MatchesReply['songs']>([])
  const songs = useMemo(
    () => new Map([...reply.songs, ...addedSongs].map((song) => [song.entity_id, song])),
    [reply.songs, addedSongs],
  )
  const change = (matches: readonly Match[]) => setDecided((before) => new Map([...before, ...byId(matches)]))
  const matches = reply.matches.map((match) => decided.get(match.entry_id) ?? match)

  const history = useRef<number[]>([])

  /** `chosen`: songs of the decisions that the page may not know yet. */
  const decide = async (decisions: Decision[], chosen: MatchesReply['songs'] = []): Promise<void> => {
    setAddedSongs((songs) => [...songs, ...chosen])
    const ids = decisions.map(({ entry_id }) => Number(entry_id))
    history.current = history.current.filter((id) => !ids.includes(id))
    history.current.push(...decisions.flatMap(({ entry_id, action }) => (action === 'undo' ? [] : Number(entry_id))))
    const before = decisions.flatMap(({ entry_id }) => matches.find((match) => match.entry_id === entry_id) ?? [])
    change(decisions.flatMap((decision, n) => (before[n] ? withDecision(before[n], decision) : [])))
    await runExclusive('decide-matches', async () => {
      try {
        const { overview, ...changed } = await callApi(ownLibrary.decideMatches, { decisions })
        change(changed.matches)
        setAddedSongs((songs) => [...songs, ...changed.songs])
        showOverview(overview)
        reloadOwnedSoon()
        void queryClient.invalidateQueries({ queryKey: [ownLibrary.getMatches.path], refetchType: 'none' })
        void queryClient.invalidateQueries({ queryKey: [ownLibrary.getBetterVersions.path], refetchType: 'none' })
      } catch (error) {
        change(before)
        void toastError(texts.couldntSaveDecision, error)
      }
    })
  }
  const undoLast = () => {
    const entry_id = history.current.at(-1)
    if (entry_id !== undefined) void decide([{ entry_id, action: 'undo' }])
  }
  return { matches, songs, decide, undoLast }
}
