import type { Plugin } from 'vite'
import { catalogue, spotlights } from '../contract/src/index.ts'

/** What the start page asks for first, each with the part of the site it belongs to, which a pool may do without. */
const CALLS = [catalogue.homePageGenres, spotlights.getSpotlights].map(({ path, section = '' }) => [
  `/api/${path}?store_id=1&lang_code=en`,
  section,
])

/** Left on the window for src/platform/early.ts, which takes each reply once. */
const EARLY_SCRIPT = `if (location.pathname === '/') {
  let token
  try { token = localStorage.getItem('dubplate.token') } catch {}
  const headers = token ? { authorization: 'Bearer ' + token } : {}
  window.earlyReplies = {}
  const { hidden = [] } = JSON.parse(document.getElementById('pool')?.textContent ?? '{}')
  for (const [address, section] of ${JSON.stringify(CALLS)})
    if (!hidden.includes(section)) earlyReplies[address] = fetch(address, { headers }).catch(() => undefined)
}`

/** The document itself asks for what the start page shows first, while its code is still on the way. */
export const earlyCalls = (): Plugin => ({
  name: 'early-calls',
  transformIndexHtml: () => [{ tag: 'script', children: EARLY_SCRIPT, injectTo: 'head' }],
})
