import { ownLibrary } from '@dubplate/contract'
import { beforeEach, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { errorReply, fakeApi } from '../../test/fakeApi.ts'
import { dialogNamed, press } from '../../test/locators.ts'
import { openApp, signInAs } from '../../test/openApp.tsx'
import { makeProfile } from '../../test/samples.ts'
import { makeImport, makeLibrary, makeOverview } from './testing.ts'

const EMPTY = makeOverview({ libraries: [], songs: { in_library: 0, downloaded: 0, owned: 0 } })

const track = (n: number) =>
  `<ENTRY ARTIST="Ada Vale" TITLE="Song ${n}"><LOCATION DIR="/:Music/:" FILE="song ${n}.mp3" VOLUME="C:"></LOCATION><INFO PLAYTIME="200"></INFO></ENTRY>`

const nml = (count: number, end = '</COLLECTION></NML>') =>
  `<?xml version="1.0"?><NML VERSION="19"><COLLECTION ENTRIES="${count}">${Array.from({ length: count }, (_, n) => track(n + 1)).join('')}${end}`

type SelectedFile = { name: string; content: string; path?: string }

/** Sets the files of an input, as the browser does once they are chosen. */
function choose(label: string, ...files: SelectedFile[]) {
  const input = document.querySelector<HTMLInputElement>(`input[aria-label="${label}"]`)!
  const transfer = new DataTransfer()
  for (const { name, content, path } of files) {
    const file = new File([content], name)
    if (path) Object.defineProperty(file, 'webkitRelativePath', { value: path })
    transfer.items.add(file)
  }
  Object.defineProperty(input, 'files', { value: transfer.files, configurable: true })
  input.dispatchEvent(new Event('change', { bubbles: true }))
}

const chooseFile = (name: string, content: string) => choose('Choose library file', { name, content })

const sentParts = () => fakeApi.inputsOf(ownLibrary.importCollection)
const form = page.getByRole('form', { name: 'Import library' })

async function open(overview: ownLibrary.LibraryOverview = EMPTY) {
  fakeApi.reply(ownLibrary.getLibraries, overview)
  signInAs(makeProfile())
  await openApp('/dj-library')
  await expect.element(page.getByRole('heading', { name: 'DJ library', exact: true })).toBeVisible()
}

/** Accepts parts; once the last has arrived, the worker compares the library. */
function acceptParts() {
  fakeApi.reply(ownLibrary.importCollection, ({ name, total, offset, entries }) => {
    const done = Number(offset) + entries.length
    const current = makeImport({ library_id: 2, name, entries: Number(total), done, state: 'receiving' })
    const isLast = done === Number(total)
    if (isLast)
      fakeApi.reply(ownLibrary.getLibraries, { ...EMPTY, imports: [{ ...current, state: 'matching', done: 0 }] })
    return { import: isLast ? makeImport({ ...current, state: 'matching' }) : current }
  })
}

beforeEach(() => acceptParts())

test('explains to visitors what a library is for', async () => {
  await openApp('/dj-library')
  await expect.element(page.getByText('Import your DJ library to see which songs you already have.')).toBeVisible()
})

test('says without a library what it is good for and what is sent', async () => {
  await open()
  await expect.element(page.getByRole('heading', { name: 'Compare your music with the pool' })).toBeVisible()
  await expect.element(page.getByText(/Your music is never uploaded/)).toBeVisible()
  await page.getByText('Where is my library file?').click()
  await expect.element(page.getByText('collection.nml', { exact: true })).toBeVisible()
  await expect
    .element(page.getByRole('main').getByRole('link', { name: 'Traktor' }))
    .toHaveAttribute('href', '/dj-software/traktor')
})

test('reads a library, sends it only after a confirmation, and follows the comparison', async () => {
  await open()
  chooseFile('collection.nml', nml(3))
  await expect.element(page.getByRole('heading', { name: '3 files found' })).toBeVisible()
  await expect.element(form.getByLabelText('Name')).toHaveValue('Traktor')
  expect(sentParts()).toEqual([])
  await press(form, 'Import 3 files')
  await expect.element(page.getByRole('heading', { name: 'Comparing “Traktor” with the pool…' })).toBeVisible()
  await expect.element(page.getByText('Waiting to start. You can leave this page.')).toBeVisible()
  const [part] = sentParts()
  expect(part).toMatchObject({ name: 'Traktor', format: 'traktor', total: 3, offset: 0 })
  expect(part!.entries[0]).toEqual({
    ...{ artist: 'Ada Vale', title: 'Song 1', version: '', remixer: '', isrc: '', duration_seconds: 200, bytes: null },
    path_parts: ['Music', 'song 1.mp3'],
  })
  fakeApi.reply(ownLibrary.getLibraries, makeOverview({ libraries: [makeLibrary({ entries: 3 })] }))
  await expect
    .element(page.getByRole('list', { name: 'Your libraries' }).getByRole('heading', { name: 'Traktor' }))
    .toBeVisible()
})

test('sends a large library in parts that belong together', async () => {
  await open()
  chooseFile('collection.nml', nml(1201))
  await press(form, 'Import 1,201 files')
  await expect.poll(() => sentParts().map(({ offset }) => offset)).toEqual([0, 500, 1000])
  expect(sentParts().map(({ library_id }) => library_id)).toEqual([undefined, 2, 2])
})

test('pauses without a connection, and continues with the part that was not received', async () => {
  await open()
  fakeApi.reply(ownLibrary.importCollection, ({ offset }) => {
    if (Number(offset) > 0) fakeApi.setOffline(true)
    return { import: makeImport({ state: 'receiving', entries: 600 }) }
  })
  chooseFile('collection.nml', nml(1100))
  await press(form, 'Import 1,100 files')
  await expect.element(page.getByText('Connection lost. The import continues when you’re online again.')).toBeVisible()
  acceptParts()
  fakeApi.setOffline(false)
  await expect.element(page.getByRole('heading', { name: 'Comparing “Traktor” with the pool…' })).toBeVisible()
  expect(sentParts().map(({ offset }) => offset)).toEqual([0, 500, 1000])
})

test('shows why the server rejects a library, and cancels the import', async () => {
  await open()
  fakeApi.reply(ownLibrary.importCollection, ({ offset }) => {
    if (Number(offset) === 0) return { import: makeImport({ state: 'receiving', entries: 600 }) }
    throw errorReply({ code: 'library_too_large', message: 'Your libraries can have up to 100,000 files together.' })
  })
  chooseFile('collection.nml', nml(600))
  await press(form, 'Import 600 files')
  await expect.element(page.getByText('Your libraries can have up to 100,000 files together.')).toBeVisible()
  await press(page.getByRole('region', { name: 'Importing “Traktor”…' }), 'Cancel')
  await expect.poll(() => fakeApi.inputsOf(ownLibrary.removeCollection)).toEqual([{ library_id: 2 }])
  await expect.element(page.getByText('Drop your library file or music folder here')).toBeVisible()
})

test('says that a file is no library, and lets the member choose again', async () => {
  await open()
  chooseFile('photos.zip', 'PK')
  const alert = page.getByRole('alert').filter({ hasText: 'Couldn’t read photos.zip.' })
  await expect.element(alert).toHaveTextContent(/This file isn't a library of a DJ program/)
  chooseFile('collection.nml', nml(1))
  await expect.element(page.getByRole('heading', { name: '1 file found' })).toBeVisible()
  await expect.element(alert).not.toBeInTheDocument()
})

test('says that a library has no files', async () => {
  await open()
  chooseFile('collection.nml', nml(0))
  await expect.element(page.getByText('There are no music files in this library. Choose another one.')).toBeVisible()
})

test('imports the files before the damaged place of a library', async () => {
  await open()
  chooseFile('collection.nml', nml(3, '<ENTRY ARTIST="Ada'))
  await expect
    .element(form.getByRole('alert'))
    .toHaveTextContent(
      'This file is incomplete. Export or copy it again. You can import the 2 files before that point.',
    )
  await press(form, 'Import 2 files')
  await expect.poll(() => sentParts().map(({ total }) => total)).toEqual([2])
})

test('reads the names and sizes of the music in a folder', async () => {
  await open()
  choose(
    'Choose folder',
    { name: 'Song.mp3', content: 'abcd', path: 'House/2026/Song.mp3' },
    { name: '._Song.mp3', content: 'x', path: 'House/2026/._Song.mp3' },
    { name: 'cover.jpg', content: 'x', path: 'House/2026/cover.jpg' },
  )
  await expect.element(form.getByLabelText('Name')).toHaveValue('House')
  await press(form, 'Import 1 file')
  await expect
    .poll(() => sentParts()[0]?.entries)
    .toMatchObject([{ path_parts: ['House', '2026', 'Song.mp3'], bytes: 4 }])
  expect(sentParts()[0]).toMatchObject({ format: 'folder' })
})

test('finds the library in the folder of a DJ program', async () => {
  await open()
  choose(
    'Choose folder',
    { name: 'collection.nml', content: nml(2), path: 'Traktor 3.11/collection.nml' },
    {
      ...{ name: 'stripes.bin', content: 'x', path: 'Traktor 3.11/Stripes/stripes.bin' },
    },
  )
  await expect.element(page.getByRole('heading', { name: '2 files found' })).toBeVisible()
})

test('says that a folder has no music', async () => {
  await open()
  choose('Choose folder', { name: 'notes.txt', content: 'x', path: 'Papers/notes.txt' })
  await expect.element(page.getByText(/There are no music files in “Papers”/)).toBeVisible()
})

test('says that a library of the same name is replaced, and needs a name', async () => {
  await open(makeOverview())
  await press(page, 'Add library')
  chooseFile('collection.nml', nml(1))
  await expect.element(form.getByText(/^Replaces the library of this name, imported 20 Nov 2026\./)).toBeVisible()
  await form.getByLabelText('Name').fill(' ')
  await expect.element(form.getByText('Enter a name.')).toBeVisible()
  await expect.element(form.getByRole('button', { name: 'Import 1 file' })).toBeDisabled()
  await form.getByLabelText('Name').fill('Old laptop')
  await press(form, 'Import 1 file')
  await expect.poll(() => sentParts()[0]?.name).toBe('Old laptop')
})

test('offers to import again what failed or was not finished, and to delete it', async () => {
  const failed = makeImport({ state: 'failed', name: 'Serato' })
  const unfinished = makeImport({ library_id: 3, state: 'receiving', name: 'USB' })
  await open(makeOverview({ libraries: [], imports: [failed, unfinished] }))
  const card = page.getByRole('region', { name: 'The import of “USB” isn’t finished' })
  await expect
    .element(card.getByText('500 of 2,000 files were received. Choose the library again to import it.'))
    .toBeVisible()
  await expect.element(page.getByRole('heading', { name: 'Couldn’t compare “Serato” with the pool' })).toBeVisible()
  fakeApi.reply(ownLibrary.removeCollection, makeOverview({ libraries: [], imports: [failed] }))
  await press(card, 'Delete')
  await expect.element(card).not.toBeInTheDocument()
  expect(fakeApi.inputsOf(ownLibrary.removeCollection)).toEqual([{ library_id: 3 }])
  await press(page, 'Import again')
  await expect.element(page.getByText('Drop your library file or music folder here')).toBeVisible()
})

test('does not offer to cancel while a library is compared again: that would delete it', async () => {
  await open(makeOverview({ imports: [makeImport({ library_id: 1, name: 'Traktor' })] }))
  const card = page.getByRole('region', { name: 'Comparing “Traktor” with the pool…' })
  await expect.element(card.getByText('500 of 2,000 files compared.')).toBeVisible()
  expect(card.getByRole('button').elements()).toEqual([])
})

test('compares a library again, and deletes it after a confirmation', async () => {
  await open(makeOverview())
  fakeApi.reply(
    ownLibrary.matchAgain,
    makeOverview({ imports: [makeImport({ library_id: 1, name: 'Traktor', done: 0 })] }),
  )
  await press(page, 'More options for Traktor')
  await page.getByRole('menuitem', { name: 'Compare with the pool again' }).click()
  await expect.element(page.getByRole('heading', { name: 'Comparing “Traktor” with the pool…' })).toBeVisible()
  fakeApi.reply(ownLibrary.removeCollection, () => {
    // The page asks for the libraries every few seconds.
    fakeApi.reply(ownLibrary.getLibraries, EMPTY)
    return EMPTY
  })
  await press(page, 'More options for Traktor')
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  const question = dialogNamed('Delete “Traktor”?')
  await expect.element(question.getByText(/Your files and downloads aren’t affected\./)).toBeVisible()
  await press(question, 'Delete')
  await expect.element(page.getByText('“Traktor” deleted.')).toBeVisible()
  await expect.element(page.getByRole('heading', { name: 'Compare your music with the pool' })).toBeVisible()
})

test('shows that the libraries could not be loaded', async () => {
  fakeApi.rejectWith(ownLibrary.getLibraries, { code: 'internal_error', message: 'Something went wrong.' })
  signInAs(makeProfile())
  await openApp('/dj-library')
  await expect.element(page.getByRole('heading', { name: 'Couldn’t load your DJ library' })).toBeVisible()
})
