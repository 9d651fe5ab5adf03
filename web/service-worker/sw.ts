// Caches the app shell (the page and what every visit loads) so that the site opens offline, installed or not. API
// calls, music and pictures are never cached.

/** The URLs of the shell; filled in by the build. */
declare const __SHELL__: string[]
/** A version that changes with the shell. */
declare const __VERSION__: string

const worker = self as unknown as ServiceWorkerGlobalScope

const SHELL = `shell-${__VERSION__}`
/** What a visit loaded in addition to the shell: the code of the screens that were opened. */
const SCREENS = `screens-${__VERSION__}`

worker.addEventListener('install', (event) => {
  event.waitUntil(keepShell())
  void worker.skipWaiting()
})

async function keepShell() {
  const cache = await caches.open(SHELL)
  await cache.addAll(__SHELL__)
  const response = await cache.match('/')
  if (response) await putPage(cache, response, withoutReplies(await response.text()))
}

/** The page without the lists that the server wrote into it: offline, they would look current. */
const withoutReplies = (page: string) => page.replace(/\s*<script[^>]* id="replies">[^<]*<\/script>/, '')

async function putPage(cache: Cache, { headers }: Response, page: string) {
  await keepTheme(cache, page)
  await cache.put('/', new Response(page, { headers }))
}

/** Caches the pool's own colours; the page refers to them by a URL with a content hash. */
async function keepTheme(cache: Cache, page: string) {
  const [, address] = /href="(\/theme\.css\?[^"]*)"/.exec(page) ?? []
  if (address && !(await cache.match(address))) await cache.add(address)
}

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
  if (request.mode === 'navigate' && isOurs(pathname)) event.respondWith(page(request))
  else if (pathname.startsWith('/assets/') || pathname === '/theme.css') event.respondWith(asset(request))
})

/**
 * Downloads are navigations too and are not handled here. Pages with card fields come with a different content security
 * policy that allows the payment provider's frames; the cached page would block them.
 */
const isOurs = (pathname: string) =>
  !/^\/(api|files|bundles|feeds|ticket-files|previews|peaks|images|logo|subscription\/card)\//.test(pathname)

/** The current page from the server, or the cached one when offline. */
async function page(request: Request): Promise<Response> {
  try {
    const response = await fetch(request)
    if (response.ok) void keepPage(response.clone()).catch(() => undefined)
    return response
  } catch {
    return (await caches.match('/')) ?? Response.error()
  }
}

/**
 * The page contains the name, picture and colours of the pool. A page of a newer release is not cached: its files come
 * with the service worker of that release.
 */
async function keepPage(response: Response) {
  const now = withoutReplies(await response.text())
  const cache = await caches.open(SHELL)
  const before = await cache.match('/')
  const [, entry] = /<script[^>]* src="([^"]+)"/.exec(now) ?? []
  if (!entry || !__SHELL__.includes(entry) || (await before?.text()) === now) return
  await putPage(cache, response, now)
}

/** The URLs of assets and colours change with their content, so a cached one is always current. */
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
