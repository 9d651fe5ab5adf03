import { KEYS } from '@dubplate/contract/keys'
import { describe, expect, it } from 'vitest'
import { subgenresOf } from './pool/genres.ts'
import { activity, buildWorld, type DemoSong, HOUSE, OPENED_DAYS_AGO } from './world.ts'

const DAY = 86_400_000
const NOW = new Date('2026-11-21T15:30:00Z')
const world = buildWorld(NOW)

const findDuplicates = <T>(items: readonly T[]) => items.filter((item, i) => items.indexOf(item) !== i)
const songIds = new Set(world.songs.map((song) => song.song_id))

describe('demo pool', () => {
  it('has at least 240 songs in 720 versions, 30 of them house', () => {
    expect(world.songs.length).toBeGreaterThanOrEqual(240)
    expect(world.songs.flatMap((song) => song.versions).length).toBeGreaterThanOrEqual(720)
    expect(world.songs.filter((song) => song.genre_ids.includes(HOUSE)).length).toBeGreaterThanOrEqual(30)
    expect(world.songs.filter((song) => song.song_section_id === 2).length).toBeGreaterThanOrEqual(15)
  })

  it('is the same for the same time', () => {
    expect(buildWorld(NOW)).toEqual(world)
  })

  it('never repeats a title of an artist or a version of a song', () => {
    expect(findDuplicates(world.songs.map((song) => `${song.artist} / ${song.title}`))).toEqual([])
    for (const song of world.songs) {
      expect(findDuplicates(song.versions.map((version) => version.label))).toEqual([])
      expect(song.versions.length).toBeGreaterThanOrEqual(3)
      expect(song.versions.length).toBeLessThanOrEqual(5)
    }
  })

  it('has recipes that agree with the displayed tempo and key', () => {
    for (const song of world.songs) {
      for (const { label, recipe } of song.versions) {
        expect(recipe.version).toBe(label)
        expect(KEYS[recipe.tonic + (recipe.mode === 'minor' ? 12 : 0)]).toBe(song.song_key)
        expect(recipe.bpm).toBe(song.min_bpm)
        expect(recipe.bpm_to ?? recipe.bpm).toBe(label === 'Transition' ? song.max_bpm : song.min_bpm)
      }
    }
  })

  it('assigns each song to a main genre and one of its sub-genres', () => {
    for (const song of world.songs) {
      const [main, sub] = song.genre_ids
      expect(world.genres.find((genre) => genre.genre_id === main)?.parent_id).toBeNull()
      if (sub) expect(subgenresOf(main!).map((genre) => genre.genre_id)).toContain(sub)
    }
    expect(findDuplicates(world.genres.map((genre) => genre.genre_id))).toEqual([])
  })

  it.each(['2026-11-21T15:30:00Z', '2026-03-01T00:04:00Z'])(
    'has releases of today and yesterday at %s, and none in the future',
    (nowText) => {
      const now = new Date(nowText)
      const ages = buildWorld(now).songs.map((song) => ({
        days: Math.floor(now.getTime() / DAY) - Math.floor(song.released_at.getTime() / DAY),
        milliseconds: now.getTime() - song.released_at.getTime(),
      }))
      expect(ages.every((age) => age.milliseconds >= 0 && age.days < 430)).toBe(true)
      expect(ages.filter((age) => age.days === 0).length).toBeGreaterThanOrEqual(3)
      expect(ages.filter((age) => age.days === 1).length).toBeGreaterThanOrEqual(3)
      expect(ages.filter((age) => age.days > 300).length).toBeGreaterThan(20)
    },
  )

  it('describes spotlights, top 20s, main genres and public playlists in one or two lines', () => {
    const described = [
      ...world.curated_lists,
      ...world.top20,
      ...world.genres.filter((genre) => genre.parent_id === null),
      ...world.playlists.filter((playlist) => playlist.public),
    ]
    for (const { description } of described) {
      expect(description.length).toBeGreaterThan(20)
      expect(description.length).toBeLessThanOrEqual(124)
    }
    expect(findDuplicates(described.map(({ description }) => description))).toEqual([])
  })

  it('lists only existing songs, each once', () => {
    const lists = [...world.curated_lists, ...world.top20].map((list) => list.song_ids)
    expect(lists).toHaveLength(16 + 24)
    for (const ids of [...lists, world.trending]) {
      expect(findDuplicates(ids)).toEqual([])
      expect(ids.every((id) => songIds.has(id))).toBe(true)
      expect(ids.length).toBeGreaterThanOrEqual(12)
    }
    expect(world.top20.every((top) => top.song_ids.length === 20)).toBe(true)
    expect(world.trending).toHaveLength(30)
    expect(world.top20[0]!.title).toBe('November 2026')
  })

  it('has playlists of 12 to 25 songs from slow to fast, two of them the DJ’s own', () => {
    const shown = world.playlists.filter((playlist) => playlist.public)
    expect(shown).toHaveLength(5)
    expect(world.playlists.filter((playlist) => playlist.owner === 'dj')).toHaveLength(2)
    for (const { title, song_ids } of shown) {
      expect([title, song_ids.length >= 12 && song_ids.length <= 25]).toEqual([title, true])
    }
    for (const { song_ids } of world.playlists) {
      const tempos = song_ids.map((id) => world.songs[id - 1]!.min_bpm)
      expect(tempos).toEqual(tempos.toSorted((a, b) => a - b))
      expect(findDuplicates(song_ids)).toEqual([])
      expect(song_ids.every((id) => songIds.has(id))).toBe(true)
    }
    expect(findDuplicates(world.playlists.map((playlist) => playlist.title))).toEqual([])
  })

  it('has no two members with the same name', () => {
    const emails = [...world.demo_members, ...world.crowd, ...world.applicants].map((member) => member.email)
    expect(world.crowd).toHaveLength(60)
    expect(findDuplicates(emails)).toEqual([])
    expect(findDuplicates(world.crowd.map((member) => member.dj_name))).toEqual([])
    expect(world.crowd.every((member) => /^[a-z0-9-]+@crowd\.invalid$/.test(member.email))).toBe(true)
    expect(world.crowd.every((member) => /^[A-Z]{2}$/.test(member.country))).toBe(true)
  })
})

describe('memberships', () => {
  const { memberships } = world

  it('begin with an application, which staff approve before the first payment', () => {
    for (const { applied_at, approved_at, subscription } of memberships) {
      expect(applied_at < approved_at && approved_at <= NOW).toBe(true)
      if (subscription) expect(approved_at < subscription.started_at && subscription.started_at <= NOW).toBe(true)
    }
  })

  it('are spread over the months since the pool opened, the longest first', () => {
    const days = memberships.map(({ approved_at }) => (NOW.getTime() - approved_at.getTime()) / DAY)
    expect(days.every((one) => one > 0 && one < OPENED_DAYS_AGO)).toBe(true)
    for (let month = 0; month < 9; month += 1)
      expect(days.filter((one) => one >= month * 30 && one < (month + 1) * 30).length).toBeGreaterThan(3)
  })

  it('are recommended only by longer members', () => {
    const wrong = memberships.filter(({ referrer }, index) => referrer !== undefined && referrer >= index)
    expect(wrong).toEqual([])
  })
})

describe('activity', () => {
  const year = [...activity(world, { days: 365, downloadsPerDay: 80, members: 60 })]
  const downloads = year.filter((event) => event.kind === 'download')

  it('is in order up to now and starts for a song no sooner than its release', () => {
    const beforeRelease = year.filter(({ at, song, version, member }, i) => {
      const { released_at, versions } = world.songs[song] as DemoSong
      return at < (year[i - 1]?.at ?? at) || at < released_at || at > NOW || version >= versions.length || member >= 60
    })
    expect(beforeRelease).toEqual([])
    expect(downloads.some((event) => event.at.getTime() > NOW.getTime() - DAY / 4)).toBe(true)
  })

  it('peaks from Thursday to Saturday', () => {
    const byWeekday = [0, 0, 0, 0, 0, 0, 0]
    for (const event of downloads) byWeekday[event.at.getUTCDay()]!++
    const weekend = Math.min(...byWeekday.slice(4))
    expect(weekend).toBeGreaterThan(Math.max(...byWeekday.slice(0, 4)))
  })

  it('has at most two downloads of a version per member', () => {
    const counts = new Map<string, number>()
    for (const { song, version, member } of downloads) {
      const name = `${song}/${version}/${member}`
      counts.set(name, (counts.get(name) ?? 0) + 1)
    }
    expect(Math.max(...counts.values())).toBe(2)
  })

  it('is highest in a song’s first weeks and still present after a season', () => {
    const ages = downloads
      .filter((event) => NOW.getTime() - world.songs[event.song]!.released_at.getTime() > 200 * DAY)
      .map((event) => (event.at.getTime() - world.songs[event.song]!.released_at.getTime()) / DAY)
    const countBetweenDays = (from: number, to: number) =>
      ages.filter((age) => age >= from && age < to).length / (to - from)
    expect(countBetweenDays(0, 14)).toBeGreaterThan(3 * countBetweenDays(60, 120))
    expect(countBetweenDays(120, 200)).toBeGreaterThan(0.2)
  })
})
