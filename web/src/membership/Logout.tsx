import { useNavigate } from '@tanstack/react-router'
import { useEffect } from 'react'
import { signOut } from './membership.ts'

/** Ends the session and goes home. */
export function Logout() {
  const navigate = useNavigate()
  useEffect(() => {
    void signOut()
    void navigate({ to: '/', replace: true })
  }, [navigate])
  return null
}
