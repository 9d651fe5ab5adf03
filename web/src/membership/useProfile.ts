import { useCallback, useEffect, useState } from 'react'
import { useSession } from '../platform/session.ts'
import { fetchProfile } from './membership.ts'

/** Who is signed in; asked for here as well, so that a screen that could not learn it says so. */
export function useProfile() {
  const { token, profile } = useSession()
  const [error, setError] = useState<Error | null>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: another token is asked for anew
  const loadCurrentProfile = useCallback(async () => {
    setError(null)
    await fetchProfile().catch(setError)
  }, [token])
  const isKnown = profile !== null
  useEffect(() => {
    if (!isKnown) void loadCurrentProfile()
  }, [isKnown, loadCurrentProfile])
  return { profile, error, retry: () => void loadCurrentProfile() }
}
