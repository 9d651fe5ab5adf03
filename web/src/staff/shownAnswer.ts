import type { Endpoint, InputOf, ReplyOf } from '@dubplate/contract'
import { apiQuery, queryClient } from '../platform/queries.ts'

/** The answer to a call as screens show it, and changed there ahead of the server. */
export function shownAnswer<E extends Endpoint>(call: E, input: InputOf<E>) {
  const { queryKey } = apiQuery(call, input)
  return {
    get: () => queryClient.getQueryData<ReplyOf<E>>(queryKey),
    change: (change: (was: ReplyOf<E>) => ReplyOf<E>) => {
      // An answer from before the change would take it back.
      void queryClient.cancelQueries({ queryKey })
      queryClient.setQueryData<ReplyOf<E>>(queryKey, (was) => was && change(was))
    },
  }
}
