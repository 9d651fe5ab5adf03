import type { newsletter } from '@dubplate/contract'
import { useCallback, useEffect, useState } from 'react'
import { callApi } from '../platform/api.ts'

type LinkCall = typeof newsletter.confirmSubscription | typeof newsletter.unsubscribe

export type Answer = { is: 'pending' } | { is: 'done'; email: string } | { is: 'failed'; error: Error }

/** The requests of recent email links, by call and token. */
const requests = new Map<string, Promise<{ email: string }>>()

function requestOnce(call: LinkCall, token: string): Promise<{ email: string }> {
  const key = `${call.path} ${token}`
  const request = requests.get(key) ?? callApi(call, { token })
  requests.set(key, request)
  request.catch(() => requests.delete(key))
  return request
}

/** Sends the request of an email link once, however often its screen renders; again only after an error. */
export function useRequestOnce(call: LinkCall, token: string) {
  const [answer, setAnswer] = useState<Answer>({ is: 'pending' })
  const runRequest = useCallback(() => {
    requestOnce(call, token).then(
      ({ email }) => setAnswer({ is: 'done', email }),
      (error: Error) => setAnswer({ is: 'failed', error }),
    )
  }, [call, token])
  useEffect(runRequest, [runRequest])
  const retry = () => {
    setAnswer({ is: 'pending' })
    runRequest()
  }
  return { answer, retry }
}

/** Sends the request again the next time, after its effect was undone. */
export const requestAgain = (call: LinkCall, token: string) => requests.delete(`${call.path} ${token}`)
