import { useEffect, useEffectEvent, useState } from 'react'
import { history } from '../platform/address.ts'
import { isSignedIn } from '../platform/session.ts'
import { parseReturn, signInErrorText, takeSignInReturn } from './externalSignIn.ts'
import { signInElsewhere } from './signInCalls.ts'

/**
 * Completes a sign-in that returns from the operator's own sign-in. True during the request; afterwards `onDone` or
 * `onError` is called. A signed-in member stays signed in: the code may belong to someone else.
 */
export function useSignInReturn(onDone: () => void, onError: (error: Error) => void): boolean {
  const [isReturning, setReturning] = useState(() => isCode(parseReturn(history.location.hash)))
  const complete = useEffectEvent(() => {
    const back = takeSignInReturn()
    if (!back) return
    if (isSignedIn()) return onDone()
    if ('errorMessage' in back) return onError(new Error(signInErrorText(back.errorMessage)))
    signInElsewhere(back.code).then(onDone, (error: Error) => {
      setReturning(false)
      onError(error)
    })
  })
  useEffect(() => complete(), [])
  return isReturning
}

const isCode = (back: ReturnType<typeof parseReturn>) => back !== undefined && 'code' in back
