import { type catalogue, programming } from '@dubplate/contract'
import type { Locator, Page } from '@playwright/test'
import {
  ask,
  COMPOSED,
  enterAs,
  expect,
  listNamed,
  newestSongs,
  otherBrowser,
  rowsOf,
  test,
  titlesOf,
  tokenOf,
} from './support.ts'

/** Before anything else of the demo: what these stories publish stands behind what others read. */
const LONG_AGO = '2001-02-03T10:00'

const finder = (page: Page) => page.getByRole('region', { name: 'Songs' })
const found = (page: Page) => finder(page).getByRole('listitem')
const order = (page: Page) => page.getByRole('list', { name: 'Songs in this list' })
const said = (page: Page) => page.getByRole('region', { name: 'Songs in this list' }).getByRole('status')
const namesOf = (songs: readonly (catalogue.Song | undefined)[]) => songs.map((song) => song?.title)
const shown = (page: Page) => order(page).getByRole('listitem').getByRole('link').allInnerTexts()
const searchThere = (page: Page) => finder(page).getByRole('searchbox', { name: 'Search songs' })

async function beginNew(page: Page, room: string, title: string): Promise<void> {
  await enterAs(page, 'staff@demo.test')
  await page.goto(`/staff/programming?open=new${room}`)
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
async function withdraw(kind: programming.Kind, list_id: number): Promise<void> {
  const token = await tokenOf('staff@demo.test')
  const { list } = await ask(programming.getList, { kind, list_id }, token)
  if (list.state === 'published') await ask(programming.withdrawList, { kind, list_id, version: list.version }, token)
}

const openedId = (page: Page) => Number(new URL(page.url()).searchParams.get('open'))

test('a spotlight is composed by search, keyboard and drag, and is there for members when it is published', async ({
  page,
  browser,
}) => {
  const title = `${COMPOSED} at dawn`
  const songs = await newestSongs(6)
  const [first, second, third, fourth, fifth] = songs
  await beginNew(page, '', title)
  await searchThere(page).fill(`title:"${first!.title.replace(/["()]/g, '')}"`)
  await expect(found(page).first()).toContainText(first!.title)
  await searchThere(page).press('Enter')
  await expect.poll(() => shown(page)).toEqual(namesOf([first]))

  await searchThere(page).fill('')
  await expect(finder(page).getByText('Newest songs', { exact: true })).toBeVisible()
  await expect(found(page).nth(1)).toContainText(second!.title)
  await searchThere(page).press('ArrowDown')
  await page.keyboard.press('Enter')
  await expect(said(page)).toHaveText(`“${first!.title}” is already in the list at number 1.`)
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await found(page).nth(2).getByRole('button', { name: /^Add / }).click()
  await expect.poll(() => shown(page)).toEqual(namesOf([first, second, third]))
  await dragBefore(
    page,
    found(page).nth(3).getByText(fourth!.artist).first(),
    order(page).getByRole('listitem').first(),
  )
  await expect.poll(() => shown(page)).toEqual(namesOf([fourth, first, second, third]))

  await page.getByRole('button', { name: 'Paste song links…' }).click()
  await page.getByLabel('Song links or IDs').fill(`/song/${fifth!.entity_id}\n/song/99999999`)
  await page.getByRole('button', { name: 'Add songs' }).click()
  await expect(said(page)).toHaveText(`“${fifth!.title}” added. Songs not found: 99999999.`)

  const handle = (song: catalogue.Song) => order(page).getByRole('button', { name: `Move ${song.title}`, exact: true })
  await handle(fifth!).focus()
  await page.keyboard.press('Alt+ArrowUp')
  await expect(handle(fifth!)).toBeFocused()
  await expect(said(page)).toHaveText(`“${fifth!.title}” moved to 4 of 5`)
  await order(page)
    .getByRole('button', { name: `Remove ${first!.title}`, exact: true })
    .click()
  await expect.poll(() => shown(page)).toEqual(namesOf([fourth, second, fifth, third]))
  await page.getByRole('button', { name: 'Undo' }).click()
  const composed = [fourth, first, second, fifth, third]
  await expect.poll(() => shown(page)).toEqual(namesOf(composed))
  await page.reload()
  await expect.poll(() => shown(page)).toEqual(namesOf(composed))
  await expect(page.getByLabel('Title', { exact: true })).toHaveValue(title)

  await page.getByRole('link', { name: 'Preview' }).click()
  await expect(page.getByRole('note').filter({ hasText: 'Only staff can see this page.' })).toBeVisible()
  await expect.poll(() => titlesOf(listNamed(page, title))).toEqual(namesOf(composed))
  await page.getByRole('link', { name: 'Back to editor' }).click()

  await page.getByLabel('Visibility', { exact: true }).selectOption({ label: 'Schedule…' })
  await page.getByLabel('Publish on', { exact: true }).fill('2199-01-01T10:00')
  await page.getByRole('button', { name: 'Schedule' }).click()
  await expect(page).toHaveURL(/open=\d+/)
  const listId = openedId(page)
  const visitor = await otherBrowser(browser)
  await visitor.goto(`/spotlight/view/${listId}`)
  await expect(visitor.getByText('This list doesn’t exist or has been unpublished.')).toBeVisible()

  await page.getByLabel('Visibility', { exact: true }).selectOption({ label: 'Reschedule…' })
  await page.getByLabel('Publish on', { exact: true }).fill(LONG_AGO)
  await page.getByRole('button', { name: 'Schedule' }).click()
  await expect(page.getByText('Saved and published')).toBeVisible()
  await visitor.reload()
  await expect(visitor.getByRole('heading', { level: 1, name: title })).toBeVisible()
  await expect.poll(() => titlesOf(listNamed(visitor, title))).toEqual(namesOf(composed))
  await withdraw('spotlight', listId)
})

test('a top 20 says what is missing, and has its twenty songs by rank once it is out', async ({ page, browser }) => {
  const title = `${COMPOSED}, best of`
  const songs = await newestSongs(21)
  await beginNew(page, '&room=top20', title)
  await expect(page.getByText('Add 20 more songs to publish.')).toBeVisible()
  await searchThere(page).focus()
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
  await page.getByLabel('Publish on', { exact: true }).fill(LONG_AGO)
  await page.getByRole('button', { name: 'Schedule' }).click()
  await expect(page.getByRole('alert')).toHaveText('Add 1 more song to publish.')
  await found(page).nth(19).getByRole('button', { name: /^Add / }).click()
  await found(page).nth(20).getByRole('button', { name: /^Add / }).click()
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
  const wanted = namesOf([...songs.slice(1, 20), songs[0]])
  await expect.poll(() => titlesOf(listNamed(visitor, title))).toEqual(wanted)
  await withdraw('top20', openedId(page))
})

test('of two curators the second is told, and keeps what was composed', async ({ page }) => {
  const token = await tokenOf('staff@demo.test')
  const [first] = await newestSongs(1)
  const begun = { kind: 'spotlight' as const, title: `${COMPOSED} by two`, entity_ids: [first!.entity_id] }
  const { list } = await ask(programming.saveList, begun, token)
  await enterAs(page, 'staff@demo.test')
  await page.goto(`/staff/programming?open=${list.list_id}`)
  await expect.poll(() => shown(page)).toEqual(namesOf([first]))
  const { list_id, version } = list
  await ask(programming.saveList, { ...begun, list_id, version, title: 'Theirs' }, token)
  await page.getByLabel('Title', { exact: true }).fill(`${COMPOSED} by me`)
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await expect(page.getByRole('alert')).toHaveText('Someone else changed this list. Reload to see the changes.')
  await expect(page.getByRole('region', { name: 'Current version' }).getByText('Theirs', { exact: true })).toBeVisible()
  await expect(page.getByLabel('Title', { exact: true })).toHaveValue(`${COMPOSED} by me`)
  await page.getByRole('button', { name: 'Keep mine' }).click()
  await expect(page.getByRole('heading', { level: 2, name: `${COMPOSED} by me` })).toBeVisible()
  const { list: kept } = await ask(programming.getList, { kind: 'spotlight', list_id: list.list_id }, token)
  expect([kept.title, kept.version]).toEqual([`${COMPOSED} by me`, 3])
  await ask(programming.removeList, { kind: 'spotlight', list_id: list.list_id, version: 3 }, token)
})
