import { previewUrl } from '../platform/media.ts'
import type { Entry } from './queue.ts'

const FIRST_BYTES = 65_536
const preloadedUrls = new Set<string>()

/**
 * Fetches the first 64 kB of a preview into the browser's cache, enough to start playing at once. Called when a row is
 * hovered; each URL once, and never in data-saving mode.
 */
export const preload = ({ version }: Entry) => {
  const address = previewUrl(version)
  if (preloadedUrls.has(address) || isDataSaverOn()) return
  preloadedUrls.add(address)
  fetch(address, { headers: { range: `bytes=0-${FIRST_BYTES - 1}` }, priority: 'low' })
    .then((response) => response.arrayBuffer())
    .catch(() => preloadedUrls.delete(address))
}

const isDataSaverOn = () => (navigator as { connection?: { saveData?: boolean } }).connection?.saveData === true
