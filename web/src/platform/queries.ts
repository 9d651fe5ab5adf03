import type { Endpoint, InputOf, ReplyOf } from '@dubplate/contract'
import {
  keepPreviousData,
  notifyManager,
  onlineManager,
  QueryClient,
  queryOptions,
  type UseQueryResult,
  useQuery,
} from '@tanstack/react-query'
import { ApiError, callApi } from './api.ts'
import { clearDrafts } from './drafts.ts'
import { useSession } from './session.ts'
import { createTabStorage } from './tabStorage.ts'

const FRESH_MS = 30_000

const isClientError = (error: Error) => error instanceof ApiError && error.status < 500

// The manager assumes a connection at first; a page opened offline would not notice when it returns.
onlineManager.setOnline(navigator.onLine)

// Renders a change before the next key press, which may read the state of the screen.
notifyManager.setScheduler(queueMicrotask)

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: FRESH_MS,
      // An error reply is final: another request would return the same one.
      retry: (failures, error) => failures < 1 && !isClientError(error),
      networkMode: 'always',
      // Retries failed requests by itself when the connection is back.
      refetchOnReconnect: true,
    },
  },
})

type EmbeddedReplies = {
  /** The server's, in ms since 1970. */
  time: number
  replies: [queryKey: [path: string, input: object], reply: { data: unknown }][]
}

/**
 * Uses what the server wrote into the home page, so that it needs no request. A page from the browser's cache may be
 * old: its replies are not used.
 */
export function addEmbeddedReplies(): void {
  const text = document.getElementById('replies')?.textContent
  if (!text) return
  const { time, replies }: EmbeddedReplies = JSON.parse(text)
  if (Math.abs(Date.now() - time) >= FRESH_MS) return
  for (const [queryKey, { data }] of replies) queryClient.setQueryData(queryKey, data, { updatedAt: time })
}

export const apiQuery = <E extends Endpoint>(call: E, input: InputOf<E>) =>
  queryOptions({
    queryKey: [call.path, input],
    queryFn: ({ signal }): Promise<ReplyOf<E>> => callApi(call, input, { signal }),
  })

type ApiQueryOptions = {
  /** False: do not send the request yet. */
  enabled?: boolean
  /** Keeps showing the last reply while the next page loads. */
  keepPrevious?: boolean
  /** Refetches after this time in ms, while the page is visible. */
  refetchMs?: number
}

/** An API call as a query of a screen; its key is the call's path and input. */
export function useApiQuery<E extends Endpoint>(
  call: E,
  input: InputOf<E>,
  { enabled = true, keepPrevious = false, refetchMs }: ApiQueryOptions = {},
): UseQueryResult<ReplyOf<E>> {
  return useQuery({
    ...apiQuery(call, input),
    enabled: enabled,
    ...(refetchMs ? { refetchInterval: refetchMs } : {}),
    ...(keepPrevious ? { placeholderData: keepPreviousData } : {}),
  }) as UseQueryResult<ReplyOf<E>>
}

/**
 * The member whose replies and drafts this tab holds (customer_id). They are kept after a session has ended, for the
 * same member to return.
 */
const owner = createTabStorage<number>('dubplate.owner')

/** Refetches lists on screen and removes all other replies. */
function clearMemberData() {
  owner.set(undefined)
  clearDrafts()
  void queryClient.resetQueries()
}

// After a change of user, personal replies belong to someone else, and failed requests may now succeed.
useSession.subscribe((now, before) => {
  const customerId = now.profile?.customer_id
  const isOtherMember = customerId !== undefined && customerId !== (owner.get() ?? customerId)
  const isSignedOut = before.token !== null && now.token === null && !now.ended
  if (isSignedOut || isOtherMember) clearMemberData()
  else if (now.token !== before.token && !now.ended) void queryClient.invalidateQueries()
  if (customerId !== undefined) owner.set(customerId)
})
