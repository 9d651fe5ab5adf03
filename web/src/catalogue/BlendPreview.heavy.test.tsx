import { catalogue, player } from '@dubplate/contract'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { fakeApi } from '../../test/fakeApi.ts'
import { pressMouse, releaseMouse } from '../../test/mouse.ts'
import { openApp, signInAs } from '../../test/openApp.tsx'
import { touch } from '../../test/pointer.ts'
import { makeProfile, makeSong } from '../../test/samples.ts'
import { history } from '../platform/address.ts'
import { audio } from '../player/audio.ts'
import { fakeGrids, makeBeatSong, steady } from '../player/blend/testing.ts'
import { expectPaused, expectPlaying, openNewReleases, play, playerButton } from '../player/testing.ts'

const MIX = { key: 'same', tempo: 'same', tempo_change_percent: 1.6, shared_genres: 1, shared_crates: 0 } as const
const TEMPO = '126 → 128 BPM, +1.6 %'

const outgoing = () => makeBeatSong(1200, steady(128, 0.4), 'Playing song').song
const incoming = () => makeBeatSong(3000, steady(126, 0.7), 'Next song').song

/** The mixes of the playing song in the right column. */
const mixes = page.getByRole('complementary', { name: 'More to explore' }).getByRole('region', { name: /^Mixes well/ })
const row = mixes.getByRole('listitem').first()
const announcement = mixes.getByRole('status')
const blendButton = row.getByRole('button', { name: 'Hear the blend into Next song' })

beforeEach(() => {
  signInAs(makeProfile())
  fakeGrids()
})

afterEach(async () => {
  vi.restoreAllMocks()
  localStorage.removeItem('dubplate.blend-heard')
})

/** Opens the new releases, plays a song and waits for what mixes with it. */
async function openMixes(next = incoming()) {
  const song = outgoing()
  fakeApi.reply(catalogue.getSimilarSongs, { songs: [{ ...next, mix: MIX }] })
  await openNewReleases([song])
  await play(song)
  await expectPlaying()
  await expect.element(row).toBeVisible()
}

/** By keyboard: in the right column, the button is only visible while it has the focus. */
async function toggleBlend() {
  ;(blendButton.element() as HTMLElement).focus()
  await userEvent.keyboard('{Enter}')
}

const titleCentre = () => {
  const { x, y, height } = row.getByRole('link').element().getBoundingClientRect()
  return { x: x + 12, y: y + height / 2 }
}

/** Presses the title of the row, also a link, until the returned function is called. */
async function press() {
  const at = titleCentre()
  await pressMouse(at)
  return () => releaseMouse(at)
}

test('plays the blend while a row is held, and then continues the song where it was', async () => {
  await openMixes()
  const position = audio.currentTime
  const address = location.pathname
  const release = await press()
  await expect.element(row.getByText(TEMPO)).toBeVisible()
  await expectPaused()
  await expect.element(announcement).toHaveTextContent(`Blend into Next song: ${TEMPO}`)
  await release()
  await expectPlaying()
  expect(audio.currentTime).toBeGreaterThanOrEqual(position)
  await expect.element(row.getByText(TEMPO)).not.toBeInTheDocument()
  expect(location.pathname).toBe(address)
})

test('a short press of the title still opens the song', async () => {
  await openMixes()
  // At once: on a slow machine, the press of a real mouse may last as long as a hold.
  const link = row.getByRole('link').element()
  const options = { bubbles: true, cancelable: true, isPrimary: true, detail: 1 }
  link.dispatchEvent(new PointerEvent('pointerdown', options))
  link.dispatchEvent(new PointerEvent('pointerup', options))
  link.dispatchEvent(new MouseEvent('click', options))
  await expect.poll(() => location.pathname).toMatch(/^\/song\//)
})

test('a long press on a touch screen plays the blend, and opens no menu and no page', async () => {
  await openMixes()
  const address = location.pathname
  await touch.enable(true)
  await touch.press(row.getByRole('link'))
  await expect.element(row.getByText(TEMPO)).toBeVisible()
  const menu = new MouseEvent('contextmenu', { bubbles: true, cancelable: true })
  row.getByRole('link').element().dispatchEvent(menu)
  expect(menu.defaultPrevented).toBe(true)
  expect(page.getByRole('menu').elements()).toEqual([])
  await touch.lift()
  await touch.enable(false)
  await expect.element(row.getByText(TEMPO)).not.toBeInTheDocument()
  await expectPlaying()
  expect(location.pathname).toBe(address)
})

test('starts and stops by keyboard, without holding', async () => {
  await openMixes()
  await toggleBlend()
  await expect.element(row.getByText(TEMPO)).toBeVisible()
  await expect.element(blendButton).toHaveAttribute('aria-pressed', 'true')
  await userEvent.keyboard('{Enter}')
  await expect.element(blendButton).toHaveAttribute('aria-pressed', 'false')
  await expectPlaying()
  await userEvent.keyboard('{Enter}')
  await expect.element(row.getByText(TEMPO)).toBeVisible()
  await userEvent.keyboard('{Escape}')
  await expect.element(row.getByText(TEMPO)).not.toBeInTheDocument()
  await expectPlaying()
})

test('a row without a beat grid says so, and cannot be held', async () => {
  await openMixes(makeSong({ title: 'Next song' }))
  await row.getByRole('link').hover()
  await expect.element(row.getByText('No beat grid yet')).toBeVisible()
  const release = await press()
  await expect.element(announcement).toHaveTextContent('No beat grid yet')
  expect(audio.paused).toBe(false)
  await release()
})

test('names the playing song if it has no beat grid, and tempos that are too far apart', async () => {
  const next = incoming()
  const song = makeSong({ title: 'Plain song' })
  fakeApi.reply(catalogue.getSimilarSongs, { songs: [{ ...next, mix: MIX }] })
  await openNewReleases([song])
  await play(song)
  await expect.element(row).toBeVisible()
  await row.getByRole('link').hover()
  await expect.element(row.getByText('No beat grid yet for Plain song')).toBeVisible()
})

test('says that tempos are too far apart', async () => {
  await openMixes(makeBeatSong(3000, steady(110, 0.7), 'Next song').song)
  await row.getByRole('link').hover()
  await expect.element(row.getByText('Tempos too far apart to blend')).toBeVisible()
})

test('shows that a blend is loading, and stays silent if it is released before', async () => {
  await openMixes()
  const letArrive = fakeApi.holdReply(player.getBeatGrid)
  const release = await press()
  await expect.element(row.getByText('Loading…')).toBeVisible()
  await release()
  await expect.element(row.getByText('Loading…')).not.toBeInTheDocument()
  letArrive()
  await expectPlaying()
})

test('says that there is no connection', async () => {
  await openMixes()
  fakeApi.setOffline(true)
  const release = await press()
  await expect.element(row.getByText('You’re offline. Reconnect, then hold again.')).toBeVisible()
  await release()
  fakeApi.setOffline(false)
})

test('says that the browser blocks the sound', async () => {
  await openMixes()
  vi.spyOn(AudioContext.prototype, 'state', 'get').mockReturnValue('suspended')
  vi.spyOn(AudioContext.prototype, 'resume').mockReturnValue(new Promise(() => {}))
  const release = await press()
  await expect.element(row.getByText('Your browser blocked the sound. Hold again.')).toBeVisible()
  await release()
  await expectPlaying()
})

test('mixes the song of the page if nothing plays, and stays paused after that', async () => {
  const [song, next] = [outgoing(), incoming()]
  fakeApi.reply(catalogue.getSong, { song })
  fakeApi.reply(catalogue.getSimilarSongs, { songs: [{ ...next, mix: MIX }] })
  await openApp(`/song/${song.entity_id}`)
  const pageRow = page.getByRole('main').getByRole('listitem').filter({ hasText: 'Next song' })
  await pageRow.getByRole('button', { name: 'Hear the blend into Next song' }).click()
  await expect.element(pageRow.getByText(TEMPO)).toBeVisible()
  await userEvent.keyboard('{Escape}')
  await expect.element(pageRow.getByText(TEMPO)).not.toBeInTheDocument()
  expect(audio.paused).toBe(true)
})

test('stops when its list is closed, and when the player is started', async () => {
  await openMixes()
  await toggleBlend()
  await expect.element(row.getByText(TEMPO)).toBeVisible()
  await playerButton('Play').click()
  await expect.element(row.getByText(TEMPO)).not.toBeInTheDocument()
  await expectPlaying()
  await toggleBlend()
  await expectPaused()
  history.push('/account')
  await expectPlaying()
})

test('pauses the players of other tabs, and continues them', async () => {
  await openMixes()
  const otherTab = new BroadcastChannel('dubplate.blend')
  const heard: unknown[] = []
  otherTab.addEventListener('message', ({ data }) => heard.push(data))
  await toggleBlend()
  await expect.poll(() => heard).toEqual(['started'])
  await toggleBlend()
  await expect.poll(() => heard).toEqual(['started', 'ended'])
  await expectPlaying()
  otherTab.postMessage('started')
  await expectPaused()
  otherTab.postMessage('ended')
  await expectPlaying()
  otherTab.close()
})

test('explains holding until a blend has been heard', async () => {
  await openMixes()
  const hint = mixes.getByText('Hold to hear the blend')
  await expect.element(hint).toBeVisible()
  await toggleBlend()
  await expect.element(row.getByText(TEMPO)).toBeVisible()
  await toggleBlend()
  await expect.element(hint).not.toBeInTheDocument()
})
