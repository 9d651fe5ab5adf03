import { ownLibrary, type ReplyOf } from '@dubplate/contract'
import { useEffect, useRef, useState } from 'react'
import { queryClient, useApiQuery } from '../platform/queries.ts'
import { refreshReplies } from '../platform/useApiMutation.ts'
import { loadOwned } from './owned.ts'

export type Overview = ReplyOf<typeof ownLibrary.getLibraries>

const POLL_MS = 1_000

/** Replies that depend on what the libraries contain. */
const DEPENDENT = [ownLibrary.getMatches, ownLibrary.getBetterVersions]

/** After a change of what the member owns. */
export function refreshOwned() {
  void loadOwned()
  void refreshReplies(DEPENDENT)
}

/** Shows an overview that another call has replied with. */
export function showOverview(overview: Overview) {
  queryClient.setQueriesData({ queryKey: [ownLibrary.getLibraries.path] }, overview)
}

const isMatching = ({ imports }: Overview) => imports.some(({ state }) => state === 'matching')

/** The libraries of the member, which are requested every second while the pool compares one of them. */
export function useLibraries() {
  const [isPolling, setPolling] = useState(false)
  const query = useApiQuery(ownLibrary.getLibraries, {}, isPolling ? { refetchMs: POLL_MS } : {})
  const isBusy = query.data ? isMatching(query.data) : isPolling
  if (isBusy !== isPolling) setPolling(isBusy)
  const versions = query.data?.libraries.map(({ library_id, matched_at }) => `${library_id} ${matched_at}`).join()
  const lastVersions = useRef<string>(undefined)
  useEffect(() => {
    if (versions === undefined) return
    // A library was compared with the pool, or deleted in another tab.
    if (lastVersions.current !== undefined && lastVersions.current !== versions) refreshOwned()
    lastVersions.current = versions
  }, [versions])
  return query
}
