import { audio, prepareSound, sourceOf, startOf } from './audio.ts'
import type { Entry } from './queue.ts'

const FIRST_BYTES = 65_536
/** Seconds of sound before and after a moment that are enough to start playing there. */
const BEFORE_SECONDS = 2
const AFTER_SECONDS = 8
/** Whether the parts of a preview, by URL and second, are in the cache. */
const preloaded = new Map<string, Promise<boolean>>()

/**
 * Fetches the start of a preview, and the part at a second of the song, into the browser's cache. Each part once, and
 * never in data-saving mode. Resolves to whether they are there.
 */
export const preloadAt = ({ version }: Entry, second = startOf(version)): Promise<boolean> => {
  if (isDataSaverOn()) return Promise.resolve(false)
  const { url, at_seconds, duration_seconds } = sourceOf(version, second)
  const key = `${url} ${at_seconds}`
  const fetchParts = async () => {
    const total_bytes = await fetchRange(url, 0, FIRST_BYTES - 1)
    const byteAt = (seconds: number) => Math.round(Math.min(1, Math.max(0, seconds / duration_seconds)) * total_bytes)
    const from = Math.max(FIRST_BYTES, byteAt(at_seconds - BEFORE_SECONDS))
    const to = Math.min(total_bytes - 1, byteAt(at_seconds + AFTER_SECONDS))
    // The first bytes are enough for a start within them.
    if (from < to && byteAt(at_seconds) > FIRST_BYTES / 2) await fetchRange(url, from, to)
    return true
  }
  const forget = () => {
    preloaded.delete(key)
    return false
  }
  const fetching = preloaded.get(key) ?? fetchParts().catch(forget)
  preloaded.set(key, fetching)
  return fetching
}

let latest: Entry | undefined

/**
 * Also prepares the player, so that this song starts without a delay if it is the next one that is played. Called when
 * the pointer rests on a row; only the latest call counts.
 */
export const preload = async (entry: Entry, second = startOf(entry.version)) => {
  latest = entry
  if (audio.hasLoaded(sourceOf(entry.version, second).url)) return
  // Without the parts in the cache, the element would request a megabyte at once.
  if ((await preloadAt(entry, second)) && latest === entry) prepareSound(entry.version, second)
}

/** Returns the size of the whole file in bytes; 0 if the server does not tell. Throws if it is not available. */
async function fetchRange(address: string, from: number, to: number): Promise<number> {
  const response = await fetch(address, { headers: { range: `bytes=${from}-${to}` }, priority: 'low' })
  if (!response.ok) throw new Error(`The preview is not available: ${response.status}`)
  await response.arrayBuffer()
  return Number(response.headers.get('content-range')?.split('/')[1] ?? 0)
}

export const isDataSaverOn = () => (navigator as { connection?: { saveData?: boolean } }).connection?.saveData === true
