import { type catalogue, programming } from '@dubplate/contract'
import type { Locator, Page } from '@playwright/test'
import {
  callApi,
  expect,
  LIST_PREFIX,
  listNamed,
  newestSongs,
  openAs,
  otherBrowser,
  rowsOf,
  test,
  titlesOf,
  tokenOf,
} from './support.ts'

/** Before anything else of the demo: what these stories publish stands behind what others read. */
const PAST_DATE = '2001-02-03T10:00'

const finder = (page: Page) => page.getByRole('region', { name: 'Songs' })
const findMatch = (page: Page) => finder(page).getByRole('listitem')
const order = (page: Page) => page.getByRole('list', { name: 'Songs in this list' })
const said = (page: Page) => page.getByRole('region', { name: 'Songs in this list' }).getByRole('status')
const namesOf = (songs: readonly (catalogue.Song | undefined)[]) => songs.map((song) => song?.title)
const shown = (page: Page) => order(page).getByRole('listitem').getByRole('link').allInnerTexts()
const finderSearchBox = (page: Page) => finder(page).getByRole('searchbox', { name: 'Search songs' })

async function startNewList(page: Page, view: string, title: string): Promise<void> {
  await openAs(page, 'staff@demo.test')
  await page.goto(`/staff/programming?open=new${view}`)
  await page.getByLabel('Title', { exact: true }).fill(title)
}

/** Carries a song of the search into the list, and lets it go in the upper half of a row. */
async function dragBefore(page: Page, song: Locator, row: Locator): Promise<void> {
  const [from, to] = [(await song.boundingBox())!, (await row.boundingBox())!]
  await page.mouse.move(from.x + from.width / 2, from.y + from.height / 2)
  await page.mouse.down()
  await page.mouse.move(from.x + from.width / 2 + 30, from.y + 8, { steps: 4 })
  await page.mouse.move(to.x + to.width / 2, to.y + 6, { steps: 6 })
  await expect(row).toHaveAttribute('data-over', 'above')
  await page.mouse.up()
}

/** Takes it off the site again: others read what is there. */
async function unpublishList(kind: programming.Kind, list_id: number): Promise<void> {
  const token = await tokenOf('staff@demo.test')
  const { list } = await callApi(programming.getList, { kind, list_id }, token)
  if (list.state === 'published')
    await callApi(programming.withdrawList, { kind, list_id, version: list.version }, token)
}

const openedId = (page: Page) => Number(new URL(page.url()).searchParams.get('open'))

test('a spotlight is composed by search, keyboard and drag, and is there for members when it is published', async ({
  page,
  browser,
}) => {
  const title = `${LIST_PREFIX} at dawn`
  const songs = await newestSongs(6)
  const [first, second, third, fourth, fifth] = songs
  await startNewList(page, '', title)
  await finderSearchBox(page).fill(`title:"${first!.title.replace(/["()]/g, '')}"`)
  await expect(findMatch(page).first()).toContainText(first!.title)
  await finderSearchBox(page).press('Enter')
  await expect.poll(() => shown(page)).toEqual(namesOf([first]))

  await finderSearchBox(page).fill('')
  await expect(finder(page).getByText('Newest songs', { exact: true })).toBeVisible()
  await expect(findMatch(page).nth(1)).toContainText(second!.title)
  await finderSearchBox(page).press('ArrowDown')
  await page.keyboard.press('Enter')
  await expect(said(page)).toHaveText(`“${first!.title}” is already in the list at number 1.`)
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await findMatch(page).nth(2).getByRole('button', { name: /^Add / }).click()
  await expect.poll(() => shown(page)).toEqual(namesOf([first, second, third]))
  await dragBefore(
    page,
    findMatch(page).nth(3).getByText(fourth!.artist).first(),
    order(page).getByRole('listitem').first(),
  )
  await expect.poll(() => shown(page)).toEqual(namesOf([fourth, first, second, third]))

  await page.getByRole('button', { name: 'Paste song links…' }).click()
  await page.getByLabel('Song links or IDs').fill(`/song/${fifth!.entity_id}\n/song/99999999`)
  await page.getByRole('button', { name: 'Add these' }).click()
  await expect(said(page)).toHaveText(`“${fifth!.title}” added. Not in the pool: 99999999.`)

  const handle = (song: catalogue.Song) => order(page).getByRole('button', { name: `Move ${song.title}`, exact: true })
  await handle(fifth!).focus()
  await page.keyboard.press('Alt+ArrowUp')
  await expect(handle(fifth!)).toBeFocused()
  await expect(said(page)).toHaveText(`“${fifth!.title}” moved to 4 of 5`)
  await order(page)
    .getByRole('button', { name: `Take ${first!.title} out`, exact: true })
    .click()
  await expect.poll(() => shown(page)).toEqual(namesOf([fourth, second, fifth, third]))
  await page.getByRole('button', { name: 'Undo' }).click()
  const expectedOrder = [fourth, first, second, fifth, third]
  await expect.poll(() => shown(page)).toEqual(namesOf(expectedOrder))
  await page.reload()
  await expect.poll(() => shown(page)).toEqual(namesOf(expectedOrder))
  await expect(page.getByLabel('Title', { exact: true })).toHaveValue(title)

  await page.getByRole('link', { name: 'Preview' }).click()
  await expect(page.getByRole('note').filter({ hasText: 'only staff see this page' })).toBeVisible()
  await expect.poll(() => titlesOf(listNamed(page, title))).toEqual(namesOf(expectedOrder))
  await page.getByRole('link', { name: 'Back to editor' }).click()

  await page.getByLabel('Visibility', { exact: true }).selectOption({ label: 'Schedule…' })
  await page.getByLabel('From', { exact: true }).fill('2199-01-01T10:00')
  await page.getByRole('button', { name: 'Schedule' }).click()
  await expect(page).toHaveURL(/open=\d+/)
  const listId = openedId(page)
  const visitor = await otherBrowser(browser)
  await visitor.goto(`/spotlight/view/${listId}`)
  await expect(visitor.getByText('This list doesn’t exist or has been unpublished.')).toBeVisible()

  await page.getByLabel('Visibility', { exact: true }).selectOption({ label: 'Reschedule…' })
  await page.getByLabel('From', { exact: true }).fill(PAST_DATE)
  await page.getByRole('button', { name: 'Schedule' }).click()
  await expect(page.getByText('Saved and published')).toBeVisible()
  await visitor.reload()
  await expect(visitor.getByRole('heading', { level: 1, name: title })).toBeVisible()
  await expect.poll(() => titlesOf(listNamed(visitor, title))).toEqual(namesOf(expectedOrder))
  await unpublishList('spotlight', listId)
})

test('a top 20 says what is missing, and has its twenty songs by rank once it is out', async ({ page, browser }) => {
  const title = `${LIST_PREFIX}, best of`
  const songs = await newestSongs(21)
  await startNewList(page, '&room=top20', title)
  await expect(page.getByText('20 songs are missing before it can be published.')).toBeVisible()
  await finderSearchBox(page).focus()
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
  await expect(said(page)).toHaveText('19 songs added.')
  await page.getByLabel('Visibility', { exact: true }).selectOption({ label: 'Schedule…' })
  await page.getByLabel('From', { exact: true }).fill(PAST_DATE)
  await page.getByRole('button', { name: 'Schedule' }).click()
  await expect(page.getByRole('alert')).toHaveText('1 song is missing before it can be published.')
  await findMatch(page).nth(19).getByRole('button', { name: /^Add / }).click()
  await findMatch(page).nth(20).getByRole('button', { name: /^Add / }).click()
  await expect(said(page)).toHaveText(`A list can have up to 20 songs. Not added: “${songs[20]!.title}”.`)
  const rows = order(page).getByRole('listitem')
  await rows
    .first()
    .getByRole('button', { name: /^Move / })
    .focus()
  await page.keyboard.press('Space')
  await page.keyboard.press('End')
  await page.keyboard.press('Space')
  await page.getByRole('button', { name: 'Schedule' }).click()
  await expect(page).toHaveURL(/open=\d+/)
  const visitor = await otherBrowser(browser)
  await visitor.goto(`/top20/songs/${openedId(page)}`)
  await expect(rowsOf(listNamed(visitor, title))).toHaveCount(20)
  const expectedOrder = namesOf([...songs.slice(1, 20), songs[0]])
  await expect.poll(() => titlesOf(listNamed(visitor, title))).toEqual(expectedOrder)
  await unpublishList('top20', openedId(page))
})

test('of two curators the second is told, and keeps what was composed', async ({ page }) => {
  const token = await tokenOf('staff@demo.test')
  const [first] = await newestSongs(1)
  const listInput = { kind: 'spotlight' as const, title: `${LIST_PREFIX} by two`, entity_ids: [first!.entity_id] }
  const { list } = await callApi(programming.saveList, listInput, token)
  await openAs(page, 'staff@demo.test')
  await page.goto(`/staff/programming?open=${list.list_id}`)
  await expect.poll(() => shown(page)).toEqual(namesOf([first]))
  const { list_id, version } = list
  await callApi(programming.saveList, { ...listInput, list_id, version, title: 'Theirs' }, token)
  await page.getByLabel('Title', { exact: true }).fill(`${LIST_PREFIX} by me`)
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await expect(page.getByRole('alert')).toHaveText('Someone else changed this list. Reload to see the changes.')
  await expect(page.getByRole('region', { name: 'Current version' }).getByText('Theirs')).toBeVisible()
  await expect(page.getByLabel('Title', { exact: true })).toHaveValue(`${LIST_PREFIX} by me`)
  await page.getByRole('button', { name: 'Keep mine' }).click()
  await expect(page.getByRole('heading', { level: 2, name: `${LIST_PREFIX} by me` })).toBeVisible()
  const { list: kept } = await callApi(programming.getList, { kind: 'spotlight', list_id: list.list_id }, token)
  expect([kept.title, kept.version]).toEqual([`${LIST_PREFIX} by me`, 3])
  await callApi(programming.removeList, { kind: 'spotlight', list_id: list.list_id, version: 3 }, token)
})
