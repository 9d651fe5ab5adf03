import { downloadProfiles, downloads } from '@dubplate/contract'
import { filePaths } from '@dubplate/contract/schemas/file-paths'
import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { fakeApi } from '../../test/fakeApi.ts'
import { currentUrl, press } from '../../test/locators.ts'
import { makeDownloadProfile } from '../../test/memberSamples.ts'
import { openApp, reopenApp, signInAs } from '../../test/openApp.tsx'
import { makeProfile } from '../../test/samples.ts'
import { exampleVersions } from './pathPreview.ts'

type DownloadProfile = downloadProfiles.DownloadProfile

const LAPTOP = makeDownloadProfile()

const field = (label: string) => page.getByRole('textbox', { name: label, exact: true })
const system = (name: string) => page.getByRole('radio', { name })
const preview = page.getByRole('list', { name: 'Preview' })
const shownPaths = () => [...preview.element().querySelectorAll('code')].map(({ textContent }) => textContent)
const pathsOf = (profile: DownloadProfile) =>
  filePaths(profile, exampleVersions(profile.format)).map(({ absolute }) => absolute)
const saved = () => fakeApi.inputsOf(downloadProfiles.saveProfile)
const insert = (label: string, placeholder: string) =>
  press(page.getByRole('toolbar', { name: `Insert into “${label}”` }), placeholder)

/** Opens the form of a profile, or of a new one. */
async function openForm(profile: DownloadProfile | 'new', others: DownloadProfile[] = []) {
  const profiles = profile === 'new' ? others : [profile, ...others]
  fakeApi.reply(downloadProfiles.getProfiles, { profiles })
  fakeApi.reply(downloadProfiles.saveProfile, (input) => ({ profile: makeDownloadProfile({ name: input.name }) }))
  signInAs(makeProfile())
  await openApp(`/account/download-profiles?profile=${profile === 'new' ? profile : profile.profile_id}`)
  await expect.element(field('Name')).toBeVisible()
}

test('previews the paths of example songs as filePaths computes them, on each system', async () => {
  await openForm(LAPTOP)
  const folder_template = '{genre}/{artist}'
  await expect.poll(shownPaths).toEqual(pathsOf(LAPTOP))
  await field('Folders').fill(folder_template)
  await expect.poll(shownPaths).toEqual(pathsOf({ ...LAPTOP, folder_template }))
  await system('Windows').click()
  await field('Music folder').fill('E:\\Music\\')
  const onWindows = { ...LAPTOP, folder_template, system: 'windows' as const, music_folder: 'E:\\Music' }
  await expect.poll(shownPaths).toEqual(pathsOf(onWindows))
  expect(shownPaths()[1]).toBe('E:\\Music\\Drum & Bass\\Day-Night\\Day-Night - Why Not_ (Intro Clean).wav')
  await page.getByText('Advanced').click()
  await page.getByRole('radio', { name: 'Decomposed (NFD)' }).click()
  await expect.poll(shownPaths).toEqual(pathsOf({ ...onWindows, unicode_form: 'nfd' }))
})

test('explains replaced characters, shortened names and numbers next to their paths', async () => {
  await openForm(LAPTOP)
  const notes = (index: number) => preview.getByRole('listitem').nth(index).getByRole('paragraph')
  await expect.element(notes(1)).toHaveTextContent('Characters replaced, because file names can’t contain them: / ?')
  await expect.element(notes(3)).toHaveTextContent('Name shortened')
  await expect.element(notes(0)).not.toBeInTheDocument()
  await field('File name').fill('Song')
  await expect.element(notes(2)).toHaveTextContent('Number added')
  await system('Windows').click()
  await field('Folders').fill('{title}/{title}')
  await field('File name').fill('{title}')
  await expect.element(preview.getByText('programs on Windows accept up to 259 characters')).toBeVisible()
})

test('inserts placeholders at the cursor, and at the end of a field without a cursor', async () => {
  await openForm(LAPTOP)
  await insert('File name', 'BPM')
  await expect.element(field('File name')).toHaveValue('{artist} - {title} ({version}){bpm}')
  await field('File name').fill('a - b')
  const input = field('File name').element() as HTMLInputElement
  input.setSelectionRange(1, 1)
  await insert('File name', 'Title')
  await insert('File name', 'Key')
  await expect.element(field('File name')).toHaveValue('a{title}{key} - b')
  await expect.element(field('File name')).toHaveFocus()
})

test('the buttons of a template are one stop of the Tab key, between which the arrow keys move', async () => {
  await openForm(LAPTOP)
  await field('Folders').click()
  const button = (name: string) =>
    page.getByRole('toolbar', { name: 'Insert into “Folders”' }).getByRole('button', { name, exact: true })
  await userEvent.keyboard('{Tab}')
  await expect.element(button('Artist')).toHaveFocus()
  await userEvent.keyboard('{ArrowLeft}')
  await expect.element(button('ISRC')).toHaveFocus()
  await userEvent.keyboard('{ArrowRight}{ArrowRight}{Enter}')
  await expect.element(field('Folders')).toHaveValue('{title}')
  await userEvent.keyboard('{Tab}')
  await expect.element(field('File name')).toHaveFocus()
})

test('names a placeholder that does not exist, and does not save', async () => {
  await openForm(LAPTOP)
  await field('File name').fill('{artist} - {titel}')
  await press(page, 'Save profile')
  await expect.element(page.getByText('{titel} is not a field. Choose one from the list.')).toBeVisible()
  await expect.element(field('File name')).toHaveFocus()
  await expect.element(field('File name')).toBeInvalid()
  expect(saved()).toEqual([])
})

test('shows all errors at their fields at once, with the focus on the first', async () => {
  await openForm('new')
  await field('Music folder').fill('Music')
  await field('File name').fill('')
  await press(page, 'Save profile')
  await expect.element(field('Name')).toHaveAccessibleDescription(/^Enter a name\./)
  await expect.element(page.getByText(/Enter a folder that begins with/)).toBeVisible()
  await expect.element(page.getByText('Enter a file name.')).toBeVisible()
  await expect.element(field('Name')).toHaveFocus()
  expect(saved()).toEqual([])
})

test('suggests a folder for the chosen system until the folder is edited', async () => {
  await openForm('new')
  await system('macOS').click()
  await expect.element(field('Music folder')).toHaveValue('/Users/you/Music')
  await system('Windows').click()
  await expect.element(field('Music folder')).toHaveValue('C:\\Users\\you\\Music')
  await expect.element(page.getByText('Replace “you” with your user name on this computer.')).toBeVisible()
  await field('Music folder').fill('E:\\Music')
  await system('Linux').click()
  await expect.element(field('Music folder')).toHaveValue('E:\\Music')
})

test('asks for disks and versions only of the software that needs them', async () => {
  await openForm(LAPTOP)
  const software = page.getByLabelText('DJ software')
  const traktorVersion = page.getByLabelText('Traktor version')
  await expect.element(traktorVersion).not.toBeInTheDocument()
  await software.selectOptions('Traktor')
  await expect.element(traktorVersion).toBeVisible()
  await expect.element(field('Name of the system disk')).toHaveValue('Macintosh HD')
  await system('Windows').click()
  await expect.element(traktorVersion).toBeVisible()
  await expect.element(field('Name of the system disk')).not.toBeInTheDocument()
  await software.selectOptions('Serato')
  await expect.element(field('Serato drive')).not.toBeInTheDocument()
  await system('Linux').click()
  await expect.element(field('Serato drive')).toHaveValue('/')
  await expect.element(traktorVersion).not.toBeInTheDocument()
})

test('saves the whole profile, and returns to the list with a message', async () => {
  await openForm(LAPTOP, [makeDownloadProfile({ profile_id: 8, name: 'USB stick', is_default: false })])
  await field('Name').fill('Studio')
  await page.getByLabelText('DJ software').selectOptions('Traktor')
  await page.getByLabelText('Traktor version').selectOptions('Traktor 3')
  await page.getByRole('checkbox', { name: 'Year' }).click()
  await page.getByRole('checkbox', { name: 'Genre' }).click()
  await page.getByLabelText('Cover size').selectOptions('800 × 800 pixels')
  await page.getByLabelText('Key notation').selectOptions('Camelot (8A)')
  await page.getByLabelText('Write the key to').selectOptions('Key tag and comment')
  await page.getByLabelText('Stars').selectOptions('5 stars for favourites')
  await field('Comment').fill('Energy {energy}')
  await expect.element(page.getByText('8A - Energy 6')).toBeVisible()
  await page.getByRole('switch', { name: 'The versions I prefer' }).click()
  await press(page, 'Save profile')
  await expect.element(page.getByText('“Studio” saved.')).toBeVisible()
  await expect.element(page.getByRole('list', { name: 'Download profiles' })).toBeVisible()
  expect(currentUrl()).toBe('/account/download-profiles')
  expect(saved()).toEqual([
    {
      ...LAPTOP,
      ...{ name: 'Studio', software: 'traktor', traktor_version: 3, tags: ['album', 'year', 'cover'] },
      ...{ cover_pixels: 800, key_notation: 'camelot', key_field: 'both', rating: 'favourites' },
      ...{ comment_template: 'Energy {energy}', preferred_versions: true },
    },
  ])
})

test('keeps what was typed after an error of the server, which is shown at its field', async () => {
  await openForm('new')
  fakeApi.rejectWith(downloadProfiles.saveProfile, {
    code: 'name_taken',
    message: 'You already have a download profile named “Club laptop”.',
    fields: { name: 'You already have a download profile named “Club laptop”.' },
  })
  await field('Name').fill('Club laptop')
  await field('Folders').fill('{genre}')
  await press(page, 'Save profile')
  await expect
    .element(field('Name'))
    .toHaveAccessibleDescription(/^You already have a download profile named “Club laptop”\./)
  await expect.element(field('Name')).toHaveFocus()
  await expect.element(field('Folders')).toHaveValue('{genre}')

  fakeApi.setOffline(true)
  await field('Name').fill('Studio')
  await press(page, 'Save profile')
  await expect.element(page.getByRole('alert').filter({ hasText: 'You’re offline' })).toBeVisible()
  await expect.element(field('Name')).toHaveValue('Studio')
})

test('keeps unsaved changes as a draft until they are discarded', async () => {
  await openForm(LAPTOP)
  await field('Folders').fill('{genre}')
  await expect.element(page.getByText('Unsaved changes')).toBeVisible()
  await reopenApp('/account/download-profiles?profile=7')
  await expect.element(page.getByText('Unsaved draft from')).toBeVisible()
  await expect.element(field('Folders')).toHaveValue('{genre}')
  await press(page, 'Discard')
  await page.getByRole('link', { name: 'Club laptop' }).click()
  await expect.element(field('Folders')).toHaveValue('')
})

test('offers only the formats that the pool converts to', async () => {
  fakeApi.reply(downloads.customerDownloads, { conversions: ['mp3'] })
  await openForm(makeDownloadProfile({ format: 'aiff' }))
  const format = page.getByLabelText('File format')
  await expect.element(format).toHaveValue('original')
  expect([...format.element().querySelectorAll('option')].map(({ value }) => value)).toEqual(['original', 'mp3'])
  await format.selectOptions('MP3 320 for lossless files')
  await expect.poll(shownPaths).toEqual(pathsOf({ ...LAPTOP, format: 'mp3' }))
})

test('a profile stops being the default only when another one becomes it', async () => {
  const stick = makeDownloadProfile({ profile_id: 8, name: 'USB stick', is_default: false })
  const isDefault = page.getByRole('switch', { name: 'Use by default' })
  await openForm(LAPTOP, [stick])
  await expect.element(isDefault).toBeChecked()
  await expect.element(isDefault).toBeDisabled()
  await openForm(stick, [LAPTOP])
  await isDefault.click()
  await press(page, 'Save profile')
  await expect.poll(saved).toEqual([{ ...stick, is_default: true }])
})
