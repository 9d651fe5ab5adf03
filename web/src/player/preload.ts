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

/** Seconds of sound before and after a moment that are enough to start playing there. */
const BEFORE_SECONDS = 2
const AFTER_SECONDS = 8

/** Fetches the start of a preview, and the part at a second of the song, into the browser's cache. */
export const preloadAt = async ({ version }: Entry, second: number) => {
  const address = previewUrl(version)
  const key = `${address} ${second}`
  if (preloadedUrls.has(key) || isDataSaverOn()) return
  preloadedUrls.add(key)
  try {
    const total_bytes = await fetchRange(address, 0, FIRST_BYTES - 1)
    const byteAt = (seconds: number) =>
      Math.round(Math.min(1, Math.max(0, seconds / version.duration_seconds)) * total_bytes)
    const from = Math.max(FIRST_BYTES, byteAt(second - BEFORE_SECONDS))
    const to = Math.min(total_bytes - 1, byteAt(second + AFTER_SECONDS))
    if (from < to) await fetchRange(address, from, to)
  } catch {
    preloadedUrls.delete(key)
  }
}

/** Returns the size of the whole file in bytes; 0 if the server does not tell. */
async function fetchRange(address: string, from: number, to: number): Promise<number> {
  const response = await fetch(address, { headers: { range: `bytes=${from}-${to}` }, priority: 'low' })
  await response.arrayBuffer()
  return Number(response.headers.get('content-range')?.split('/')[1] ?? 0)
}

export const isDataSaverOn = () => (navigator as { connection?: { saveData?: boolean } }).connection?.saveData === true
