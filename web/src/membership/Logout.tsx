import { useNavigate } from '@tanstack/react-router'
import { useEffect } from 'react'
import { signOut } from './membership.ts'

/** Ends the session and goes home. */
export function Logout() {
  const navigate = useNavigate()
  useEffect(() => {
    void signOut()
    // The browser forgets which files unfinished uploads are read from. Where this code can't load, they expire.
    import('../uploads/handleStore.ts').then(
      ({ deleteHandles }) => deleteHandles(),
      () => undefined,
    )
    void navigate({ to: '/', replace: true })
  }, [navigate])
  return null
}
