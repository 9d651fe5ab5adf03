import { useEffect, useState } from 'react'
import { history } from '../platform/address.ts'
import { isSignedIn } from '../platform/session.ts'
import { parseReturn, signInErrorText, takeSignInReturn } from './externalSignIn.ts'
import { signInElsewhere } from './signInCalls.ts'

/**
 * Ends a sign-in that comes back from the operator's own. True while the server is asked; then `onDone` or `onTrouble`
 * hears of it. A member stays who they are: the code may be another person's.
 */
export function useSignInReturn(onDone: () => void, onError: (error: Error) => void): boolean {
  const [isReturning, setReturning] = useState(() => isCode(parseReturn(history.location.hash)))
  // biome-ignore lint/correctness/useExhaustiveDependencies: taken once, as the dialog comes up
  useEffect(() => {
    const back = takeSignInReturn()
    if (!back) return
    if (isSignedIn()) return onDone()
    if ('trouble' in back) return onError(new Error(signInErrorText(back.trouble)))
    signInElsewhere(back.code).then(onDone, (error: Error) => {
      setReturning(false)
      onError(error)
    })
  }, [])
  return isReturning
}

const isCode = (back: ReturnType<typeof parseReturn>) => back !== undefined && 'code' in back
