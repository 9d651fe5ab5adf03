import type { Endpoint, InputOf, ReplyOf } from '@dubplate/contract'
import {
  keepPreviousData,
  onlineManager,
  QueryClient,
  queryOptions,
  type UseQueryResult,
  useQuery,
} from '@tanstack/react-query'
import { ask, RefusalError } from './api.ts'
import { useSession } from './session.ts'

const isRefused = (error: Error) => error instanceof RefusalError && error.status < 500

// It takes for granted that there is a network at first; a page that was opened without one would not notice its return.
onlineManager.setOnline(navigator.onLine)

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 30_000,
      // A refusal is an answer: asking again would bring the same one.
      retry: (failures, error) => failures < 1 && !isRefused(error),
      networkMode: 'always',
      // What did not load comes by itself when the network is back.
      refetchOnReconnect: true,
    },
  },
})

export const asking = <E extends Endpoint>(call: E, input: InputOf<E>) =>
  queryOptions({
    queryKey: [call.path, input],
    queryFn: ({ signal }): Promise<ReplyOf<E>> => ask(call, input, signal),
  })

type AskOptions = {
  /** False: do not ask yet. */
  when?: boolean
  /** Keeps the last answer on screen while the next page is on its way. */
  keepPrevious?: boolean
}

/** One call as a query of a screen; its key is the call's path and input. */
export function useAsk<E extends Endpoint>(
  call: E,
  input: InputOf<E>,
  { when = true, keepPrevious = false }: AskOptions = {},
): UseQueryResult<ReplyOf<E>> {
  return useQuery({
    ...asking(call, input),
    enabled: when,
    ...(keepPrevious ? { placeholderData: keepPreviousData } : {}),
  }) as UseQueryResult<ReplyOf<E>>
}

// Another person is asking from now on: what was refused may be allowed, and what is personal is another's.
useSession.subscribe((now, before) => {
  if (now.token === before.token) return
  if (!now.ended) void queryClient.invalidateQueries()
})
