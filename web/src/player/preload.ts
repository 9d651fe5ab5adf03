import { previewUrl } from '../platform/media.ts'
import type { Entry } from './queue.ts'

const FIRST_BYTES = 65_536
const asked = new Set<string>()

/**
 * Fetches the first 64 kB of a preview into the browser's cache, enough to start playing at once. Asked when a row is
 * pointed at; each address once, and never where the person saves data.
 */
export const preload = ({ version }: Entry) => {
  const address = previewUrl(version)
  if (asked.has(address) || savesData()) return
  asked.add(address)
  fetch(address, { headers: { range: `bytes=0-${FIRST_BYTES - 1}` }, priority: 'low' })
    .then((response) => response.arrayBuffer())
    .catch(() => asked.delete(address))
}

const savesData = () => (navigator as { connection?: { saveData?: boolean } }).connection?.saveData === true
