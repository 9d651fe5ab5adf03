import type { newsletter } from '@dubplate/contract'
import { useCallback, useEffect, useState } from 'react'
import { callApi } from '../platform/api.ts'

type LinkCall = typeof newsletter.confirmSubscription | typeof newsletter.unsubscribe

export type Answer = { is: 'asked' } | { is: 'given'; email: string } | { is: 'refused'; error: Error }

/** What the latest links of mails brought, by call and token. */
const queryResult = new Map<string, Promise<{ email: string }>>()

function requestOnce(call: LinkCall, token: string): Promise<{ email: string }> {
  const key = `${call.path} ${token}`
  const answer = queryResult.get(key) ?? callApi(call, { token })
  queryResult.set(key, answer)
  answer.catch(() => queryResult.delete(key))
  return answer
}

/** What the link of a mail does: it does it once, however often its screen is drawn; again when it did not work. */
export function useRequestOnce(call: LinkCall, token: string) {
  const [answer, setAnswer] = useState<Answer>({ is: 'asked' })
  const runRequest = useCallback(() => {
    setAnswer({ is: 'asked' })
    requestOnce(call, token).then(
      ({ email }) => setAnswer({ is: 'given', email }),
      (error: Error) => setAnswer({ is: 'refused', error }),
    )
  }, [call, token])
  useEffect(runRequest, [runRequest])
  return { answer, retry: runRequest }
}

/** What was undone meanwhile is done anew the next time. */
export const requestAgain = (call: LinkCall, token: string) => queryResult.delete(`${call.path} ${token}`)
