import { audio, prepareSound, sourceOf, startOf } from './audio.ts'
import { GENERATING, prefetchHeader } from './generating.ts'
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

/** The song that is prepared, or will be as soon as its first bytes are in the cache. */
let latest: Entry | undefined
/** The audio that was loaded when a row or a button was last pointed at, focused or pressed. */
let chosenDuring: string | undefined

const choose = (entry: Entry) => {
  latest = entry
  chosenDuring = audio.loadedUrl
}

/**
 * Also prepares the player, so that this song starts without a delay if it is the next one that is played. Called when
 * the pointer rests on a row; only the latest call for a song that is not the current one counts.
 */
export const preload = async (entry: Entry, second = startOf(entry.version)) => {
  if (isCurrent(entry, second)) return
  choose(entry)
  await prepareFromCache(entry, second)
}

/**
 * The same for the song that “next” would play. A song that the pointer has rested on since the current one was chosen
 * stays prepared instead.
 */
export const preloadNext = async (entry: Entry) => {
  const second = startOf(entry.version)
  if (isCurrent(entry, second)) return
  if (chosenDuring !== audio.loadedUrl) chosenDuring = undefined
  if (!chosenDuring) latest = entry
  await prepareFromCache(entry, second)
}

/** Prepares the player for a song that is being pressed: by the time the button is released, it has begun to load. */
export const prepareNow = (entry: Entry) => {
  const second = startOf(entry.version)
  if (isDataSaverOn() || isCurrent(entry, second)) return
  choose(entry)
  prepareSound(entry.version, second)
}

const isCurrent = ({ version }: Entry, second: number) => audio.loadedUrl === sourceOf(version, second).url

const prepareFromCache = async (entry: Entry, second: number) => {
  // Without the parts in the cache, the element would request a megabyte at once.
  if ((await preloadAt(entry, second)) && latest === entry) prepareSound(entry.version, second)
}

/** Returns the size of the whole file in bytes; 0 if the server does not tell. Throws if it is not available. */
async function fetchRange(address: string, from: number, to: number): Promise<number> {
  const response = await fetch(address, {
    headers: { range: `bytes=${from}-${to}`, ...prefetchHeader },
    priority: 'low',
  })
  if (!response.ok || response.status === GENERATING)
    throw new Error(`The preview is not available: ${response.status}`)
  await response.arrayBuffer()
  return Number(response.headers.get('content-range')?.split('/')[1] ?? 0)
}

export const isDataSaverOn = () => (navigator as { connection?: { saveData?: boolean } }).connection?.saveData === true
