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
  event.waitUntil(keepShell())
  void worker.skipWaiting()
})

async function keepShell() {
  const cache = await caches.open(SHELL)
  await cache.addAll(__SHELL__)
  const page = await cache.match('/')
  if (page) await keepTheme(cache, await page.text())
}

/** The pool's own colours, which the page names by their content. */
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
 * Downloads are navigations too; they are none of ours. Where cards are typed, the page comes with a policy of its own that
 * lets the provider's frames in: the one that is kept would shut them out.
 */
const isOurs = (pathname: string) =>
  !/^\/(api|files|bundles|feeds|ticket-files|previews|peaks|images|logo|subscription\/card)\//.test(pathname)

/** The page as the server has it now; without a network, as it was last. */
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
 * Name, picture and colours of the pool stand in the page. One that a newer release made is left alone: what it needs
 * comes with the worker of that release.
 */
async function keepPage(response: Response) {
  const now = await response.clone().text()
  const cache = await caches.open(SHELL)
  const before = await cache.match('/')
  const [, entry] = /<script[^>]* src="([^"]+)"/.exec(now) ?? []
  if (!entry || !__SHELL__.includes(entry) || (await before?.text()) === now) return
  await keepTheme(cache, now)
  await cache.put('/', response)
}

/** The addresses of assets and colours change with their content: one that is there is right. */
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
