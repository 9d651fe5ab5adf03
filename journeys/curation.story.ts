import { type catalogue, curation } from '@dubplate/contract'
import type { Locator, Page } from '@playwright/test'
import {
  callApi,
  expect,
  getDemoSongs,
  getToken,
  openOtherBrowser,
  readTitles,
  STORY_LIST_TITLE,
  showDemoSongsAsNewest,
  signInAs,
  songList,
  songRows,
  test,
} from './support.ts'

/** Before all lists of the demo, so that lists of these tests come last on the pages of other tests. */
const PAST_DATE = '2001-02-03T10:00'

const songFinder = (page: Page) => page.getByRole('region', { name: 'Songs' })
const foundSongs = (page: Page) => songFinder(page).getByRole('listitem')
const songOrder = (page: Page) => page.getByRole('list', { name: 'Songs in this list' })
const statusMessage = (page: Page) => page.getByRole('region', { name: 'Songs in this list' }).getByRole('status')
const getTitles = (songs: readonly (catalogue.Song | undefined)[]) => songs.map((song) => song?.title)
const readOrder = (page: Page) => songOrder(page).getByRole('listitem').getByRole('link').allInnerTexts()
const songSearch = (page: Page) => songFinder(page).getByRole('searchbox', { name: 'Search songs' })

async function startList(page: Page, section: string, title: string): Promise<void> {
  await signInAs(page, 'staff@demo.test')
  await page.goto(`/staff/curation?open=new${section}`)
  await page.getByLabel('Title', { exact: true }).fill(title)
}

async function chooseVisibility(page: Page, option: string): Promise<void> {
  await page.getByRole('combobox', { name: 'Visibility' }).click()
  await page.getByRole('option', { name: option }).click()
}

/** Drags a song of the search onto the upper half of a row. */
async function dragBefore(page: Page, song: Locator, row: Locator): Promise<void> {
  const [from, to] = [(await song.boundingBox())!, (await row.boundingBox())!]
  await page.mouse.move(from.x + from.width / 2, from.y + from.height / 2)
  await page.mouse.down()
  await page.mouse.move(from.x + from.width / 2 + 30, from.y + 8, { steps: 4 })
  await page.mouse.move(to.x + to.width / 2, to.y + 6, { steps: 6 })
  await expect(row).toHaveAttribute('data-over', 'above')
  await page.mouse.up()
}

/** Unpublishes a list at the end: other tests expect the lists of the demo. */
async function unpublishList(kind: curation.Kind, list_id: number): Promise<void> {
  const token = await getToken('staff@demo.test')
  const { list } = await callApi(curation.getList, { kind, list_id }, token)
  if (list.state === 'published') await callApi(curation.unpublishList, { kind, list_id, version: list.version }, token)
}

const getOpenListId = (page: Page) => Number(new URL(page.url()).searchParams.get('open'))

test('composes a spotlight by search, keyboard and drag, and schedules it', async ({ page, browser }) => {
  const title = `${STORY_LIST_TITLE} at dawn`
  const songs = await getDemoSongs(6)
  const [first, second, third, fourth, fifth] = songs
  await showDemoSongsAsNewest(page)
  await startList(page, '', title)
  await songSearch(page).fill(`title:"${first!.title.replace(/["()]/g, '')}"`)
  await expect(foundSongs(page).first()).toContainText(first!.title)
  await songSearch(page).press('Enter')
  await expect.poll(() => readOrder(page)).toEqual(getTitles([first]))

  await songSearch(page).fill('')
  await expect(songFinder(page).getByText('Newest songs', { exact: true })).toBeVisible()
  await expect(foundSongs(page).nth(1)).toContainText(second!.title)
  await songSearch(page).press('ArrowDown')
  await page.keyboard.press('Enter')
  await expect(statusMessage(page)).toHaveText(`“${first!.title}” is already in the list at position 1.`)
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await foundSongs(page).nth(2).getByRole('button', { name: /^Add / }).click()
  await expect.poll(() => readOrder(page)).toEqual(getTitles([first, second, third]))
  await dragBefore(
    page,
    foundSongs(page).nth(3).getByText(fourth!.artist).first(),
    songOrder(page).getByRole('listitem').first(),
  )
  await expect.poll(() => readOrder(page)).toEqual(getTitles([fourth, first, second, third]))

  await page.getByRole('button', { name: 'Paste song links…' }).click()
  await page.getByLabel('Song links or IDs').fill(`/song/${fifth!.entity_id}\n/song/99999999`)
  await page.getByRole('button', { name: 'Add songs' }).click()
  await expect(statusMessage(page)).toHaveText(`“${fifth!.title}” added. Songs not found: 99999999.`)

  const handle = (song: catalogue.Song) =>
    songOrder(page).getByRole('button', { name: `Move ${song.title}`, exact: true })
  await handle(fifth!).focus()
  await page.keyboard.press('Alt+ArrowUp')
  await expect(handle(fifth!)).toBeFocused()
  await expect(statusMessage(page)).toHaveText(`“${fifth!.title}” moved to 4 of 5`)
  await songOrder(page)
    .getByRole('button', { name: `Remove ${first!.title}`, exact: true })
    .click()
  await expect.poll(() => readOrder(page)).toEqual(getTitles([fourth, second, fifth, third]))
  await page.getByRole('button', { name: 'Undo' }).click()
  const expectedOrder = [fourth, first, second, fifth, third]
  await expect.poll(() => readOrder(page)).toEqual(getTitles(expectedOrder))
  await page.reload()
  await expect.poll(() => readOrder(page)).toEqual(getTitles(expectedOrder))
  await expect(page.getByLabel('Title', { exact: true })).toHaveValue(title)

  await page.getByRole('link', { name: 'Preview' }).click()
  await expect(page.getByRole('note').filter({ hasText: 'Only staff can see this page.' })).toBeVisible()
  await expect.poll(() => readTitles(songList(page, title))).toEqual(getTitles(expectedOrder))
  await page.getByRole('link', { name: 'Back to editor' }).click()

  await chooseVisibility(page, 'Schedule…')
  await page.getByLabel('Publish on', { exact: true }).fill('2199-01-01T10:00')
  await page.getByRole('button', { name: 'Schedule' }).click()
  await expect(page).toHaveURL(/open=\d+/)
  const listId = getOpenListId(page)
  const visitor = await openOtherBrowser(browser)
  await visitor.goto(`/spotlight/view/${listId}`)
  await expect(visitor.getByText('This list doesn’t exist or has been unpublished.')).toBeVisible()

  await chooseVisibility(page, 'Reschedule…')
  await page.getByLabel('Publish on', { exact: true }).fill(PAST_DATE)
  await page.getByRole('button', { name: 'Schedule' }).click()
  await expect(page.getByText('Saved and published')).toBeVisible()
  await visitor.reload()
  await expect(visitor.getByRole('heading', { level: 1, name: title })).toBeVisible()
  await expect.poll(() => readTitles(songList(visitor, title))).toEqual(getTitles(expectedOrder))
  await unpublishList('spotlight', listId)
})

test('requires twenty songs in a top 20, and shows them by rank once it is published', async ({ page, browser }) => {
  const title = `${STORY_LIST_TITLE}, best of`
  const songs = await getDemoSongs(21)
  await showDemoSongsAsNewest(page)
  await startList(page, '&view=top20', title)
  await expect(page.getByText('Add 20 more songs to publish.')).toBeVisible()
  await songSearch(page).focus()
  await page.evaluate(
    (text) => {
      const clipboardData = new DataTransfer()
      clipboardData.setData('text', text)
      document.activeElement?.dispatchEvent(
        new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }),
      )
    },
    songs
      .slice(0, 19)
      .map(({ entity_id }) => entity_id)
      .join(' '),
  )
  await expect(statusMessage(page)).toHaveText('19 songs added.')
  await chooseVisibility(page, 'Schedule…')
  await page.getByLabel('Publish on', { exact: true }).fill(PAST_DATE)
  await page.getByRole('button', { name: 'Schedule' }).click()
  await expect(page.getByRole('alert')).toHaveText('Add 1 more song to publish.')
  await foundSongs(page).nth(19).getByRole('button', { name: /^Add / }).click()
  await foundSongs(page).nth(20).getByRole('button', { name: /^Add / }).click()
  await expect(statusMessage(page)).toHaveText(`A list can have up to 20 songs. Not added: “${songs[20]!.title}”.`)
  const rows = songOrder(page).getByRole('listitem')
  await rows
    .first()
    .getByRole('button', { name: /^Move / })
    .focus()
  await page.keyboard.press('Space')
  await page.keyboard.press('End')
  await page.keyboard.press('Space')
  await page.getByRole('button', { name: 'Schedule' }).click()
  await expect(page).toHaveURL(/open=\d+/)
  const visitor = await openOtherBrowser(browser)
  await visitor.goto(`/top20/songs/${getOpenListId(page)}`)
  await expect(songRows(songList(visitor, title))).toHaveCount(20)
  const expectedOrder = getTitles([...songs.slice(1, 20), songs[0]])
  await expect.poll(() => readTitles(songList(visitor, title))).toEqual(expectedOrder)
  await unpublishList('top20', getOpenListId(page))
})
