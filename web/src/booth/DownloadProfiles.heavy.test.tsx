import { downloadProfiles } from '@dubplate/contract'
import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { fakeApi } from '../../test/fakeApi.ts'
import { currentUrl, dialogNamed, follow, press } from '../../test/locators.ts'
import { makeDownloadProfile } from '../../test/memberSamples.ts'
import { openApp, signInAs } from '../../test/openApp.tsx'
import { makeProfile } from '../../test/samples.ts'

type DownloadProfile = downloadProfiles.DownloadProfile

const LAPTOP = makeDownloadProfile()
const STICK = makeDownloadProfile({
  ...{ profile_id: 8, name: 'USB stick', is_default: false },
  ...{ system: 'windows', software: 'traktor', music_folder: 'E:\\Music' },
})

const list = page.getByRole('list', { name: 'Download profiles' })
const row = (name: string) => list.getByRole('listitem').filter({ hasText: name })
const addButton = page.getByRole('button', { name: 'Add profile' })

async function openProfiles(profiles: DownloadProfile[], url = '/account/download-profiles') {
  let stored = profiles
  fakeApi.reply(downloadProfiles.getProfiles, () => ({ profiles: stored }))
  fakeApi.reply(downloadProfiles.removeProfile, ({ profile_id }) => {
    stored = stored.filter((each) => each.profile_id !== profile_id)
    return { profiles: stored }
  })
  fakeApi.reply(downloadProfiles.saveProfile, ({ profile_id }) => {
    stored = stored.map((each) => ({ ...each, is_default: each.profile_id === profile_id }))
    return { profile: stored.find((each) => each.profile_id === profile_id)! }
  })
  signInAs(makeProfile())
  await openApp(url)
}

async function openMenu(name: string, item: string) {
  await press(page, `More options for ${name}`)
  await page.getByRole('menuitem', { name: item }).click()
}

test('lists profiles with their system, software and folder, and opens one by its name', async () => {
  await openProfiles([LAPTOP, STICK])
  await expect.element(row('Club laptop')).toHaveTextContent('Club laptopDefaultmacOS · rekordbox/Users/dj/Music')
  await expect.element(row('USB stick')).toHaveTextContent('USB stickWindows · Traktor 4E:\\Music')
  await row('USB stick').getByRole('link').click()
  await expect.element(page.getByLabelText('Name', { exact: true })).toHaveValue('USB stick')
  expect(currentUrl()).toBe('/account/download-profiles?profile=8')
  history.back()
  await expect.element(row('USB stick')).toBeVisible()
})

test('explains what to do without any profile', async () => {
  await openProfiles([])
  await expect.element(page.getByText('No download profiles yet')).toBeVisible()
  await page.getByRole('link', { name: 'Add profile' }).click()
  await expect.element(page.getByRole('form', { name: 'Add download profile' })).toBeVisible()
  expect(currentUrl()).toBe('/account/download-profiles?profile=new')
})

test('makes another profile the default at once, and goes back when that fails', async () => {
  await openProfiles([LAPTOP, STICK])
  await openMenu('USB stick', 'Make default')
  await expect.element(row('USB stick').getByText('Default')).toBeVisible()
  await expect.element(row('Club laptop').getByText('Default')).not.toBeInTheDocument()
  const { profile_id, ...settings } = STICK
  expect(fakeApi.inputsOf(downloadProfiles.saveProfile)).toEqual([{ profile_id, ...settings, is_default: true }])

  fakeApi.rejectWith(downloadProfiles.saveProfile, { code: 'unknown_profile', message: 'Download profile not found.' })
  await openMenu('Club laptop', 'Make default')
  await expect.element(page.getByText('Couldn’t save your changes')).toBeVisible()
  await expect.element(row('USB stick').getByText('Default')).toBeVisible()
})

test('deletes a profile after a confirmation that names the next default', async () => {
  await openProfiles([LAPTOP, STICK])
  await openMenu('Club laptop', 'Delete')
  const dialog = dialogNamed('Delete “Club laptop”?')
  await expect.element(dialog.getByText('“USB stick” becomes the default.')).toBeVisible()
  expect(fakeApi.inputsOf(downloadProfiles.removeProfile)).toEqual([])
  await press(dialog, 'Delete profile')
  await expect.element(row('Club laptop')).not.toBeInTheDocument()
  await expect.element(page.getByText('“Club laptop” deleted.')).toBeVisible()
  expect(fakeApi.inputsOf(downloadProfiles.removeProfile)).toEqual([{ profile_id: 7 }])
})

test('keeps the profile and shows why it could not be deleted', async () => {
  await openProfiles([LAPTOP])
  fakeApi.rejectWith(downloadProfiles.removeProfile, { code: 'internal_error', message: 'Something went wrong.' })
  await openMenu('Club laptop', 'Delete')
  const dialog = dialogNamed('Delete “Club laptop”?')
  await expect.element(dialog.getByText('becomes the default')).not.toBeInTheDocument()
  await press(dialog, 'Delete profile')
  await expect.element(dialog.getByText('Something went wrong.')).toBeVisible()
  await press(dialog, 'Cancel')
  await expect.element(row('Club laptop')).toBeVisible()
})

test('opens a copy as a new profile', async () => {
  await openProfiles([LAPTOP, STICK])
  await openMenu('USB stick', 'Duplicate')
  await expect.element(page.getByLabelText('Name', { exact: true })).toHaveValue('Copy of USB stick')
  await expect.element(page.getByLabelText('Music folder')).toHaveValue('E:\\Music')
  await expect.element(page.getByRole('form', { name: 'Add download profile' })).toBeVisible()
})

test('explains the limit, and offers neither another profile nor a copy', async () => {
  const many = [...Array(downloadProfiles.MAX_PROFILES).keys()].map((n) =>
    makeDownloadProfile({ profile_id: n + 1, name: `Stick ${n}`, is_default: n === 0 }),
  )
  await openProfiles(many)
  await expect
    .element(page.getByText('You’ve reached the limit of 10 download profiles. Delete one to add another.'))
    .toBeVisible()
  await expect.element(addButton).toBeDisabled()
  await press(page, 'More options for Stick 3')
  await expect.element(page.getByRole('menuitem', { name: 'Edit' })).toBeVisible()
  await expect.element(page.getByRole('menuitem', { name: 'Duplicate' })).not.toBeInTheDocument()
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  await press(page, 'Delete profile')
  await expect.element(addButton).toBeEnabled()
})

test('shows placeholders while loading, and loads again after an error', async () => {
  const release = fakeApi.holdReply(downloadProfiles.getProfiles)
  await openProfiles([LAPTOP])
  await expect.element(page.getByRole('group', { name: 'Loading download profiles…' })).toBeInTheDocument()
  fakeApi.rejectWith(downloadProfiles.getProfiles, { code: 'internal_error', message: 'Something went wrong.' })
  release()
  await expect.element(page.getByText('Couldn’t load your download profiles')).toBeVisible()
  fakeApi.reply(downloadProfiles.getProfiles, { profiles: [LAPTOP] })
  await press(page, 'Try again')
  await expect.element(row('Club laptop')).toBeVisible()
})

test('says that the connection is lost, and loads the profiles when it is back', async () => {
  await openProfiles([LAPTOP], '/account/display')
  await expect.element(page.getByRole('link', { name: 'Download profiles' })).toBeVisible()
  fakeApi.setOffline(true)
  await follow(page, 'Download profiles')
  await expect.element(page.getByText('You’re offline. Try again when you’re back online.')).toBeVisible()
  fakeApi.setOffline(false)
  await expect.element(row('Club laptop')).toBeVisible()
})

test('explains that a profile was deleted', async () => {
  await openProfiles([LAPTOP], '/account/download-profiles?profile=99')
  await expect.element(page.getByText('Download profile not found')).toBeVisible()
  await page.getByRole('link', { name: 'See download profiles' }).click()
  await expect.element(row('Club laptop')).toBeVisible()
})
