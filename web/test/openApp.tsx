import '../src/styles/layers.css'
import '../src/styles/mantine.css'
import '../src/styles/tokens.css'
import { membership } from '@dubplate/contract'
import { notifications } from '@mantine/notifications'
import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { createRoot, type Root } from 'react-dom/client'
import { vi } from 'vitest'
import { loadDownloads } from '../src/downloads/download.ts'
import { history, setRouter } from '../src/platform/address.ts'
import { queryClient } from '../src/platform/queries.ts'
import { useSession } from '../src/platform/session.ts'
import { playerActions } from '../src/player/store.ts'
import { createAppRouter } from '../src/routes.tsx'
import { ToastStack } from '../src/ui/ToastStack.tsx'
import { fakeApi } from './fakeApi.ts'
import { resetStores } from './zustand.ts'

export const TOKEN = 'token-of-a-component-test'

/** Also while a test controls the time. */
const realSetTimeout = setTimeout

let mounted: { root: Root; element: HTMLElement } | undefined

/** Renders an element into the page, with the providers every part of the app needs. */
export function render(node: ReactNode): void {
  unmount()
  const element = document.createElement('div')
  document.body.append(element)
  const root = createRoot(element)
  root.render(
    <QueryClientProvider client={queryClient}>
      {node}
      <ToastStack />
    </QueryClientProvider>,
  )
  mounted = { root, element }
}

/** Signs a member in, as if they had returned with a stored session. */
export function signInAs(profile: membership.Profile): void {
  fakeApi.reply(membership.getProfile, { profile })
  localStorage.setItem('dubplate.token', TOKEN)
  useSession.setState({ token: TOKEN, profile, ended: false })
}

/** Opens the whole app at a URL. Replies and the session have to be set up before. */
export async function openApp(url: string): Promise<void> {
  history.push(url)
  const router = createAppRouter()
  setRouter(router)
  await loadDownloads()
  render(<RouterProvider router={router} />)
}

/** Opens the app again, as after a reload: only stored state remains. */
export async function reopenApp(url: string): Promise<void> {
  unmount()
  queryClient.clear()
  await openApp(url)
}

function unmount() {
  mounted?.root.unmount()
  mounted?.element.remove()
  mounted = undefined
}

/** Restores the page to its state before the first test. */
export async function closeApp(): Promise<void> {
  unmount()
  // A call that ends later would show its toast in the next test.
  await vi.waitUntil(() => queryClient.isMutating() === 0, { timeout: 20_000 })
  // Its toast waits for this import, too.
  await import('../src/ui/Toasts.tsx')
  await new Promise((resolve) => realSetTimeout(resolve))
  notifications.clean()
  playerActions.clear()
  resetStores()
  queryClient.clear()
  localStorage.clear()
  sessionStorage.clear()
  history.push('/')
  document.documentElement.setAttribute('data-mantine-color-scheme', 'dark')
}
