import { account, downloads, library } from '@dubplate/contract'
import { expect, onTestFinished, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { fakeApi } from '../../test/fakeApi.ts'
import { crateLink, dialogNamed, press } from '../../test/locators.ts'
import { openApp, signInAs } from '../../test/openApp.tsx'
import { makeProfile, makeSong, makeVersion } from '../../test/samples.ts'
import { ownInLibrary } from '../ownLibrary/testing.ts'
import { rowOf } from '../player/testing.ts'
import { fakeCrate } from './fakeCrate.ts'

const top = makeSong({ title: 'Top' })
const middle = makeSong({
  title: 'Middle',
  version: [
    makeVersion({ version_label: 'Original', version_code: 'original', bytes: 8_000_000 }),
    makeVersion({ bytes: 11_700_000 }),
  ],
})
const bottom = makeSong({ title: 'Bottom', version: [makeVersion(), makeVersion()] })
const list = page.getByRole('list', { name: 'Songs in your crate' })
const titles = () => [...list.elements()].flatMap((ul) => [...ul.querySelectorAll('a')].map((a) => a.textContent))
const footer = page.getByRole('region', { name: 'Download', exact: true })
const versionOf = (name: string) => rowOf(middle).getByRole('button', { name, exact: true })

const SUMMARY: downloads.DownloadSummary = {
  ...{ songs: 3, files: 5, bytes: 59_000_000, downloadable: 5, uses: 5 },
  ...{
    last: 0,
    repeated: 0,
    in_library: 0,
    used_up: 0,
    unavailable: 0,
    too_early: 0,
    conversions: [],
    has_bundle: true,
    limit: 2,
    month: null,
  },
}

async function openCrate(summary: Partial<downloads.DownloadSummary> = {}, profile = makeProfile()) {
  const songs = [top, middle, bottom]
  const crate = fakeCrate(songs, songs)
  fakeApi.reply(downloads.crateSummary, { ...SUMMARY, ...summary })
  signInAs(profile)
  await openApp('/crate')
  await expect.poll(titles).toEqual(['Top', 'Middle', 'Bottom'])
  await expect.element(crateLink).toHaveAccessibleName('Crate 3 songs')
  return crate
}

test('restores a removed song to its position with the versions it had', async () => {
  const crate = await openCrate()
  await versionOf('Original').click()
  await expect.element(versionOf('Original')).toHaveAttribute('aria-pressed', 'false')
  await rowOf(middle).getByRole('button', { name: 'Remove Middle from crate', exact: true }).click()
  await expect.element(page.getByText('“Middle” removed from your crate.')).toBeVisible()
  await expect.poll(titles).toEqual(['Top', 'Bottom'])
  await expect.poll(crate.ids).toEqual([top.entity_id, bottom.entity_id])
  await expect.element(crateLink).toHaveAccessibleName('Crate 2 songs')

  await press(page, 'Undo')
  await expect.poll(titles).toEqual(['Top', 'Middle', 'Bottom'])
  await expect.element(crateLink).toHaveAccessibleName('Crate 3 songs')
  expect(fakeApi.inputsOf(library.crateChange)).toEqual([
    { version_ids: [middle.version[1]!.song_version_id], below: top.entity_id },
  ])
  await expect.element(versionOf('Original')).toHaveAttribute('aria-pressed', 'false')
  await expect.element(versionOf('Clean')).toHaveAttribute('aria-pressed', 'true')
})

test('restores an emptied crate as it was', async () => {
  await openCrate()
  await press(page, 'Empty crate')
  await expect.element(page.getByText('5 versions removed.')).toBeVisible()
  await expect.element(page.getByRole('heading', { name: 'Your crate is empty' })).toBeVisible()
  await expect.element(crateLink).toHaveAccessibleName('Crate')

  await press(page, 'Undo')
  await expect.poll(titles).toEqual(['Top', 'Middle', 'Bottom'])
  await expect.element(crateLink).toHaveAccessibleName('Crate 3 songs')
  const versions = [top, middle, bottom].flatMap(({ version }) => version)
  expect(fakeApi.inputsOf(library.crateChange)).toEqual([
    { version_ids: versions.map(({ song_version_id }) => song_version_id) },
  ])
})

test('switches versions on and off, and shows the size of those that are on', async () => {
  await openCrate()
  await expect.element(rowOf(middle).getByText('2 files')).toBeVisible()
  await expect.element(rowOf(middle).getByText('20 MB')).toBeVisible()
  await versionOf('Clean').click()
  await expect.element(rowOf(middle).getByText('1 file', { exact: true })).toBeVisible()
  await expect.element(rowOf(middle).getByText('8.0 MB')).toBeVisible()
  expect(fakeApi.inputsOf(library.crateAddRemove)).toEqual([
    { songId: middle.entity_id, versionId: middle.version[1]!.song_version_id },
  ])
})

test('keeps a song whose last version is off at its position until it is removed', async () => {
  const crate = await openCrate()
  await versionOf('Original').click()
  await versionOf('Clean').click()
  await expect.poll(crate.ids).toEqual([top.entity_id, bottom.entity_id])
  await expect.element(rowOf(middle).getByText('0 files')).toBeVisible()
  expect(titles()).toEqual(['Top', 'Middle', 'Bottom'])

  await versionOf('Clean').click()
  await expect.poll(crate.ids).toEqual([top.entity_id, middle.entity_id, bottom.entity_id])
  expect(fakeApi.inputsOf(library.crateChange)).toEqual([
    { version_ids: [middle.version[1]!.song_version_id], below: top.entity_id },
  ])
  await versionOf('Clean').click()
  await rowOf(middle).getByRole('button', { name: 'Remove Middle from crate' }).click()
  await expect.poll(titles).toEqual(['Top', 'Bottom'])
})

test('turns a version back off when it can’t be added', async () => {
  await openCrate()
  await versionOf('Clean').click()
  await expect.element(versionOf('Clean')).toHaveAttribute('aria-pressed', 'false')
  fakeApi.rejectWith(library.crateAddRemove, { code: 'crate_full', message: 'Your crate is full (2,000 versions).' })
  await versionOf('Clean').click()
  await expect.element(page.getByText('Your crate is full (2,000 versions).')).toBeVisible()
  await expect.element(versionOf('Clean')).toHaveAttribute('aria-pressed', 'false')
})

test('shows what the download contains and uses', async () => {
  await openCrate({ last: 2, repeated: 1, used_up: 1, downloadable: 4, uses: 4 })
  await expect.element(footer.getByText('3 songs · 5 files · 59 MB')).toBeVisible()
  await expect.element(footer.getByText('Uses 4 downloads. Limit: 2 per version.')).toBeVisible()
  const warnings = 'Last download for 2 files · 1 file already downloaded · No downloads left for 1 file'
  await expect.element(footer.getByText(warnings)).toBeVisible()
  await expect.element(footer.getByRole('button', { name: 'Download 4 files' })).toBeEnabled()
})

test.each([390, 1440])(
  'keeps the footer above the player and the tabs at %i px, however short the crate is',
  async (width) => {
    onTestFinished(() => page.viewport(1440, 900))
    await openCrate()
    await page.viewport(width, 844)
    const shell = getComputedStyle(document.querySelector('#main')!.parentElement!)
    const bottom = width < 768 ? 844 - Number.parseFloat(shell.paddingBottom) : 844 - 16
    const footerBottom = () => Math.round(footer.element().getBoundingClientRect().bottom)
    await expect.poll(footerBottom).toBe(bottom)
    scrollTo({ top: 50, behavior: 'instant' })
    await expect.poll(footerBottom).toBe(width < 768 ? bottom : 844 - 50 - 16)
  },
)

test('says which files are in the DJ library, removes them from the crate and restores them', async () => {
  const crate = await openCrate()
  await ownInLibrary([top.entity_id], [top.version[0]!.song_version_id])
  await expect.element(footer.getByText('1 file already in your DJ library')).toBeVisible()
  await press(footer, 'Remove from crate')
  await expect.poll(crate.ids).toEqual([middle.entity_id, bottom.entity_id])
  await expect.element(footer.getByText('already in your DJ library')).not.toBeInTheDocument()
  await press(page, 'Undo')
  await expect.poll(crate.ids).toEqual([top.entity_id, middle.entity_id, bottom.entity_id])
})

test('says how many downloads are missing this month', async () => {
  await openCrate({ month: { left: 2, limit: 200 } })
  await expect.element(footer.getByText('Uses 5 downloads. You have 2 of 200 left this month.')).toBeVisible()
  await expect.element(footer.getByText('You need 3 more downloads.')).toBeVisible()
  await expect.element(footer.getByRole('link', { name: 'See plans' })).toHaveAttribute('href', '/subscription/plans')
  await expect.element(footer.getByRole('button', { name: 'Download 5 files' })).toBeDisabled()
})

test('says that the plan has no zip of the crate, and which files come later', async () => {
  await openCrate({ has_bundle: false, too_early: 1, downloadable: 4 })
  await expect.element(footer.getByText('Your plan doesn’t include a zip of your crate.')).toBeVisible()
  await expect.element(footer.getByText('1 file available later on your plan')).toBeVisible()
  await expect.element(footer.getByRole('link', { name: 'See plans' })).toBeVisible()
  await expect.element(footer.getByRole('button', { name: 'Download 4 files' })).toBeDisabled()
})

test('offers a plan to an unpaid member', async () => {
  await openCrate({}, makeProfile({ payment_profile_status: 'unpaid' }))
  await expect.element(footer.getByRole('link', { name: 'Choose a plan' })).toBeVisible()
  await expect.element(footer.getByRole('button')).not.toBeInTheDocument()
})

test('lets staff download without a plan and without a limit', async () => {
  await openCrate({ limit: null, uses: 0 }, makeProfile({ payment_profile_status: 'unpaid', staff_role: 'admin' }))
  await expect.element(footer.getByText('Uses no downloads.')).toBeVisible()
  await expect.element(footer.getByRole('button', { name: 'Download 5 files' })).toBeEnabled()
})

test('can be downloaded although its totals can’t be loaded', async () => {
  fakeApi.rejectWith(downloads.crateSummary, { code: 'internal_error', message: 'Something went wrong.' })
  const songs = [top]
  fakeCrate(songs, songs)
  signInAs(makeProfile())
  await openApp('/crate')
  await expect.element(footer.getByText('Couldn’t load the totals.')).toBeVisible()
  fakeApi.reply(downloads.crateSummary, SUMMARY)
  await press(footer, 'Try again')
  await expect.element(footer.getByRole('button', { name: 'Download 5 files' })).toBeEnabled()
})

test('says which version a new song is added as', async () => {
  fakeApi.reply(library.getVersionKinds, {
    versions: [{ version_code: 'intro_clean', name: 'Intro Clean' }],
    genres: [],
  })
  const preferred_versions = { versions: ['intro_clean', 'clean'], add_all: false, by_genre: [] }
  await openCrate({}, makeProfile({ preferred_versions }))
  await expect
    .element(page.getByText('New songs are added as Intro Clean, or your next preferred version.'))
    .toBeVisible()
  const link = page.getByRole('link', { name: 'Change preferred versions' })
  await expect.element(link).toHaveAttribute('href', '/account/display#preferred-versions')
})

const DISPLAY = { notation: 'camelot', scheme: 'dark', preview_loudness: 'even' } as const
const BUNDLE = { zip: 'crate.zip', url: '/bundles/x', bytes: 1, files: 3, skipped: [], part: 1, parts: 1 }
const bundleInputs = () => fakeApi.inputsOf(downloads.downloadCrateBundle)

test('asks once before files are downloaded again, and can leave them out', async () => {
  fakeApi.reply(downloads.downloadCrateBundle, { ...BUNDLE, continue_from: null })
  await openCrate({ last: 2, repeated: 2 })
  await press(footer, 'Download 5 files')
  const dialog = dialogNamed('Download 5 files?')
  await expect
    .element(dialog.getByText('You’ve already downloaded 2 files. This uses your last download of 2 files.'))
    .toBeVisible()
  await press(dialog, 'Cancel')
  await expect.element(dialog).not.toBeInTheDocument()
  expect(bundleInputs()).toEqual([])

  await press(footer, 'Download 5 files')
  await dialog.getByRole('switch', { name: 'Leave out the 2 files already downloaded' }).click()
  await press(dialog, 'Download 3 files')
  await expect.poll(bundleInputs).toEqual([{ skip_downloaded: true }])
  await expect.element(dialog).not.toBeInTheDocument()
})

test('remembers the format of zips, and prepares the files before it requests them', async () => {
  fakeApi.reply(downloads.downloadCrateBundle, { ...BUNDLE, continue_from: null })
  const pending = { ready: 1, files: 3, progress: 0.5, failed: [], is_ready: false }
  fakeApi.reply(downloads.prepareDownload, pending)
  await openCrate({ conversions: ['mp3', 'aiff'] })
  const choice = footer.getByRole('combobox', { name: 'File format' })
  await expect.element(choice).toHaveValue('original')
  await choice.selectOptions('MP3 320 where possible')
  await expect.element(footer.getByText('3 songs · 5 files · originals 59 MB')).toBeVisible()
  await expect.poll(() => fakeApi.inputsOf(account.saveDisplay).at(-1)).toMatchObject({ zip_format: 'mp3' })
  await press(footer, 'Download 5 files')
  await expect.element(page.getByText('1 of 3 files. The download starts by itself.')).toBeVisible()
  expect(bundleInputs()).toEqual([])
  const failed = [{ song_version_id: 1, title: 'Top (Clean)' }]
  fakeApi.reply(downloads.prepareDownload, { ...pending, ready: 2, progress: 1, failed, is_ready: true })
  await expect.poll(bundleInputs).toEqual([{ format: 'mp3' }])
  await expect
    .element(page.getByText('Couldn’t be converted, so the zip contains the original files: Top (Clean).'))
    .toBeVisible()
})

test('downloads originals when none of the files can be converted to the remembered format', async () => {
  fakeApi.reply(downloads.downloadCrateBundle, { ...BUNDLE, continue_from: null })
  await openCrate({}, makeProfile({ display: { ...DISPLAY, zip_format: 'aiff' } }))
  await expect.element(footer.getByRole('combobox')).not.toBeInTheDocument()
  await press(footer, 'Download 5 files')
  await expect.poll(bundleInputs).toEqual([{}])
})

test('downloads without a question when every file is new', async () => {
  fakeApi.reply(downloads.downloadCrateBundle, { ...BUNDLE, continue_from: null })
  await openCrate()
  await press(footer, 'Download 5 files')
  await expect.poll(bundleInputs).toEqual([{}])
})

const order = page.getByRole('combobox', { name: 'Order' })
const move = (title: string) => page.getByRole('button', { name: `Move ${title}`, exact: true })
const transitions = () =>
  [...list.elements()].flatMap((ul) => [...ul.querySelectorAll('[data-transition]')].map((row) => row.textContent))

test('moves a song of the own order by keyboard, and moves it back', async () => {
  const crate = await openCrate()
  await expect.element(move('Top')).not.toBeInTheDocument()
  await order.selectOptions('My order')
  ;(await move('Bottom').findElement()).focus()
  await userEvent.keyboard('{Alt>}{ArrowUp}{ArrowUp}{/Alt}')
  await expect.poll(titles).toEqual(['Bottom', 'Top', 'Middle'])
  await expect.element(page.getByText('Song moved to position 1.')).toBeVisible()
  expect(crate.ids()).toEqual([bottom.entity_id, top.entity_id, middle.entity_id])
  expect(fakeApi.inputsOf(library.moveInCrate)).toEqual([{ song_id: bottom.entity_id, position: 1 }])
  await press(page, 'Undo')
  await expect.poll(titles).toEqual(['Top', 'Middle', 'Bottom'])
  expect(fakeApi.inputsOf(library.moveInCrate).at(-1)).toEqual({ song_id: bottom.entity_id, position: 3 })
})

test('shows the order from before when a move can’t be saved', async () => {
  await openCrate()
  await order.selectOptions('My order')
  fakeApi.rejectWith(library.moveInCrate, { code: 'unknown_song', message: 'This song is no longer in your crate.' })
  ;(await move('Top').findElement()).focus()
  await userEvent.keyboard('{Alt>}{ArrowDown}{/Alt}')
  await expect.poll(titles).toEqual(['Middle', 'Top', 'Bottom'])
  await expect.element(page.getByText('Couldn’t move the song')).toBeVisible()
  await expect.poll(titles).toEqual(['Top', 'Middle', 'Bottom'])
})

const slow = makeSong({ title: 'Slow', min_bpm: 120, max_bpm: 120, song_key: 'Am' })
const fits = makeSong({ title: 'Fits', min_bpm: 123, max_bpm: 123, song_key: 'Em' })
const far = makeSong({ title: 'Far', min_bpm: 140, max_bpm: 140, song_key: 'F#' })

async function openSet() {
  const songs = [far, slow, fits]
  const crate = fakeCrate(songs, songs)
  fakeApi.reply(downloads.crateSummary, SUMMARY)
  signInAs(makeProfile())
  await openApp('/crate')
  await expect.poll(titles).toEqual(['Far', 'Slow', 'Fits'])
  return crate
}
const transitionSwitch = page.getByRole('switch', { name: 'Show transitions' })

test('shows what each transition changes and why it clashes, and remembers that', async () => {
  await openSet()
  expect(transitions()).toEqual([])
  expect(fakeApi.inputsOf(library.crateTempos)).toEqual([])
  await transitionSwitch.click()
  await expect
    .poll(transitions)
    .toEqual(['2B → 8AKeys clash · Tempo differs by 17 %', '8A → 9A · one step up · −2.4 %'])
  await expect.element(page.getByText('3 songs · 1 min · 1 clash')).toBeVisible()
  expect(localStorage.getItem('dubplate.crate-transitions')).toBe('on')
  await press(page, 'Next clash')
  await expect.element(page.getByText('Clash 1 of 1')).toBeVisible()
  expect(document.activeElement?.getAttribute('data-transition')).toBe(String(slow.entity_id))
  await transitionSwitch.click()
  await expect.poll(transitions).toEqual([])
  expect(localStorage.getItem('dubplate.crate-transitions')).toBe('off')
})

test('hides transitions and handles while a genre is selected, and says so', async () => {
  await openSet()
  await order.selectOptions('My order')
  await transitionSwitch.click()
  await expect.poll(() => transitions().length).toBe(2)
  await openApp('/crate?genre=1')
  await expect.element(page.getByText('Hidden while a genre or filter is selected.')).toBeVisible()
  expect(transitions()).toEqual([])
  await expect.element(move('Far')).not.toBeInTheDocument()
  await transitionSwitch.click()
})

test('says that transitions can’t be loaded, and tries again', async () => {
  await openSet()
  fakeApi.rejectWith(library.crateTempos, { code: 'internal_error', message: 'Something went wrong.' })
  await transitionSwitch.click()
  await expect.element(page.getByText('Couldn’t load the transitions.')).toBeVisible()
  fakeApi.reply(library.crateTempos, { songs: [] })
  await press(page.getByRole('alert'), 'Try again')
  await expect.element(page.getByText('no clashes')).toBeVisible()
  await transitionSwitch.click()
})

test('arranges the crate along an energy curve, and restores the order before', async () => {
  const crate = await openSet()
  await press(page, 'Arrange as a set')
  const dialog = dialogNamed('Arrange as a set')
  await dialog.getByRole('radio', { name: 'Full night' }).click()
  await dialog.getByRole('switch', { name: 'Start with “Far”' }).click()
  await press(dialog, 'Arrange')
  await expect.poll(titles).toEqual(['Slow', 'Fits', 'Far'])
  await expect.element(dialog).not.toBeInTheDocument()
  await expect.element(order).toHaveValue('own')
  await expect.poll(() => transitions().length).toBe(2)
  expect(fakeApi.inputsOf(library.arrangeCrate)).toEqual([{ curve: 'full_night', first_song_id: far.entity_id }])
  await press(page, 'Undo')
  await expect.poll(titles).toEqual(['Far', 'Slow', 'Fits'])
  await expect.element(order).toHaveValue('newest')
  expect(fakeApi.inputsOf(library.orderCrate)).toEqual([
    { order: 'newest', song_ids: [far, slow, fits].map(({ entity_id }) => entity_id), revision: 1 },
  ])
  expect(crate.ids()[0]).toBe(far.entity_id)
  await transitionSwitch.click()
})

test('keeps the dialog open when the crate can’t be arranged', async () => {
  await openSet()
  await press(page, 'Arrange as a set')
  const dialog = dialogNamed('Arrange as a set')
  fakeApi.rejectWith(library.arrangeCrate, { code: 'internal_error', message: 'Something went wrong.' })
  await press(dialog, 'Arrange')
  await expect.element(dialog.getByRole('alert')).toHaveTextContent('Something went wrong.')
  expect(titles()).toEqual(['Far', 'Slow', 'Fits'])
})
