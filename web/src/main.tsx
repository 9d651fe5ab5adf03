import './styles/layers.css'
import './styles/mantine.css'
import './styles/tokens.css'
import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { loadDownloads } from './downloads/download.ts'
import { loadLibrary } from './library/library.ts'
import { loadOwned } from './ownLibrary/owned.ts'
import { setRouter } from './platform/address.ts'
import { addEmbeddedReplies, queryClient } from './platform/queries.ts'
import { createAppRouter } from './routes.tsx'
import { ToastStack } from './ui/ToastStack.tsx'

const router = createAppRouter()
setRouter(router)
addEmbeddedReplies()
void loadLibrary()
void loadDownloads()
void loadOwned()

createRoot(document.getElementById('root')!).render(
  <StrictMode>
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router} />
      <ToastStack />
    </QueryClientProvider>
  </StrictMode>,
)

/** What the first press requests, a preview or a screen, comes first: browsers have few connections to a server. */
const PRELOAD_DELAY_MS = 1_000

// Toasts, menus and the queue are likely to be needed: their code is loaded early, so that they work even if the
// network fails later.
const preloadLikelyScreens = () =>
  setTimeout(() => {
    const loaders = [
      import('./ui/Toasts.tsx'),
      import('./player/Queue.tsx'),
      import('./site/UserMenu.tsx'),
      import('./notices/BellPanel.tsx'),
    ]
    for (const code of loaders) code.catch(() => undefined)
  }, PRELOAD_DELAY_MS)
addEventListener('pointerdown', preloadLikelyScreens, { once: true })
addEventListener('keydown', preloadLikelyScreens, { once: true })

// The player appears with the first song. Its code is there by then, even if the network is not.
addEventListener('load', () => void import('./player/PlayerBar.tsx').catch(() => undefined))

// Without a service worker (plain HTTP, private windows) everything works except offline use.
if (import.meta.env.PROD)
  addEventListener('load', () => void navigator.serviceWorker?.register('/sw.js').catch(() => undefined))
