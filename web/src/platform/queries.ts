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

const isClientError = (error: Error) => error instanceof ApiError && error.status < 500

// It takes for granted that there is a network at first; a page that was opened without one would not notice its return.
onlineManager.setOnline(navigator.onLine)

// What a key has changed is drawn before the next key comes, which asks the screen where things stand.
notifyManager.setScheduler(queueMicrotask)

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 30_000,
      // A refusal is an answer: asking again would bring the same one.
      retry: (failures, error) => failures < 1 && !isClientError(error),
      networkMode: 'always',
      // What did not load comes by itself when the network is back.
      refetchOnReconnect: true,
    },
  },
})

export const apiQuery = <E extends Endpoint>(call: E, input: InputOf<E>) =>
  queryOptions({
    queryKey: [call.path, input],
    queryFn: ({ signal }): Promise<ReplyOf<E>> => callApi(call, input, { signal }),
  })

type ApiQueryOptions = {
  /** False: do not ask yet. */
  enabled?: boolean
  /** Keeps the last answer on screen while the next page is on its way. */
  keepPrevious?: boolean
  /** Asks again after so long, while the page is looked at. */
  refetchMs?: number
}

/** One call as a query of a screen; its key is the call's path and input. */
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

/** Whose answers and drafts this tab holds (customer_id). A session that ended leaves them for the one who comes back. */
const owner = createTabStorage<number>('dubplate.owner')

/** Lists on screen are asked for anew; the others are as if they had never been. */
function clearMemberData() {
  owner.set(undefined)
  clearDrafts()
  void queryClient.resetQueries()
}

// Another person is asking from now on: what is personal is another's, and what was refused may be allowed.
useSession.subscribe((now, before) => {
  const customerId = now.profile?.customer_id
  const isOtherMember = customerId !== undefined && customerId !== (owner.get() ?? customerId)
  const isSignedOut = before.token !== null && now.token === null && !now.ended
  if (isSignedOut || isOtherMember) clearMemberData()
  else if (now.token !== before.token && !now.ended) void queryClient.invalidateQueries()
  if (customerId !== undefined) owner.set(customerId)
})
