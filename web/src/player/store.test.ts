import type { membership } from '@dubplate/contract'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { browser, type FakeAudio, leavePage, page, storage } from './fake-browser.ts'
import type { Entry } from './queue.ts'
import { makeEntry as entry } from './queueSamples.ts'

const ids = (entries: Entry[]) => entries.map(({ version }) => version.song_version_id)

/** Opens the page: the modules are loaded again, localStorage is kept. */
const open = async () => {
  vi.resetModules()
  leavePage()
  const { clearSession, endSession, useSession } = await import('../platform/session.ts')
  const { currentEntry, usePlayer, playerActions } = await import('./store.ts')
  const audio = (await import('./audio.ts')).audio.heard as unknown as FakeAudio
  const { soundPosition, soundDuration, soundRange } = await import('./audio.ts')
  return {
    ...playerActions,
    audio,
    soundPosition,
    soundDuration,
    soundRange,
    /** Simulates the arrival of the member's profile, with the key for whole songs. */
    learnKey: (customer_id = 7) =>
      useSession.setState({ token: 'a-token', profile: { customer_id, media_key: 'a-key' } as membership.Profile }),
    get: usePlayer.getState,
    signOut: clearSession,
    expireSession: () => endSession('a-token'),
    /** The versions of the list that is played. */
    list: () => ids(usePlayer.getState().list),
    added: () => ids(usePlayer.getState().added),
    current: () => currentEntry(usePlayer.getState())?.version.song_version_id,
  }
}

afterEach(leavePage)

beforeEach(() => {
  storage.entries.clear()
  browser.onLine = true
  vi.useRealTimers()
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

describe('choosing a version', () => {
  test('inserts a new version after the current one and plays it at once', async () => {
    const player = await open()
    player.play(entry(1))
    player.play(entry(2))
    expect(player.list()).toEqual([1, 2])
    expect(player.get()).toMatchObject({ index: 1, playing: true })
    expect(player.audio.actions.at(-1)).toBe('play /previews/2.mp3 at 0')
  })

  test('pauses and resumes the current version', async () => {
    const player = await open()
    player.play(entry(1))
    player.audio.playSeconds(10)
    player.play(entry(1))
    expect(player.get().playing).toBe(false)
    player.play(entry(1))
    expect(player.audio.actions.at(-1)).toBe('play /previews/1.mp3 at 10')
    expect(player.list()).toEqual([1])
  })

  test('jumps to a version that is in the queue', async () => {
    const player = await open()
    for (const id of [1, 2, 3]) player.play(entry(id))
    player.play(entry(1))
    expect(player.list()).toEqual([1, 2, 3])
    expect(player.get().index).toBe(0)
  })

  test('starts at a given second, also in the current version', async () => {
    const player = await open()
    player.play(entry(1), { at: 12 })
    expect(player.audio.actions.at(-1)).toBe('play /previews/1.mp3 at 12')
    player.play(entry(1), { at: 20 })
    expect(player.audio.currentTime).toBe(20)
    expect(player.get().playing).toBe(true)
  })
})

describe('seeking', () => {
  test('works before anything is loaded, over the whole song for members and the clip for visitors', async () => {
    const visitor = await open()
    visitor.enqueue(entry(1))
    visitor.seekShare(0.5)
    expect(visitor.soundPosition()).toBe(15)
    storage.setItem('dubplate.token', 'a-token')
    const member = await open()
    member.enqueue(entry(2))
    member.jump(0)
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

describe('a preview that does not start at 0', () => {
  const openAsMember = async () => {
    storage.setItem('dubplate.token', 'a-token')
    const player = await open()
    player.learnKey()
    return player
  }
  const played = ({ audio }: { audio: FakeAudio }) => audio.actions.at(-1)

  test('starts there for a member, who can seek to before it', async () => {
    const player = await openAsMember()
    player.play(entry(1, { start: 60 }))
    expect(played(player)).toBe('play /previews/1.mp3?k=a-key at 60')
    player.seek(0)
    expect(player.audio.currentTime).toBe(0)
    player.toggle()
    player.toggle()
    expect(played(player)).toBe('play /previews/1.mp3?k=a-key at 0')
  })

  test('starts there again when it is repeated or returned to', async () => {
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
  })

  test('continues from its last position, and from a chosen second', async () => {
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

  test('is cut there for a visitor: a clip of 30 s, which ends with the song at the latest', async () => {
    const player = await open()
    player.play(entry(1, { start: 60 }))
    expect(played(player)).toBe('play /previews/1.mp3?s=60 at 0')
    expect(player.soundRange()).toEqual({ from: 60, to: 90 })
    player.play(entry(2, { start: 180 }))
    expect(player.soundRange()).toEqual({ from: 180, to: 200 })
    expect(player.soundDuration()).toBe(200)
  })

  test('shows a visitor the position in the song, not in the clip', async () => {
    const player = await open()
    player.play(entry(1, { start: 60 }))
    player.audio.duration = 30
    player.audio.playSeconds(10)
    expect(player.soundPosition()).toBe(70)
    expect(player.soundDuration()).toBe(200)
    player.seek(85)
    expect(player.audio.currentTime).toBe(25)
    player.seek(500)
    expect(player.soundPosition()).toBe(90)
    player.seek(0)
    expect(player.audio.currentTime).toBe(0)
  })

  test.each([
    ['inside the clip from there', 75, 75],
    ['before the clip from its start', 12, 60],
    ['after the clip from its start', 120, 60],
  ])('plays a visitor who clicks %s', async (_, clicked, heard) => {
    const player = await open()
    player.play(entry(1, { start: 60 }), { at: clicked })
    expect(player.soundPosition()).toBe(heard)
    expect(player.audio.currentTime).toBe(heard - 60)
    player.seek(80)
    player.seekAudible(clicked)
    expect(player.soundPosition()).toBe(heard)
    player.enqueue(entry(2, { start: 60 }))
    player.jump(0)
    player.seekAudible(clicked)
    expect(player.audio.currentTime).toBe(heard - 60)
  })

  test('plays a member who clicks anywhere from there', async () => {
    const player = await openAsMember()
    for (const second of [12, 75, 120]) {
      player.play(entry(1, { start: 60 }), { at: second })
      expect([player.soundPosition(), player.audio.currentTime]).toEqual([second, second])
      player.seek(80)
      player.seekAudible(second)
      expect(player.audio.currentTime).toBe(second)
    }
  })

  test('continues in the whole song at the clip’s position after a sign-in, playing or paused', async () => {
    const player = await open()
    player.play(entry(1, { start: 60 }))
    player.audio.playSeconds(10)
    player.learnKey()
    expect(played(player)).toBe('play /previews/1.mp3?k=a-key at 70')
    expect(player.soundPosition()).toBe(70)
    storage.entries.clear()
    const restingPage = await open()
    restingPage.enqueue(entry(1, { start: 60 }))
    restingPage.seek(70)
    restingPage.learnKey()
    expect(restingPage.soundPosition()).toBe(70)
  })

  test('is a clip for a member until the media key has loaded', async () => {
    storage.setItem('dubplate.token', 'a-token')
    const player = await open()
    player.play(entry(1, { start: 60 }))
    expect(played(player)).toBe('play /previews/1.mp3?s=60 at 0')
    player.audio.playSeconds(2)
    player.learnKey()
    expect(played(player)).toBe('play /previews/1.mp3?k=a-key at 62')
  })

  test('starts at 0 when it was saved by an older release without a start position', async () => {
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

  test('go back to the previous version even in the middle of a song', async () => {
    const player = await open()
    for (const id of [1, 2]) player.play(entry(id))
    player.audio.playSeconds(60)
    player.previous()
    expect(player.get().index).toBe(0)
  })

  test('continue through the list the version was played from, then wrap around', async () => {
    const player = await open()
    const list = [1, 2, 3].map((id) => entry(id))
    player.play(list[1]!, { list })
    expect(player.list()).toEqual([1, 2, 3])
    player.next()
    expect(player.current()).toBe(3)
    player.next()
    expect(player.current()).toBe(1)
    player.previous()
    expect(player.current()).toBe(3)
  })

  test('continue the list after a song whose other version was played, skipping missing ones', async () => {
    const player = await open()
    const list = [entry(1), entry(2, { available: false }), entry(3)]
    player.play(entry(11, { song: 1 }), { list })
    expect(player.list()).toEqual([11, 3])
    player.next()
    expect(player.current()).toBe(3)
  })

  test('play the next version when one ends', async () => {
    const player = await open()
    for (const id of [1, 2]) player.play(entry(id))
    player.previous()
    player.audio.end()
    expect(player.get()).toMatchObject({ index: 1, playing: true })
  })

  test('reload the same version at its end with repeat one, while next still continues', async () => {
    const player = await open()
    for (const id of [1, 2]) player.play(entry(id))
    player.toggleRepeatOne()
    player.audio.end()
    expect(player.audio.actions.slice(-2)).toEqual(['load /previews/2.mp3', 'play /previews/2.mp3 at 0'])
    player.next()
    expect(player.get().index).toBe(0)
  })

  test('pick random other entries when shuffled, and every one in time', async () => {
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

  test('play what was added first, in its order, shuffled or not', async () => {
    const player = await open()
    const list = [1, 2, 3, 4].map((id) => entry(id))
    player.play(list[1]!, { list })
    player.playNext(entry(5))
    player.enqueue(entry(6))
    player.playNext(entry(7))
    expect(player.added()).toEqual([7, 5, 6])
    player.next()
    player.toggleShuffle()
    const played = [0, 1, 2].map(() => {
      const current = player.current()
      player.next()
      return current
    })
    expect(played).toEqual([7, 5, 6])
    expect(player.added()).toEqual([])
    player.previous()
    expect(player.list()).toContain(player.current())
  })
})

describe('a list', () => {
  test('is played from its first entry, in place of the previous list; what was added stays', async () => {
    const player = await open()
    player.playAll(
      [1, 2, 3].map((id) => entry(id)),
      'Charts',
    )
    player.enqueue(entry(9))
    player.playAll(
      [2, 5, 1].map((id) => entry(id)),
      'House',
    )
    expect([player.list(), player.added()]).toEqual([[2, 5, 1], [9]])
    expect(player.get()).toMatchObject({ index: 0, source: 'House', playing: true })
    player.playAll([])
    expect(player.list()).toHaveLength(3)
  })

  test('is replaced by the list of a song that is played in it; what was added stays and plays next', async () => {
    const player = await open()
    const charts = [1, 2, 3].map((id) => entry(id))
    const house = [4, 5, 6].map((id) => entry(id))
    player.play(charts[0]!, { list: charts, source: 'Charts' })
    player.enqueue(entry(9))
    player.play(house[1]!, { list: house, source: 'House' })
    expect([player.list(), player.added()]).toEqual([[4, 5, 6], [9]])
    expect(player.get()).toMatchObject({ index: 1, source: 'House' })
    const played = [1, 2].map(() => {
      player.next()
      return player.current()
    })
    expect(played).toEqual([9, 6])
  })

  test('does not play again what was added from it', async () => {
    const player = await open()
    const list = [1, 2, 3].map((id) => entry(id))
    player.play(list[0]!, { list })
    player.enqueue(entry(3))
    expect([player.list(), player.added()]).toEqual([[1, 2], [3]])
    player.play(list[0]!, { list, at: 5 })
    expect([player.list(), player.added()]).toEqual([[1, 2], [3]])
    player.play(list[2]!, { list })
    expect([player.list(), player.added()]).toEqual([[1, 2, 3], []])
  })

  test('continues after a song that was played from elsewhere', async () => {
    const player = await open()
    const list = [1, 2, 3].map((id) => entry(id))
    player.play(list[0]!, { list })
    player.play(entry(9))
    player.next()
    expect(player.current()).toBe(2)
  })

  test('keeps its place when another version of the song is chosen', async () => {
    const player = await open()
    const list = [1, 2, 3].map((id) => entry(id))
    player.play(list[1]!, { list, source: 'Charts' })
    player.playVersion({ ...entry(22, { song: 2 }).version })
    expect(player.list()).toEqual([1, 22, 3])
    expect(player.get()).toMatchObject({ index: 1, source: 'Charts', playing: true })
  })

  test('are shuffled without losing one', async () => {
    const { shuffleEntries } = await import('./queue.ts')
    const cards = [1, 2, 3, 4].map((id) => entry(id))
    const shuffled = shuffleEntries(cards, () => 0)
    expect(shuffled).not.toEqual(cards)
    expect(new Set(shuffled)).toEqual(new Set(cards))
  })
})

describe('editing the queue', () => {
  const openWith = async (list: number[], added: number[]) => {
    const player = await open()
    player.playAll(list.map((id) => entry(id)))
    player.enqueueAll(added.map((id) => entry(id)))
    player.audio.actions = []
    return player
  }
  const parts = (player: { list: () => number[]; added: () => number[] }) => [player.list(), player.added()]

  test('adds in order, each once, without changing playback', async () => {
    const player = await openWith([1, 2], [5, 6])
    player.enqueueAll([1, 5, 7].map((id) => entry(id)))
    player.playNext(entry(6))
    expect(parts(player)).toEqual([
      [1, 2],
      [6, 5, 7],
    ])
    expect(player.audio.actions).toEqual([])
  })

  test('does not start a paused player', async () => {
    const player = await open()
    player.enqueue(entry(1))
    player.playNext(entry(2))
    expect(player.get()).toMatchObject({ index: 0, playing: false })
    expect(parts(player)).toEqual([[1], [2]])
    expect(player.audio.actions).toEqual([])
    player.toggle()
    expect(player.audio.actions.at(-1)).toBe('play /previews/1.mp3 at 0')
  })

  test.each([
    ['within what was added', 0, 1, [1, 2, 3], [6, 5]],
    ['within the list', 3, 2, [1, 3, 2], [5, 6]],
    ['from the list into what was added', 2, 0, [1, 3], [2, 5, 6]],
    ['from the first place of the list up', 2, 1, [1, 3], [5, 2, 6]],
    ['from what was added into the list', 0, 3, [1, 2, 3, 5], [6]],
    ['from the last added place down', 1, 2, [1, 2, 6, 3], [5]],
    ['beyond the end not', 0, 9, [1, 2, 3], [5, 6]],
  ])('moves %s', async (_, from, to, list, added) => {
    const player = await openWith([1, 2, 3], [5, 6])
    player.move(from, to)
    expect(parts(player)).toEqual([list, added])
    expect(player.get().index).toBe(0)
    expect(player.audio.actions).toEqual([])
  })

  test('removes from both parts', async () => {
    const player = await openWith([1, 2, 3], [5, 6])
    player.remove(2)
    player.remove(0)
    expect(parts(player)).toEqual([[1, 3], [6]])
    player.clearAdded()
    expect(parts(player)).toEqual([[1, 3], []])
    expect(player.audio.actions).toEqual([])
  })

  test('plays a later entry; what was added before it stays', async () => {
    const player = await openWith([1, 2, 3], [5, 6])
    player.jump(1)
    expect([player.current(), ...parts(player)]).toEqual([6, [1, 6, 2, 3], [5]])
    player.jump(2)
    expect([player.current(), ...parts(player)]).toEqual([3, [1, 6, 2, 3], [5]])
  })

  test('stops and empties everything with “Clear queue”', async () => {
    const player = await openWith([1, 2], [3])
    player.toggleQueue()
    player.clear()
    expect(player.get()).toMatchObject({ list: [], index: -1, added: [], playing: false, isQueueOpen: false })
    player.next()
    player.toggle()
    expect(player.audio.paused).toBe(true)
  })
})

describe('signing out', () => {
  const openAsMember = async () => {
    storage.setItem('dubplate.token', 'a-token')
    const player = await open()
    player.learnKey()
    player.playAll(
      [1, 2].map((id) => entry(id)),
      'Mine',
    )
    player.enqueue(entry(3))
    player.setVolume(0.4)
    return player
  }

  test('stops, and removes the queue and what was saved of it', async () => {
    const player = await openAsMember()
    player.signOut()
    expect(player.get()).toMatchObject({ list: [], added: [], source: undefined, playing: false, volume: 0.4 })
    expect(player.audio.src).toBe('')
    page.dispatchEvent(new Event('pagehide'))
    expect(storage.getItem('dubplate.player')).not.toContain('Song')
    expect(storage.getItem('dubplate.player')).not.toContain('Mine')
    const visitor = await open()
    expect(visitor.get()).toMatchObject({ list: [], added: [], volume: 0.4 })
  })

  test('by the server keeps the queue for the same member, not for another one', async () => {
    const player = await openAsMember()
    player.expireSession()
    expect(player.list()).toEqual([1, 2])
    player.learnKey()
    expect(player.list()).toEqual([1, 2])
    player.expireSession()
    player.learnKey(8)
    expect([player.list(), player.added()]).toEqual([[], []])
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

  test('unmutes when a volume is chosen', async () => {
    const player = await open()
    player.toggleMute()
    expect(player.audio.muted).toBe(true)
    player.setVolume(0.5)
    expect(player.audio.muted).toBe(false)
  })

  test('levels previews to -14 LUFS, by at most 12 dB and never louder', async () => {
    const { loudnessGain } = await import('./loudness.ts')
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

  test('plays previews as mastered as soon as that is chosen, and shows the same volume', async () => {
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
  test('restores the player as it was, paused, without requesting the audio', async () => {
    const before = await open()
    before.playAll(
      [1, 2].map((id) => entry(id)),
      'Charts',
    )
    before.enqueue(entry(3))
    before.setVolume(0.4)
    before.toggleShuffle()
    before.toggleRepeatOne()
    before.audio.playSeconds(23)
    page.dispatchEvent(new Event('pagehide'))

    const after = await open()
    expect([after.list(), after.added()]).toEqual([[1, 2], [3]])
    expect(after.get()).toMatchObject({
      index: 0,
      source: 'Charts',
      playing: false,
      volume: 0.4,
      shuffle: true,
      repeatOne: true,
    })
    expect(after.soundPosition()).toBe(23)
    expect(after.audio.volume).toBe(0.4)
    expect(after.audio.actions).toEqual([])
    after.toggle()
    expect(after.audio.actions.at(-1)).toBe('play /previews/1.mp3 at 23')
  })

  test('keeps a position that was changed before playback started', async () => {
    const before = await open()
    before.enqueue(entry(1))
    before.seekShare(0.5)
    page.dispatchEvent(new Event('pagehide'))
    expect((await open()).soundPosition()).toBe(15)
  })

  test('starts from the beginning when a visitor can no longer reach the position', async () => {
    storage.setItem('dubplate.token', 'a-token')
    const member = await open()
    member.enqueue(entry(1))
    member.seek(120)
    page.dispatchEvent(new Event('pagehide'))
    storage.removeItem('dubplate.token')
    const visitor = await open()
    expect(visitor.soundPosition()).toBe(0)
    visitor.toggle()
    expect(visitor.audio.actions.at(-1)).toBe('play /previews/1.mp3 at 0')
  })

  test.each([
    'not JSON',
    '{}',
    '{"queue":[{"song":1}],"index":0}',
    '{"list":[{"song":1}],"index":0,"added":[]}',
    JSON.stringify({
      list: [],
      added: [],
      index: 3,
      position_seconds: 0,
      volume: 1,
      muted: false,
      shuffle: false,
      repeat_one: false,
    }),
  ])('starts empty from invalid data: %s', async (savedJson) => {
    storage.setItem('dubplate.player', savedJson)
    const player = await open()
    expect(player.get()).toMatchObject({ list: [], index: -1, added: [], volume: 1 })
  })

  test('keeps the queue of an older release: what was after the current song had been added', async () => {
    const levels = { position_seconds: 5, volume: 0.3, muted: false, shuffle: true, repeat_one: false }
    const queue = [1, 2, 3, 4].map((id) => entry(id))
    storage.setItem('dubplate.player', JSON.stringify({ queue, index: 1, ...levels }))
    const player = await open()
    expect([player.list(), player.added(), player.current()]).toEqual([[1, 2], [3, 4], 2])
    expect(player.get()).toMatchObject({ volume: 0.3, shuffle: true })
    expect(player.soundPosition()).toBe(5)
  })

  test('keeps the 200 entries around the current one of a very long list', async () => {
    const player = await open()
    const list = Array.from({ length: 400 }, (_, at) => entry(at + 1))
    player.play(list[299]!, { list })
    player.enqueueAll(Array.from({ length: 300 }, (_, at) => entry(at + 1_001)))
    const after = await open()
    expect(after.list()).toHaveLength(200)
    expect(after.added()).toHaveLength(200)
    expect(after.current()).toBe(300)
  })
})

describe('a preview that fails', () => {
  test('is requested once more at its position before the error is shown', async () => {
    vi.useFakeTimers()
    const player = await open()
    player.play(entry(1))
    player.audio.playSeconds(20)
    player.audio.fail(2)
    expect(player.get().error).toBeUndefined()
    vi.advanceTimersByTime(1_000)
    expect(player.audio.actions.at(-1)).toBe('play /previews/1.mp3 at 20')
    player.audio.fail(2)
    expect(player.get()).toMatchObject({ playing: false, error: 'Couldn’t load this preview. Try again.' })
    player.toggle()
    expect(player.audio.actions.at(-1)).toBe('play /previews/1.mp3 at 20')
    expect(player.get().error).toBeUndefined()
  })

  test('can fail and be requested again after it has played on', async () => {
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

  test('reports a missing connection, and continues when it is back', async () => {
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

  test('does not start by itself after it was paused', async () => {
    vi.useFakeTimers()
    const player = await open()
    player.play(entry(1))
    player.audio.fail(2)
    player.toggle()
    vi.advanceTimersByTime(1_000)
    expect(player.audio.paused).toBe(true)
  })
})

describe('stalled playback', () => {
  const STALL_WAIT_MS = 8_000

  let status: number
  const fetchPreview = vi.fn(async (_address: string, _init: RequestInit) => new Response(null, { status }))

  const openStuck = async () => {
    vi.useFakeTimers()
    status = 206
    fetchPreview.mockClear()
    vi.stubGlobal('fetch', fetchPreview)
    const player = await open()
    player.play(entry(1))
    player.audio.playSeconds(20)
    player.audio.actions = []
    return player
  }

  test('is requested once more at its position before the error is shown; play tries again', async () => {
    const player = await openStuck()
    await vi.advanceTimersByTimeAsync(STALL_WAIT_MS)
    expect(player.audio.actions).toEqual(['load /previews/1.mp3', 'play /previews/1.mp3 at 20'])
    expect(player.get()).toMatchObject({ playing: true, error: undefined })
    await vi.advanceTimersByTimeAsync(STALL_WAIT_MS)
    expect(player.get()).toMatchObject({ playing: false, error: 'Couldn’t load this preview. Try again.' })
    expect(player.soundPosition()).toBe(20)
    player.toggle()
    expect(player.audio.actions.at(-1)).toBe('play /previews/1.mp3 at 20')
    expect(player.get()).toMatchObject({ playing: true, error: undefined })
  })

  test('reports a missing connection as the cause, and continues when it is back', async () => {
    const player = await openStuck()
    browser.onLine = false
    await vi.advanceTimersByTimeAsync(2 * STALL_WAIT_MS)
    expect(player.get().error).toMatch(/offline/)
    page.dispatchEvent(new Event('online'))
    expect(player.get()).toMatchObject({ playing: true, error: undefined })
  })

  test('is not detected while data arrives, after a seek, or during progress', async () => {
    const player = await openStuck()
    const seconds = async (seek: () => void) => {
      for (let tick = 0; tick < 20; tick++) {
        seek()
        await vi.advanceTimersByTimeAsync(1_000)
      }
    }
    await seconds(() => player.audio.emit('progress'))
    await seconds(() => player.audio.emit('seeking'))
    await seconds(() => player.audio.playSeconds(0.25))
    expect(player.audio.actions).toEqual([])
  })

  test('is not detected by a late timer: in the background, or after sleep', async () => {
    const player = await openStuck()
    for (let minutes = 0; minutes < 3; minutes++) {
      vi.setSystemTime(Date.now() + 60_000)
      await vi.advanceTimersByTimeAsync(1_000)
    }
    expect(player.audio.actions).toEqual([])
  })

  test('is not detected while paused', async () => {
    const player = await openStuck()
    player.toggle()
    await vi.advanceTimersByTimeAsync(60_000)
    expect(player.audio.actions).toEqual(['pause'])
    expect(player.get().error).toBeUndefined()
  })

  test('is detected later while the server has not responded yet', async () => {
    const player = await openStuck()
    player.audio.readyState = 0
    await vi.advanceTimersByTimeAsync(15_000)
    expect(player.audio.actions).toEqual([])
    await vi.advanceTimersByTimeAsync(10_000)
    expect(player.audio.actions).toHaveLength(2)
  })

  test('is waited for as long as the server generates the music, without generating it sooner', async () => {
    const player = await openStuck()
    status = 202
    await vi.advanceTimersByTimeAsync(3 * STALL_WAIT_MS)
    expect(player.audio.actions).toEqual([])
    expect(player.get()).toMatchObject({ playing: true, error: undefined })
    const [address, init] = fetchPreview.mock.lastCall ?? []
    expect(address).toBe('/previews/1.mp3')
    expect(init?.headers).toEqual({ range: 'bytes=0-0', purpose: 'prefetch' })
    status = 206
    await vi.advanceTimersByTimeAsync(6_000)
    expect(player.audio.actions).toEqual(['load /previews/1.mp3', 'play /previews/1.mp3 at 20'])
  })

  test('counts once when the element reports an error while the server is asked', async () => {
    const player = await openStuck()
    let reply = (_response: Response) => {}
    fetchPreview.mockReturnValueOnce(new Promise((resolve) => (reply = resolve)))
    await vi.advanceTimersByTimeAsync(STALL_WAIT_MS)
    player.audio.fail(2)
    reply(new Response(null, { status: 206 }))
    await vi.advanceTimersByTimeAsync(1_000)
    expect(player.audio.actions).toEqual(['load /previews/1.mp3', 'play /previews/1.mp3 at 20'])
    expect(player.get()).toMatchObject({ playing: true, error: undefined })
  })

  test.each(['progress', 'pause'])('is over when the element reports “%s” while the server is asked', async (event) => {
    const player = await openStuck()
    let reply = (_response: Response) => {}
    fetchPreview.mockReturnValueOnce(new Promise((resolve) => (reply = resolve)))
    await vi.advanceTimersByTimeAsync(STALL_WAIT_MS)
    if (event === 'pause') player.toggle()
    else player.audio.emit(event)
    player.audio.actions = []
    reply(new Response(null, { status: 206 }))
    await vi.advanceTimersByTimeAsync(2_000)
    expect(player.audio.actions).toEqual([])
  })
})

describe('a listen', () => {
  const sentListens: { song_version_id: number; listen_key: string }[] = []
  let connected = true

  const openSignedIn = async () => {
    storage.setItem('dubplate.token', 'a-token')
    vi.stubGlobal('fetch', async (address: string, { body }: { body: string }) => {
      if (!connected) throw new TypeError('Failed to fetch')
      if (address.includes('song/played.json')) sentListens.push(JSON.parse(body))
      return Response.json({ data: { counted: true } })
    })
    return open()
  }
  const flushTasks = () => new Promise((resolve) => setTimeout(resolve))

  beforeEach(() => {
    sentListens.length = 0
    connected = true
  })

  test('counts after 30 s of playback, once', async () => {
    const player = await openSignedIn()
    player.play(entry(1))
    player.audio.playSeconds(29)
    expect(sentListens).toEqual([])
    player.audio.playSeconds(2)
    player.audio.playSeconds(60)
    await flushTasks()
    expect(sentListens).toEqual([{ song_version_id: 1, listen_key: expect.stringMatching(/^[A-Za-z0-9-]{8,64}$/) }])
  })

  test('counts for the playlist it was played from, also after a reload', async () => {
    const before = await openSignedIn()
    before.play({ ...entry(1), playlist_id: 7 })
    before.play(entry(2))
    page.dispatchEvent(new Event('pagehide'))
    const player = await openSignedIn()
    player.previous()
    player.audio.playSeconds(40)
    await flushTasks()
    expect(sentListens).toMatchObject([{ song_version_id: 1, playlist_id: 7 }])
  })

  test('counts for no playlist once the same version is played from elsewhere', async () => {
    const player = await openSignedIn()
    player.play({ ...entry(1), playlist_id: 7 })
    player.play(entry(2))
    player.play(entry(1))
    player.audio.playSeconds(40)
    await flushTasks()
    expect(sentListens.map(({ song_version_id }) => song_version_id)).toEqual([1])
    expect(sentListens[0]).not.toHaveProperty('playlist_id')
  })

  test('counts only audio that was heard, not seeking', async () => {
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
    expect(sentListens).toEqual([])
    player.audio.playSeconds(10)
    await flushTasks()
    expect(sentListens).toHaveLength(1)
  })

  test('counts again with its own key when the version is repeated', async () => {
    const player = await openSignedIn()
    player.play(entry(1))
    player.toggleRepeatOne()
    player.audio.playSeconds(40)
    player.audio.end()
    player.audio.playSeconds(40)
    await flushTasks()
    expect(new Set(sentListens.map(({ listen_key }) => listen_key)).size).toBe(2)
  })

  test('restarts with another version', async () => {
    const player = await openSignedIn()
    player.play(entry(1))
    player.audio.playSeconds(20)
    player.play(entry(2))
    player.audio.playSeconds(20)
    await flushTasks()
    expect(sentListens).toEqual([])
  })

  test('is not counted for visitors', async () => {
    await openSignedIn()
    storage.removeItem('dubplate.token')
    const visitor = await open()
    visitor.play(entry(1))
    visitor.audio.playSeconds(40)
    await flushTasks()
    expect(sentListens).toEqual([])
  })

  test('is sent later with the same key when sending fails', async () => {
    const player = await openSignedIn()
    connected = false
    player.play(entry(1))
    player.audio.playSeconds(40)
    await flushTasks()
    connected = true
    page.dispatchEvent(new Event('online'))
    await flushTasks()
    expect(sentListens).toHaveLength(1)
    page.dispatchEvent(new Event('online'))
    await flushTasks()
    expect(sentListens).toHaveLength(1)
  })
})
