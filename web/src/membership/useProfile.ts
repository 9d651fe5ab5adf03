import { useCallback, useEffect, useState } from 'react'
import { useSession } from '../platform/session.ts'
import { learnProfile } from './membership.ts'

/** Who is signed in; asked for here as well, so that a screen that could not learn it says so. */
export function useProfile() {
  const { token, profile } = useSession()
  const [error, setError] = useState<Error | null>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: another token is asked for anew
  const learn = useCallback(async () => {
    setError(null)
    await learnProfile().catch(setError)
  }, [token])
  const isKnown = profile !== null
  useEffect(() => {
    if (!isKnown) void learn()
  }, [isKnown, learn])
  return { profile, error, retry: () => void learn() }
}
