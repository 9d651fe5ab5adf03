import type { newsletter } from '@dubplate/contract'
import { useCallback, useEffect, useState } from 'react'
import { ask } from '../platform/api.ts'

type LinkCall = typeof newsletter.confirmSubscription | typeof newsletter.unsubscribe

export type Answer = { is: 'asked' } | { is: 'given'; email: string } | { is: 'refused'; error: Error }

/** What the latest links of mails brought, by call and token. */
const asked = new Map<string, Promise<{ email: string }>>()

function askOnce(call: LinkCall, token: string): Promise<{ email: string }> {
  const key = `${call.path} ${token}`
  const answer = asked.get(key) ?? ask(call, { token })
  asked.set(key, answer)
  answer.catch(() => asked.delete(key))
  return answer
}

/** What the link of a mail does: it does it once, however often its screen is drawn; again when it did not work. */
export function useAskedOnce(call: LinkCall, token: string) {
  const [answer, setAnswer] = useState<Answer>({ is: 'asked' })
  const look = useCallback(() => {
    setAnswer({ is: 'asked' })
    askOnce(call, token).then(
      ({ email }) => setAnswer({ is: 'given', email }),
      (error: Error) => setAnswer({ is: 'refused', error }),
    )
  }, [call, token])
  useEffect(look, [look])
  return { answer, retry: look }
}

/** What was undone meanwhile is done anew the next time. */
export const askAnew = (call: LinkCall, token: string) => asked.delete(`${call.path} ${token}`)
