import { previewUrl } from '../platform/media.ts'
import type { Entry } from './queue.ts'

const FIRST_BYTES = 65_536
const queryResult = new Set<string>()

/**
 * Fetches the first 64 kB of a preview into the browser's cache, enough to start playing at once. Asked when a row is
 * pointed at; each address once, and never where the person saves data.
 */
export const preload = ({ version }: Entry) => {
  const address = previewUrl(version)
  if (queryResult.has(address) || isDataSaverOn()) return
  queryResult.add(address)
  fetch(address, { headers: { range: `bytes=0-${FIRST_BYTES - 1}` }, priority: 'low' })
    .then((response) => response.arrayBuffer())
    .catch(() => queryResult.delete(address))
}

const isDataSaverOn = () => (navigator as { connection?: { saveData?: boolean } }).connection?.saveData === true
