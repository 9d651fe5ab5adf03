import { catalogue, library, mixesWith, parseKey, playlists } from '@dubplate/contract'
import type { Locator, Page } from '@playwright/test'
import {
  ask,
  dialog,
  enterAs,
  expect,
  firstOf,
  hearItRun,
  listNamed,
  newestSongs,
  player,
  rowOf,
  rowsOf,
  soundOf,
  test,
  titlesOf,
} from './support.ts'

/** The stories of this file take turns with the crate of this member. */
const OWNER = 'label@demo.test'

const idsOf = (songs: readonly catalogue.Song[]) => songs.map(({ entity_id }) => entity_id)
const namesOf = (songs: readonly catalogue.Song[]) => songs.map(({ title }) => title)

async function open(page: Page): Promise<catalogue.Song[]> {
  const songs = await newestSongs(24)
  await page.goto('/newRelease')
  await expect(rowsOf(page)).toHaveCount(24)
  return songs
}

/** A place in a row that is no button and no link. */
const spotIn = (page: Page, song: catalogue.Song) => rowOf(page, song).getByRole('time')
const bar = (page: Page) => page.getByRole('region', { name: 'Selected songs' })
const selected = (page: Page) => page.getByRole('row', { selected: true })
const selectedTitles = (page: Page) => titlesOf(selected(page))

async function isSelected(page: Page, songs: readonly catalogue.Song[]): Promise<void> {
  await expect.poll(() => selectedTitles(page)).toEqual(namesOf(songs))
  await expect(bar(page).getByText(`${songs.length} selected`)).toBeVisible()
}

/** Waits until nothing of it moves any more: what is pressed meanwhile may be another thing a moment later. */
const cameToRest = (part: Locator) =>
  part.evaluate((element) => Promise.all(element.getAnimations({ subtree: true }).map(({ finished }) => finished)))

async function nothingIsSelected(page: Page): Promise<void> {
  await expect(selected(page)).toHaveCount(0)
  await expect(bar(page)).toHaveCount(0)
}

test('Shift and a click take a range, Ctrl single rows and with A the whole list, Escape lets go', async ({ page }) => {
  const songs = await open(page)
  await spotIn(page, songs[2]!).click()
  await isSelected(page, [songs[2]!])
  await spotIn(page, songs[5]!).click({ modifiers: ['Shift'] })
  await isSelected(page, songs.slice(2, 6))
  await spotIn(page, songs[0]!).click({ modifiers: ['Shift'] })
  await isSelected(page, songs.slice(0, 3))
  await spotIn(page, songs[1]!).click({ modifiers: ['ControlOrMeta'] })
  await isSelected(page, [songs[0]!, songs[2]!])
  await page.keyboard.press('ControlOrMeta+a')
  await isSelected(page, songs)
  await page.keyboard.press('Escape')
  await nothingIsSelected(page)
  expect(await page.evaluate(() => getSelection()?.toString())).toBe('')
})

test('rows are selected by keyboard: x, Shift and the arrows', async ({ page }) => {
  const songs = await open(page)
  await page.keyboard.press('j')
  await page.keyboard.press('x')
  await isSelected(page, [songs[0]!])
  await page.keyboard.press('Shift+ArrowDown')
  await page.keyboard.press('Shift+ArrowDown')
  await isSelected(page, songs.slice(0, 3))
  await page.keyboard.press('Shift+ArrowUp')
  await isSelected(page, songs.slice(0, 2))
  await page.keyboard.press('x')
  await isSelected(page, [songs[0]!])
  await page.keyboard.press('Escape')
  await nothingIsSelected(page)
})

test('a click selects and plays nothing; a double click plays and leaves nothing selected', async ({ page }) => {
  const songs = await open(page)
  await spotIn(page, songs[1]!).click()
  await isSelected(page, [songs[1]!])
  await expect(player(page).getByText('Nothing playing')).toBeVisible()
  expect((await soundOf(page)).address).toBe('')

  await cameToRest(bar(page))
  await spotIn(page, songs[3]!).dblclick()
  await hearItRun(page)
  await expect(player(page).getByRole('link', { name: songs[3]!.title, exact: true })).toBeVisible()
  await nothingIsSelected(page)
})

test('a double click on a row that the bar is about to cover still plays it', async ({ page }) => {
  const songs = await open(page)
  // The bar's code is there from its first time on: it comes at once.
  await spotIn(page, songs[0]!).click()
  await isSelected(page, [songs[0]!])
  await page.keyboard.press('Escape')
  await nothingIsSelected(page)
  const place = await spotAboveThePlayer(page, songs)
  await page.mouse.dblclick(place.x, place.y)
  await hearItRun(page)
  await nothingIsSelected(page)
})

/** A spot of a row so low in the window that the bar will come up over it. */
async function spotAboveThePlayer(page: Page, songs: readonly catalogue.Song[]): Promise<{ x: number; y: number }> {
  const low = spotIn(page, songs[6]!)
  await low.evaluate((spot) => spot.scrollIntoView({ block: 'end', behavior: 'instant' }))
  const spot = await low.boundingBox()
  const over = await player(page).boundingBox()
  if (!spot || !over) throw new Error('The row or the player is not on the screen.')
  const lower = over.y - 40 - spot.y
  await page.evaluate((by) => scrollBy({ top: -by, behavior: 'instant' }), lower)
  return { x: spot.x + spot.width / 2, y: over.y - 40 + spot.height / 2 }
}

test('a selection ends with its page', async ({ page }) => {
  const songs = await open(page)
  await spotIn(page, songs[0]!).click()
  await spotIn(page, songs[2]!).click({ modifiers: ['Shift'] })
  await isSelected(page, songs.slice(0, 3))
  await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Page 2' }).click()
  await expect(page).toHaveURL(/\/newRelease\?page=2$/)
  await expect(rowOf(page, songs[0]!)).toHaveCount(0)
  await nothingIsSelected(page)
  await page.goBack()
  await expect(rowOf(page, songs[0]!)).toBeVisible()
  await nothingIsSelected(page)
})

const crateLink = (page: Page) => page.getByRole('banner').getByRole('link', { name: /^Your Crate/ })
const inCrate = async (token: string) => idsOf((await ask(library.crateIndex, { pageLimit: 100 }, token)).songs)
/** The versions in the crate in their order, as ids. */
const versionsInCrate = async (token: string) => (await ask(library.getCrates, {}, token)).version

async function enterWithEmptyCrate(page: Page): Promise<string> {
  const token = await enterAs(page, OWNER)
  await ask(library.clearCrates, {}, token)
  return token
}

test('selected songs go into the crate together, and out again', { tag: '@smoke' }, async ({ page }) => {
  const token = await enterWithEmptyCrate(page)
  const songs = await open(page)
  await spotIn(page, songs[1]!).click()
  await spotIn(page, songs[3]!).click({ modifiers: ['Shift'] })
  await isSelected(page, songs.slice(1, 4))
  await bar(page).getByRole('button', { name: 'Crate' }).click()
  await expect(page.getByText('3 songs put in your crate.')).toBeVisible()
  await expect(crateLink(page)).toHaveAccessibleName('Your Crate 3 songs')
  await expect(
    rowOf(page, songs[2]!).getByRole('button', { name: `Crate ${songs[2]!.title}`, exact: true }),
  ).toHaveAttribute('aria-pressed', 'true')
  expect(await inCrate(token)).toEqual(idsOf(songs.slice(1, 4)))

  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(crateLink(page)).toHaveAccessibleName('Your Crate 0 songs')
  expect(await inCrate(token)).toEqual([])
  await isSelected(page, songs.slice(1, 4))
})

test('selected songs go into a playlist together, in the order of the list', async ({ page }) => {
  const token = await enterAs(page, OWNER)
  const songs = await open(page)
  const title = 'Together'
  const { playlist_id } = (await ask(playlists.savePlaylist, { title, song_ids: [songs[4]!.entity_id] }, token))
    .playlist
  await spotIn(page, songs[6]!).click()
  await spotIn(page, songs[4]!).click({ modifiers: ['Shift'] })
  await isSelected(page, songs.slice(4, 7))
  await bar(page).getByRole('button', { name: 'Playlist…' }).click()
  const choice = dialog(page, 'Add to playlist')
  await expect(choice.getByText('3 songs', { exact: true })).toBeVisible()
  await choice.getByRole('button', { name: title }).click()
  await expect(page.getByText(`2 songs added to “${title}”. 1 was there already.`)).toBeVisible()
  await expect(choice).toBeHidden()
  expect((await ask(playlists.viewPlaylist, { playlist_id }, token)).song_ids).toEqual(idsOf(songs.slice(4, 7)))
})

/** Three songs in the crate; of the one in the middle only the last of its versions. */
async function fillCrate(token: string): Promise<catalogue.Song[]> {
  const songs = await newestSongs(24)
  const part = firstOf(songs.filter(({ version }) => version.length > 1))
  const [top, bottom] = songs.filter(({ entity_id }) => entity_id !== part.entity_id)
  await ask(library.crateAddRemove, { songId: bottom!.entity_id }, token)
  await ask(library.crateChange, { version_ids: [part.version.at(-1)!.song_version_id] }, token)
  await ask(library.crateChange, { song_ids: [top!.entity_id] }, token)
  return [top!, part, bottom!]
}

test('a song that is taken out of the crate comes back to its place, with the versions it had', async ({ page }) => {
  const token = await enterWithEmptyCrate(page)
  const songs = await fillCrate(token)
  const before = await versionsInCrate(token)
  const shown = () => titlesOf(listNamed(page, 'Songs in your crate'))
  await page.goto('/crate')
  await expect.poll(shown).toEqual(namesOf(songs))

  const part = songs[1]!
  await rowOf(page, part)
    .getByRole('button', { name: `Crate ${part.title}`, exact: true })
    .click()
  await expect(page.getByText(`“${part.title}” taken out of your crate.`)).toBeVisible()
  await expect(rowOf(page, part)).toHaveCount(0)
  await expect.poll(() => inCrate(token)).toEqual([songs[0]!.entity_id, songs[2]!.entity_id])
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect.poll(shown).toEqual(namesOf(songs))
  expect(await versionsInCrate(token)).toEqual(before)
  await expect(crateLink(page)).toHaveAccessibleName('Your Crate 3 songs')
})

test('a crate that is cleared comes back exactly as it was', async ({ page }) => {
  const token = await enterWithEmptyCrate(page)
  const songs = await fillCrate(token)
  const before = await versionsInCrate(token)
  await page.goto('/crate')
  await expect(rowsOf(page)).toHaveCount(3)
  await page.getByRole('button', { name: 'Clear all tracks' }).click()
  await expect(page.getByText(`${before.length} versions taken out.`)).toBeVisible()
  await expect(page.getByRole('heading', { name: 'Your crate is empty' })).toBeVisible()
  expect(await versionsInCrate(token)).toEqual([])
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect.poll(() => titlesOf(listNamed(page, 'Songs in your crate'))).toEqual(namesOf(songs))
  expect(await versionsInCrate(token)).toEqual(before)
})

test('a column that is not wanted stays away, and the rows keep their height', async ({ page }) => {
  const songs = await open(page)
  const list = listNamed(page, 'New releases')
  const heading = (name: string) => list.getByRole('columnheader', { name, exact: true })
  const height = async () => (await rowOf(page, songs[0]!).boundingBox())!.height
  const before = await height()
  const names = ['BPM', 'Key', 'Added']
  for (const name of names) await expect(heading(name)).toBeVisible()

  await list.getByRole('button', { name: 'Choose columns' }).click()
  for (const name of ['Key', 'Added']) {
    const item = page.getByRole('menuitemcheckbox', { name })
    await item.click()
    await expect(item).toHaveAttribute('aria-checked', 'false')
  }
  await page.keyboard.press('Escape')
  const areAway = async () => {
    await expect(heading('BPM')).toBeVisible()
    for (const name of ['Key', 'Added']) await expect(heading(name)).toBeHidden()
    await expect(rowOf(page, songs[0]!).locator('time')).toBeHidden()
    expect(await height()).toBe(before)
  }
  await areAway()
  await page.reload()
  await areAway()

  await list.getByRole('button', { name: 'Choose columns' }).click()
  await page.getByRole('menuitemcheckbox', { name: 'Added' }).click()
  await expect(heading('Added')).toBeVisible()
  expect(await height()).toBe(before)
})

/** Takes hold of a row and carries it over a place; lets go once the place shows that it takes songs. */
async function dragOnto(page: Page, song: catalogue.Song, place: Locator): Promise<void> {
  const from = (await rowOf(page, song).getByRole('img').or(rowOf(page, song).locator('img')).first().boundingBox())!
  const to = (await place.boundingBox())!
  await page.mouse.move(from.x + from.width / 2, from.y + from.height / 2)
  await page.mouse.down()
  await page.mouse.move(from.x + from.width, from.y, { steps: 4 })
  await expect(place).toHaveCSS('outline-style', 'dashed')
  await page.mouse.move(to.x + to.width / 2, to.y + to.height / 2, { steps: 4 })
  await expect(place).toHaveCSS('outline-style', 'solid')
  await page.mouse.up()
}

test('a row is dragged onto Your Crate, and so is a selection', async ({ page }) => {
  const token = await enterWithEmptyCrate(page)
  const songs = await open(page)
  await dragOnto(page, songs[1]!, crateLink(page))
  await expect(page.getByText('1 song put in your crate.')).toBeVisible()
  await expect(crateLink(page)).toHaveAccessibleName('Your Crate 1 song')
  await expect(crateLink(page)).toHaveCSS('outline-style', 'none')
  expect(await inCrate(token)).toEqual([songs[1]!.entity_id])

  await spotIn(page, songs[3]!).click()
  await spotIn(page, songs[4]!).click({ modifiers: ['Shift'] })
  await dragOnto(page, songs[4]!, crateLink(page))
  await expect(crateLink(page)).toHaveAccessibleName('Your Crate 3 songs')
  await expect.poll(() => inCrate(token)).toEqual(idsOf([songs[3]!, songs[4]!, songs[1]!]))
  await expect(page).toHaveURL(/\/newRelease$/)
})

test('a row is dragged onto a playlist that was used last', async ({ page }) => {
  const token = await enterAs(page, OWNER)
  const songs = await open(page)
  const { playlist } = await ask(playlists.savePlaylist, { title: 'Dropped here' }, token)
  await page.reload()
  await expect(rowsOf(page)).toHaveCount(24)
  const cover = (await rowOf(page, songs[2]!).locator('img').boundingBox())!
  await page.mouse.move(cover.x + 20, cover.y + 20)
  await page.mouse.down()
  await page.mouse.move(cover.x + 60, cover.y + 30, { steps: 4 })
  const place = page.getByText('Drop on a playlist').locator('..').getByText('Dropped here')
  await expect(place).toBeVisible()
  const to = (await place.boundingBox())!
  await page.mouse.move(to.x + to.width / 2, to.y + to.height / 2, { steps: 4 })
  await expect(place).toHaveCSS('outline-style', 'solid')
  await page.mouse.up()
  await expect(page.getByText('1 song added to “Dropped here”.')).toBeVisible()
  await expect(page.getByText('Drop on a playlist')).toHaveCount(0)
  const { song_ids } = await ask(playlists.viewPlaylist, { playlist_id: playlist.playlist_id }, token)
  expect(song_ids).toEqual([songs[2]!.entity_id])
})

test.describe('on a phone', () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true })

  test('a long press selects without playing, from then on a tap selects too', async ({ page }) => {
    const [, first, second] = await open(page)
    const middleOf = async (place: Locator) => {
      await place.evaluate((it) => it.scrollIntoView({ block: 'center' }))
      const { x, y, width, height } = (await place.boundingBox())!
      return { x: Math.round(x + width / 2), y: Math.round(y + height / 2) }
    }
    const finger = await page.context().newCDPSession(page)
    const preview = rowOf(page, first!)
      .getByRole('button', { name: /^Preview / })
      .first()
    await finger.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: [await middleOf(preview)] })
    await isSelected(page, [first!])
    await finger.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] })

    const { x, y } = await middleOf(rowOf(page, second!).getByTestId('song-title'))
    await page.touchscreen.tap(x, y)
    await isSelected(page, [first!, second!])
    await expect(page.getByRole('menu')).toHaveCount(0)
    await expect(page).toHaveURL(/\/newRelease$/)
    expect((await soundOf(page)).address).toBe('')
    await bar(page).getByRole('button', { name: 'Clear selection' }).click()
    await nothingIsSelected(page)
  })
})

const keyOf = ({ song_key }: catalogue.Song) => parseKey(song_key ?? '')
const { TEMPO_REACH } = catalogue

const keysMix = (a: catalogue.Song, b: catalogue.Song) => {
  const [from, to] = [keyOf(a), keyOf(b)]
  return !!from && !!to && mixesWith(from, to)
}

/** Within reach of the tempo the first song ends in, as it is, halved or doubled. */
const tempiMix = (a: catalogue.Song, b: catalogue.Song) =>
  [1, 0.5, 2].some((part) => Math.abs(b.min_bpm! / (a.max_bpm! * part) - 1) <= TEMPO_REACH)

const mixesOf = async ({ entity_id }: catalogue.Song) => (await ask(catalogue.getSimilarSongs, { entity_id })).songs

/** Two songs that others mix with, and not the same ones. */
async function songsThatMix(): Promise<[catalogue.Song, catalogue.Song]> {
  const mixing: { song: catalogue.Song; first: number }[] = []
  for (const song of await newestSongs(24)) {
    const [mix] = await mixesOf(song)
    if (mix && mixing.every(({ first }) => first !== mix.entity_id)) mixing.push({ song, first: mix.entity_id })
    if (mixing.length === 2) break
  }
  const [one, other] = mixing
  if (!one || !other) throw new Error('The demo pool has no two songs that others mix with.')
  return [one.song, other.song]
}

/** The songs of a list in the right column or on the page of a song: the title is the one link of a line. */
const linesOf = (within: Locator) => within.getByRole('listitem').getByRole('link')

test('the page of a song lists what mixes with it: keys that fit, tempi within reach', async ({ page }) => {
  const [song] = await songsThatMix()
  const all = await newestSongs(60)
  await page.goto('/newRelease')
  await rowOf(page, song)
    .getByRole('button', { name: `More for ${song.title}` })
    .click()
  await page.getByRole('menuitem', { name: 'Mixes with' }).click()
  await expect(page).toHaveURL(new RegExp(`/song/${song.entity_id}#mixes$`))
  const section = page.getByRole('main').getByRole('region', { name: 'Mixes with it', exact: true })
  await expect(section).toBeInViewport()
  await expect(linesOf(section).first()).toBeVisible()

  const shown = await linesOf(section).allInnerTexts()
  expect(shown).toEqual(namesOf(await mixesOf(song)))
  const fits = all.filter((each) => keysMix(song, each) && tempiMix(song, each))
  expect(namesOf(fits)).toEqual(expect.arrayContaining(shown))
})

test('the right column follows what plays with what mixes with it', async ({ page }) => {
  const songs = await songsThatMix()
  await open(page)
  const beside = page.getByRole('region', { name: 'Now playing' })
  await expect(beside.getByText('Nothing is playing.')).toBeVisible()
  for (const song of songs) {
    await rowOf(page, song)
      .getByRole('button', { name: `Play ${song.title} by ${song.artist}`, exact: true })
      .click()
    const mixes = beside.getByRole('region', { name: `Mixes with ${song.title}`, exact: true })
    await expect(mixes).toBeVisible()
    const expected = namesOf(await mixesOf(song))
    await expect.poll(() => linesOf(mixes).allInnerTexts()).toEqual(expected)
  }
})

test('keys and tempi that mix with the playing song are marked in the list', async ({ page }) => {
  const songs = await open(page)
  const marks = (words: string) => titlesOf(rowsOf(page).filter({ hasText: words }))
  const keys = () => marks('mixes with the playing song')
  const tempi = () => marks('within reach of the playing tempo')
  expect(await keys()).toEqual([])
  expect(await tempi()).toEqual([])

  const isTelling = (song: catalogue.Song) =>
    songs.some((each) => each !== song && keysMix(song, each)) && songs.some((each) => !keysMix(song, each))
  for (const song of songs.filter(isTelling).slice(0, 2)) {
    await rowOf(page, song)
      .getByRole('button', { name: `Play ${song.title} by ${song.artist}`, exact: true })
      .click()
    const others = songs.filter((each) => each !== song)
    await expect.poll(keys).toEqual(namesOf(others.filter((each) => keysMix(song, each))))
    await expect.poll(tempi).toEqual(namesOf(others.filter((each) => tempiMix(song, each))))
  }
})
