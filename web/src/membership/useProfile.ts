import { useEffect, useState } from 'react'
import { useSession } from '../platform/session.ts'
import { fetchProfile } from './membership.ts'

/** The current user's profile; requested here too, so that a screen can show an error if it can't be loaded. */
export function useProfile() {
  const { token, profile } = useSession()
  const [error, setError] = useState<Error | null>(null)
  const isKnown = profile !== null
  // A new token needs a new request.
  useEffect(() => {
    if (!isKnown) fetchProfile().catch(setError)
  }, [isKnown, token])
  const retry = () => {
    setError(null)
    fetchProfile().catch(setError)
  }
  return { profile, error, retry }
}
