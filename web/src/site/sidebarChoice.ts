import { useMatches } from '@tanstack/react-router'
import { useSyncExternalStore } from 'react'
import { create } from 'zustand'
import { useSession } from '../platform/session.ts'

const KEY = 'dubplate.sidebar'

const readChoice = () => {
  try {
    return localStorage.getItem(KEY)
  } catch {
    return null
  }
}

const useChoice = create(() => ({ choice: readChoice() }))

/** Opens or closes the right column in this browser. */
export function toggleSidebar(isOpen: boolean) {
  const choice = isOpen ? 'open' : 'closed'
  useChoice.setState({ choice })
  try {
    localStorage.setItem(KEY, choice)
  } catch {
    // Without storage the choice lasts until the page is reloaded.
  }
}

/** Whether the right column is open: for members until they close it, for visitors once they open it. */
export function useIsSidebarOpen(): boolean {
  const signedIn = useSession((session) => session.token !== null)
  const choice = useChoice((state) => state.choice)
  return choice === null ? signedIn : choice === 'open'
}

const notPhone = matchMedia('(min-width: 48em)')

const onWidthChange = (onChange: () => void) => {
  notPhone.addEventListener('change', onChange)
  return () => notPhone.removeEventListener('change', onChange)
}

/** Whether this page can have the right column: not on phones, and only if its route has one. */
export function useHasSidebar(): boolean {
  const isWideEnough = useSyncExternalStore(onWidthChange, () => notPhone.matches)
  const isWanted = useMatches({ select: (matches) => matches.at(-1)?.staticData.hasSidebar === true })
  return isWideEnough && isWanted
}
