import {
  charts,
  collections,
  downloads,
  joining,
  library,
  membership,
  newsletter,
  spotlights,
} from '@dubplate/contract'
import { expect, test, vi } from 'vitest'
import { page } from 'vitest/browser'
import { fakeApi } from '../../test/fakeApi.ts'
import { banner, currentUrl, dialogNamed, follow, press } from '../../test/locators.ts'
import { openApp } from '../../test/openApp.tsx'
import { makeProfile, makeSong, makeVersion, singlePage } from '../../test/samples.ts'
import { downloadVersion } from '../downloads/download.ts'
import { toggleCrate, toggleFavourite } from '../library/library.ts'
import { signOut } from './membership.ts'

const signInDialog = dialogNamed('Sign In')
const createAccount = dialogNamed('Create An Account')
const application = dialogNamed('Are you a DJ?')
const SONG = makeSong({ entity_id: 7, title: 'Afterglow' })
const FACTS = {
  ...{
    description: '',
    images: [],
    created_by: null,
    song_count: 1,
    duration_seconds: 200,
    new_count: null,
    updated_at: null,
  },
} satisfies Partial<collections.Collection>

/** Lets members sign in, and answers the calls about their favourites and crate like a server. */
function acceptSignIns() {
  const favourites = new Set<number>()
  const crate = new Set<number>()
  const toggle = (ids: Set<number>, id: number) => {
    if (!ids.delete(id)) ids.add(id)
    return { count: ids.size }
  }
  fakeApi.reply(membership.signIn, ({ email }) => ({ token: `token of ${email}`, profile: makeProfile({ email }) }))
  fakeApi.reply(library.getFavouriteSongs, () => ({ favouriteSongs: [...favourites] }))
  fakeApi.reply(library.favouriteAddRemove, ({ songId }) => toggle(favourites, Number(songId)) && {})
  fakeApi.reply(library.getCrates, () => ({ crates: [...crate], version: [], count: crate.size }))
  fakeApi.reply(library.crateAddRemove, ({ songId }) => toggle(crate, Number(songId)))
  return { favourites, crate }
}

async function openCharts() {
  await openApp('/charts')
  await expect.element(banner.getByRole('button', { name: 'Sign in' })).toBeVisible()
}

async function signIn(email: string) {
  await signInDialog.getByLabelText('Email').fill(email)
  await signInDialog.getByLabelText('Password', { exact: true }).fill('dubplate')
  await press(signInDialog, 'Sign in')
  await expect.element(signInDialog).not.toBeInTheDocument()
}

const toast = (text: string) => page.getByText(text)

test('names the action in the dialog, does it once after signing in, and offers to undo it', async () => {
  const { crate } = acceptSignIns()
  await openCharts()
  await toggleCrate(SONG)
  await expect.element(signInDialog.getByText('Sign in to add “Afterglow” to your crate.')).toBeVisible()
  await follow(signInDialog, 'Create account')
  await expect.element(createAccount.getByText('Create an account to add “Afterglow” to your crate.')).toBeVisible()
  await follow(createAccount, 'Sign in')
  await signIn('dj@pool.test')
  await expect.element(toast('Added “Afterglow” to your crate.')).toBeVisible()
  expect([...crate]).toEqual([7])
  expect(currentUrl()).toBe('/charts')
  await page.getByRole('button', { name: 'Undo' }).click()
  await vi.waitUntil(() => crate.size === 0)

  await signOut()
  await press(banner, 'Sign in')
  await expect.element(signInDialog.getByLabelText('Email')).toBeVisible()
  await expect.element(signInDialog.getByText('to your crate')).not.toBeInTheDocument()
  await signIn('dj@pool.test')
  expect(fakeApi.inputsOf(library.crateAddRemove)).toHaveLength(2)
})

test('names the version that a visitor wants to download or add', async () => {
  acceptSignIns()
  const [version] = SONG.version
  await openCharts()
  await downloadVersion(version!.song_version_id, { title: 'Hush Money', version: 'Intro Clean' })
  const text = 'Sign in to download the Intro Clean version of “Hush Money”.'
  await expect.element(signInDialog.getByText(text)).toBeVisible()
  await press(signInDialog, 'Close')
  await toggleCrate(SONG, makeVersion({ version_label: 'Quick Hit' }))
  const other = 'Sign in to add the Quick Hit version of “Afterglow” to your crate.'
  await expect.element(signInDialog.getByText(other)).toBeVisible()
})

test('does not remove a song that the member already had', async () => {
  const { favourites } = acceptSignIns()
  favourites.add(7)
  await openCharts()
  await toggleFavourite(7, 'Afterglow')
  await expect.element(signInDialog.getByText('Sign in to add “Afterglow” to your favourites.')).toBeVisible()
  await signIn('dj@pool.test')
  await expect.element(toast('“Afterglow” is already there.')).toBeVisible()
  expect(fakeApi.inputsOf(library.favouriteAddRemove)).toEqual([])
})

test('adds all songs of a list after signing in', async () => {
  acceptSignIns()
  fakeApi.reply(library.crateChange, {})
  fakeApi.reply(collections.getCollection, { collection: { ...FACTS, title: 'Peak time' } })
  fakeApi.reply(collections.getCollectionSongs, { songs: [SONG], pagination: singlePage(1) })
  fakeApi.reply(spotlights.getSpotlightSongs, { title: 'Peak time', songs: [SONG], pagination: singlePage(1) })
  await openApp('/spotlight/view/7')
  const add = page.getByRole('main').getByRole('button', { name: 'Add all to crate', exact: true })
  await expect.element(add).toBeEnabled()
  await add.click()
  await expect.element(signInDialog.getByText('Sign in to add all songs of “Peak time” to your crate.')).toBeVisible()
  await signIn('dj@pool.test')
  await expect.poll(() => fakeApi.inputsOf(library.crateChange)).toMatchObject([{ action: 'add', song_ids: [7] }])
})

test('downloads all songs of a list after signing in', async () => {
  acceptSignIns()
  fakeApi.reply(charts.getTop20Songs, {
    title: 'November',
    songs: [{ ...SONG, rank: 1, downloads: 3 }],
    pagination: singlePage(1),
  })
  fakeApi.reply(collections.getCollection, { collection: { ...FACTS, title: 'November' } })
  fakeApi.reply(collections.getCollectionSongs, { songs: [SONG], pagination: singlePage(1) })
  await openApp('/top20/songs/5')
  const download = page.getByRole('main').getByRole('button', { name: 'Download all', exact: true })
  await expect.element(download).toBeEnabled()
  await download.click()
  await expect.element(signInDialog.getByText('Sign in to download all songs of “November”.')).toBeVisible()
  await signIn('dj@pool.test')
  await expect
    .poll(() => fakeApi.inputsOf(downloads.downloadCollectionBundle))
    .toEqual([{ title: 'November', top20_id: 5, versions: [SONG.version[0]?.song_version_id] }])
})

test('follows an artist after signing in', async () => {
  acceptSignIns()
  fakeApi.reply(collections.getArtist, { collection: { ...FACTS, title: 'Mara Voss' } })
  await openApp('/artist/Mara%20Voss')
  await press(page.getByRole('main'), 'Follow Mara Voss')
  await expect.element(signInDialog.getByText('Sign in to follow Mara Voss.')).toBeVisible()
  await signIn('dj@pool.test')
  await vi.waitUntil(() => fakeApi.inputsOf(newsletter.followName).length === 1)
  expect(fakeApi.inputsOf(newsletter.followName)[0]).toEqual({ kind: 'artist', name: 'Mara Voss', follow: true })
})

test('follows a chart after signing in', async () => {
  acceptSignIns()
  fakeApi.reply(collections.getCollection, { collection: { ...FACTS, title: 'Weekly chart' } })
  await openApp('/charts?chart=weekly')
  await press(page.getByRole('main'), 'Follow Weekly chart')
  await expect.element(signInDialog.getByText('Sign in to follow Weekly chart.')).toBeVisible()
  await signIn('dj@pool.test')
  await vi.waitUntil(() => fakeApi.inputsOf(newsletter.followList).length === 1)
  expect(fakeApi.inputsOf(newsletter.followList)[0]).toMatchObject({
    kind: 'chart',
    chart_type: 'weekly',
    follow: true,
  })
})

test('forgets the action when the dialog is closed', async () => {
  const { crate } = acceptSignIns()
  await openCharts()
  await toggleCrate(SONG)
  await expect.element(signInDialog.getByText('to your crate')).toBeVisible()
  history.back()
  await expect.element(signInDialog).not.toBeInTheDocument()
  await press(banner, 'Sign in')
  await expect.element(signInDialog.getByLabelText('Email')).toBeVisible()
  await expect.element(signInDialog.getByText('to your crate')).not.toBeInTheDocument()
  await signIn('dj@pool.test')
  expect([...crate]).toEqual([])
})

test('keeps the action for the person who created an account, and for nobody else', async () => {
  const { crate } = acceptSignIns()
  fakeApi.reply(joining.signUp, { token: 'token-of-an-applicant' })
  fakeApi.reply(joining.submitApplication, { email: 'ada@joining.test', address_confirmed: true })
  await openCharts()
  await toggleCrate(SONG)
  await follow(signInDialog, 'Create account')
  await createAccount.getByLabelText('DJ Name').fill('DJ Ada')
  await createAccount.getByLabelText('Email').fill('Ada@joining.test')
  await createAccount.getByLabelText('Password', { exact: true }).fill('violet tram 77 drummer')
  await press(createAccount, 'Create account')
  await application.getByRole('radio', { name: 'Social link' }).click()
  await application.getByLabelText('Link (SoundCloud, Mixcloud, Instagram…)').fill('https://music.example/new')
  await press(application, 'Submit application')
  await expect.element(application.getByRole('heading', { name: 'Application submitted' })).toHaveFocus()
  history.back()
  await expect.element(application).not.toBeInTheDocument()

  await press(banner, 'Sign in')
  await signIn('someone-else@pool.test')
  await signOut()
  expect([...crate]).toEqual([])

  await press(banner, 'Sign in')
  await signIn('ada@joining.test')
  await expect.element(toast('Added “Afterglow” to your crate.')).toBeVisible()
  expect([...crate]).toEqual([7])
})

async function findButton(name: string): Promise<HTMLElement> {
  const button = page.getByRole('main').getByRole('button', { name, exact: true })
  await expect.element(button).toBeVisible()
  return button.element() as HTMLElement
}

test('offers an account as prominently as signing in', async () => {
  await openApp('/favourite-songs')
  const [signInButton, createButton] = (await Promise.all(
    ['Sign in', 'Create account'].map((name) => findButton(name)),
  )) as [HTMLElement, HTMLElement]
  expect(createButton.offsetWidth).toBe(signInButton.offsetWidth)
  expect(getComputedStyle(createButton).backgroundColor).toBe(getComputedStyle(signInButton).backgroundColor)

  signInButton.click()
  const submit = signInDialog.getByRole('button', { name: 'Sign in', exact: true })
  await expect.element(submit).toBeVisible()
  const link = signInDialog.getByRole('link', { name: 'Create account' })
  const boxOf = (target: typeof link) => target.element().getBoundingClientRect()
  expect(boxOf(link).width).toBe(boxOf(submit).width)
  expect(boxOf(link).height).toBe(boxOf(submit).height)
  expect(link.element().getAttribute('data-look')).toBe(submit.element().getAttribute('data-look'))
})
