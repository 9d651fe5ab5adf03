import { imports, staff } from '@dubplate/contract'
import { expect, onTestFinished, test } from 'vitest'
import { page } from 'vitest/browser'
import { fakeApi } from '../../../test/fakeApi.ts'
import { currentUrl, dialogNamed, press } from '../../../test/locators.ts'
import { reopenApp, signInAs } from '../../../test/openApp.tsx'
import { makeProfile } from '../../../test/samples.ts'
import { makeDashboard, makeImport, makeImportFile } from '../../../test/staffSamples.ts'
import { stopFolderUpload, uploadFolder, useFolderUpload } from './folderUpload.ts'

const onePage = (totalCount: number) => ({ page: 1, perPageLimit: 100, totalCount })

async function open(url = '/staff/import') {
  signInAs(makeProfile({ staff_role: 'curator' }))
  fakeApi.reply(staff.getDashboard, makeDashboard())
  // Without the replies of an earlier visit.
  await reopenApp(url)
}

function replyWithHistory(found: imports.ImportRun[], folders: string[] = ['/srv/music']) {
  fakeApi.reply(imports.getImports, { imports: found, folders, pagination: onePage(found.length) })
}

async function openImport(run: Partial<imports.ImportRun>, files: imports.ImportFile[] = [], url = '') {
  fakeApi.reply(imports.getImport, { import: makeImport(run) })
  fakeApi.reply(imports.getImportFiles, { files, pagination: onePage(files.length) })
  await open(`/staff/import?run=7${url}`)
}

const history = page.getByRole('region', { name: 'Import history' })
const serverFolder = page.getByRole('region', { name: 'From a server folder' })
const browserFolder = page.getByRole('region', { name: 'From your computer' })
const files = page.getByRole('region', { name: 'Files', exact: true })
const scanned = { files: 4, files_done: 4, versions_added: 2, songs_added: 1, skipped: 2, noted: 1 }

/** Chooses the files of a folder. A browser only lets a real folder be chosen, so they are set by code. */
function chooseFolder(...paths: string[]) {
  const transfer = new DataTransfer()
  for (const path of paths) {
    const file = new File(['content'], path.split('/').at(-1) ?? '')
    Object.defineProperty(file, 'webkitRelativePath', { value: path })
    transfer.items.add(file)
  }
  const input = document.querySelector<HTMLInputElement>('input[webkitdirectory]')!
  Object.defineProperty(input, 'files', { value: transfer.files, configurable: true })
  input.dispatchEvent(new Event('change', { bubbles: true }))
}

test('lists imports with their status and result, and opens one', async () => {
  replyWithHistory([
    makeImport({ folder: 'Promos', source: 'browser', ...scanned }),
    makeImport({ import_run_id: 8, folder: '/srv/music/broken', state: 'failed' }),
  ])
  await open()
  const row = history.getByRole('row', { name: 'Promos' })
  await expect.element(row).toHaveTextContent(/Uploaded from browser.*Scanned.*2 versions to import \(1 new song\)/)
  await expect.element(history.getByRole('row', { name: 'broken' })).toHaveTextContent(/Server folder.*Failed/)
  await expect.element(page.getByText(/Nothing is imported until you confirm\./)).toBeVisible()
  await row.getByRole('link', { name: 'Promos' }).click()
  await expect.poll(currentUrl).toBe('/staff/import?run=7')
})

test('explains an empty history, and one that could not be loaded', async () => {
  replyWithHistory([])
  await open()
  await expect.element(history.getByRole('heading', { name: 'No imports yet' })).toBeVisible()
  fakeApi.rejectWith(imports.getImports, { code: 'internal_error', message: 'Something went wrong.' })
  await reopenApp('/staff/import')
  await expect.element(history.getByRole('heading', { name: 'Couldn’t load imports' })).toBeVisible()
})

test('browses the allowed folders, shows errors at the fields, and scans a folder', async () => {
  replyWithHistory([])
  const promos = { name: 'Promos', folder: '/srv/music/Promos' }
  fakeApi.reply(imports.getFolders, ({ folder }) => ({
    ...(folder === '/srv/music' ? { folders: [promos], above: null } : { folders: [], above: '/srv/music' }),
    ...{ folder, files: 3 },
  }))
  await open()
  const field = serverFolder.getByRole('textbox', { name: 'Folder' })
  await press(serverFolder, 'Scan folder')
  await expect.element(serverFolder.getByText('Enter a folder.')).toBeVisible()
  await press(serverFolder, '/srv/music')
  await expect.element(serverFolder.getByText(/^1 folder and 3 audio files in \/srv\/music\./)).toBeVisible()
  await press(serverFolder, 'Promos')
  await expect.element(field).toHaveValue('/srv/music/Promos')
  await press(serverFolder, 'Up')
  await press(serverFolder, 'All folders')
  await expect.element(field).toHaveValue('')
  await field.fill('/etc')
  const message = 'This folder can’t be imported.'
  fakeApi.rejectWith(imports.startImport, { code: 'folder_not_allowed', message, fields: { folder: message } })
  await press(serverFolder, 'Scan folder')
  await expect.element(serverFolder.getByText(message)).toBeVisible()

  fakeApi.reply(imports.startImport, { import: makeImport() })
  fakeApi.reply(imports.getImport, { import: makeImport() })
  await field.fill('/srv/music')
  await serverFolder.getByRole('textbox', { name: 'Default genre' }).fill('House')
  await press(serverFolder, 'Scan folder')
  await expect.poll(currentUrl).toBe('/staff/import?run=7')
  const input = { folder: '/srv/music', song_section_id: 1, genre: 'House', pattern: '', tag_encoding: 'automatic' }
  expect(fakeApi.inputsOf(imports.startImport).at(-1)).toEqual(input)
})

test('explains how to enable server folders', async () => {
  replyWithHistory([], [])
  await open()
  await expect.element(serverFolder.getByText(/^IMPORT_FOLDERS=/)).toBeVisible()
  await expect.element(serverFolder.getByRole('textbox')).not.toBeInTheDocument()
})

test('says what a folder of the computer contains, and uploads it to a new import', async () => {
  onTestFinished(stopFolderUpload)
  replyWithHistory([])
  await open()
  await expect.element(browserFolder).toBeVisible()
  chooseFolder('Crate/notes.txt')
  await expect
    .element(browserFolder.getByText('No MP3, M4A, OGG, Opus, WAV, FLAC or AIFF files in this folder.'))
    .toBeVisible()
  await expect.element(browserFolder.getByRole('button', { name: 'Upload and scan' })).not.toBeInTheDocument()
  chooseFolder('Crate/1.wav', 'Crate/2.mp3', 'Crate/cover.png', 'Crate/list.csv', 'Crate/notes.txt')
  const contents = 'Crate: 2 audio files, 14 B, 1 cover, 1 sheet, 1 other file skipped'
  await expect.element(browserFolder.getByText(contents)).toBeVisible()
  const run = makeImport({ source: 'browser', folder: 'Crate', state: 'uploading' })
  fakeApi.reply(imports.createUploadImport, { import: run })
  fakeApi.reply(imports.getImport, { import: run })
  await press(browserFolder, 'Upload and scan')
  await expect.poll(currentUrl).toBe('/staff/import?run=7')
  expect(fakeApi.inputsOf(imports.createUploadImport)).toMatchObject([{ folder: 'Crate', song_section_id: 1 }])
  await expect.poll(() => useFolderUpload.getState().current).toMatchObject({ import_run_id: 7, fileCount: 2 })
})

test('scans again when another tag encoding is chosen, until the import starts', async () => {
  await openImport({ ...scanned, tag_encoding: 'automatic' })
  const encoding = page.getByRole('combobox', { name: 'Tag encoding' })
  await expect.element(encoding).toHaveValue('automatic')
  fakeApi.reply(imports.planImport, { import: makeImport({ ...scanned, tag_encoding: 'cyrillic' }) })
  fakeApi.reply(imports.getImport, { import: makeImport({ ...scanned, tag_encoding: 'cyrillic' }) })
  await encoding.selectOptions('Cyrillic (Windows-1251)')
  await expect.element(encoding).toHaveValue('cyrillic')
  expect(fakeApi.inputsOf(imports.planImport)).toEqual([{ import_run_id: 7, tag_encoding: 'cyrillic' }])
  await openImport({ phase: 'import', state: 'done' })
  await expect.element(page.getByRole('button', { name: 'Delete…' })).toBeVisible()
  await expect.element(encoding).not.toBeInTheDocument()
})

test('offers the actions that fit the state of an import', async () => {
  const byState: [Partial<imports.ImportRun>, string[]][] = [
    [{ state: 'running' }, ['Stop', 'Download report (CSV)']],
    [{ state: 'done' }, ['Import 2 files', 'Rescan', 'Download report (CSV)', 'Delete…']],
    [{ state: 'stopped' }, ['Rescan', 'Download report (CSV)', 'Delete…']],
    [{ state: 'failed', phase: 'import' }, ['Continue import', 'Download report (CSV)', 'Delete…']],
    [{ state: 'done', phase: 'import' }, ['Download report (CSV)', 'Delete…']],
    [{ state: 'uploading', files_uploaded: 1 }, ['Scan uploaded files', 'Delete…']],
    [{ state: 'uploading', files_uploaded: 0 }, ['Delete…']],
  ]
  for (const [run, names] of byState) {
    await openImport({ folder: 'Promos', ...scanned, ...run })
    const buttons = () => [...document.querySelectorAll('main header button')]
    await expect.poll(() => buttons().map(({ textContent }) => textContent)).toEqual(names)
  }
})

test('starts an import, shows its progress, and reloads after a refusal', async () => {
  await openImport(scanned)
  const message = 'This import is in progress.'
  fakeApi.rejectWith(imports.doImport, { code: 'import_in_progress', message })
  await page.getByRole('button', { name: 'Import 2 files' }).click()
  await expect.element(page.getByText('Couldn’t update the import')).toBeVisible()
  const running = makeImport({
    ...scanned,
    phase: 'import',
    state: 'running',
    files_done: 1,
    bytes: 4e6,
    bytes_done: 1e6,
  })
  fakeApi.reply(imports.doImport, { import: running })
  fakeApi.reply(imports.getImport, { import: running })
  await page.getByRole('button', { name: 'Import 2 files' }).click()
  await expect.element(page.getByText('Importing…')).toBeVisible()
  await expect.element(page.getByText('1 of 4 files, 1.0 MB of 4.0 MB')).toBeVisible()
  await expect
    .element(page.getByRole('progressbar', { name: 'Import progress' }))
    .toHaveAttribute('aria-valuenow', '25')
  fakeApi.reply(imports.getImport, { import: makeImport({ ...scanned, phase: 'import' }) })
  await expect.element(page.getByText(/2 versions imported \(1 new song\), 2 files skipped/)).toBeVisible()
})

test('deletes an import after a confirmation, and returns to the history', async () => {
  replyWithHistory([])
  await openImport(scanned)
  await press(page, 'Delete…')
  await press(dialogNamed('Delete import?'), 'Delete')
  await expect.poll(currentUrl).toBe('/staff/import')
  expect(fakeApi.inputsOf(imports.removeImport)).toEqual([{ import_run_id: 7 }])
})

test('filters files by result, reason and search in the URL', async () => {
  const file = makeImportFile({ outcome: 'skipped', reason: 'damaged', detail: 'It ends early.', note: 'No tags' })
  await openImport({ ...scanned, files_done: 3, reasons: [{ reason: 'damaged', files: 2 }] }, [file])
  const row = files.getByRole('row', { name: 'Kwame - Night Drive (Clean).wav' })
  await expect.element(row).toHaveTextContent(/Damaged: It ends early\.No tags/)
  const views = page.getByRole('navigation', { name: 'Import status' })
  await expect.element(views).toHaveTextContent('All 4Ready 2Skipped 2Needs review 1Pending 1')
  await press(views, 'Needs review 1')
  await expect.poll(currentUrl).toBe('/staff/import?run=7&outcome=noted')
  await press(files, 'Reason for skipping')
  await page.getByRole('menuitemradio', { name: 'Damaged (2)' }).click()
  await expect.poll(currentUrl).toBe('/staff/import?run=7&outcome=skipped&reason=damaged')
  await files.getByRole('searchbox').fill('drive')
  await expect
    .poll(() => fakeApi.inputsOf(imports.getImportFiles).at(-1))
    .toMatchObject({ import_run_id: 7, outcome: 'skipped', reason: 'damaged', search: 'drive', page: 1 })
})

const details = { artist: 'Kwame', title: 'Night Drive', version_label: 'Clean', genre: '' }
const editable = makeImportFile({ n: 2, outcome: 'added', found: details, can_edit: true })
const editForm = page.getByRole('form', { name: 'Edit Kwame - Night Drive (Clean).wav' })

test('edits a file, and keeps what was typed over a reload', async () => {
  await openImport(scanned, [editable])
  await files.getByRole('row', { name: 'Night Drive' }).getByText('Clean').first().click()
  const title = editForm.getByRole('textbox', { name: 'Title' })
  await title.fill('')
  await press(editForm, 'Save')
  await expect.element(editForm.getByText('Enter an artist and a title.')).toBeVisible()
  await title.fill('Night Drive II')
  await reopenApp(currentUrl())
  await expect.element(title).toHaveValue('Night Drive II')
  const changed = { ...editable, correction: { title: 'Night Drive II' } }
  fakeApi.reply(imports.correctFile, { import: makeImport(scanned), file: changed })
  fakeApi.reply(imports.getImportFiles, { files: [changed], pagination: onePage(1) })
  await press(editForm, 'Save')
  await expect.element(editForm).not.toBeInTheDocument()
  await expect.element(files.getByText('Changed')).toBeVisible()
  expect(fakeApi.inputsOf(imports.correctFile)).toMatchObject([
    { import_run_id: 7, n: 2, title: 'Night Drive II', artist: 'Kwame', is_excluded: false },
  ])
})

test('skips a file, includes it again, and undoes changes', async () => {
  fakeApi.reply(imports.correctFile, { import: makeImport(scanned), file: editable })
  await openImport(scanned, [editable], '&open=2')
  await press(editForm, 'Skip file')
  await expect.poll(() => fakeApi.inputsOf(imports.correctFile).at(-1)).toMatchObject({ n: 2, is_excluded: true })
  await expect.element(editForm).not.toBeInTheDocument()
  await openImport(scanned, [{ ...editable, is_excluded: true, correction: { title: 'II' } }], '&open=2')
  await expect.element(editForm.getByRole('button', { name: 'Save and include' })).toBeVisible()
  await press(editForm, 'Include file')
  await expect.poll(() => fakeApi.inputsOf(imports.correctFile).at(-1)).toMatchObject({ n: 2, is_excluded: false })
  await reopenApp('/staff/import?run=7&open=2')
  await press(editForm, 'Undo changes')
  await expect.poll(() => fakeApi.inputsOf(imports.correctFile).at(-1)).toMatchObject({ n: 2, reset: true })
})

test('shows the song of an imported file, without a form', async () => {
  const file = makeImportFile({
    outcome: 'added',
    entity_id: 9,
    artist: 'Kwame',
    title: 'Night Drive',
    version_label: 'Clean',
  })
  await openImport({ ...scanned, phase: 'import' }, [file], '&open=1')
  const panel = page.getByRole('complementary', { name: file.path })
  await expect
    .element(panel.getByRole('link', { name: 'Kwame – Night Drive (Clean)' }))
    .toHaveAttribute('href', '/song/9')
  await expect.element(panel.getByRole('textbox')).not.toBeInTheDocument()
})

test('lists the problems of sheets by row', async () => {
  const problems = [
    { row: 3, message: 'There is no file with this name.' },
    { row: 0, message: 'The sheet has no column “file”.' },
  ]
  await openImport({ ...scanned, sheets: [{ path: 'list.csv', files_described: 12, problems }] })
  await expect.element(page.getByText('list.csv: details for 12 files, 2 problems')).toBeVisible()
  await expect
    .element(page.getByRole('list', { name: 'Problems in list.csv' }))
    .toHaveTextContent('Row 3: There is no file with this name.The sheet has no column “file”.')
})

test('shows an upload of this tab that has lost its connection, and stops it', async () => {
  const file = new File(['content'], '1.wav')
  const folder = { name: 'Crate', files: [{ path: '1.wav', file }], covers: new Map(), sheets: [] }
  await openImport({ source: 'browser', folder: 'Crate', state: 'uploading' })
  await expect.element(page.getByText('No files uploaded yet. Choose the folder to start.')).toBeVisible()
  fakeApi.setOffline(true)
  void uploadFolder(7, folder)
  await expect.element(page.getByText('Connection lost. Reconnecting…')).toBeVisible()
  await expect.element(page.getByText(/^1 of 1 file checked · 0 already in the catalogue/)).toBeVisible()
  await press(page, 'Stop upload')
  await expect.element(page.getByRole('region', { name: 'Continue upload' })).toBeVisible()
  fakeApi.setOffline(false)
})

test('lists what was not uploaded, also after the import goes on', async () => {
  useFolderUpload.setState({
    current: {
      ...{ import_run_id: 7, state: 'finished', fileCount: 2, bytes: 14, hashedCount: 2, existingCount: 0 },
      ...{ uploadedCount: 1, uploadedBytes: 7, coverCount: 0, sheetCount: 0, failedCount: 1 },
      failures: [{ path: 'sub/2.wav', reason: 'The file is damaged.' }],
    },
  })
  await openImport({ source: 'browser', ...scanned })
  await expect
    .element(page.getByRole('list', { name: 'Not uploaded' }))
    .toHaveTextContent('sub/2.wav: The file is damaged.')
})

test('explains why an import could not be loaded', async () => {
  fakeApi.rejectWith(imports.getImport, { code: 'unknown_import', message: 'There is no such import.' })
  await open('/staff/import?run=7')
  await expect.element(page.getByText('There is no such import.')).toBeVisible()
})
