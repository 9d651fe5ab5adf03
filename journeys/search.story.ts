import { camelot, catalogue, parseKey } from '@dubplate/contract'
import type { Page } from '@playwright/test'
import {
  ask,
  dialog,
  expect,
  firstOf,
  hearItRest,
  hearItRun,
  listNamed,
  newestSongs,
  play,
  rowOf,
  rowsOf,
  searchBox,
  test,
  titlesOf,
} from './support.ts'

const results = (page: Page) => listNamed(page, 'Search results')
const pieces = (page: Page) => page.getByRole('list', { name: 'Searched for' }).getByRole('listitem')
const suggestions = (page: Page) => page.getByRole('listbox', { name: 'Suggestions' })
const option = (page: Page, name: string | RegExp) => suggestions(page).getByRole('option', { name })

/** The option the search box names as active, as a screen reader finds it. */
async function activeOption(page: Page): Promise<string> {
  const id = await searchBox(page).getAttribute('aria-activedescendant')
  const named = page.locator(`[id="${id}"][role=option][aria-selected=true]`)
  return id ? (await named.allInnerTexts()).join() : ''
}

async function searchFor(page: Page, text: string): Promise<void> {
  await searchBox(page).fill(text)
  await searchBox(page).press('Enter')
}

const at = (path: string) => new RegExp(`${path.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}$`)

test('a search wants three characters, and says so', async ({ page }) => {
  await page.goto('/')
  await searchFor(page, 'ab')
  await expect(page.getByRole('banner').getByRole('alert')).toHaveText('Type at least 3 characters to search.')
  await expect(searchBox(page)).toHaveAttribute('aria-invalid', 'true')
  await expect(searchBox(page)).toHaveValue('ab')
  await expect(page).toHaveURL(/\/$/)
  await searchBox(page).press('c')
  await expect(page.getByRole('banner').getByRole('alert')).toBeHidden()
})

test('a song is found by its title, and by its title with a slip in it', { tag: '@smoke' }, async ({ page }) => {
  const song = firstOf((await newestSongs(60)).filter(({ title }) => /^[a-z]{7,}\b/i.test(title)))
  const word = /^[a-z]+/i.exec(song.title)![0]
  const slip = word.slice(0, 2) + word[3] + word[2] + word.slice(4)
  await page.goto('/')
  await searchFor(page, word)
  await expect(page).toHaveURL(at(`/search/result/${word}`))
  await expect(page).toHaveTitle(`Results for “${word}” · Dubplate`)
  await expect(rowOf(results(page), song)).toBeVisible()
  await expect(page.getByText('read forgivingly')).toBeHidden()

  await searchFor(page, slip)
  await expect(page.getByRole('heading', { level: 1, name: `Results for “${slip}”` })).toBeVisible()
  await expect(page.getByText('read forgivingly')).toBeVisible()
  await expect(results(page).getByRole('row', { name: 'Similar: one letter apart' })).toBeVisible()
  await expect(rowOf(results(page), song)).toBeVisible()
})

test('key and tempo narrow a search through its form, in the address; back and forward restore the form', {
  tag: '@smoke',
}, async ({ page }) => {
  const song = firstOf((await newestSongs(60)).filter(({ min_bpm }) => min_bpm && min_bpm > 110))
  const tempo = `${song.min_bpm! - 2}-${song.min_bpm! + 2}`
  const key = camelot(parseKey(song.song_key!)!)
  const form = page.getByRole('form', { name: 'Filters' })
  const field = (label: string) => form.getByRole(label === 'Key' ? 'combobox' : 'textbox', { name: label })
  const apply = () => form.getByRole('button', { name: 'Apply Filter' }).click()

  await page.goto('/search/result')
  await field('BPM').fill(tempo)
  await apply()
  await expect(page).toHaveURL(at(`/search/result?bpm=${tempo}`))
  await expect(rowOf(results(page), song)).toBeVisible()
  await field('Key').selectOption(key)
  await apply()
  await expect(page).toHaveURL(at(`?bpm=${tempo}&key=${key}`))
  const { songs } = await ask(catalogue.searchSongs, { SongEntitySearch: { bpm: tempo, song_key: key } })
  await expect.poll(() => titlesOf(results(page))).toEqual(songs.map(({ title }) => title))
  expect(new Set(songs.map(({ song_key }) => song_key))).toEqual(new Set([song.song_key]))

  await page.goBack()
  await expect(field('Key')).toHaveValue('')
  await expect(field('BPM')).toHaveValue(tempo)
  await page.goBack()
  await expect(field('BPM')).toHaveValue('')
  await expect(page.getByRole('heading', { name: 'What are you looking for?' })).toBeVisible()
  await page.goForward()
  await page.goForward()
  await expect(field('BPM')).toHaveValue(tempo)
  await expect(field('Key')).toHaveValue(key)
  await expect.poll(() => titlesOf(results(page))).toEqual(songs.map(({ title }) => title))

  await form.getByRole('button', { name: 'Clear' }).click()
  await expect(page).toHaveURL(at('/search/result'))
  await expect(field('BPM')).toHaveValue('')
})

test('what is typed is explained piece by piece, and each piece can be taken out', async ({ page }) => {
  const typed = 'bpm:120-126 -remix'
  await page.goto('/')
  await searchFor(page, typed)
  await expect(pieces(page)).toHaveText(['BPM 120 to 126', 'without “remix”'])
  const { songs } = await ask(catalogue.searchSongs, { searchTerm: typed })
  await expect.poll(() => titlesOf(results(page))).toEqual(songs.map(({ title }) => title))
  expect(songs.filter(({ title }) => /remix/i.test(title))).toEqual([])
  const inTempo = songs.filter(({ found }) => found.tempo === 'same').map(({ min_bpm }) => min_bpm ?? 0)
  expect(inTempo.length).toBeGreaterThan(0)
  expect(inTempo.filter((bpm) => bpm < 120 || bpm > 126)).toEqual([])

  await pieces(page).getByRole('button', { name: 'Take out -remix' }).click()
  await expect(page).toHaveURL(at(`/search/result/${encodeURIComponent('bpm:120-126')}`))
  await expect(searchBox(page)).toHaveValue('bpm:120-126')
  await expect(pieces(page)).toHaveText(['BPM 120 to 126'])
  const { songs: more } = await ask(catalogue.searchSongs, { searchTerm: 'bpm:120-126' })
  await expect.poll(() => titlesOf(results(page))).toEqual(more.map(({ title }) => title))
  await page.goBack()
  await expect(searchBox(page)).toHaveValue(typed)
})

for (const [typed, sentence] of [
  ['key:99Z', '“99Z” is not a key. Write it like 8A, 1m or Am.'],
  ['bpm:fast', 'BPM must be a number or a range'],
  ['genre:polka', 'There is no genre called “polka”.'],
] as const) {
  test(`“${typed}” means nothing, and the answer says what to write`, async ({ page }) => {
    await page.goto('/')
    await searchFor(page, typed)
    const alert = page.getByRole('main').getByRole('alert')
    await expect(alert).toContainText(sentence)
    await expect(alert).toContainText('Change it above, or take it out.')
    await expect(pieces(page)).toHaveText([typed])
    await pieces(page).getByRole('button').click()
    await expect(page.getByRole('heading', { name: 'What are you looking for?' })).toBeVisible()
  })
}

test('songs at half and at double the tempo are found after the others, and marked', async ({ page }) => {
  const songs = await newestSongs(60)
  const song = firstOf(songs.filter(({ min_bpm, max_bpm }) => min_bpm && min_bpm === max_bpm && min_bpm % 2 === 0))
  const bpm = song.min_bpm!
  for (const [asked, mark] of [
    [bpm / 2, 'double the tempo searched for'],
    [bpm * 2, 'half the tempo searched for'],
  ] as const) {
    await page.goto(`/search/result/bpm:${asked}`)
    await expect(rowOf(results(page), song)).toContainText(mark)
    await expect(results(page).getByRole('row', { name: 'Half or double the tempo' })).toBeVisible()
  }
  await page.goto(`/search/result/bpm:${bpm}`)
  await expect(rowOf(results(page), song)).toBeVisible()
  await expect(rowOf(results(page), song)).not.toContainText('the tempo searched for')
})

test('a search that finds nothing, and one that is too narrow, say what to do', async ({ page }) => {
  await page.goto('/search/result/zzqxwvk')
  await expect(page.getByRole('heading', { name: 'Nothing found for “zzqxwvk”' })).toBeVisible()
  await expect(page.getByText('Try fewer words, or only the artist.')).toBeVisible()

  const song = firstOf((await newestSongs(60)).filter(({ artist }) => /^[a-z]+$/i.test(artist)))
  await page.goto(`/search/result/${song.artist}?year=1901`)
  await expect(page.getByText('The filters may be too narrow.')).toBeVisible()
  await page.getByRole('button', { name: 'Search without filters' }).click()
  await expect(rowOf(results(page), song)).toBeVisible()

  await page.goto(`/search/result/${song.artist} year:1901`)
  await page.getByRole('button', { name: 'Without year 1901', exact: true }).click()
  await expect(rowOf(results(page), song)).toBeVisible()
})

test('suggestions complete what is typed: arrows choose, Enter writes it into the box and searches nothing', async ({
  page,
}) => {
  const box = searchBox(page)
  await page.goto('/')
  await box.pressSequentially('bp')
  await expect(option(page, 'bpm:120-126')).toBeVisible()
  await expect(box).toHaveAttribute('aria-expanded', 'true')
  expect(await activeOption(page)).toBe('')
  await box.press('ArrowDown')
  await expect.poll(() => activeOption(page)).toContain('bpm:120-126')
  await box.press('Enter')
  await expect(box).toHaveValue('bpm:')
  await expect(option(page, 'bpm:>140')).toBeVisible()
  await box.press('ArrowUp')
  const last = (await suggestions(page).getByRole('option').allInnerTexts()).at(-1)!
  await expect.poll(() => activeOption(page)).toBe(last)
  await box.press('ArrowDown')
  await expect.poll(() => activeOption(page)).toBe('')
  await box.press('ArrowDown')
  await expect.poll(() => activeOption(page)).toContain('bpm:120-126')
  await box.press('Enter')
  await expect(box).toHaveValue('bpm:120-126 ')
  await expect(box).toBeFocused()
  await expect(page).toHaveURL(/\/$/)
  await box.press('Enter')
  await expect(page).toHaveURL(at(`/search/result/${encodeURIComponent('bpm:120-126')}`))
})

test('a suggested song is gone to with arrows and Enter', async ({ page }) => {
  const song = firstOf((await newestSongs(60)).filter(({ title }) => /^[a-z]{6,}\b/i.test(title)))
  await page.goto('/')
  await searchBox(page).pressSequentially(/^[a-z]+/i.exec(song.title)![0])
  await expect(option(page, new RegExp(`^${song.title.slice(0, 6)}`))).toBeVisible()
  while (!(await activeOption(page)).includes(song.title)) await searchBox(page).press('ArrowDown')
  await searchBox(page).press('Enter')
  await expect(page.getByRole('heading', { level: 1, name: song.title })).toBeVisible()
  await expect(page).toHaveURL(at(`/song/${song.entity_id}`))
})

test('Escape puts the suggestions away, then leaves the box; what was typed stays', async ({ page }) => {
  const box = searchBox(page)
  await page.goto('/')
  await box.pressSequentially('ke')
  await expect(option(page, 'key:8A,9A')).toBeVisible()
  await box.press('ArrowDown')
  await expect.poll(() => activeOption(page)).toContain('key:')
  await box.press('Escape')
  await expect(suggestions(page)).toBeHidden()
  await expect(box).toHaveAttribute('aria-expanded', 'false')
  await expect(box).toBeFocused()
  await box.press('Escape')
  await expect(box).not.toBeFocused()
  await expect(box).toHaveValue('ke')
  await expect(page).toHaveURL(/\/$/)
})

test('searches are remembered in the empty box, newest first, until they are forgotten', async ({ page }) => {
  const box = searchBox(page)
  const recent = suggestions(page).getByRole('group', { name: 'Recent searches' }).getByRole('option')
  await page.goto('/newRelease')
  await box.focus()
  await expect(page.getByText('Narrow it down as you type:')).toBeVisible()
  await expect(suggestions(page)).toBeHidden()
  for (const term of ['remix', 'bpm:120-126']) {
    await searchFor(page, term)
    await expect(page).toHaveURL(at(`/search/result/${encodeURIComponent(term)}`))
    // The box takes over what the address says once the screen is there.
    await expect(page.getByRole('heading', { level: 1 })).toContainText(term.replace('bpm:', ''))
  }
  await page.goto('/newRelease')
  await box.focus()
  await expect(recent).toHaveText([/^bpm:120-126/, /^remix/, 'Clear recent searches'])
  await box.press('ArrowDown')
  await box.press('Delete')
  await expect(recent).toHaveText([/^remix/, 'Clear recent searches'])
  await expect.poll(() => activeOption(page)).toContain('remix')
  await box.press('Enter')
  await expect(page).toHaveURL(at('/search/result/remix'))

  await box.fill('')
  await recent.last().click()
  await expect(suggestions(page)).toBeHidden()
  await page.reload()
  await box.fill('')
  await expect(page.getByText('Narrow it down as you type:')).toBeVisible()
  await expect(suggestions(page)).toBeHidden()
})

const palette = (page: Page) => dialog(page, 'Commands')
const commands = (page: Page) => palette(page).getByRole('combobox', { name: 'Commands, songs, artists, genres' })

async function command(page: Page, name: string): Promise<void> {
  await page.keyboard.press('Control+k')
  await expect(commands(page)).toBeFocused()
  await page.keyboard.type(name)
  await expect(palette(page).getByRole('option').first()).toHaveAttribute('aria-selected', 'true')
  await page.keyboard.press('Enter')
  await expect(palette(page)).toBeHidden()
}

test('Ctrl + K goes to any screen, from wherever one is, and Escape gives the focus back', async ({ page }) => {
  await page.goto('/newRelease')
  await expect(rowsOf(page).first()).toBeVisible()
  await command(page, 'charts')
  await expect(page).toHaveURL(/\/charts$/)
  await expect(page.getByRole('heading', { level: 1, name: 'Charts' })).toBeVisible()

  const dayMode = page.getByRole('switch', { name: 'Day Mode' })
  await dayMode.focus()
  await page.keyboard.press('Control+k')
  await expect(commands(page)).toBeFocused()
  await page.keyboard.press('ArrowDown')
  await expect(palette(page).getByRole('option').nth(1)).toHaveAttribute('aria-selected', 'true')
  await page.keyboard.press('Escape')
  await expect(palette(page)).toBeHidden()
  await expect(dayMode).toBeFocused()
  await expect(page).toHaveURL(/\/charts$/)

  // Also while one is typing.
  await searchBox(page).focus()
  await command(page, 'spotlights')
  await expect(page).toHaveURL(/\/spotlight\/index$/)
})

test('Ctrl + K finds songs, and pauses and plays', async ({ page }) => {
  const [playing, other] = await newestSongs(2)
  await page.goto('/newRelease')
  await play(page, playing!)
  await hearItRun(page)
  await command(page, 'pause')
  await hearItRest(page)
  await command(page, 'play')
  await hearItRun(page)

  await page.keyboard.press('Control+k')
  await expect(commands(page)).toBeFocused()
  await page.keyboard.type(other!.title)
  const found = palette(page).getByRole('option', { name: `${other!.title} ${other!.artist}` })
  await expect(found).toBeVisible()
  await found.click()
  await expect(page).toHaveURL(at(`/song/${other!.entity_id}`))
  await hearItRun(page)
})
