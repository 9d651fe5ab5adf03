import { catalogue, membership, player as playerCalls } from '@dubplate/contract'
import type { Page } from '@playwright/test'
import { type Account, CARDS, createSubscriber, openSignedIn } from './members.ts'
import { DEMO_SONGS } from './pool.ts'
import { callApi, expect, getDemoSongs, getPosition, test } from './support.ts'

type Version = catalogue.Version
type Pair = { song: catalogue.Song; next: catalogue.MixingSong; grids: [playerCalls.BeatGrid, playerCalls.BeatGrid] }

/** A part of a song in a blend: when it was scheduled, in the time of the context, and at which rates. */
type Scheduled = {
  heldAt: number
  calledAt: number
  startAt: number
  offset: number
  samples: AudioBuffer
  rate: number
  changes: [rate: number, at: number][]
}

declare global {
  interface Window {
    scheduled: Scheduled[]
  }
}

/** Records what the page schedules in its audio context, and when a row is held. */
function observeBlend() {
  window.scheduled = []
  let heldAt = 0
  let context: BaseAudioContext | undefined
  const NativeContext = window.AudioContext
  window.AudioContext = new Proxy(NativeContext, {
    construct: (target, [options]) => {
      context = new target(options)
      return context
    },
  })
  new MutationObserver(() => {
    heldAt = context?.currentTime ?? 0
  }).observe(document, { subtree: true, attributeFilter: ['data-holding'] })
  const changes = new WeakMap<AudioParam, [number, number][]>()
  const { setValueAtTime } = AudioParam.prototype
  AudioParam.prototype.setValueAtTime = function (value, at) {
    changes.set(this, [...(changes.get(this) ?? []), [value, at]])
    return setValueAtTime.call(this, value, at)
  }
  const { start } = AudioBufferSourceNode.prototype
  AudioBufferSourceNode.prototype.start = function (startAt = 0, offset = 0) {
    const { playbackRate, buffer, context } = this
    const rates = { rate: playbackRate.value, changes: changes.get(playbackRate) ?? [] }
    if (buffer && !(context instanceof OfflineAudioContext))
      window.scheduled.push({ heldAt, calledAt: context.currentTime, startAt, offset, samples: buffer, ...rates })
    return start.call(this, startAt, offset)
  }
}

const playable = ({ version }: catalogue.Song): Version => version.find(({ available }) => available) ?? version[0]!

/** Waits until a version has been generated and analysed. */
async function findGrid({ mp3, song_version_id }: Version, { token }: Account): Promise<playerCalls.BeatGrid> {
  const { profile } = await callApi(membership.getProfile, {}, token)
  const preview = await fetch(new URL(`${mp3}?k=${encodeURIComponent(profile.media_key)}`, process.env.POOL_URL))
  await preview.arrayBuffer()
  const find = async () => (await callApi(playerCalls.getBeatGrid, { song_version_id })).grid
  await expect.poll(find, { timeout: 90_000 }).not.toBeNull()
  return (await find())!
}

/** Songs with a kick on every beat. */
const isHouse = ({ genres }: catalogue.Song) => genres.some(({ name }) => /house/i.test(name))

/** A song of the demo, and one of another tempo that mixes with it. */
async function findPair(member: Account): Promise<Pair> {
  for (const song of (await getDemoSongs(DEMO_SONGS)).filter(isHouse)) {
    const { songs } = await callApi(catalogue.getSimilarSongs, { entity_id: song.entity_id })
    const next = songs.find((each) => isHouse(each) && each.mix.tempo === 'same' && each.mix.tempo_change_percent !== 0)
    if (next)
      return { song, next, grids: [await findGrid(playable(song), member), await findGrid(playable(next), member)] }
  }
  throw new Error('No two songs of the demo mix.')
}

const mixesOf = (page: Page) => page.getByRole('main').getByRole('region', { name: 'Mixes well with', exact: true })
const rowOf = (page: Page, { title }: catalogue.Song) => mixesOf(page).getByRole('listitem').filter({ hasText: title })

/**
 * Renders both scheduled parts as they were scheduled, and returns by how many ms the beats of one are after those of the
 * other, for every four bars: the shift at which the rises of their energy are most alike.
 */
const measureShifts = (page: Page, beatSeconds: number) =>
  page.evaluate(async (beatSeconds) => {
    const HOP_SECONDS = 0.002
    const MAX_SHIFT_HOPS = 25
    const [BEATS, BEATS_OF_WINDOW] = [64, 16]
    // Both begin half a second into the rendered sound, the outgoing one with its lead.
    const BEGIN_SECONDS = 0.5
    const parts = window.scheduled.slice(-2)
    const render = async (part: Scheduled) => {
      const { sampleRate } = part.samples
      const at = (time: number) => time - parts[1]!.startAt + BEGIN_SECONDS
      const context = new OfflineAudioContext(1, Math.ceil((BEATS * beatSeconds + 1) * sampleRate), sampleRate)
      const source = new AudioBufferSourceNode(context, { buffer: part.samples, playbackRate: part.rate })
      for (const [rate, time] of part.changes) source.playbackRate.setValueAtTime(rate, at(time))
      source.connect(context.destination)
      source.start(at(part.startAt), part.offset)
      return (await context.startRendering()).getChannelData(0)
    }
    const risesOf = (samples: Float32Array, hop: number) => {
      const levels = Array.from({ length: Math.floor(samples.length / hop) }, (_, i) =>
        Math.log(1e-4 + samples.subarray(i * hop, i * hop + hop).reduce((sum, sample) => sum + sample * sample, 0)),
      )
      return levels.map((level, i) => Math.max(0, level - (levels[i - 4] ?? level)))
    }
    const [before, after] = (await Promise.all(
      parts.map(async (part) => risesOf(await render(part), Math.round(HOP_SECONDS * part.samples.sampleRate))),
    )) as [number[], number[]]
    const shifts = Array.from({ length: 2 * MAX_SHIFT_HOPS + 1 }, (_, i) => i - MAX_SHIFT_HOPS)
    return Array.from({ length: BEATS / BEATS_OF_WINDOW }, (_, window) => {
      const hops = (beats: number) => Math.round((BEGIN_SECONDS + beats * beatSeconds) / HOP_SECONDS)
      const [from, to] = [hops(window * BEATS_OF_WINDOW), hops((window + 1) * BEATS_OF_WINDOW)]
      const alike = (shift: number) =>
        before.slice(from, to).reduce((sum, rise, i) => sum + rise * (after[from + i + shift] ?? 0), 0)
      const best = shifts.reduce((best, shift) => (alike(shift) > alike(best) ? shift : best), 0)
      return best * HOP_SECONDS * 1000
    })
  }, beatSeconds)

test('holding a song that mixes plays the blend at once, on the beat, and releasing it goes on with the song', async ({
  page,
}) => {
  const member = await createSubscriber('DJ Blend', CARDS.pays)
  const { song, next, grids } = await findPair(member)
  await page.addInitScript(observeBlend)
  await openSignedIn(page, member.token, `/song/${song.entity_id}`)
  await page
    .getByRole('main')
    .getByRole('button', { name: `Play ${song.title} by ${song.artist}` })
    .click()
  await expect.poll(() => getPosition(page)).toBeGreaterThan(0.2)
  const row = rowOf(page, next)
  await row.scrollIntoViewIfNeeded()
  await expect(mixesOf(page).getByText('Hold to hear the blend')).toBeVisible()

  // The first time, the sound is loaded and the audio system starts.
  const title = row.getByRole('link', { name: next.title, exact: true })
  const hold = async () => {
    await title.hover()
    await page.mouse.down()
    await expect(row.getByText(/BPM, [+−]\d/)).toBeVisible()
  }
  await hold()
  await expect.poll(() => page.evaluate(() => window.audio.paused)).toBe(true)
  const position = await getPosition(page)
  await page.mouse.up()
  await expect.poll(() => page.evaluate(() => window.audio.paused)).toBe(false)
  expect(await getPosition(page)).toBeGreaterThanOrEqual(position)
  expect(page.url()).toContain(`/song/${song.entity_id}`)

  await hold()
  const timing = await page.evaluate(() => {
    const [outgoing] = window.scheduled.slice(-2) as [Scheduled]
    const samples = outgoing.samples.getChannelData(0)
    const from = Math.round(outgoing.offset * outgoing.samples.sampleRate)
    const silent = samples.subarray(from).findIndex((sample) => Math.abs(sample) > 0.001)
    return {
      schedulingMs: (outgoing.startAt - outgoing.calledAt) * 1000,
      audibleMs: (outgoing.startAt - outgoing.heldAt) * 1000 + (silent / outgoing.samples.sampleRate) * 1000,
    }
  })
  await page.mouse.up()
  // In the time of the audio, with everything loaded.
  expect(timing.audibleMs).toBeLessThanOrEqual(300)

  const shifts = await measureShifts(page, 60 / grids[0].bpm)
  test.info().annotations.push({ type: 'measured', description: JSON.stringify({ ...timing, shifts }) })
  expect(shifts.filter((ms) => Math.abs(ms) >= 15)).toEqual([])
})
