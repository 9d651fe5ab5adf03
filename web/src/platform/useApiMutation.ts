import type { Endpoint, InputOf, ReplyOf } from '@dubplate/contract'
import { useMutation } from '@tanstack/react-query'
import { type Toast, toast, toastError } from '../ui/toast.ts'
import { callApi } from './api.ts'
import { queryClient } from './queries.ts'

type Options<E extends Endpoint> = {
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
    onSuccess: async (reply, input) => {
      if (options.success) void toast(options.success(reply, input))
      await refreshReplies(options.invalidates ?? [])
    },
    onError: (error) => {
      if (options.errorTitle) void toastError(options.errorTitle, error)
    },
  })

/** Requests the replies of these calls again, where they are shown. */
export const refreshReplies = (calls: readonly Endpoint[]) =>
  Promise.all(calls.map(({ path }) => queryClient.invalidateQueries({ queryKey: [path] })))
