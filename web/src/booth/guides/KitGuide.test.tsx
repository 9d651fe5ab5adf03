import {
  libraryFileName,
  relativePlaylistName,
  SOFTWARE,
  SOFTWARE_NAMES,
  type Software,
} from '@dubplate/contract/schemas/dj-software'
import { describe, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { currentUrl } from '../../../test/locators.ts'
import { openApp } from '../../../test/openApp.tsx'

const heading = (name: string) => page.getByRole('heading', { name, exact: true })
const steps = () => page.getByRole('region', { name: 'Import the kit' }).getByRole('listitem')
const systemChoice = (name: string) =>
  page.getByRole('navigation', { name: 'Operating system' }).getByRole('link', { name })

/** The name of the file that the server writes, without its folders. */
const libraryFile = (software: Software) => libraryFileName(software, 'Friday night').split('/').at(-1)!

describe.each(SOFTWARE)('the guide of %s', (software) => {
  test('is readable without signing in and names the library file of the kit', async () => {
    await openApp(`/dj-software/${software}`)
    await expect.element(heading(`Use your kit in ${SOFTWARE_NAMES[software]}`)).toBeInTheDocument()
    const main = page.getByRole('main')
    await expect.element(main).toHaveTextContent(libraryFile(software))
    await expect.element(main).toHaveTextContent(`Friday night for ${SOFTWARE_NAMES[software]}.zip`)
    await expect.element(main).toHaveTextContent(relativePlaylistName('Friday night'))
    await expect.poll(() => steps().elements().length).toBeGreaterThanOrEqual(3)
    await expect.poll(() => steps().elements().length).toBeLessThanOrEqual(5)
  })

  test('has no placeholder left in its texts', async () => {
    await openApp(`/dj-software/${software}`)
    await expect.element(heading('If something is missing')).toBeVisible()
    await expect.element(page.getByRole('main')).not.toHaveTextContent(/[{}<>]|undefined/)
  })
})

test('shows the paths of the chosen system', async () => {
  await openApp('/dj-software/mixxx?system=windows')
  const main = page.getByRole('main')
  await expect.element(main).toHaveTextContent('C:\\Users\\you\\Music\\DJ')
  await systemChoice('macOS').click()
  await expect.element(main).toHaveTextContent('/Users/you/Music/DJ')
  await expect.element(main).not.toHaveTextContent('C:\\')
  await systemChoice('Linux').click()
  await expect.element(main).toHaveTextContent('/home/you/Music/DJ')
  expect(currentUrl()).toBe('/dj-software/mixxx?system=linux')
})

test('explains where VirtualDJ has its folder on each system', async () => {
  await openApp('/dj-software/virtualdj?system=windows')
  const main = page.getByRole('main')
  await expect.element(main).toHaveTextContent('C:\\Users\\you\\AppData\\Local\\VirtualDJ\\MyLists')
  await expect.element(main).toHaveTextContent('The folder AppData is hidden.')
  await systemChoice('macOS').click()
  await expect.element(main).toHaveTextContent('/Users/you/Library/Application Support/VirtualDJ/MyLists')
  await expect.element(main).toHaveTextContent('The folder Library is hidden.')
})

test('offers only the systems that a program runs on', async () => {
  await openApp('/dj-software/rekordbox?system=linux')
  await expect.element(systemChoice('Windows')).toHaveAttribute('aria-current', 'true')
  await expect.element(systemChoice('Linux')).not.toBeInTheDocument()
})

test('shows that a program does not exist', async () => {
  await openApp('/dj-software/winamp')
  await expect.element(heading('This page doesn’t exist')).toBeVisible()
})

test('links from the overview to the guide of every program', async () => {
  await openApp('/dj-software')
  for (const software of SOFTWARE) {
    const card = page.getByRole('main').getByRole('link', { name: SOFTWARE_NAMES[software] })
    await expect.element(card).toHaveAttribute('href', `/dj-software/${software}`)
  }
})

test('compares what a kit contains for each program', async () => {
  await openApp('/dj-software')
  const row = (name: string) => page.getByRole('row', { name: new RegExp(`^${name}`) })
  await expect.element(row('Playlist')).toHaveTextContent(/^Playlist(Included){6}$/)
  const cues = 'Cue pointsIncludedIncludedIncludedNot includedIncludedIncluded'
  await expect.element(row('Cue points')).toHaveTextContent(cues)
})
