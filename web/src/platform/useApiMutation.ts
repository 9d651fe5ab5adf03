import type { Endpoint, InputOf, ReplyOf } from '@dubplate/contract'
import { useMutation } from '@tanstack/react-query'
import { type Toast, toast, toastError } from '../ui/toast.ts'
import { callApi } from './api.ts'
import { queryClient } from './queries.ts'

type Options<E extends Endpoint> = {
  /** Shows the change at once; returns a function that undoes it when the call fails. See `changeReplies`. */
  optimistic?: (input: InputOf<E>) => () => void
  /** The calls whose replies may have changed: they are requested again. */
  invalidates?: readonly Endpoint[]
  /** Shown when it has worked. */
  success?: (reply: ReplyOf<E>, input: InputOf<E>) => Toast
  /** The title of the error: 'Couldn’t resend the email'. Without it, the caller shows the error. */
  errorTitle?: string
}

/** A call that changes something. */
export const useApiMutation = <E extends Endpoint>(call: E, options: Options<E> = {}) =>
  useMutation({
    mutationFn: (input: InputOf<E>) => callApi(call, input),
    networkMode: 'always',
    onMutate: (input) => options.optimistic?.(input),
    onSuccess: async (reply, input) => {
      if (options.success) void toast(options.success(reply, input))
      await refreshReplies(options.invalidates ?? [])
    },
    onError: (error, _, undo) => {
      undo?.()
      if (options.errorTitle) void toastError(options.errorTitle, error)
    },
  })

/** Requests the replies of these calls again, where they are shown. */
export const refreshReplies = (calls: readonly Endpoint[]) =>
  Promise.all(calls.map(({ path }) => queryClient.invalidateQueries({ queryKey: [path] })))

/** Changes the stored replies of a call; returns a function that restores them. */
export function changeReplies<E extends Endpoint>(call: E, change: (reply: ReplyOf<E>) => ReplyOf<E>): () => void {
  const filters = { queryKey: [call.path] }
  const before = queryClient.getQueriesData<ReplyOf<E>>(filters)
  queryClient.setQueriesData<ReplyOf<E>>(filters, (reply) => reply && change(reply))
  return () => {
    for (const [queryKey, reply] of before) queryClient.setQueryData(queryKey, reply)
  }
}
