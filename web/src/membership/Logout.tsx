import { useNavigate } from '@tanstack/react-router'
import { useEffect } from 'react'
import { signOut } from './membership.ts'

/** Ends the session and opens the start page. */
export function Logout() {
  const navigate = useNavigate()
  useEffect(() => {
    void signOut()
    // Removes the stored handles of the files that unfinished uploads are read from. If this code can't load, they
    // expire.
    import('../platform/handleStore.ts').then(
      ({ deleteHandles }) => deleteHandles(),
      () => undefined,
    )
    void navigate({ to: '/', replace: true })
  }, [navigate])
  return null
}
