import { useEffect, useState } from 'react'
import { history } from '../platform/address.ts'
import { isSignedIn } from '../platform/session.ts'
import { returnIn, takeReturn, troubleIn } from './elsewhere.ts'
import { signInElsewhere } from './entry.ts'

/**
 * Ends a sign-in that comes back from the operator's own. True while the server is asked; then `onDone` or `onTrouble`
 * hears of it. A member stays who they are: the code may be another person's.
 */
export function useReturn(onDone: () => void, onTrouble: (error: Error) => void): boolean {
  const [isComing, setComing] = useState(() => isCode(returnIn(history.location.hash)))
  // biome-ignore lint/correctness/useExhaustiveDependencies: taken once, as the dialog comes up
  useEffect(() => {
    const back = takeReturn()
    if (!back) return
    if (isSignedIn()) return onDone()
    if ('trouble' in back) return onTrouble(new Error(troubleIn(back.trouble)))
    signInElsewhere(back.code).then(onDone, (error: Error) => {
      setComing(false)
      onTrouble(error)
    })
  }, [])
  return isComing
}

const isCode = (back: ReturnType<typeof returnIn>) => back !== undefined && 'code' in back
