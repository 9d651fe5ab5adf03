// Keeps the shell of the site (the page and what every visit loads) so that it opens without a network, installed or not.
// Calls, music and pictures are never touched.

/** The addresses of the shell; put in by the build. */
declare const __SHELL__: string[]
/** A name that changes with the shell. */
declare const __VERSION__: string

const worker = self as unknown as ServiceWorkerGlobalScope

const SHELL = `shell-${__VERSION__}`
/** What a visit has loaded beside the shell: the screens somebody went to. */
const SCREENS = `screens-${__VERSION__}`

worker.addEventListener('install', (event) => {
  event.waitUntil(caches.open(SHELL).then((cache) => cache.addAll(__SHELL__)))
  void worker.skipWaiting()
})

worker.addEventListener('activate', (event) => {
  event.waitUntil(forgetOthers().then(() => worker.clients.claim()))
})

async function forgetOthers() {
  const names = await caches.keys()
  await Promise.all(names.filter((name) => name !== SHELL && name !== SCREENS).map((name) => caches.delete(name)))
}

worker.addEventListener('fetch', (event) => {
  const { request } = event
  const { origin, pathname } = new URL(request.url)
  if (request.method !== 'GET' || origin !== worker.location.origin) return
  if (request.mode === 'navigate' && !isFile(pathname)) event.respondWith(page(request))
  else if (pathname.startsWith('/assets/')) event.respondWith(asset(request))
})

/** Downloads are navigations too; they are none of ours. */
const isFile = (pathname: string) => /^\/(api|files|bundles|previews|peaks|images)\//.test(pathname)

/** The page as the server has it now; without a network, as it was when the shell was kept. */
const page = (request: Request) => fetch(request).catch(async () => (await caches.match('/')) ?? Response.error())

/** The names of assets change with their content: one that is there is right. */
async function asset(request: Request): Promise<Response> {
  const kept = await caches.match(request)
  if (kept) return kept
  const response = await fetch(request)
  if (response.ok) {
    const copy = response.clone()
    void caches.open(SCREENS).then((cache) => cache.put(request, copy))
  }
  return response
}
