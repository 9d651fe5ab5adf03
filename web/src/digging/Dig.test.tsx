import { digging } from '@dubplate/contract'
import { expect, onTestFinished, test, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { fakeApi } from '../../test/fakeApi.ts'
import { currentUrl } from '../../test/locators.ts'
import { openApp, reopenApp, signInAs } from '../../test/openApp.tsx'
import { makeProfile, makeSong, makeSongs, makeVersion } from '../../test/samples.ts'
import { expectPlaying } from '../../test/sound.ts'
import { audio } from '../player/audio.ts'
import { currentEntry, playerActions, usePlayer } from '../player/store.ts'
import { button, expectSong, fakeList, openDig, savedDecisions } from './digTesting.ts'

test('plays a song from its drop, and the next one as soon as it is decided', async () => {
  const songs = makeSongs(3)
  await openDig(songs)
  await expectPlaying()
  expect(audio.currentTime).toBeGreaterThanOrEqual(3)
  await userEvent.keyboard('{ArrowRight}')
  await expectSong(songs[1]!)
  await expect.poll(() => currentEntry(usePlayer.getState())?.song.entity_id).toBe(songs[1]!.entity_id)
  await expectPlaying()
  await expect.element(page.getByText('2 left this week')).toBeVisible()
})

test('the next song is prepared at its drop, and plays on the element that has loaded it', async () => {
  const prepare = vi.spyOn(audio, 'prepare')
  onTestFinished(() => prepare.mockRestore())
  const songs = makeSongs(3)
  await openDig(songs)
  await expectPlaying()
  await expect.poll(() => prepare.mock.calls).toEqual([[expect.stringContaining(songs[1]!.version[0]!.mp3), 3]])
  const before = audio.heard
  await userEvent.keyboard('{ArrowRight}')
  await expectSong(songs[1]!)
  await expect.poll(() => audio.heard === before).toBe(false)
  await expectPlaying()
  expect(audio.currentTime).toBeGreaterThanOrEqual(3)
})

test.each([
  ['{ArrowRight}', 'skip'],
  ['c', 'crate'],
  ['f', 'favourite'],
  ['x', 'never'],
])('the key %s decides: %s', async (key, action) => {
  const songs = makeSongs(2)
  await openDig(songs)
  await userEvent.keyboard(key)
  await expectSong(songs[1]!)
  await expect.poll(savedDecisions).toEqual([[songs[0]!.entity_id, action]])
})

test('a key that is held down decides once', async () => {
  const songs = makeSongs(3)
  await openDig(songs)
  const press = (repeat: boolean) =>
    dispatchEvent(new KeyboardEvent('keydown', { key: 'ArrowRight', repeat, cancelable: true }))
  press(false)
  await expectSong(songs[1]!)
  press(true)
  await expect.poll(savedDecisions).toHaveLength(1)
  await expectSong(songs[1]!)
})

test('undo goes back step by step, and plays the song again', async () => {
  const songs = makeSongs(3)
  await openDig(songs)
  await expect.element(button('Undo')).toBeDisabled()
  await userEvent.keyboard('c')
  await expectSong(songs[1]!)
  await userEvent.keyboard('{ArrowRight}')
  await expectSong(songs[2]!)
  await userEvent.keyboard('z')
  await expectSong(songs[1]!)
  await userEvent.keyboard('{ArrowLeft}')
  await expectSong(songs[0]!)
  await expect.poll(() => currentEntry(usePlayer.getState())?.song.entity_id).toBe(songs[0]!.entity_id)
  await expect
    .poll(() => fakeApi.inputsOf(digging.digUndo))
    .toEqual([
      { list: 'new', entity_id: songs[1]!.entity_id },
      { list: 'new', entity_id: songs[0]!.entity_id },
    ])
  await expect.element(page.getByText('3 left this week')).toBeVisible()
})

test('chooses another version, which is the one added to the crate', async () => {
  const versions = ['Clean', 'Dirty', 'Intro'].map((version_label) => makeVersion({ version_label }))
  const song = makeSong({ title: 'Many versions', version: versions })
  await openDig([song, ...makeSongs(1)])
  await userEvent.keyboard('v')
  await expect.element(button('Dirty')).toHaveAttribute('aria-pressed', 'true')
  await userEvent.keyboard('3')
  await expect.poll(() => currentEntry(usePlayer.getState())?.version.version_label).toBe('Intro')
  await userEvent.keyboard('c')
  await expect
    .poll(() => fakeApi.inputsOf(digging.digDecide))
    .toMatchObject([{ action: 'crate', song_version_id: versions[2]!.song_version_id }])
})

test('jumps to the drop, and pauses with Space', async () => {
  await openDig(makeSongs(1))
  await expectPlaying()
  playerActions.seek(8)
  await userEvent.keyboard('d')
  await expect.poll(() => audio.currentTime).toBeLessThan(6)
  await userEvent.keyboard(' ')
  await expect.poll(() => audio.paused).toBe(true)
})

test('starts at the preview when the drop is not known', async () => {
  await openDig(makeSongs(1), 'new', { drop_seconds: null })
  await expect.element(button(/Jump to drop/)).toBeDisabled()
})

test('media keys skip and undo', async () => {
  const songs = makeSongs(2)
  await openDig(songs)
  playerActions.next()
  await expectSong(songs[1]!)
  playerActions.previous()
  await expectSong(songs[0]!)
})

test('the end counts what was decided, and starts again', async () => {
  const songs = makeSongs(3)
  await openDig(songs)
  await userEvent.keyboard('c')
  await expectSong(songs[1]!)
  await userEvent.keyboard('f')
  await expectSong(songs[2]!)
  await userEvent.keyboard('x')
  await expect.element(page.getByRole('heading', { name: 'That’s everything this week' })).toBeVisible()
  for (const line of ['1 song added to your crate', '1 favourite added', '1 song muted'])
    await expect.element(page.getByText(line)).toBeVisible()
  await expect.element(page.getByText('skipped')).not.toBeInTheDocument()
  await expect.poll(() => audio.paused).toBe(true)
  await expect.element(page.getByRole('link', { name: 'Open crate' })).toHaveAttribute('href', '/crate')
  await button('Start again').click()
  await expectSong(songs[0]!)
})

test('continues where the member stopped', async () => {
  const songs = makeSongs(2)
  await openDig(songs, 'genre-3', { title: 'House' })
  await expect.element(page.getByRole('heading', { name: 'House' })).toBeVisible()
  await userEvent.keyboard('{ArrowRight}')
  await expect.poll(savedDecisions).toHaveLength(1)
  await reopenApp('/dig/genre-3')
  await expectSong(songs[1]!)
  await expect.element(page.getByText('1 left', { exact: true })).toBeVisible()
})

test('offers to mute more after “Never again”', async () => {
  const song = makeSong({
    title: 'Too loud',
    artist: 'Ada Vale',
    label: 'Roc',
    genres: [{ genre_id: 3, name: 'House' }],
  })
  await openDig([song, ...makeSongs(1)])
  fakeApi.reply(digging.changeMutes, {
    mutes: [
      {
        ...{ mute_id: 9, kind: 'label', name: 'Roc', artist: null, entity_id: null, genre_id: null },
        muted_at: '2026-11-22T10:00:00Z',
      },
    ],
  })
  await button(/^Never again/).click()
  await button('Also mute…').click()
  const items = page.getByRole('menuitem')
  await expect
    .poll(() => items.elements().map(({ textContent }) => textContent))
    .toEqual(['Artist: Ada Vale', 'Label: Roc', 'Genre: House', 'Version type: Clean'])
  await items.nth(1).click()
  await expect.element(page.getByText('Muted “Roc”.')).toBeVisible()
  await page.getByRole('alert').getByRole('button', { name: 'Undo' }).click()
  await expect
    .poll(() => fakeApi.inputsOf(digging.changeMutes))
    .toEqual([{ add: [{ kind: 'label', name: 'Roc' }] }, { remove: [9] }])
})

test('an empty list says what is left out', async () => {
  await openDig([], 'spotlight-4', { title: 'Peak time' })
  await expect.element(page.getByText('No songs to dig through')).toBeVisible()
})

test('a list that fails to load can be loaded again', async () => {
  fakeApi.rejectWith(digging.digSongs, {
    code: 'internal_error' as never,
    message: 'Something went wrong.',
    status: 500,
  })
  signInAs(makeProfile())
  await openApp('/dig/new')
  await expect.element(page.getByText('Couldn’t load the songs')).toBeVisible()
  const songs = makeSongs(1)
  fakeList(songs)
  await button('Try again').click()
  await expectSong(songs[0]!)
})

test('asks a visitor to sign in, and covers the navigation', async () => {
  await openApp('/dig/new')
  await expect.element(page.getByText('Sign in to go through new music one song at a time.')).toBeVisible()
  await expect.element(page.getByRole('banner')).not.toBeInTheDocument()
})

test('Escape leaves, and the song plays on in the player', async () => {
  const songs = makeSongs(2)
  await openDig(songs)
  await expectPlaying()
  await userEvent.keyboard('{Escape}')
  await expect.poll(currentUrl).not.toContain('/dig/')
  await expect.element(page.getByRole('region', { name: 'Player' })).toBeVisible()
  await expectPlaying()
})

test('every action has a target of at least 44 px on a phone', async () => {
  await page.viewport(390, 844)
  onTestFinished(() => page.viewport(1440, 900))
  await openDig(makeSongs(1))
  for (const name of [/^Never again/, /^Skip/, /^Favourite/, /^Add to crate/, 'Undo', /^Leave/]) {
    const { width, height } = button(name).first().element().getBoundingClientRect()
    expect(Math.min(width, height)).toBeGreaterThanOrEqual(44)
  }
})

test('the keyboard shortcuts list those of this screen first', async () => {
  await openDig(makeSongs(1))
  await userEvent.keyboard('?')
  const headings = page.getByRole('dialog').getByRole('heading', { level: 3 })
  await expect
    .poll(() => headings.elements().map(({ textContent }) => textContent))
    .toEqual(['While digging', 'On other screens'])
})
