import { digging, library } from '@dubplate/contract'
import type { CDPSession, Locator, Page } from '@playwright/test'
import { type Account, CARDS, createSubscriber, openSignedIn } from './members.ts'
import { callApi, expect, getDemoSongs, getFirst, test } from './support.ts'

/** A genre of the demo with enough songs. */
async function findList({ token }: Account): Promise<string> {
  for (const { genres } of await getDemoSongs(24))
    for (const { genre_id } of genres) {
      const list = `genre-${genre_id}`
      if ((await callApi(digging.digSongs, { list }, token)).left >= 6) return list
    }
  throw new Error('No genre of the demo has six songs.')
}

const card = (page: Page) => page.getByRole('article')
const pressed = (page: Page) => page.getByRole('group', { name: 'Versions' }).locator('[aria-pressed=true]')

const readTitle = async (page: Page) => {
  await expect(card(page)).toBeVisible()
  return (await card(page).getAttribute('aria-label'))!
}

/** Waits for another song than this one, and returns its title. */
async function readNextTitle(page: Page, title: string): Promise<string> {
  await expect(card(page)).not.toHaveAccessibleName(title)
  return readTitle(page)
}

/** Decides about the current song with a gesture. Returns its title and that of the next one. */
async function decide(page: Page, gesture: () => Promise<void>, message: string) {
  const title = await readTitle(page)
  await gesture()
  await expect(page.getByRole('status').filter({ hasText: `${message}: ${title}` })).toBeVisible()
  return { title, next: await readNextTitle(page, title) }
}

const readDecisions = async (list: string, { token }: Account) =>
  (await callApi(digging.digSongs, { list }, token)).decisions

const crateTitles = async ({ token }: Account) =>
  (await callApi(library.crateIndex, { page: 1 }, token)).songs.map(({ title }) => title)

const favouriteTitles = async ({ token }: Account) =>
  (await callApi(library.favouriteIndex, { page: 1 }, token)).songs.map(({ title }) => title)

const mutedNames = async ({ token }: Account) =>
  (await callApi(digging.getMutes, {}, token)).mutes.map(({ name }) => name)

test('goes through a genre by keyboard, and continues after a reload', async ({ page }) => {
  const member = await createSubscriber('DJ Spade', CARDS.pays)
  const list = await findList(member)
  await openSignedIn(page, member.token, `/dig/${list}`)
  const press = (key: string) => () => page.keyboard.press(key)

  // The second version of a song that has one: it is the one that goes into the crate.
  await readTitle(page)
  const before = (await pressed(page).textContent())!
  await page.keyboard.press('v')
  await expect(pressed(page)).not.toHaveText(before)
  const version = (await pressed(page).textContent())!.replace(/^\d\s*/, '')
  const crated = await decide(page, press('c'), 'Added to crate')
  const favourite = await decide(page, press('f'), 'Added to favourites')
  await decide(page, press('ArrowRight'), 'Skipped')
  const muted = await decide(page, press('x'), 'Muted')
  await expect.poll(() => mutedNames(member)).toEqual([muted.title])

  await page.keyboard.press('z')
  expect(await readNextTitle(page, muted.next)).toBe(muted.title)
  await expect.poll(() => mutedNames(member)).toEqual([])
  const { next } = await decide(page, press('x'), 'Muted')
  await expect.poll(() => readDecisions(list, member)).toEqual({ skip: 1, crate: 1, favourite: 1, never: 1 })

  await page.reload()
  expect(await readTitle(page)).toBe(next)
  expect(await crateTitles(member)).toEqual([crated.title])
  expect(await favouriteTitles(member)).toEqual([favourite.title])
  const { songs } = await callApi(library.crateIndex, { page: 1 }, member.token)
  const inCrate = (await callApi(library.getCrates, {}, member.token)).version
  const chosen = getFirst(songs).version.filter(({ song_version_id }) => inCrate.includes(song_version_id))
  expect(chosen.map(({ version_label }) => version_label)).toEqual([version])
})

/** Moves one finger from the middle of an element, in steps as a browser reports them; not at all for a tap. */
async function moveFinger(touch: CDPSession, target: Locator, { x, y }: { x: number; y: number }) {
  const box = (await target.boundingBox())!
  const from = { x: box.x + box.width / 2, y: box.y + box.height / 2 }
  const send = (type: 'touchStart' | 'touchMove' | 'touchEnd', share?: number) =>
    touch.send('Input.dispatchTouchEvent', {
      type,
      touchPoints: share === undefined ? [] : [{ x: from.x + share * x, y: from.y + share * y }],
    })
  await send('touchStart', 0)
  if (x || y) for (const share of [0.25, 0.5, 0.75, 1]) await send('touchMove', share)
  await send('touchEnd')
}

test.describe('on a phone', () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true })

  test('goes through a genre with swipes, undoes one, and continues after a reload', async ({ page }) => {
    const member = await createSubscriber('DJ Thumb', CARDS.pays)
    const list = await findList(member)
    await openSignedIn(page, member.token, `/dig/${list}`)
    const touch = await page.context().newCDPSession(page)
    const swiped = (x: number, y: number) => () => moveFinger(touch, card(page), { x, y })

    // Too short for a decision.
    const title = await readTitle(page)
    await moveFinger(touch, card(page), { x: -60, y: 0 })
    expect(await readTitle(page)).toBe(title)

    await decide(page, swiped(-180, 0), 'Skipped')
    const favourite = await decide(page, swiped(0, -180), 'Added to favourites')
    const undo = () => moveFinger(touch, page.getByRole('button', { name: 'Undo' }).first(), { x: 0, y: 0 })
    const crated = await decide(page, swiped(180, 0), 'Added to crate')
    // At once: a browser ignores taps for a second after a swipe that it takes for a fling.
    await undo()
    expect(await readNextTitle(page, crated.next)).toBe(crated.title)
    await decide(page, swiped(180, 0), 'Added to crate')
    await expect.poll(() => crateTitles(member)).toEqual([crated.title])
    await undo()
    expect(await readNextTitle(page, crated.next)).toBe(crated.title)
    await expect.poll(() => crateTitles(member)).toEqual([])

    const { next } = await decide(page, swiped(-180, 0), 'Skipped')
    await expect.poll(() => readDecisions(list, member)).toEqual({ skip: 2, crate: 0, favourite: 1, never: 0 })
    await page.reload()
    expect(await readTitle(page)).toBe(next)
    expect(await favouriteTitles(member)).toEqual([favourite.title])
  })
})
