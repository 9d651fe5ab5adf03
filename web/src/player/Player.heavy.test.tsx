import type { catalogue } from '@dubplate/contract'
import { afterEach, expect, onTestFinished, test, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { playButtonOf } from '../../test/locators.ts'
import { reopenApp, signInAs } from '../../test/openApp.tsx'
import { makeProfile, makeSong, makeSongs, makeVersion } from '../../test/samples.ts'
import { previewUrl } from '../platform/media.ts'
import { clearSession } from '../platform/session.ts'
import { audio } from './audio.ts'
import {
  expectCurrent,
  expectPaused,
  expectPlaying,
  expectPosition,
  openNewReleases,
  play,
  player,
  playerButton,
  position,
  rowOf,
  rows,
} from './testing.ts'

afterEach(() => vi.restoreAllMocks())

/** Opens the new releases as a member and plays the first song. */
async function playFirst() {
  signInAs(makeProfile())
  const songs = await openNewReleases(makeSongs(3))
  await play(songs[0]!)
  await expectPlaying()
  return songs as [(typeof songs)[0], (typeof songs)[0], (typeof songs)[0]]
}

/** The URL of the version that a song's row plays. */
const previewOf = ({ version: [first] }: catalogue.Song) => previewUrl(first!)

const press = (keys: string) => userEvent.keyboard(keys)
const focus = (slider: typeof position) => (slider.element() as HTMLElement).focus()

test('seeks to where the waveform is clicked', async () => {
  await playFirst()
  await playerButton('Pause').click()
  await expectPaused()
  await position.click()
  await expectPosition(5)
  expect(audio.paused).toBe(true)
})

test('seeks by arrow keys, Home and End without starting the sound', async () => {
  await playFirst()
  await playerButton('Pause').click()
  await expectPaused()
  focus(position)
  await press('{Home}')
  await expect.poll(() => audio.currentTime).toBe(0)
  await press('{ArrowRight}')
  await expectPosition(5)
  await press('{ArrowLeft}')
  await expectPosition(0)
  await press('{End}')
  await expectPosition(9)
  expect(audio.paused).toBe(true)
  await press('{Home}')
  await playerButton('Play').click()
  await expectPlaying()
})

test('pauses and resumes with Space', async () => {
  await playFirst()
  await page.getByRole('heading', { level: 1 }).click()
  await press(' ')
  await expectPaused()
  await expect.element(playerButton('Play')).toBeVisible()
  await press(' ')
  await expectPlaying()
})

test('goes through the list with Next and wraps around; Previous goes back', async () => {
  const [first, second, third] = await playFirst()
  for (const song of [second, third, first]) {
    await playerButton('Next song').click()
    await expectCurrent(song)
  }
  await playerButton('Previous song').click()
  await expectCurrent(third)
  await expectPlaying()
})

test('plays the next song when the current one ends', async () => {
  const [, second] = await playFirst()
  focus(position)
  await press('{End}')
  await expectCurrent(second)
  await expectPlaying()
})

test('plays the same version again when it ends with repeat one', async () => {
  const [song] = await playFirst()
  await playerButton('Repeat one').click()
  await expect.element(playerButton('Repeat one')).toHaveAttribute('aria-pressed', 'true')
  const address = audio.heard.currentSrc
  focus(position)
  await press('{End}')
  await expect.poll(() => audio.currentTime).toBeGreaterThan(8)
  await expect.poll(() => audio.currentTime).toBeLessThan(8)
  await expectPlaying()
  expect(audio.heard.currentSrc).toBe(address)
  await expectCurrent(song)
})

test('changes the volume in steps of 0.1', async () => {
  await playFirst()
  const volume = player.getByRole('slider', { name: 'Volume' })
  await expect.element(volume).toHaveValue('1')
  focus(volume)
  await press('{ArrowLeft}')
  await expect.element(volume).toHaveValue('0.9')
  expect(audio.heard.volume).toBeCloseTo(0.9)
  await press('{ArrowLeft}{ArrowLeft}')
  await expect.element(volume).toHaveValue('0.7')
  expect(audio.heard.volume).toBeCloseTo(0.7)
})

test('shows the song on the lock screen and responds to media keys', async () => {
  const keys: Partial<Record<MediaSessionAction, MediaSessionActionHandler>> = {}
  vi.spyOn(navigator.mediaSession, 'setActionHandler').mockImplementation((action, handler) => {
    if (handler) keys[action] = handler
  })
  const song = makeSong({ title: 'Daylight', artist: 'Ada Vale', version: [makeVersion({ version_label: 'Intro' })] })
  const next = makeSong({ title: 'Nightfall' })
  signInAs(makeProfile())
  await openNewReleases([song, next])
  await play(song)
  await expectPlaying()
  const { metadata, playbackState } = navigator.mediaSession
  expect(metadata).toMatchObject({ title: 'Daylight (Intro)', artist: 'Ada Vale' })
  expect(metadata?.artwork.map(({ src }) => new URL(src).pathname)).toEqual(
    [96, 320, 640].map((width) => `/images/cover/${width}.webp`),
  )
  expect(playbackState).toBe('playing')

  const pressKey = (action: MediaSessionAction) => keys[action]?.({ action, seekTime: 5 })
  pressKey('nexttrack')
  await expectCurrent(next)
  await expectPlaying()
  pressKey('pause')
  await expectPaused()
  pressKey('seekto')
  await expectPosition(5)
  pressKey('previoustrack')
  await expectCurrent(song)
  // With these, iOS would show ±10 s buttons in place of previous and next.
  expect(Object.keys(keys)).not.toContain('seekforward')
  expect(Object.keys(keys)).not.toContain('seekbackward')
})

const roomBelow = () => getComputedStyle(document.documentElement).getPropertyValue('--player-h')

test('takes no space until a song is played, and again after a reload with a saved song', async () => {
  signInAs(makeProfile())
  const [song] = await openNewReleases(makeSongs(3))
  const place = () => rowOf(song!).element().getBoundingClientRect().top + scrollY
  const before = place()
  expect(roomBelow()).toBe('0px')
  await expect.element(player).not.toBeInTheDocument()
  await press(' ')
  await expect.element(player).not.toBeInTheDocument()

  await play(song!)
  await expectPlaying()
  await expect.element(player).toBeVisible()
  expect(roomBelow()).toBe('96px')
  expect(player.element().getBoundingClientRect().height).toBe(96)
  expect(place()).toBe(before)

  await reopenApp('/newRelease')
  await expectCurrent(song!)
  expect(roomBelow()).toBe('96px')
})

test('disappears when the member signs out, without a trace of the queue', async () => {
  await playFirst()
  clearSession()
  await expectPaused()
  await expect.element(player).not.toBeInTheDocument()
  expect(roomBelow()).toBe('0px')
  expect(localStorage.getItem('dubplate.player')).not.toContain('Song 1')
})

test('draws the waveform in the three colours of its bands, and shows the time under the pointer', async () => {
  await playFirst()
  await expect.poll(() => position.element().querySelector('canvas')?.width).toBeGreaterThan(100)
  const canvas = position.element().querySelector('canvas')!
  const colours = () => {
    const { data } = canvas.getContext('2d')!.getImageData(canvas.width / 2, 0, 1, canvas.height)
    return new Set(Array.from({ length: canvas.height }, (_, y) => data.slice(y * 4, y * 4 + 4).join()))
  }
  await expect.poll(colours).toContain('47,107,255,255')
  expect(colours()).toContain('240,161,62,255')
  expect(colours()).toContain('255,246,230,255')
  // The loudest moment leaves headroom.
  expect(colours()).toContain('0,0,0,0')
  await position.hover()
  expect(position.element().querySelector('[data-time]')).toHaveAttribute('data-time', '0:05')
})

test('marks the playing row, whose cover pauses it', async () => {
  const [song] = await openNewReleases()
  const row = rowOf(song!)
  await row.dblClick({ position: { x: 12, y: 12 } })
  await expectPlaying()
  await expect.element(row.getByText('Playing')).toBeInTheDocument()
  expect(rows.getByRole('button', { name: /^Pause .* by / }).elements()).toHaveLength(1)
  await row.getByRole('button', { name: `Pause ${song!.title} by ${song!.artist}` }).click()
  await expectPaused()
})

test('marks the clip in the waveform of the whole song for a visitor', async () => {
  const version = makeVersion({ duration_seconds: 100, preview_start_seconds: 40 })
  const [song] = await openNewReleases([makeSong({ title: 'Daylight', version: [version] })])
  await play(song!)
  await expectPlaying()
  const style = () => (position.element() as HTMLElement).style
  // The clip of the tests has ten seconds.
  await expect
    .poll(() => [style().getPropertyValue('--from'), style().getPropertyValue('--to')])
    .toEqual(['40%', '50%'])
  await expect.poll(() => position.element().ariaValueNow).toMatch(/^4\d$/)
  await position.hover({ position: { x: 10, y: 20 } })
  await expect.element(position).toContainHTML('Members only')
  await position.click({ position: { x: 10, y: 20 } })
  await expect.poll(() => audio.currentTime).toBeLessThan(3)
  await expectPlaying()
})

test('is a strip on a phone, which opens the whole player with its versions and its queue', async () => {
  await page.viewport(390, 844)
  onTestFinished(() => page.viewport(1440, 900))
  signInAs(makeProfile())
  const versions = ['Clean', 'Extended'].map((version_label) => makeVersion({ version_label }))
  const tempo = { min_bpm: 126, max_bpm: 126, song_key: 'Am' }
  const song = makeSong({ title: 'Daylight', version: versions, ...tempo })
  await openNewReleases([song, makeSong({ title: 'Nightfall' })])
  await playButtonOf(song).click()
  await expectPlaying()
  expect(player.element().getBoundingClientRect().height).toBe(64)
  expect(roomBelow()).toBe('64px')
  for (const fact of ['Clean', '126', '8A']) await expect.element(player.getByText(fact, { exact: true })).toBeVisible()

  await playerButton('Open player: Daylight').click()
  const sheet = page.getByRole('dialog', { name: 'Player' })
  await expect.element(sheet.getByText('Playing from New releases')).toBeVisible()
  const extended = sheet.getByRole('button', { name: 'Extended', exact: true })
  await extended.click()
  await expect.element(extended).toHaveAttribute('aria-pressed', 'true')
  await expect.poll(() => audio.heard.currentSrc).toContain(versions[1]!.mp3)
  await expect.element(sheet.getByText('Next from “New releases”')).toBeInTheDocument()
  await sheet.getByRole('button', { name: 'Close player' }).click()
  await expect.element(sheet).not.toBeInTheDocument()
  await expectPlaying()
})

test('a song that the pointer has rested on plays on the element that has loaded it', async () => {
  const [first, , third] = await openNewReleases(makeSongs(3))
  await play(first!)
  await expectPlaying()
  const before = audio.heard
  const prepare = vi.spyOn(audio, 'prepare')
  await rowOf(third!).hover()
  await expect.poll(() => prepare.mock.lastCall).toEqual([previewOf(third!), 0])
  await play(third!)
  await expectCurrent(third!)
  await expectPlaying()
  expect(audio.heard).not.toBe(before)
  expect(before.paused).toBe(true)
})

test('the next song is prepared once the current one is heard', async () => {
  const prepare = vi.spyOn(audio, 'prepare')
  const [first, second] = await openNewReleases(makeSongs(3))
  await play(first!)
  await expect.poll(() => prepare.mock.lastCall).toEqual([previewOf(second!), 0])
  const before = audio.heard
  await press('n')
  await expectCurrent(second!)
  await expectPlaying()
  expect(audio.heard).not.toBe(before)
})

test('a song is prepared when its row has the keyboard focus, and when a mouse presses play, but not by touch', async () => {
  const prepare = vi.spyOn(audio, 'prepare')
  const [first, second, third] = await openNewReleases(makeSongs(3))
  await press('j')
  await expect.poll(() => prepare.mock.lastCall).toEqual([previewOf(first!), 0])
  const pressPlay = (song: catalogue.Song, pointerType: string) =>
    playButtonOf(song)
      .element()
      .dispatchEvent(new PointerEvent('pointerdown', { bubbles: true, pointerType }))
  pressPlay(third!, 'touch')
  pressPlay(second!, 'mouse')
  await expect.poll(() => prepare.mock.lastCall).toEqual([previewOf(second!), 0])
  expect(prepare.mock.calls).not.toContainEqual([previewOf(third!), 0])
  rowOf(third!)
    .getByRole('button', { name: /^Preview / })
    .first()
    .element()
    .dispatchEvent(new PointerEvent('pointerdown', { bubbles: true, pointerType: 'mouse' }))
  await expect.poll(() => prepare.mock.lastCall).toEqual([previewOf(third!), 0])
})
