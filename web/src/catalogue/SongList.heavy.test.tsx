import { type catalogue, downloads, library } from '@dubplate/contract'
import { afterEach, expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { fakeApi } from '../../test/fakeApi.ts'
import { playButtonOf } from '../../test/locators.ts'
import { closeApp, signInAs } from '../../test/openApp.tsx'
import { doubleClickAround, touch } from '../../test/pointer.ts'
import { makeProfile, makeSong, makeSongs, makeVersion } from '../../test/samples.ts'
import { fakeCrate } from '../library/fakeCrate.ts'
import { audio } from '../player/audio.ts'
import { expectCurrent, expectPlaying, openNewReleases, player, rowOf, rows } from '../player/testing.ts'
import { toggleSidebar } from '../site/sidebarChoice.ts'
import { bar, emptySpotIn, expectSelected } from './selectionTestHelpers.ts'

const press = (keys: string) => userEvent.keyboard(keys)

const labelled = (...labels: string[]) =>
  labels.map((version_label) => makeVersion({ version_label, bytes: 1_200_000, download: [1, 2] }))

afterEach(async () => {
  await page.viewport(1440, 900)
  await touch.enable(false)
})

test('selects a range with Shift click, toggles with Ctrl click, selects all with Ctrl A and clears with Escape', async () => {
  const songs = await openNewReleases()
  await emptySpotIn(songs[2]!).click()
  await expectSelected([songs[2]!])
  await emptySpotIn(songs[5]!).click({ modifiers: ['Shift'] })
  await expectSelected(songs.slice(2, 6))
  await emptySpotIn(songs[0]!).click({ modifiers: ['Shift'] })
  await expectSelected(songs.slice(0, 3))
  await emptySpotIn(songs[1]!).click({ modifiers: ['ControlOrMeta'] })
  await expectSelected([songs[0]!, songs[2]!])
  await press('{Control>}a{/Control}')
  await expectSelected(songs)
  await press('{Escape}')
  await expectSelected([])
  expect(getSelection()?.toString()).toBe('')
})

test('toggles the focused row with X, and extends the selection with Shift and the arrows', async () => {
  const songs = await openNewReleases()
  await press('jx')
  await expectSelected([songs[0]!])
  await press('{Shift>}{ArrowDown}{ArrowDown}{/Shift}')
  await expectSelected(songs.slice(0, 3))
  await press('{Shift>}{ArrowUp}{/Shift}')
  await expectSelected(songs.slice(0, 2))
  await press('x')
  await expectSelected([songs[0]!])
  await press('{Escape}')
  await expectSelected([])
})

test('selects without playing on a click; plays and selects nothing on a double click', async () => {
  const songs = await openNewReleases()
  await emptySpotIn(songs[1]!).click()
  await expectSelected([songs[1]!])
  await expect.element(player).not.toBeInTheDocument()
  expect(audio.paused).toBe(true)

  await emptySpotIn(songs[3]!).dblClick()
  await expectPlaying()
  await expectCurrent(songs[3]!)
  await expectSelected([])
})

/** Scrolls until the selection bar would cover a row, and returns that row's song. */
async function openWithRowUnderBar() {
  // With the right column, the list is so narrow that the bar covers the free part of the row.
  toggleSidebar(true)
  const songs = await openNewReleases()
  // The bar's code is loaded with the first selection; after that it appears at once.
  await emptySpotIn(songs[0]!).click()
  await expectSelected([songs[0]!])
  await press('{Escape}')
  await expectSelected([])
  const { top } = emptySpotIn(songs[12]!).element().getBoundingClientRect()
  scrollBy({ top: top - (innerHeight - 40), behavior: 'instant' })
  await expect.element(emptySpotIn(songs[12]!)).toBeInViewport()
  return songs[12]!
}

test('plays a row on a double click even when the selection bar covers it after the first click', async () => {
  const song = await openWithRowUnderBar()
  await emptySpotIn(song).dblClick()
  await expectPlaying()
  await expectCurrent(song)
  await expectSelected([])
})

test('plays the row on a slow double click although its second half hits the selection bar', async () => {
  const song = await openWithRowUnderBar()
  await doubleClickAround(emptySpotIn(song), async () => {
    await expectSelected([song])
    await expect.poll(() => isCovered(emptySpotIn(song).element())).toBe(true)
  })
  await expectPlaying()
  await expectCurrent(song)
  await expectSelected([])
})

/** Whether a click at the centre of this element would hit the selection bar. */
function isCovered(element: Element): boolean {
  const { x, y, width, height } = element.getBoundingClientRect()
  return bar.element().contains(document.elementFromPoint(x + width / 2, y + height / 2))
}

test('shows chosen columns and compact rows, and remembers both', async () => {
  const songs = await openNewReleases(makeSongs(3).map((song) => ({ ...song, label: 'Kvadrat' })))
  const list = page.getByRole('table', { name: 'New releases' })
  const heading = (name: string) => list.getByRole('columnheader', { name, exact: true })
  const height = () => rowOf(songs[0]!).element().getBoundingClientRect().height
  expect(height()).toBe(60)
  await list.getByRole('button', { name: 'Compact rows' }).click()
  await expect.poll(height).toBe(40)

  const choose = async (name: string, checked: string) => {
    await list.getByRole('button', { name: 'Choose columns' }).click()
    const item = page.getByRole('menuitemcheckbox', { name })
    await item.click()
    await expect.element(item).toHaveAttribute('aria-checked', checked)
    await press('{Escape}')
  }
  await list.getByRole('button', { name: 'Choose columns' }).click()
  const items = page.getByRole('menuitemcheckbox')
  await expect
    .poll(() => items.elements().map(({ textContent }) => textContent))
    .toEqual(['Waveform', 'Genre', 'Label', 'Length', 'Plays', 'Added'])
  await press('{Escape}')
  await choose('Label', 'true')
  await expect.element(heading('Label')).toBeVisible()
  expect(height()).toBe(40)
  const label = rowOf(songs[0]!).getByRole('link', { name: 'Kvadrat', exact: true })
  await expect.element(label).toHaveAttribute('href', '/label/Kvadrat')

  const keys = ['dubplate.list-columns', 'dubplate.density']
  const stored = keys.map((key) => localStorage.getItem(key)!)
  await closeApp()
  await openNewReleases(songs)
  await expect.element(heading('Label')).not.toBeInTheDocument()
  // Simulates the events for values stored by another tab.
  for (const [i, key] of keys.entries()) {
    localStorage.setItem(key, stored[i]!)
    dispatchEvent(new StorageEvent('storage', { key }))
  }
  await expect.element(heading('Label')).toBeVisible()
  await expect.poll(height).toBe(40)
  await choose('Label', 'false')
  await expect.element(heading('Label')).not.toBeInTheDocument()
})

test('has the controls of one row in the tab order, the one that had the focus last', async () => {
  const songs = await openNewReleases(makeSongs(3))
  const tabStops = () =>
    rows
      .elements()
      .map((row) => [...row.querySelectorAll<HTMLElement>('a, button, input')].filter(isTabStop).length > 0)
  const isTabStop = ({ tabIndex }: HTMLElement) => tabIndex === 0
  expect(tabStops()).toEqual([true, false, false])
  await press('j{ArrowDown}')
  await expect.poll(tabStops).toEqual([false, true, false])
  await expect.element(playButtonOf(songs[1]!)).toHaveFocus()
  await press('{ArrowUp}k')
  await expect.element(playButtonOf(songs[0]!)).toHaveFocus()
  expect(audio.heard.volume).toBe(1)
})

test('puts the focused song in the crate with C, in the favourites with L, and downloads it with D', async () => {
  const songs = makeSongs(3)
  fakeCrate(songs)
  signInAs(makeProfile())
  await openNewReleases(songs)
  await press('jjcld')
  const [, { entity_id, version } = songs[0]!] = songs
  const version_id = version[0]!.song_version_id
  await expect.poll(() => fakeApi.inputsOf(library.crateAddRemove)).toEqual([{ songId: entity_id }])
  await expect.poll(() => fakeApi.inputsOf(library.favouriteAddRemove)).toEqual([{ songId: entity_id }])
  await expect.poll(() => fakeApi.inputsOf(downloads.downloadVersion)).toEqual([{ version: version_id }])
})

test('adds the preferred version to the crate with the + of a row, and restores it with Undo', async () => {
  const song = makeSong({ title: 'Daylight', version: labelled('Original', 'Clean') })
  fakeCrate([song])
  signInAs(makeProfile())
  await openNewReleases([song])
  const [original] = song.version
  const inCrate = rowOf(song).getByRole('button', { name: /^Remove .* from crate$/ })
  await rowOf(song).getByRole('button', { name: 'Add Daylight to crate', exact: true }).click()
  await expect
    .poll(() => inCrate.elements().map((button) => button.ariaLabel))
    .toEqual(['Remove Original, Daylight from crate', 'Remove Daylight from crate'])
  await rowOf(song).getByRole('button', { name: 'Remove Daylight from crate', exact: true }).click()
  await expect.poll(() => inCrate.elements()).toHaveLength(0)
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect.poll(() => fakeApi.inputsOf(library.crateChange)).toEqual([{ version_ids: [original!.song_version_id] }])
  expect(fakeApi.inputsOf(library.crateAddRemove)).toEqual([{ songId: song.entity_id }, { songId: song.entity_id }])
})

test('adds one version to the crate with its +, and then shows its chip before others', async () => {
  const labels = ['Original', 'Intro Clean', 'Intro Dirty', 'Clean', 'Acapella']
  const song = makeSong({ title: 'Daylight', version: labelled(...labels) })
  fakeCrate([song])
  signInAs(makeProfile())
  await openNewReleases([song])
  const chips = () =>
    rowOf(song)
      .getByRole('button', { name: /^Preview / })
      .elements()
      .map(({ textContent }) => textContent)
  expect(chips()).toEqual(['Original', 'Intro Clean'])
  await rowOf(song).getByRole('button', { name: '+3 more versions' }).click()
  const all = page.getByRole('dialog', { name: 'Versions of Daylight' })
  await expect.element(all.getByText('1.2 MB').first()).toBeVisible()
  await expect.element(all.getByRole('button', { name: 'Preview Original, Daylight' })).toHaveFocus()
  await all.getByRole('button', { name: 'Add Acapella, Daylight to crate' }).click()
  await expect.element(all.getByRole('button', { name: 'Remove Acapella, Daylight from crate' })).toBeVisible()
  expect(fakeApi.inputsOf(library.crateAddRemove)).toEqual([
    { songId: song.entity_id, versionId: song.version[4]!.song_version_id },
  ])
  await press('{Escape}')
  await expect.element(all).not.toBeInTheDocument()
  await expect.poll(chips).toEqual(['Original', 'Acapella'])
})

test('shows which versions were downloaded, and how many downloads are left', async () => {
  const song = makeSong({ title: 'Daylight', version: labelled('Original', 'Clean', 'Edit') })
  const [once, twice] = song.version.map(({ song_version_id }) => song_version_id)
  fakeApi.reply(downloads.customerDownloads, { downloads: { [once!]: 1, [twice!]: 2 } })
  signInAs(makeProfile())
  await page.viewport(1920, 900)
  await openNewReleases([song])
  const button = (name: string) => rowOf(song).getByRole('button', { name, exact: true })
  await expect
    .element(button('Download Original, Daylight, 1 of 2 used'))
    .toHaveAttribute('title', 'Download again (1 of 2 downloads left)')
  await expect.element(button('No downloads left for Clean, Daylight')).toBeDisabled()
  await expect.element(button('Download Edit, Daylight')).toBeEnabled()
})

/** Opens the new releases on a phone. */
async function openOnPhone(songs = makeSongs(24)) {
  await page.viewport(390, 844)
  await touch.enable(true)
  return openNewReleases(songs)
}

const titleIn = (song: catalogue.Song) => rowOf(song).getByTestId('song-title')
const toCentre = (target: typeof player) => target.element().scrollIntoView({ block: 'center', behavior: 'instant' })

const tap = async (target: typeof player) => {
  await touch.press(target)
  await touch.lift()
}

test('plays a row with a tap on a phone, where it shows the number of versions', async () => {
  const songs = await openOnPhone([makeSong({ title: 'Daylight', version: labelled('Original', 'Clean') })])
  await expect.element(rowOf(songs[0]!).getByText('2 versions')).toBeVisible()
  expect(rowOf(songs[0]!).element().getBoundingClientRect().height).toBe(64)
  toCentre(titleIn(songs[0]!))
  await touch.press(titleIn(songs[0]!))
  await touch.lift()
  await expectPlaying()
  expect(location.pathname).toBe('/newRelease')
})

test('opens all versions from a row of a phone, where each can be downloaded or added to the crate at once', async () => {
  const song = makeSong({ title: 'Daylight', version: labelled('Intro Clean', 'Clean', 'Dirty') })
  const crate = fakeCrate([song])
  signInAs(makeProfile())
  await openOnPhone([song])
  const opener = rowOf(song).getByRole('button', { name: '3 versions' })
  await expect.element(opener).toBeVisible()
  toCentre(opener)
  expect(opener.element().getBoundingClientRect().height).toBeGreaterThanOrEqual(40)
  await tap(opener)
  const sheet = page.getByRole('dialog', { name: 'Versions of Daylight' })
  await expect.element(sheet.getByText('1.2 MB').first()).toBeVisible()
  await expect.element(sheet.getByText('0:10').first()).toBeVisible()
  await tap(sheet.getByRole('button', { name: 'Add Clean, Daylight to crate' }))
  await expect.poll(crate.ids).toEqual([song.entity_id])
  expect(audio.paused).toBe(true)
  await tap(sheet.getByRole('button', { name: 'Preview Dirty, Daylight' }))
  await expectPlaying()
  const download = sheet.getByRole('button', { name: 'Download Intro Clean, Daylight' })
  expect(download.element().getBoundingClientRect().height).toBeGreaterThanOrEqual(40)
  await tap(download)
  await expect
    .poll(() => fakeApi.inputsOf(downloads.downloadVersion))
    .toEqual([{ version: song.version[0]?.song_version_id }])
})

test('adds the preferred version to the crate with the + of a phone’s row', async () => {
  const songs = makeSongs(24)
  const crate = fakeCrate(songs)
  signInAs(makeProfile())
  await openOnPhone(songs)
  const add = rowOf(songs[1]!).getByRole('button', { name: `Add ${songs[1]!.title} to crate` })
  await expect.element(add).toBeVisible()
  toCentre(add)
  await tap(add)
  await expect.poll(crate.ids).toEqual([songs[1]!.entity_id])
  expect(audio.paused).toBe(true)
  expect(location.pathname).toBe('/newRelease')
})

test('adds a song to the crate with a swipe to the right on a phone, and removes it with Undo', async () => {
  const songs = makeSongs(24)
  const crate = fakeCrate(songs)
  signInAs(makeProfile())
  await openOnPhone(songs)
  toCentre(titleIn(songs[1]!))
  await touch.press(titleIn(songs[1]!))
  await touch.moveBy(30)
  await touch.lift()
  await touch.press(titleIn(songs[1]!))
  await touch.moveBy(90)
  await touch.lift()
  await expect.element(page.getByText(`“${songs[1]!.title}” added to your crate.`)).toBeVisible()
  expect(crate.ids()).toEqual([songs[1]!.entity_id])
  expect(audio.paused).toBe(true)
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect.poll(crate.ids).toEqual([])
})

test('opens the menu with a long press on a phone; selected from there, taps select more', async () => {
  const [, first, second] = await openOnPhone()
  toCentre(titleIn(first!))
  await touch.press(titleIn(first!))
  await expect.element(page.getByRole('menu')).toBeVisible()
  await touch.lift()
  await page.getByRole('menuitem', { name: 'Select' }).click()
  await expectSelected([first!])

  toCentre(titleIn(second!))
  await touch.press(titleIn(second!))
  await touch.lift()
  await expectSelected([first!, second!])
  expect(location.pathname).toBe('/newRelease')
  expect(audio.paused).toBe(true)
  await bar.getByRole('button', { name: 'Clear selection' }).click()
  await expectSelected([])
})
