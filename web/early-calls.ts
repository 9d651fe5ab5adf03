import type { Plugin } from 'vite'
import { catalogue, spotlights } from '../contract/src/index.ts'

/** The first requests of the start page, each with the optional section of the site it belongs to. */
const CALLS = [catalogue.homePageGenres, spotlights.getSpotlights].map(({ path, section = '' }) => [
  `/api/${path}?store_id=1&lang_code=en`,
  section,
])

/** Stored on the window for src/platform/earlyResponses.ts, which takes each reply once. */
const EARLY_SCRIPT = `if (location.pathname === '/') {
  let token
  try { token = localStorage.getItem('dubplate.token') } catch {}
  const headers = token ? { authorization: 'Bearer ' + token } : {}
  window.earlyReplies = {}
  const { hidden = [] } = JSON.parse(document.getElementById('pool')?.textContent ?? '{}')
  for (const [address, section] of ${JSON.stringify(CALLS)})
    if (!hidden.includes(section)) earlyReplies[address] = fetch(address, { headers }).catch(() => undefined)
}`

/** Lets the document itself request the first data of the start page while its code is still loading. */
export const earlyCalls = (): Plugin => ({
  name: 'early-calls',
  transformIndexHtml: () => [{ tag: 'script', children: EARLY_SCRIPT, injectTo: 'head' }],
})
