import type { Endpoint, InputOf, ReplyOf } from '@dubplate/contract'
import { apiQuery, queryClient } from '../../platform/queries.ts'

/** The cached response of a call, which can be updated before the server responds. */
export function shownAnswer<E extends Endpoint>(call: E, input: InputOf<E>) {
  const { queryKey } = apiQuery(call, input)
  return {
    get: () => queryClient.getQueryData<ReplyOf<E>>(queryKey),
    change: (change: (was: ReplyOf<E>) => ReplyOf<E>) => {
      // A response from before the change would undo it.
      void queryClient.cancelQueries({ queryKey })
      queryClient.setQueryData<ReplyOf<E>>(queryKey, (was) => was && change(was))
    },
  }
}
