import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { browser, FakeAudio, leavePage, storage } from './fake-browser.ts'
import { makeEntry } from './queueSamples.ts'

const TOTAL_BYTES = 3_200_000

/** Opens the page: the modules are loaded again. */
async function open() {
  vi.resetModules()
  leavePage()
  const { playerActions, setChooser, usePlayer } = await import('./store.ts')
  const { preload, preloadAt, prepareNow } = await import('./preload.ts')
  const { prepareNextSongs } = await import('./prepareNext.ts')
  const { audio, soundPosition } = await import('./audio.ts')
  const [first] = FakeAudio.all
  return {
    ...playerActions,
    preload,
    preloadAt,
    prepareNow,
    prepareNextSongs,
    setChooser,
    get: usePlayer.getState,
    soundPosition,
    heard: () => audio.heard as unknown as FakeAudio,
    first: first!,
    second: () => FakeAudio.all[1],
  }
}

let ranges: string[]
const fetchRange = vi.fn<typeof fetch>()

beforeEach(() => {
  storage.entries.clear()
  ranges = []
  fetchRange.mockClear()
  fetchRange.mockImplementation((address, init) => {
    ranges.push(`${address} ${new Headers(init?.headers).get('range')}`)
    return Promise.resolve(
      new Response('', { status: 206, headers: { 'content-range': `bytes 0-65535/${TOTAL_BYTES}` } }),
    )
  })
  vi.stubGlobal('fetch', fetchRange)
  browser.userActivation = { isActive: true }
})

afterEach(() => {
  leavePage()
  vi.unstubAllGlobals()
  delete browser.userActivation
  delete browser.connection
})

test('a preloaded song plays on the element that has loaded it', async () => {
  const player = await open()
  player.play(makeEntry(1))
  await player.preload(makeEntry(2))
  expect(player.second()?.actions).toEqual(['load /previews/2.mp3'])
  expect(player.second()?.preload).toBe('metadata')
  player.play(makeEntry(2))
  expect(player.second()?.actions).toEqual(['load /previews/2.mp3', 'play /previews/2.mp3 at 0'])
  expect(player.heard()).toBe(player.second())
  expect(player.heard().preload).toBe('auto')
  expect(player.first.paused).toBe(true)
  expect(player.first.src).toBe('')
  expect(player.get()).toMatchObject({ playing: true, waiting: false })
})

test('the volume is that of the player, and only the element that is heard reports events', async () => {
  const player = await open()
  player.setVolume(0.4)
  player.play(makeEntry(1))
  await player.preload(makeEntry(2))
  player.play(makeEntry(2))
  expect(player.heard().volume).toBeCloseTo(0.4)
  player.first.emit('pause')
  player.first.emit('ended')
  expect(player.get().playing).toBe(true)
  player.heard().currentTime = 12
  expect(player.soundPosition()).toBe(12)
  player.heard().pause()
  expect(player.get().playing).toBe(false)
})

test('the two elements take turns', async () => {
  const player = await open()
  for (const id of [1, 2, 3, 4]) {
    await player.preload(makeEntry(id))
    player.play(makeEntry(id))
    expect(player.heard().actions.at(-1)).toBe(`play /previews/${id}.mp3 at 0`)
  }
  expect(FakeAudio.all).toHaveLength(2)
})

test('another song, or one that starts by itself, is loaded by the element that is heard', async () => {
  const player = await open()
  player.play(makeEntry(1))
  await player.preload(makeEntry(2))
  player.play(makeEntry(3))
  expect(player.first.actions.at(-1)).toBe('play /previews/3.mp3 at 0')
  // Safari does not play an element that was never played during a press.
  browser.userActivation = { isActive: false }
  player.play(makeEntry(2))
  expect(player.first.actions.at(-1)).toBe('play /previews/2.mp3 at 0')
})

test('an element that could not load is not used, and loads again when the pointer comes back', async () => {
  const player = await open()
  player.play(makeEntry(1))
  await player.preload(makeEntry(2))
  player.second()?.fail(2)
  player.play(makeEntry(2))
  expect(player.first.actions.at(-1)).toBe('play /previews/2.mp3 at 0')
  expect(player.get().error).toBeUndefined()
  player.play(makeEntry(1))
  await player.preload(makeEntry(2))
  expect(player.second()?.actions).toEqual(['load /previews/2.mp3', 'load /previews/2.mp3'])
})

test('of several songs the pointer rested on, the last one is prepared', async () => {
  const player = await open()
  await Promise.all([player.preload(makeEntry(2)), player.preload(makeEntry(3))])
  expect(player.second()?.actions).toEqual(['load /previews/3.mp3'])
})

test('nothing is requested again for the playing song', async () => {
  const player = await open()
  player.play(makeEntry(1))
  await player.preload(makeEntry(1))
  expect(ranges).toEqual([])
  expect(player.second()).toBeUndefined()
})

test('the pointer on the playing song does not stop another one from being prepared', async () => {
  const player = await open()
  player.play(makeEntry(1))
  await Promise.all([player.preload(makeEntry(2)), player.preload(makeEntry(1))])
  expect(player.second()?.actions).toEqual(['load /previews/2.mp3'])
})

test('nothing is requested in data-saving mode, and nothing prepared without the parts in the cache', async () => {
  browser.connection = { saveData: true }
  const player = await open()
  await player.preload(makeEntry(2))
  expect(ranges).toEqual([])
  browser.connection.saveData = false
  fetchRange.mockRejectedValueOnce(new TypeError('Failed to fetch'))
  await player.preload(makeEntry(2))
  fetchRange.mockResolvedValueOnce(new Response('', { status: 503 }))
  await player.preload(makeEntry(2))
  expect(player.second()).toBeUndefined()
  await player.preload(makeEntry(2))
  expect(player.second()?.actions).toEqual(['load /previews/2.mp3'])
})

test('each part is requested once: the first bytes, and those around the second it starts at', async () => {
  const player = await open()
  await player.preload(makeEntry(2))
  await player.preload(makeEntry(3))
  await player.preload(makeEntry(2))
  expect(ranges).toEqual(['/previews/2.mp3 bytes=0-65535', '/previews/3.mp3 bytes=0-65535'])
  ranges = []
  // A visitor's clip starts at the second of the song at which its preview starts.
  await player.preloadAt(makeEntry(4, { start: 40 }), 60)
  const byteAt = (second: number) => Math.round((second / 30) * TOTAL_BYTES)
  expect(ranges).toEqual([
    '/previews/4.mp3?s=40 bytes=0-65535',
    `/previews/4.mp3?s=40 bytes=${byteAt(18)}-${byteAt(28)}`,
  ])
})

test('a song that is being pressed has begun to load when the button is released', async () => {
  const player = await open()
  player.prepareNow(makeEntry(1))
  expect(player.second()?.actions).toEqual(['load /previews/1.mp3'])
  expect(ranges).toEqual([])
  player.play(makeEntry(1))
  expect(player.heard()).toBe(player.second())
  // Pressed again, it is paused.
  player.prepareNow(makeEntry(1))
  expect(player.first.src).toBe('')
  browser.connection = { saveData: true }
  player.prepareNow(makeEntry(2))
  expect(player.first.src).toBe('')
})

const list = [1, 2, 3, 4].map((id) => makeEntry(id))

/** Plays the first song of the list until it is heard. `prepared` is the source of the other element. */
async function playList() {
  const player = await open()
  const stop = player.prepareNextSongs()
  player.play(list[0]!, { list })
  const other = () => FakeAudio.all.find((each) => each !== player.heard())
  return { ...player, stop, hear: () => player.heard().emit('playing'), prepared: () => other()?.src ?? '' }
}

test('once a song is heard, the one that “next” plays is prepared, and starts on the element that has loaded it', async () => {
  const player = await playList()
  expect(ranges).toEqual([])
  player.hear()
  await vi.waitFor(() => expect(player.prepared()).toBe('/previews/2.mp3'))
  player.next()
  expect(player.heard().actions.at(-1)).toBe('play /previews/2.mp3 at 0')
  expect(player.heard()).toBe(player.second())
  player.hear()
  await vi.waitFor(() => expect(player.prepared()).toBe('/previews/3.mp3'))
  expect(ranges).toEqual(['/previews/2.mp3 bytes=0-65535', '/previews/3.mp3 bytes=0-65535'])
})

test('a song that the pointer has rested on since the current one was chosen stays prepared', async () => {
  const player = await playList()
  await player.preload(list[2]!)
  player.hear()
  await vi.waitFor(() => expect(ranges.at(-1)).toBe('/previews/2.mp3 bytes=0-65535'))
  await player.preloadAt(list[1]!)
  expect(player.prepared()).toBe('/previews/3.mp3')
  player.next()
  player.hear()
  await player.preloadAt(list[2]!)
  await vi.waitFor(() => expect(player.prepared()).toBe('/previews/3.mp3'))
  player.play(list[0]!, { list })
  player.hear()
  await vi.waitFor(() => expect(player.prepared()).toBe('/previews/2.mp3'))
})

test('a song whose music the server has yet to generate is not prepared, and does not delay what is waited for', async () => {
  fetchRange.mockResolvedValueOnce(new Response(null, { status: 202 }))
  const player = await playList()
  player.hear()
  await vi.waitFor(() => expect(fetchRange).toHaveBeenCalledOnce())
  await vi.waitFor(async () => expect(await player.preloadAt(list[2]!)).toBe(true))
  const purposes = fetchRange.mock.calls.map(([, init]) => new Headers(init?.headers).get('purpose'))
  expect(purposes).toEqual(['prefetch', 'prefetch'])
  expect(player.prepared()).toBe('')
})

test('another song that becomes the next one is prepared; nothing while the player is paused', async () => {
  const player = await playList()
  player.hear()
  player.playNext(makeEntry(7))
  await vi.waitFor(() => expect(player.prepared()).toBe('/previews/7.mp3'))
  player.toggle()
  player.playNext(makeEntry(8))
  player.toggle()
  expect(ranges.at(-1)).toBe('/previews/7.mp3 bytes=0-65535')
  player.hear()
  await vi.waitFor(() => expect(player.prepared()).toBe('/previews/8.mp3'))
  player.stop()
  player.playNext(makeEntry(9))
  player.hear()
  expect(ranges.at(-1)).toBe('/previews/8.mp3 bytes=0-65535')
})

test('also if the song was heard before the player was shown', async () => {
  const player = await open()
  player.play(list[0]!, { list })
  player.heard().emit('playing')
  player.prepareNextSongs()
  await vi.waitFor(() => expect(player.second()?.src).toBe('/previews/2.mp3'))
})

test('nothing is prepared if chance or a screen chooses the next song', async () => {
  const player = await playList()
  player.toggleShuffle()
  player.hear()
  player.setChooser({ next: () => undefined, previous: () => undefined })
  player.toggleShuffle()
  player.hear()
  expect(ranges).toEqual([])
  player.setChooser(undefined)
  player.hear()
  expect(ranges).toEqual(['/previews/2.mp3 bytes=0-65535'])
})
