import { useCallback, useEffect, useState } from 'react'
import { useSession } from '../platform/session.ts'
import { fetchProfile } from './membership.ts'

/** The current user's profile; requested here too, so that a screen can show an error if it can't be loaded. */
export function useProfile() {
  const { token, profile } = useSession()
  const [error, setError] = useState<Error | null>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new token needs a new request
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
