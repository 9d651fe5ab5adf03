import type { membership } from '@dubplate/contract'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { browser, type FakeAudio, leavePage, page, storage } from './fake-browser.ts'
import type { Entry } from './queue.ts'

const entry = (id: number, { song = id, available = true, start = 0 } = {}): Entry => {
  const version = {
    song_version_id: id,
    version_label: 'Intro Clean',
    version_code: 'IC',
    mp3: `/previews/${id}.mp3`,
    peaks: `/peaks/${id}`,
    download: [0, 0],
    file_name: `${id}.mp3`,
    uploaded_mp3_name: `${id}.mp3`,
    duration_seconds: 200,
    preview_start_seconds: start,
    loudness_lufs: null,
    available,
  }
  return {
    song: {
      entity_id: song,
      title: `Song ${song}`,
      artist: 'Mara Voss',
      image: '/images/a/320.webp',
      min_bpm: 124,
      max_bpm: 124,
      song_key: 'Am',
      year: 2026,
      created_at: '2026-11-20T00:00:00Z',
      genres: [],
      song_section_id: 1,
      wave: '',
      version: [version],
    },
    version,
  }
}

/** Opens the page: the modules are loaded anew, what localStorage holds stays. */
const open = async () => {
  vi.resetModules()
  leavePage()
  const { useSession } = await import('../platform/session.ts')
  const { usePlayer, playerActions } = await import('./store.ts')
  const audio = (await import('./audio.ts')).audio as unknown as FakeAudio
  const { soundPosition, soundDuration } = await import('./audio.ts')
  return {
    ...playerActions,
    audio,
    soundPosition,
    soundDuration,
    /** The profile of whoever is signed in arrives, and with it the key of whole songs. */
    learnKey: () => useSession.setState({ token: 'a-token', profile: { media_key: 'a-key' } as membership.Profile }),
    get: usePlayer.getState,
    titles: () => usePlayer.getState().queue.map(({ version }) => version.song_version_id),
  }
}

beforeEach(() => {
  storage.entries.clear()
  browser.onLine = true
  vi.useRealTimers()
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

describe('choosing', () => {
  test('a newly chosen version is appended and played at once', async () => {
    const player = await open()
    player.play(entry(1))
    player.play(entry(2))
    expect(player.titles()).toEqual([1, 2])
    expect(player.get()).toMatchObject({ index: 1, playing: true })
    expect(player.audio.queryResult.at(-1)).toBe('play /previews/2.mp3 at 0')
  })

  test('choosing the current version pauses and goes on where it stood', async () => {
    const player = await open()
    player.play(entry(1))
    player.audio.playSeconds(10)
    player.play(entry(1))
    expect(player.get().playing).toBe(false)
    player.play(entry(1))
    expect(player.audio.queryResult.at(-1)).toBe('play /previews/1.mp3 at 10')
    expect(player.titles()).toEqual([1])
  })

  test('choosing a version that is in the queue jumps to it', async () => {
    const player = await open()
    for (const id of [1, 2, 3]) player.play(entry(id))
    player.play(entry(1))
    expect(player.titles()).toEqual([1, 2, 3])
    expect(player.get().index).toBe(0)
  })

  test('a version can be chosen from a second on, also the current one', async () => {
    const player = await open()
    player.play(entry(1), { at: 12 })
    expect(player.audio.queryResult.at(-1)).toBe('play /previews/1.mp3 at 12')
    player.play(entry(1), { at: 20 })
    expect(player.audio.currentTime).toBe(20)
    expect(player.get().playing).toBe(true)
  })
})

describe('seeking', () => {
  test('works before anything is loaded, over the whole song for a member and over the clip for a visitor', async () => {
    const visitor = await open()
    visitor.enqueue(entry(1))
    visitor.seekShare(0.5)
    expect(visitor.soundPosition()).toBe(15)
    storage.setItem('dubplate.token', 'a-token')
    const member = await open()
    member.enqueue(entry(2))
    member.jump(1)
    member.seekShare(0.5)
    expect(member.soundPosition()).toBe(100)
  })

  test('stays within the version, and neither starts nor stops it', async () => {
    const player = await open()
    player.play(entry(1))
    player.audio.duration = 180
    player.toggle()
    player.seek(500)
    expect(player.audio.currentTime).toBe(180)
    player.seek(-5)
    expect(player.audio.currentTime).toBe(0)
    expect(player.audio.paused).toBe(true)
  })
})

describe('a preview that does not begin at 0', () => {
  const openAsMember = async () => {
    storage.setItem('dubplate.token', 'a-token')
    const player = await open()
    player.learnKey()
    return player
  }
  const played = ({ audio }: { audio: FakeAudio }) => audio.queryResult.at(-1)

  test('begins there for a member, who can go back to before it', async () => {
    const player = await openAsMember()
    player.play(entry(1, { start: 60 }))
    expect(played(player)).toBe('play /previews/1.mp3?k=a-key at 60')
    player.seek(0)
    expect(player.audio.currentTime).toBe(0)
    player.toggle()
    player.toggle()
    expect(played(player)).toBe('play /previews/1.mp3?k=a-key at 0')
  })

  test('begins there again when it is repeated, gone back to, or was queued and rested', async () => {
    const player = await openAsMember()
    player.enqueue(entry(1, { start: 60 }))
    expect(player.soundPosition()).toBe(60)
    player.toggle()
    expect(played(player)).toBe('play /previews/1.mp3?k=a-key at 60')
    player.toggleRepeatOne()
    player.audio.end()
    expect(played(player)).toBe('play /previews/1.mp3?k=a-key at 60')
    player.play(entry(2))
    player.previous()
    expect(played(player)).toBe('play /previews/1.mp3?k=a-key at 60')
    player.jump(1)
    player.remove(1)
    expect(player.soundPosition()).toBe(60)
  })

  test('plays on from where it was left, and from a second that was chosen', async () => {
    const before = await openAsMember()
    before.play(entry(1, { start: 60 }))
    before.seek(12)
    page.dispatchEvent(new Event('pagehide'))
    const player = await openAsMember()
    player.toggle()
    expect(played(player)).toBe('play /previews/1.mp3?k=a-key at 12')
    player.play(entry(2, { start: 60 }), { at: 0 })
    expect(played(player)).toBe('play /previews/2.mp3?k=a-key at 0')
  })

  test('is cut there for a visitor: the clip begins at 0, and ends with the song at the latest', async () => {
    const player = await open()
    player.play(entry(1, { start: 60 }))
    expect(played(player)).toBe('play /previews/1.mp3?s=60 at 0')
    expect(player.soundDuration()).toBe(30)
    player.play(entry(2, { start: 180 }))
    expect(player.soundDuration()).toBe(20)
  })

  test('played by a visitor from a second that was chosen is the clip there, or from its beginning', async () => {
    const player = await open()
    player.play(entry(1, { start: 60 }), { at: 75 })
    expect(played(player)).toBe('play /previews/1.mp3?s=60 at 15')
    for (const outside of [12, 120]) {
      player.play(entry(1, { start: 60 }), { at: outside })
      expect(player.audio.currentTime).toBe(0)
    }
  })

  test('goes on in the whole song where a visitor’s clip was when they signed in, sounding or at rest', async () => {
    const player = await open()
    player.play(entry(1, { start: 60 }))
    player.audio.playSeconds(10)
    player.learnKey()
    expect(played(player)).toBe('play /previews/1.mp3?k=a-key at 70')
    storage.entries.clear()
    const restingPage = await open()
    restingPage.enqueue(entry(1, { start: 60 }))
    restingPage.seek(10)
    restingPage.learnKey()
    expect(restingPage.soundPosition()).toBe(70)
  })

  test('of a member whose key is still on its way is a clip until it comes', async () => {
    storage.setItem('dubplate.token', 'a-token')
    const player = await open()
    player.play(entry(1, { start: 60 }))
    expect(played(player)).toBe('play /previews/1.mp3?s=60 at 0')
    player.audio.playSeconds(2)
    player.learnKey()
    expect(played(player)).toBe('play /previews/1.mp3?k=a-key at 62')
  })

  test('saved by an older page, which knew no start, begins at 0', async () => {
    const player = await openAsMember()
    const old = entry(1)
    Reflect.deleteProperty(old.version, 'preview_start_seconds')
    player.play(old)
    expect(played(player)).toBe('play /previews/1.mp3?k=a-key at 0')
  })
})

describe('next and previous', () => {
  test('wrap around', async () => {
    const player = await open()
    for (const id of [1, 2, 3]) player.play(entry(id))
    player.next()
    expect(player.get().index).toBe(0)
    player.previous()
    expect(player.get().index).toBe(2)
  })

  test('previous goes back even in the middle of a song', async () => {
    const player = await open()
    for (const id of [1, 2]) player.play(entry(id))
    player.audio.playSeconds(60)
    player.previous()
    expect(player.get().index).toBe(0)
  })

  test('next goes on through the list it was played from, then wraps around', async () => {
    const player = await open()
    const list = [1, 2, 3].map((id) => entry(id))
    player.play(list[1]!, { list })
    player.play(list[0]!, { list })
    player.next()
    expect(player.titles()).toEqual([2, 1, 3])
    player.next()
    expect(player.get().index).toBe(0)
  })

  test('the list goes on after a song whose other version was played, past what is missing', async () => {
    const player = await open()
    const list = [entry(1), entry(2, { available: false }), entry(3)]
    player.play(entry(11, { song: 1 }), { list })
    player.next()
    expect(player.titles()).toEqual([11, 3])
  })

  test('the end of a version is followed by the next', async () => {
    const player = await open()
    for (const id of [1, 2]) player.play(entry(id))
    player.jump(0)
    player.audio.end()
    expect(player.get()).toMatchObject({ index: 1, playing: true })
  })

  test('repeat one reloads the same version at its end, and next still goes on', async () => {
    const player = await open()
    for (const id of [1, 2]) player.play(entry(id))
    player.toggleRepeatOne()
    player.audio.end()
    expect(player.audio.queryResult.slice(-2)).toEqual(['load /previews/2.mp3', 'play /previews/2.mp3 at 0'])
    player.next()
    expect(player.get().index).toBe(0)
  })

  test('shuffle picks any other entry, and in time every one', async () => {
    const player = await open()
    for (const id of [1, 2, 3, 4]) player.play(entry(id))
    player.toggleShuffle()
    const seen = new Set<number>()
    for (let round = 0; round < 200; round++) {
      const before = player.get().index
      player.audio.end()
      expect(player.get().index).not.toBe(before)
      seen.add(player.get().index)
    }
    expect(seen.size).toBe(4)
  })

  test('what was asked to play next plays next, shuffled or not', async () => {
    const player = await open()
    vi.spyOn(Math, 'random').mockReturnValue(0.99)
    for (const id of [1, 2, 3, 4]) player.play(entry(id))
    player.jump(1)
    player.playNext(entry(5))
    player.next()
    player.toggleShuffle()
    player.playNext(entry(6))
    player.playNext(entry(7))
    const played = [1, 2, 3].map(() => {
      player.next()
      return player.titles()[player.get().index]
    })
    expect(played.slice(0, 2)).toEqual([7, 6])
    expect(played[2]).not.toBe(5)
  })
})

describe('several at once', () => {
  test('are played from the first on, behind what the queue held, each once', async () => {
    const player = await open()
    for (const id of [1, 2, 3]) player.play(entry(id))
    player.playAll([entry(2), entry(5), entry(1)])
    expect(player.titles()).toEqual([3, 2, 5, 1])
    expect(player.get()).toMatchObject({ index: 1, playing: true })
    player.playAll([])
    expect(player.titles()).toHaveLength(4)
  })

  test('join the queue in their order and leave the sound alone', async () => {
    const player = await open()
    player.play(entry(2))
    player.audio.queryResult = []
    player.enqueueAll([entry(1), entry(2), entry(3)])
    expect(player.titles()).toEqual([2, 1, 3])
    expect(player.audio.queryResult).toEqual([])
  })

  test('are mixed without losing one', async () => {
    const { shuffleEntries } = await import('./queue.ts')
    const cards = [1, 2, 3, 4].map((id) => entry(id))
    const shuffledPlace = shuffleEntries(cards, () => 0)
    expect(shuffledPlace).not.toEqual(cards)
    expect(new Set(shuffledPlace)).toEqual(new Set(cards))
  })
})

describe('editing the queue', () => {
  test('leaves the sound alone', async () => {
    const player = await open()
    for (const id of [1, 2, 3]) player.play(entry(id))
    player.audio.queryResult = []
    player.playNext(entry(4))
    player.enqueue(entry(5))
    player.enqueue(entry(1))
    player.move(3, 0)
    player.remove(1)
    expect(player.titles()).toEqual([4, 2, 3, 5])
    expect(player.titles()[player.get().index]).toBe(3)
    expect(player.audio.queryResult).toEqual([])
  })

  test('does not start a paused player', async () => {
    const player = await open()
    player.enqueue(entry(1))
    player.playNext(entry(2))
    expect(player.get()).toMatchObject({ index: 0, playing: false })
    expect(player.audio.queryResult).toEqual([])
    player.toggle()
    expect(player.audio.queryResult.at(-1)).toBe('play /previews/1.mp3 at 0')
  })

  test('play next moves an entry of the queue to right after the playing one', async () => {
    const player = await open()
    for (const id of [1, 2, 3]) player.play(entry(id))
    player.playNext(entry(1))
    expect(player.titles()).toEqual([2, 3, 1])
    expect(player.get().index).toBe(1)
  })

  test('taking out the playing one stops, and stays paused on the next', async () => {
    const player = await open()
    for (const id of [1, 2, 3]) player.play(entry(id))
    player.jump(1)
    player.audio.queryResult = []
    player.remove(1)
    expect(player.get()).toMatchObject({ index: 1, playing: false })
    expect(player.titles()).toEqual([1, 3])
    expect(player.audio.queryResult).toEqual(['pause', 'load'])
    player.toggle()
    expect(player.audio.queryResult.at(-1)).toBe('play /previews/3.mp3 at 0')
  })

  test('clear stops and empties', async () => {
    const player = await open()
    player.play(entry(1))
    player.clear()
    expect(player.get()).toMatchObject({ queue: [], index: -1, playing: false })
    player.next()
    player.toggle()
    expect(player.audio.paused).toBe(true)
  })
})

describe('volume', () => {
  test('goes from 0 to 1 in steps of 0.1 and starts at 1', async () => {
    const player = await open()
    expect(player.get().volume).toBe(1)
    player.setVolume(0.1 + 0.2)
    expect(player.get().volume).toBe(0.3)
    player.setVolume(1.4)
    expect(player.get().volume).toBe(1)
    player.setVolume(-1)
    expect(player.audio.volume).toBe(0)
  })

  test('choosing a volume ends the mute', async () => {
    const player = await open()
    player.toggleMute()
    expect(player.audio.muted).toBe(true)
    player.setVolume(0.5)
    expect(player.audio.muted).toBe(false)
  })

  test('previews are levelled to -14 LUFS, by at most 12 dB and never louder', async () => {
    const { loudnessGain } = await import('./audio.ts')
    expect([-8, -14, -20, 0, null].map(loudnessGain)).toEqual([-6, 0, 0, -12, 0])
    const player = await open()
    const loud = entry(1)
    loud.version.loudness_lufs = -8
    player.play(loud)
    player.setVolume(0.5)
    expect(player.audio.volume).toBeCloseTo(0.5 * 10 ** (-6 / 20))
    player.play(entry(2))
    expect(player.audio.volume).toBe(0.5)
  })

  test('whoever wants previews as they were mastered hears them so at once, and the volume shown stays', async () => {
    const player = await open()
    const { chooseLoudness } = await import('../platform/preferences.ts')
    const loud = entry(1)
    loud.version.loudness_lufs = -8
    player.play(loud)
    player.setVolume(0.5)
    chooseLoudness('original')
    expect(player.audio.volume).toBe(0.5)
    chooseLoudness('even')
    expect(player.audio.volume).toBeCloseTo(0.5 * 10 ** (-6 / 20))
    expect(player.get().volume).toBe(0.5)
    expect(storage.entries.get('dubplate.preview-loudness')).toBe('even')
  })
})

describe('a reload', () => {
  test('brings the player back as it was, paused, without asking for the sound', async () => {
    const before = await open()
    for (const id of [1, 2]) before.play(entry(id))
    before.jump(0)
    before.setVolume(0.4)
    before.toggleShuffle()
    before.toggleRepeatOne()
    before.audio.playSeconds(23)
    page.dispatchEvent(new Event('pagehide'))

    const after = await open()
    expect(after.titles()).toEqual([1, 2])
    expect(after.get()).toMatchObject({ index: 0, playing: false, volume: 0.4, shuffle: true, repeatOne: true })
    expect(after.soundPosition()).toBe(23)
    expect(after.audio.volume).toBe(0.4)
    expect(after.audio.queryResult).toEqual([])
    after.toggle()
    expect(after.audio.queryResult.at(-1)).toBe('play /previews/1.mp3 at 23')
  })

  test('keeps a position that was moved before anything sounded', async () => {
    const before = await open()
    before.enqueue(entry(1))
    before.seekShare(0.5)
    page.dispatchEvent(new Event('pagehide'))
    expect((await open()).soundPosition()).toBe(15)
  })

  test('starts a place that a visitor can no longer reach from the beginning', async () => {
    storage.setItem('dubplate.token', 'a-token')
    const member = await open()
    member.enqueue(entry(1))
    member.seek(120)
    page.dispatchEvent(new Event('pagehide'))
    storage.removeItem('dubplate.token')
    const visitor = await open()
    visitor.toggle()
    expect(visitor.audio.queryResult.at(-1)).toBe('play /previews/1.mp3 at 0')
  })

  test.each([
    'not JSON',
    '{}',
    '{"queue":[{"song":1}],"index":0}',
    JSON.stringify({
      queue: [],
      index: 3,
      position_seconds: 0,
      volume: 1,
      muted: false,
      shuffle: false,
      repeat_one: false,
    }),
  ])('starts empty from what is not whole: %s', async (savedJson) => {
    storage.setItem('dubplate.player', savedJson)
    const player = await open()
    expect(player.get()).toMatchObject({ queue: [], index: -1, volume: 1 })
  })

  test('of a very long queue keeps the 200 entries around the playing one', async () => {
    const player = await open()
    for (let id = 1; id <= 400; id++) player.enqueue(entry(id))
    player.jump(299)
    const after = await open()
    expect(after.titles()).toHaveLength(200)
    expect(after.titles()[after.get().index]).toBe(300)
  })
})

describe('a preview that fails', () => {
  test('is asked for once more where it stood, then it is said', async () => {
    vi.useFakeTimers()
    const player = await open()
    player.play(entry(1))
    player.audio.playSeconds(20)
    player.audio.fail(2)
    expect(player.get().error).toBeUndefined()
    vi.advanceTimersByTime(1_000)
    expect(player.audio.queryResult.at(-1)).toBe('play /previews/1.mp3 at 20')
    player.audio.fail(2)
    expect(player.get()).toMatchObject({ playing: false, error: 'Couldn’t load this preview. Try again.' })
    player.toggle()
    expect(player.audio.queryResult.at(-1)).toBe('play /previews/1.mp3 at 20')
    expect(player.get().error).toBeUndefined()
  })

  test('after playing on it may fail and be asked for again', async () => {
    vi.useFakeTimers()
    const player = await open()
    player.play(entry(1))
    for (let failures = 0; failures < 3; failures++) {
      player.audio.playSeconds(5)
      player.audio.fail(2)
      vi.advanceTimersByTime(1_000)
    }
    expect(player.get()).toMatchObject({ playing: true, error: undefined })
  })

  test('without a connection says so, and goes on when it is back', async () => {
    vi.useFakeTimers()
    const player = await open()
    player.play(entry(1))
    browser.onLine = false
    player.audio.fail(2)
    vi.advanceTimersByTime(1_000)
    player.audio.fail(2)
    expect(player.get().error).toMatch(/offline/)
    browser.onLine = true
    page.dispatchEvent(new Event('online'))
    expect(player.get()).toMatchObject({ playing: true, error: undefined })
  })

  test('does not start by itself once it was paused', async () => {
    vi.useFakeTimers()
    const player = await open()
    player.play(entry(1))
    player.audio.fail(2)
    player.toggle()
    vi.advanceTimersByTime(1_000)
    expect(player.audio.paused).toBe(true)
  })
})

describe('a sound that runs and does not move', () => {
  const STALL_WAIT_MS = 8_000

  const openStuck = async () => {
    vi.useFakeTimers()
    const player = await open()
    player.play(entry(1))
    player.audio.playSeconds(20)
    player.audio.queryResult = []
    return player
  }

  test('is asked for once more where it stood, then it is said; play tries again', async () => {
    const player = await openStuck()
    vi.advanceTimersByTime(STALL_WAIT_MS)
    expect(player.audio.queryResult).toEqual(['load /previews/1.mp3', 'play /previews/1.mp3 at 20'])
    expect(player.get()).toMatchObject({ playing: true, error: undefined })
    vi.advanceTimersByTime(STALL_WAIT_MS)
    expect(player.get()).toMatchObject({ playing: false, error: 'Couldn’t load this preview. Try again.' })
    expect(player.soundPosition()).toBe(20)
    player.toggle()
    expect(player.audio.queryResult.at(-1)).toBe('play /previews/1.mp3 at 20')
    expect(player.get()).toMatchObject({ playing: true, error: undefined })
  })

  test('without a connection says so, and goes on when it is back', async () => {
    const player = await openStuck()
    browser.onLine = false
    vi.advanceTimersByTime(2 * STALL_WAIT_MS)
    expect(player.get().error).toMatch(/offline/)
    page.dispatchEvent(new Event('online'))
    expect(player.get()).toMatchObject({ playing: true, error: undefined })
  })

  test('is left alone while something arrives, was just sought, or moves', async () => {
    const player = await openStuck()
    const seconds = (runShortcut: () => void) => {
      for (let tick = 0; tick < 20; tick++) {
        runShortcut()
        vi.advanceTimersByTime(1_000)
      }
    }
    seconds(() => player.audio.emit('progress'))
    seconds(() => player.audio.emit('seeking'))
    seconds(() => player.audio.playSeconds(0.25))
    expect(player.audio.queryResult).toEqual([])
  })

  test('is left alone by a timer that comes late: in the background, or after the machine slept', async () => {
    const player = await openStuck()
    for (let minutes = 0; minutes < 3; minutes++) {
      vi.setSystemTime(Date.now() + 60_000)
      vi.advanceTimersByTime(1_000)
    }
    expect(player.audio.queryResult).toEqual([])
  })

  test('is left alone while it is paused', async () => {
    const player = await openStuck()
    player.toggle()
    vi.advanceTimersByTime(60_000)
    expect(player.audio.queryResult).toEqual(['pause'])
    expect(player.get().error).toBeUndefined()
  })

  test('is waited for longer while the server has not answered yet', async () => {
    const player = await openStuck()
    player.audio.readyState = 0
    vi.advanceTimersByTime(15_000)
    expect(player.audio.queryResult).toEqual([])
    vi.advanceTimersByTime(10_000)
    expect(player.audio.queryResult).toHaveLength(2)
  })
})

describe('a listen', () => {
  const pendingIndex: { song_version_id: number; listen_key: string }[] = []
  let connected = true

  const openSignedIn = async () => {
    storage.setItem('dubplate.token', 'a-token')
    vi.stubGlobal('fetch', async (address: string, { body }: { body: string }) => {
      if (!connected) throw new TypeError('Failed to fetch')
      if (address.includes('song/played.json')) pendingIndex.push(JSON.parse(body))
      return Response.json({ data: { counted: true } })
    })
    return open()
  }
  const flushTasks = () => new Promise((resolve) => setTimeout(resolve))

  beforeEach(() => {
    pendingIndex.length = 0
    connected = true
  })

  test('counts after 30 s of sound, once', async () => {
    const player = await openSignedIn()
    player.play(entry(1))
    player.audio.playSeconds(29)
    expect(pendingIndex).toEqual([])
    player.audio.playSeconds(2)
    player.audio.playSeconds(60)
    await flushTasks()
    expect(pendingIndex).toEqual([{ song_version_id: 1, listen_key: expect.stringMatching(/^[A-Za-z0-9-]{8,64}$/) }])
  })

  test('counts for the playlist it was played from, also after a reload', async () => {
    const before = await openSignedIn()
    before.play({ ...entry(1), playlist_id: 7 })
    before.play(entry(2))
    page.dispatchEvent(new Event('pagehide'))
    const player = await openSignedIn()
    player.jump(0)
    player.audio.playSeconds(40)
    await flushTasks()
    expect(pendingIndex).toMatchObject([{ song_version_id: 1, playlist_id: 7 }])
  })

  test('counts for no playlist once the same version is played from elsewhere', async () => {
    const player = await openSignedIn()
    player.play({ ...entry(1), playlist_id: 7 })
    player.play(entry(2))
    player.play(entry(1))
    player.audio.playSeconds(40)
    await flushTasks()
    expect(pendingIndex.map(({ song_version_id }) => song_version_id)).toEqual([1])
    expect(pendingIndex[0]).not.toHaveProperty('playlist_id')
  })

  test('is sound that was heard: jumping ahead is not', async () => {
    const player = await openSignedIn()
    player.play(entry(1))
    player.audio.playSeconds(10)
    player.audio.seeking = true
    player.seek(100)
    player.audio.emit('seeking')
    player.audio.seeking = false
    player.audio.emit('seeked')
    player.audio.playSeconds(15)
    await flushTasks()
    expect(pendingIndex).toEqual([])
    player.audio.playSeconds(10)
    await flushTasks()
    expect(pendingIndex).toHaveLength(1)
  })

  test('counts again when the version is repeated, under a key of its own', async () => {
    const player = await openSignedIn()
    player.play(entry(1))
    player.toggleRepeatOne()
    player.audio.playSeconds(40)
    player.audio.end()
    player.audio.playSeconds(40)
    await flushTasks()
    expect(new Set(pendingIndex.map(({ listen_key }) => listen_key)).size).toBe(2)
  })

  test('starts over with another version', async () => {
    const player = await openSignedIn()
    player.play(entry(1))
    player.audio.playSeconds(20)
    player.play(entry(2))
    player.audio.playSeconds(20)
    await flushTasks()
    expect(pendingIndex).toEqual([])
  })

  test('of a visitor is not counted', async () => {
    await openSignedIn()
    storage.removeItem('dubplate.token')
    const visitor = await open()
    visitor.play(entry(1))
    visitor.audio.playSeconds(40)
    await flushTasks()
    expect(pendingIndex).toEqual([])
  })

  test('that could not be told is told later, under the same key', async () => {
    const player = await openSignedIn()
    connected = false
    player.play(entry(1))
    player.audio.playSeconds(40)
    await flushTasks()
    connected = true
    page.dispatchEvent(new Event('online'))
    await flushTasks()
    expect(pendingIndex).toHaveLength(1)
    page.dispatchEvent(new Event('online'))
    await flushTasks()
    expect(pendingIndex).toHaveLength(1)
  })
})
