import { createHash } from 'node:crypto'
import {
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { corrections, imports, uploads } from '@dubplate/contract'
import sharp from 'sharp'
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { makeChunk } from '../../test/audio-files.ts'
import { aMember } from '../../test/makers.ts'
import { errorOf, openTestPool, type TestPool } from '../../test/pool.ts'
import { storedFilePath } from '../../test/stored-file.ts'
import { aWav, inProcessAnalyser } from '../../test/upload-makers.ts'
import { waitForBlocked } from '../../test/wait-until.ts'
import type { Analyser } from '../analysis/analyser.ts'
import type { AppContext } from '../app-context.ts'
import { checkPool } from '../backups/check.ts'
import { silentProgress } from '../backups/progress.ts'
import { renderCover } from '../catalogue/song-covers.ts'
import { lockContent } from '../media/media-repository.ts'
import { processNextRun } from './import-worker.ts'
import { normalisePath, sweepSentFiles } from './uploaded-files.ts'

let pool: TestPool
let root: string
let folder: string
let curator: Awaited<ReturnType<typeof aMember>>
beforeAll(async () => {
  root = realpathSync(mkdtempSync(path.join(tmpdir(), 'dubplate-allowed-')))
  pool = await openTestPool({ config: { importFolders: [root] }, usesUniqueAddresses: true })
  curator = await aMember(pool.ctx, { staff_role: 'curator' })
})
beforeEach(() => {
  folder = mkdtempSync(path.join(root, 'music-'))
})
afterAll(async () => {
  await pool.close()
  rmSync(root, { recursive: true, force: true })
})

function writeFixture(name: string, bytes: Uint8Array): void {
  const file = path.join(folder, name)
  mkdirSync(path.dirname(file), { recursive: true })
  writeFileSync(file, bytes)
}

const { signal } = new AbortController()
const workers = { analyser: inProcessAnalyser, jobs: 1, childPath: '', signal }
const runNext = (stop: AbortSignal = signal) => processNextRun(pool.ctx, { ...workers, signal: stop })

const startImportOf = async (named = folder) =>
  (await pool.ask(imports.startImport, { folder: named }, curator.token)).import
const getProgress = async (import_run_id: number) =>
  (await pool.ask(imports.getImport, { import_run_id }, curator.token)).import
const filesOf = async (import_run_id: number) =>
  (await pool.ask(imports.getImportFiles, { import_run_id }, curator.token)).files.map(
    ({ path, outcome, reason, title, version_label, is_new_song }) => ({
      path,
      outcome,
      reason,
      title,
      version_label,
      is_new_song,
    }),
  )

test('a preview says in which encoding tags were read, and another choice updates it', async () => {
  const frame = (id: string, hex: string) => {
    const bytes = Buffer.from(`00${hex}`, 'hex')
    return Buffer.concat([Buffer.from(id), Buffer.from([0, 0, 0, bytes.length, 0, 0]), bytes])
  }
  const frames = Buffer.concat([frame('TPE1', 'cae8edee'), frame('TIT2', 'c3f0f3efefe020eaf0eee2e8')])
  const tag = Buffer.concat([Buffer.from('ID3\x03\0\0\0\0\0'), Buffer.from([frames.length]), frames])
  const wav = Buffer.concat([aWav(), makeChunk('id3 ', tag, 'little')])
  wav.writeUInt32LE(wav.length - 8, 4)
  writeFixture('01.wav', wav)
  const { import_run_id, tag_encoding } = await startImportOf()
  expect(tag_encoding).toBe('automatic')
  const previewed = async () => {
    await runNext()
    const { files } = await pool.ask(imports.getImportFiles, { import_run_id }, curator.token)
    return files.map(({ artist, title, note }) => [artist, title, note])
  }
  const cyrillic = ['Кино', 'Группа крови', 'Tags read as Cyrillic (Windows-1251).']
  expect(await previewed()).toEqual([cyrillic])
  await pool.ask(imports.planImport, { import_run_id, tag_encoding: 'western' }, curator.token)
  expect(await previewed()).toEqual([['Êèíî', 'Ãðóïïà êðîâè', '']])
  expect(await getProgress(import_run_id)).toMatchObject({ tag_encoding: 'western' })
  await pool.ask(imports.planImport, { import_run_id, tag_encoding: 'cyrillic' }, curator.token)
  expect(await previewed()).toEqual([cyrillic])
  await pool.ask(imports.doImport, { import_run_id }, curator.token)
  expect(await previewed()).toEqual([cyrillic])
})

test('scans a folder first, imports it on request, and reports the outcome of each file', async () => {
  const clean = aWav()
  writeFixture('Kwame - Night Drive (Clean).wav', clean)
  writeFixture('Kwame - Night Drive (Dirty).wav', aWav())
  writeFixture('copies/Kwame - Night Drive (Clean).wav', clean)
  writeFixture('broken.wav', Buffer.from('no music'))
  const run = await startImportOf()
  expect(run).toMatchObject({ phase: 'plan', state: 'waiting', files: 0 })
  await runNext()
  expect(await getProgress(run.import_run_id)).toMatchObject({
    ...{ phase: 'plan', state: 'done', files: 4, files_done: 4, songs_added: 1, versions_added: 2, skipped: 2 },
    reasons: [
      { reason: 'duplicate in folder', files: 1 },
      { reason: 'not an audio file', files: 1 },
    ],
  })
  // Nothing has been imported yet.
  expect(await pool.ctx.sql`select 1 from song where title = 'Night Drive'`).toEqual([])
  await pool.ask(imports.doImport, { import_run_id: run.import_run_id }, curator.token)
  await runNext()
  expect(await getProgress(run.import_run_id)).toMatchObject({
    phase: 'import',
    state: 'done',
    versions_added: 2,
    skipped: 2,
  })
  const files = await filesOf(run.import_run_id)
  // Of two identical files, the first one is imported.
  expect(files.map(({ path, outcome, reason }) => [path.split('/').at(-1), outcome, reason]).sort()).toEqual([
    ['Kwame - Night Drive (Clean).wav', 'added', ''],
    ['Kwame - Night Drive (Clean).wav', 'skipped', 'duplicate in folder'],
    ['Kwame - Night Drive (Dirty).wav', 'added', ''],
    ['broken.wav', 'skipped', 'not an audio file'],
  ])
  expect(files.filter(({ is_new_song }) => is_new_song)).toHaveLength(1)
  const { url, file } = await pool.ask(imports.getImportReport, { import_run_id: run.import_run_id }, curator.token)
  const { body, headers } = await pool.app.inject({ url })
  expect(headers['content-type']).toBe('text/csv; charset=utf-8')
  expect(file).toMatch(/^import-\d+-\d{4}-\d\d-\d\d\.csv$/)
  expect(body.split('\r\n')).toHaveLength(6)
  expect(body).toContain('duplicate in folder')
  const auditActions = await pool.ctx
    .sql`select action from audit where subject = ${`import ${run.import_run_id}`} order by audit_id`
  expect(auditActions).toEqual([{ action: 'folder scanned' }, { action: 'import started' }])
  expect((await errorOf(pool.ask(imports.doImport, { import_run_id: run.import_run_id }, curator.token))).code).toBe(
    'import_finished',
  )
})

test('only folders inside the allowed ones can be imported, by any path or link', async () => {
  const outsideFolder = mkdtempSync(path.join(tmpdir(), 'dubplate-outside-'))
  writeFileSync(path.join(outsideFolder, 'Kwame - Secret (Clean).wav'), aWav())
  symlinkSync(outsideFolder, path.join(folder, 'away'))
  symlinkSync(path.join(outsideFolder, 'Kwame - Secret (Clean).wav'), path.join(folder, 'Kwame - Linked (Clean).wav'))
  const refused = async (named: string) => errorOf(pool.ask(imports.startImport, { folder: named }, curator.token))
  expect((await refused(outsideFolder)).code).toBe('folder_not_allowed')
  expect((await refused(`${folder}/../../..`)).message).toMatch(/isn’t inside an import folder/)
  expect((await refused(path.join(folder, 'away'))).message).toMatch(/points outside the import folders/)
  expect((await refused('music')).message).toMatch(/Enter the absolute path of the folder/)
  expect((await refused(`${root}-next`)).code).toBe('folder_not_allowed')
  // The message does not reveal whether a path outside exists.
  expect((await refused('/etc')).message.replaceAll('/etc', '')).toBe(
    (await refused('/nowhere')).message.replaceAll('/nowhere', ''),
  )
  const run = await startImportOf()
  await runNext()
  expect((await filesOf(run.import_run_id)).map(({ path, reason }) => [path, reason])).toEqual([
    ['away', 'symbolic link'],
    ['Kwame - Linked (Clean).wav', 'symbolic link'],
  ])
  rmSync(outsideFolder, { recursive: true })
})

test('without import folders, the error says which setting to use', async () => {
  const contextWithoutFolders = { config: { ...pool.ctx.config, importFolders: [] } }
  const { openPlace } = await import('./import-folders.ts')
  await expect(openPlace(contextWithoutFolders, folder)).rejects.toThrow(
    'No import folders are configured. Set IMPORT_FOLDERS and restart.',
  )
})

test('resumes an import that was stopped or whose worker was killed, with a single report', async () => {
  for (const n of [1, 2, 3]) writeFixture(`Kwame - Part ${n} (Clean).wav`, aWav())
  const run = await startImportOf()
  await pool.ask(imports.doImport, { import_run_id: run.import_run_id }, curator.token).catch(() => {})
  await runNext()
  await pool.ask(imports.doImport, { import_run_id: run.import_run_id }, curator.token)
  // The process ends in the middle of the second file.
  const abortController = new AbortController()
  const crashingAnalyser: Analyser = {
    ...inProcessAnalyser,
    analyse: async (file, options) => {
      if (!file.includes('Part 2')) return inProcessAnalyser.analyse(file, options)
      const first = async () => expect(await getProgress(run.import_run_id)).toMatchObject({ versions_added: 1 })
      await vi.waitFor(first, { timeout: 60_000 })
      throw Object.assign(new Error('gone'), { code: 'CONNECTION_ENDED' })
    },
  }
  await expect(
    processNextRun(pool.ctx, { ...workers, analyser: crashingAnalyser, signal: abortController.signal }),
  ).rejects.toThrow('gone')
  expect(await getProgress(run.import_run_id)).toMatchObject({ state: 'running', versions_added: 1 })
  expect(await runNext()).toBe(false)
  await pool.ctx
    .sql`update import_run set updated_at = now() - interval '2 minutes' where import_run_id = ${run.import_run_id}`
  expect(await runNext()).toBe(true)
  expect(await getProgress(run.import_run_id)).toMatchObject({
    state: 'done',
    files: 3,
    versions_added: 3,
    songs_added: 3,
    skipped: 0,
  })
})

describe('a worker that dies', () => {
  const gone = () => Object.assign(new Error('gone'), { code: 'CONNECTION_ENDED' })
  /** Another process, which knows nothing of this one's memory. */
  const createSecondContext = (storage: Partial<AppContext['storage']> = {}): AppContext => ({
    ...pool.ctx,
    storage: { ...pool.ctx.storage, ...storage },
  })
  const attempts = async (run: number) =>
    pool.ctx.sql<{ path: string; attempts: number; interruptions: number; stage: string | null }[]>`
      select path, attempts, interruptions, stage from import_file where import_run_id = ${run} order by n`
  /** Simulates a minute without a worker. */
  const simulateCrash = (run: number) =>
    pool.ctx.sql`update import_run set updated_at = now() - interval '2 minutes' where import_run_id = ${run}`
  async function begin(): Promise<number> {
    const run = await startImportOf()
    await runNext()
    await pool.ask(imports.doImport, { import_run_id: run.import_run_id }, curator.token)
    return run.import_run_id
  }

  test('because the server is restarted fails neither its import nor a file, however often', async () => {
    for (const n of [1, 2]) writeFixture(`Kwame - Restarted ${n} (Clean).wav`, aWav())
    const run = await begin()
    const analyser: Analyser = { ...inProcessAnalyser, analyse: () => Promise.reject(gone()) }
    for (let restarts = 0; restarts < 5; restarts++) {
      await expect(processNextRun(createSecondContext(), { ...workers, analyser })).rejects.toThrow('gone')
      expect(await getProgress(run)).toMatchObject({ state: 'running', files_done: 0 })
      await simulateCrash(run)
    }
    await runNext()
    expect(await getProgress(run)).toMatchObject({ state: 'done', versions_added: 2, skipped: 0 })
  })

  test('during the same file three times has only that file skipped and named', async () => {
    for (const name of ['Ada - First', 'Kwame - Deadly', 'Zoe - Last']) writeFixture(`${name} (Clean).wav`, aWav())
    const run = await begin()
    // The worker dies while it reads the tags of this file, which also interrupts its other files in progress.
    const crashingScratch = async (name: string) => {
      const [crashingFile] = await pool.ctx.sql`
        select 1 from import_file where import_run_id = ${run} and path like 'Kwame - Deadly%' and stage = 'reading'`
      if (crashingFile) throw gone()
      return pool.ctx.storage.scratch(name)
    }
    let crashCount = 0
    for (; (await getProgress(run)).state !== 'done' && crashCount < 10; crashCount++) {
      await processNextRun(createSecondContext({ scratch: crashingScratch }), workers).catch(() => {})
      await simulateCrash(run)
    }
    expect(crashCount).toBe(4)
    expect(await getProgress(run)).toMatchObject({ state: 'done', error_message: '', versions_added: 2, skipped: 1 })
    const { files } = await pool.ask(imports.getImportFiles, { import_run_id: run, outcome: 'skipped' }, curator.token)
    expect(files).toMatchObject([
      {
        path: 'Kwame - Deadly (Clean).wav',
        reason: 'analysis failed',
        detail: 'The server stopped 3 times while working on this file. Check the file, then import it on its own.',
      },
    ])
  })

  test('is not one that was stopped, or that lost the database', async () => {
    writeFixture('Kwame - Patient (Clean).wav', aWav())
    const run = await begin()
    let isStorageDown = true
    const secondContext = createSecondContext({
      scratch: async (name) => {
        const [reading] = await pool.ctx.sql`
          select 1 from import_file where import_run_id = ${run} and stage = 'reading'`
        if (reading && isStorageDown) throw gone()
        return pool.ctx.storage.scratch(name)
      },
    })
    for (let n = 0; n < 4; n++) {
      await expect(processNextRun(secondContext, workers)).rejects.toThrow('gone')
      await simulateCrash(run)
    }
    isStorageDown = false
    const stopping = new AbortController()
    const analyser: Analyser = {
      ...inProcessAnalyser,
      analyse: async (file, options) => {
        stopping.abort()
        return inProcessAnalyser.analyse(file, options)
      },
    }
    await processNextRun(secondContext, { ...workers, analyser, signal: stopping.signal })
    expect(await getProgress(run)).toMatchObject({ state: 'waiting', versions_added: 1 })
    expect(await attempts(run)).toMatchObject([{ attempts: 0, interruptions: 0, stage: null }])
    await runNext()
    expect(await getProgress(run)).toMatchObject({ state: 'done', versions_added: 1 })
  })
})

const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')

const startSentImport = async () =>
  (await pool.ask(imports.createUploadImport, { folder: 'Crate' }, curator.token)).import.import_run_id
const announceFiles = (run: number, files: [string, Buffer][]) =>
  pool.ask(
    imports.registerFiles,
    {
      import_run_id: run,
      files: files.map(([name, bytes]) => ({ path: name, bytes: bytes.length, sha256: sha256(bytes) })),
    },
    curator.token,
  )

/** Uploads a file like a browser, with the hash of its expected content. */
async function send(run: number, n: number, bytes: Buffer, expectedHash = sha256(bytes)) {
  const uploadMetadata = { filename: 'x.wav', sha256: expectedHash, import_run_id: String(run), import_file: String(n) }
  const encodedMetadata = Object.entries(uploadMetadata).map(
    ([name, value]) => `${name} ${Buffer.from(value).toString('base64')}`,
  )
  const headers = { authorization: `Bearer ${curator.token}`, 'tus-resumable': '1.0.0' }
  const createResponse = await pool.app.inject({
    method: 'POST',
    url: uploads.RESUMABLE_PATH,
    headers: { ...headers, 'upload-length': String(bytes.length), 'upload-metadata': encodedMetadata.join(',') },
  })
  if (createResponse.statusCode !== 201) return createResponse.statusCode
  const sent = await pool.app.inject({
    method: 'PATCH',
    url: String(createResponse.headers.location),
    headers: { ...headers, 'upload-offset': '0', 'content-type': 'application/offset+octet-stream' },
    payload: bytes,
  })
  return sent.statusCode
}

test('imports a folder from a browser: existing files are not sent, and sent files are stored until then', async () => {
  const presentFile = aWav()
  writeFixture('Kwame - Here (Clean).wav', presentFile)
  const first = await startImportOf()
  await runNext()
  await pool.ask(imports.doImport, { import_run_id: first.import_run_id }, curator.token)
  await runNext()
  const [fresh, duplicate, invalid] = [aWav(), aWav(), Buffer.from('RIFF no music at all')]
  const run = { import_run_id: await startSentImport() }
  const names: [string, Buffer][] = [
    ['Crate/../Kwame - Fresh (Clean).wav', fresh],
    ['Kwame - Again (Clean).wav', presentFile],
    ['Kwame - Late (Clean).wav', duplicate],
    ['broken.wav', invalid],
  ]
  const { files } = await announceFiles(run.import_run_id, names)
  expect(files.map(({ state }) => state)).toEqual(['missing', 'existing', 'missing', 'missing'])
  expect(await send(run.import_run_id, files[0]?.n ?? 0, fresh)).toBe(204)
  expect(await send(run.import_run_id, files[3]?.n ?? 0, invalid)).toBe(204)
  expect(await send(run.import_run_id, 99, duplicate)).not.toBe(201)
  // Chosen again after a reload: files that were already sent need not be sent again.
  const again = await announceFiles(run.import_run_id, names)
  expect(again.files.map(({ state }) => state)).toEqual(['uploaded', 'existing', 'missing', 'uploaded'])
  await pool.ask(imports.planImport, { import_run_id: run.import_run_id }, curator.token)
  await runNext()
  expect(await getProgress(run.import_run_id)).toMatchObject({
    phase: 'plan',
    state: 'done',
    versions_added: 1,
    skipped: 3,
  })
  await pool.ask(imports.doImport, { import_run_id: run.import_run_id }, curator.token)
  await runNext()
  expect((await filesOf(run.import_run_id)).map(({ path, outcome, reason }) => [path, outcome, reason])).toEqual([
    ['Crate/Kwame - Fresh (Clean).wav', 'added', ''],
    ['Kwame - Again (Clean).wav', 'skipped', 'already in the catalogue'],
    ['Kwame - Late (Clean).wav', 'skipped', 'not uploaded'],
    ['broken.wav', 'skipped', 'not an audio file'],
  ])
  expect(await pool.ctx.storage.has('audio', sha256(fresh))).toBe(true)
  expect(await pool.ctx.storage.has('audio', sha256(invalid))).toBe(false)
  expect(await checkPool(pool.ctx, { files: 'all', progress: silentProgress, signal })).toEqual({
    problems: [],
    unnamed: [],
  })
})

test('a folder from a browser restores a damaged file', async () => {
  const bytes = aWav()
  writeFixture('Kwame - Damaged (Clean).wav', bytes)
  const first = await startImportOf()
  await runNext()
  await pool.ask(imports.doImport, { import_run_id: first.import_run_id }, curator.token)
  await runNext()
  const stored = storedFilePath(pool.ctx, sha256(bytes))
  truncateSync(stored, 100)
  const run = await startSentImport()
  const { files } = await announceFiles(run, [['Kwame - Damaged (Clean).wav', bytes]])
  expect(files.map(({ state }) => state)).toEqual(['missing'])
  expect(await send(run, 1, bytes)).toBe(204)
  expect(readFileSync(stored).equals(bytes)).toBe(true)
  const intact = await announceFiles(run, [['Kwame - Copy of it (Clean).wav', bytes]])
  expect(intact.files.map(({ state }) => state)).toEqual(['existing'])
})

test('imports the better named of two identical files from a browser, although the other was uploaded', async () => {
  const music = aWav()
  const run = await startSentImport()
  const names: [string, Buffer][] = [['track 01.wav', music]]
  await announceFiles(run, names)
  expect(await send(run, 1, music)).toBe(204)
  const { files } = await announceFiles(run, [...names, ['Kwame - Better Named (Clean).wav', music]])
  expect(files.map(({ state }) => state)).toEqual(['uploaded', 'duplicate'])
  await pool.ask(imports.planImport, { import_run_id: run }, curator.token)
  await runNext()
  expect(await getProgress(run)).toMatchObject({ versions_added: 1, skipped: 1 })
  await pool.ask(imports.doImport, { import_run_id: run }, curator.token)
  await runNext()
  expect((await filesOf(run)).map(({ path, outcome, reason }) => [path, outcome, reason])).toEqual([
    ['track 01.wav', 'skipped', 'duplicate in folder'],
    ['Kwame - Better Named (Clean).wav', 'added', ''],
  ])
})

/** Uploads a sheet in the folder. */
async function sendSheet(run: number, path: string, content: string) {
  const form = new FormData()
  form.append('import_run_id', String(run))
  form.append('path', path)
  form.append('sheet', new Blob([content]), 'sheet.csv')
  const body = new Response(form)
  const sent = await pool.app.inject({
    method: 'POST',
    url: `/api/${imports.uploadSheet.path}`,
    headers: { authorization: `Bearer ${curator.token}`, 'content-type': body.headers.get('content-type') ?? '' },
    payload: Buffer.from(await body.arrayBuffer()),
  })
  return sent.statusCode === 200 ? 'taken' : sent.json().code
}

test('a sheet from a browser describes the files next to it, and is deleted after the import', async () => {
  const [one, two] = [aWav(), aWav()]
  const run = await startSentImport()
  await announceFiles(run, [
    ['promo/1.wav', one],
    ['promo/2.wav', two],
  ])
  expect([await send(run, 1, one), await send(run, 2, two)]).toEqual([204, 204])
  expect(await sendSheet(run, 'promo/old.txt', 'x')).toBe('invalid_request')
  expect(await sendSheet(run, 'promo/sheet.csv', 'file,artist,title\n1.wav,Nobody,Replaced\n')).toBe('taken')
  const sheet = 'file,artist,title,version\n1.wav,Kwame,From A Sheet,Clean\n2,Kwame,From A Sheet,Dirty\n3,Kwame,Gone,\n'
  expect(await sendSheet(run, 'promo/sheet.csv', sheet)).toBe('taken')
  await pool.ask(imports.planImport, { import_run_id: run }, curator.token)
  expect(await sendSheet(run, 'promo/sheet.csv', sheet)).toBe('import_finished')
  await runNext()
  expect(await getProgress(run)).toMatchObject({
    ...{ state: 'done', songs_added: 1, versions_added: 2 },
    sheets: [
      {
        ...{ path: path.join('promo', 'sheet.csv'), files_described: 2 },
        problems: [{ row: 4, message: 'No file “3” was found next to the sheet.' }],
      },
    ],
  })
  await pool.ask(imports.doImport, { import_run_id: run }, curator.token)
  await runNext()
  expect((await filesOf(run)).map(({ title, version_label }) => [title, version_label])).toEqual([
    ['From A Sheet', 'Clean'],
    ['From A Sheet', 'Dirty'],
  ])
  expect(await pool.ctx.sql`select 1 from import_sheet where content is not null`).toEqual([])
})

test('an import from the back office uses a pattern, and refuses an invalid one', async () => {
  writeFixture('Dusk/Kwame/By Path.wav', aWav())
  const begin = (pattern: string) => pool.ask(imports.startImport, { folder, pattern }, curator.token)
  expect(await errorOf(begin('{artst}'))).toMatchObject({ code: 'invalid_pattern', message: /no field \{artst\}/ })
  const { import: run } = await begin('{label}/{artist}/{title}')
  expect(run.pattern).toBe('{label}/{artist}/{title}')
  await runNext()
  await pool.ask(imports.doImport, { import_run_id: run.import_run_id }, curator.token)
  await runNext()
  expect([...(await pool.ctx.sql`select artist, label from song where title = 'By Path'`)]).toEqual([
    { artist: 'Kwame', label: 'Dusk' },
  ])
})

const editFile = (import_run_id: number, n: number, changes: object) =>
  pool.ask(imports.correctFile, { import_run_id, n, ...changes }, curator.token)

test('changes in the preview are counted at once, survive another scan, and are imported', async () => {
  writeFixture('01 no name at all.wav', aWav())
  writeFixture('Kwame - Typo Drve (Clean).wav', aWav())
  writeFixture('Kwame - Typo Drve (Dirty).wav', aWav())
  writeFixture('Kwame - Unwanted.wav', aWav())
  const { import_run_id: run } = await startImportOf()
  await runNext()
  expect(await getProgress(run)).toMatchObject({ songs_added: 2, versions_added: 3, skipped: 1 })
  const named = await editFile(run, 1, { artist: ' Kwame ', title: 'Typo Drive', version_label: 'Intro' })
  expect(named.file).toMatchObject({
    ...{ outcome: 'added', artist: 'Kwame', title: 'Typo Drive', version_label: 'Intro', is_new_song: true },
    found: { artist: '', title: 'no name at all', version_label: 'Original', genre: '' },
    correction: { artist: 'Kwame', title: 'Typo Drive', version_label: 'Intro' },
  })
  expect(named.import).toMatchObject({ songs_added: 3, versions_added: 4, skipped: 0 })
  // The first file of a song makes it new.
  expect((await editFile(run, 2, { title: 'Typo Drive', genre: 'House, Techno' })).import.songs_added).toBe(3)
  expect((await editFile(run, 3, { title: 'Typo Drive' })).import.songs_added).toBe(2)
  expect((await editFile(run, 4, { is_excluded: true })).import).toMatchObject({
    songs_added: 1,
    versions_added: 3,
    skipped: 1,
  })
  // Emptying a field restores the detected value.
  expect((await editFile(run, 1, { title: '' })).file).toMatchObject({ title: 'no name at all', outcome: 'added' })
  expect((await editFile(run, 1, { reset: true })).file).toMatchObject({ outcome: 'skipped', correction: null })
  await editFile(run, 1, { artist: 'Kwame', title: 'Typo Drive', version_label: 'Intro', genre: 'House, Techno' })

  await pool.ask(imports.planImport, { import_run_id: run }, curator.token)
  expect((await errorOf(editFile(run, 1, { title: 'Now' }))).code).toBe('import_in_progress')
  await runNext()
  expect(await getProgress(run)).toMatchObject({ songs_added: 1, versions_added: 3, skipped: 1 })
  await pool.ask(imports.doImport, { import_run_id: run }, curator.token)
  await runNext()
  expect((await filesOf(run)).map(({ title, version_label, reason }) => [title, version_label, reason])).toEqual([
    ['Typo Drive', 'Intro', ''],
    ['Typo Drive', 'Clean', ''],
    ['Typo Drive', 'Dirty', ''],
    ['', '', 'left out'],
  ])
  const [song] = await pool.ctx.sql`
    select artist, origins ->> 'title' as title_source,
      array(select name from song_genre join genre using (genre_id) where entity_id = s.entity_id order by name) as genres
    from song s where title = 'Typo Drive'`
  expect(song).toEqual({ artist: 'Kwame', title_source: 'staff', genres: ['House', 'Techno'] })
  expect((await errorOf(editFile(run, 1, { title: 'Late' }))).code).toBe('import_finished')
})

test('a file that cannot be imported cannot be changed', async () => {
  writeFixture('broken.wav', Buffer.from('no music'))
  const { import_run_id: run } = await startImportOf()
  await runNext()
  expect((await errorOf(editFile(run, 1, { title: 'Music' }))).code).toBe('not_editable')
  expect((await errorOf(editFile(run, 9, { title: 'Music' }))).code).toBe('unknown_file')
  const audio = await getProgress(run)
  expect([audio.audio_seconds, audio.audio_seconds_done]).toEqual([0, 0])
})

test('a preview shows how much audio an import has to analyse', async () => {
  const known = aWav()
  writeFixture('Kwame - Analysed (Clean).wav', known)
  writeFixture('again/Kwame - Analysed (Clean).wav', known)
  const { import_run_id: run } = await startImportOf()
  await runNext()
  const { audio_seconds, audio_seconds_done } = await getProgress(run)
  expect(audio_seconds).toBeGreaterThan(0)
  expect(audio_seconds_done).toBe(audio_seconds)
  const [seconds] = await pool.ctx.sql`
    select sum(audio_seconds) filter (where outcome = 'added') as added, sum(audio_seconds) filter (where outcome = 'skipped') as skipped
    from import_file where import_run_id = ${run}`
  expect(seconds).toEqual({ added: audio_seconds, skipped: 0 })
})

test('uploads a file again if it changed when its folder is chosen again, and deletes the earlier upload', async () => {
  const { storage } = pool.ctx
  const [old, fresh, corrupted] = [aWav(), aWav(), aWav()]
  const run = await startSentImport()
  const [name, copy] = ['Kwame - Mixed (Clean).wav', 'Kwame - Copied (Clean).wav']
  await announceFiles(run, [[name, old]])
  expect(await send(run, 1, old)).toBe(204)
  // The content that had this name has another one now.
  const { files } = await announceFiles(run, [
    [copy, old],
    [name, fresh],
  ])
  expect(files.map(({ state }) => state)).toEqual(['missing', 'missing'])
  expect(await storage.has('audio', sha256(old))).toBe(false)
  expect(await send(run, 2, old)).toBe(204)
  await pool.ask(imports.planImport, { import_run_id: run }, curator.token)
  await runNext()
  expect((await filesOf(run)).map(({ path, outcome, reason }) => [path, outcome, reason])).toEqual([
    [name, 'skipped', 'not uploaded'],
    [copy, 'added', ''],
  ])
  // Sent again with other content: the last upload counts. A corrupted one is ignored.
  await announceFiles(run, [[name, fresh]])
  expect(await send(run, 1, fresh)).toBe(204)
  expect(await send(run, 1, corrupted, sha256(fresh))).toBe(422)
  const other = aWav()
  expect(await send(run, 1, other)).toBe(204)
  const stored = await Promise.all([old, fresh, other, corrupted].map((bytes) => storage.has('audio', sha256(bytes))))
  expect(stored).toEqual([true, false, true, false])
})

test('removing an import deletes its uploads, even one that arrives at the same moment', async () => {
  const { sql, storage } = pool.ctx
  const [sent, late] = [aWav(), aWav()]
  const run = await startSentImport()
  await announceFiles(run, [
    ['Kwame - Sent (Clean).wav', sent],
    ['Kwame - Late (Clean).wav', late],
  ])
  expect(await send(run, 1, sent)).toBe(204)
  const concurrentImport = await sql.begin(async (lockingSql) => {
    for (const bytes of [late, sent]) await lockContent(lockingSql, sha256(bytes))
    const sendRequest = send(run, 2, late)
    await waitForBlocked(sql, 1)
    const removeRequest = pool.ask(imports.removeImport, { import_run_id: run }, curator.token)
    await waitForBlocked(sql, 2)
    // Once its removal has begun, it can no longer be started.
    const startRequest = pool.ask(imports.doImport, { import_run_id: run }, curator.token)
    expect((await errorOf(startRequest)).code).toBe('unknown_import')
    return { sending: sendRequest, removing: removeRequest }
  })
  await concurrentImport.removing
  expect(await concurrentImport.sending).toBe(404)
  expect(await storage.has('audio', sha256(sent))).toBe(false)
  expect(await storage.has('audio', sha256(late))).toBe(false)
})

test('a file that arrives after its import started is neither imported nor stored', async () => {
  const { sql, storage } = pool.ctx
  const late = aWav()
  const run = await startSentImport()
  await announceFiles(run, [['Kwame - Late (Clean).wav', late]])
  const concurrentImport = await sql.begin(async (lockingSql) => {
    await lockContent(lockingSql, sha256(late))
    const sendRequest = send(run, 1, late)
    await waitForBlocked(sql, 1)
    await pool.ask(imports.doImport, { import_run_id: run }, curator.token)
    return { sending: sendRequest }
  })
  expect(await concurrentImport.sending).toBe(409)
  expect(await storage.has('audio', sha256(late))).toBe(false)
  await runNext()
  expect((await filesOf(run)).map(({ outcome, reason }) => [outcome, reason])).toEqual([['skipped', 'not uploaded']])
})

test('a worker that lost an import to another one deletes nothing that is still needed', async () => {
  const { sql, storage } = pool.ctx
  const [music, invalid] = [aWav(), Buffer.from('RIFF no music either')]
  const run = await startSentImport()
  await announceFiles(run, [
    ['broken.wav', invalid],
    ['Kwame - Taken (Clean).wav', music],
  ])
  expect([await send(run, 1, invalid), await send(run, 2, music)]).toEqual([204, 204])
  await pool.ask(imports.doImport, { import_run_id: run }, curator.token)
  const slowAnalyser: Analyser = {
    ...inProcessAnalyser,
    analyse: async (file, options) => {
      // Another worker has claimed it as abandoned.
      await sql`update import_run set turn = turn + 1 where import_run_id = ${run}`
      return inProcessAnalyser.analyse(file, options)
    },
  }
  await processNextRun(pool.ctx, { ...workers, analyser: slowAnalyser })
  expect(await getProgress(run)).toMatchObject({ state: 'running', files_done: 2 })
  expect(await storage.has('audio', sha256(invalid))).toBe(true)
  await sql`update import_run set updated_at = now() - interval '2 minutes' where import_run_id = ${run}`
  await runNext()
  expect(await getProgress(run)).toMatchObject({ state: 'done', versions_added: 1, skipped: 1 })
  expect(await storage.has('audio', sha256(invalid))).toBe(false)
})

const aPicture = (background: string, side = 64) =>
  sharp({ create: { width: side, height: side, channels: 3, background } })
    .png()
    .toBuffer()

/** Uploads the cover of an announced file's folder. */
async function sendCover(run: number, n: number, bytes: Buffer) {
  const form = new FormData()
  form.append('import_run_id', String(run))
  form.append('import_file', String(n))
  form.append('picture', new Blob([new Uint8Array(bytes)]), 'cover.png')
  const body = new Response(form)
  const sent = await pool.app.inject({
    method: 'POST',
    url: `/api/${imports.uploadCover.path}`,
    headers: { authorization: `Bearer ${curator.token}`, 'content-type': body.headers.get('content-type') ?? '' },
    payload: Buffer.from(await body.arrayBuffer()),
  })
  return sent.statusCode === 200 ? 'taken' : sent.json().code
}

/** Returns the stored covers that were sent and belong to no song. */
async function listSentPictures(): Promise<string[]> {
  const all: string[] = []
  for await (const { sha256, ending: abortController } of pool.ctx.storage.list('images'))
    if (abortController === '.sent') all.push(sha256)
  return all
}

const findCoverHash = async (title: string) => {
  const [song] = await pool.ctx.sql<{ cover: string | null }[]>`
    select encode(a.sha256, 'hex') as cover from song s left join artwork a using (artwork_id) where s.title = ${title}`
  return song?.cover
}

/** Recently uploaded bytes are not deleted, because a row may be about to refer to them; this checks later. */
const checkLater = () =>
  checkPool(
    { ...pool.ctx, now: () => new Date(Date.now() + 7_200_000) },
    { files: 'all', progress: silentProgress, signal },
  )

test('music from a browser gets the cover of its own folder, like music on the server', async () => {
  const [teal, plum, olive] = [await aPicture('teal'), await aPicture('plum'), await aPicture('olive')]
  writeFixture('Kwame - Covered Here (Clean).wav', aWav())
  writeFixture('cover.png', teal)
  const serverRun = await startImportOf()
  await runNext()
  await pool.ask(imports.doImport, { import_run_id: serverRun.import_run_id }, curator.token)
  await runNext()

  const run = await startSentImport()
  const names: [string, Buffer][] = [
    ['Kwame - Covered There (Clean).wav', aWav()],
    ['one/Kwame - Covered Otherwise (Clean).wav', aWav()],
    ['one/below/Kwame - Covered by None (Clean).wav', aWav()],
  ]
  const { files } = await announceFiles(run, names)
  expect(files.map(({ cover }) => cover)).toEqual([null, null, null])
  expect(await sendCover(run, 1, olive)).toBe('taken')
  expect(await sendCover(run, 2, plum)).toBe('taken')
  // A different picture now.
  expect(await sendCover(run, 1, teal)).toBe('taken')
  // Chosen again after a reload: the response contains the covers that were sent.
  const again = await announceFiles(run, names)
  expect(again.files.map(({ cover }) => cover)).toEqual([sha256(teal), sha256(plum), null])
  for (const [at, [, bytes]] of names.entries()) expect(await send(run, at + 1, bytes)).toBe(204)
  await pool.ask(imports.planImport, { import_run_id: run }, curator.token)
  await runNext()
  expect(await getProgress(run)).toMatchObject({ state: 'done', files: 3, versions_added: 3, skipped: 0, reasons: [] })
  expect(await listSentPictures()).toHaveLength(2)
  await pool.ask(imports.doImport, { import_run_id: run }, curator.token)
  await runNext()
  expect(await getProgress(run)).toMatchObject({ state: 'done', files: 3, versions_added: 3, skipped: 0 })
  const fromServer = await findCoverHash('Covered Here')
  expect(fromServer).toMatch(/^[0-9a-f]{64}$/)
  expect(await findCoverHash('Covered There')).toBe(fromServer)
  expect(await findCoverHash('Covered Otherwise')).toMatch(/^[0-9a-f]{64}$/)
  expect(await findCoverHash('Covered Otherwise')).not.toBe(fromServer)
  expect(await findCoverHash('Covered by None')).toBeNull()
  expect(await listSentPictures()).toEqual([])
  expect(await checkLater()).toEqual({ problems: [], unnamed: [] })
})

test('refuses an invalid picture, and one for an import that accepts no files', async () => {
  const run = await startSentImport()
  await announceFiles(run, [['Kwame - Plain (Clean).wav', aWav()]])
  const teal = await aPicture('teal')
  expect(await sendCover(run, 1, Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'))).toBe('invalid_image')
  expect(await sendCover(run, 1, await aPicture('teal', 31))).toBe('image_too_small')
  expect(await sendCover(run, 1, Buffer.alloc(corrections.MAX_COVER_BYTES + 1))).toBe('too_large')
  expect(await sendCover(run, 1, Buffer.alloc(0))).toBe('file_required')
  expect(await sendCover(run, 0, teal)).toBe('invalid_request')
  expect(await sendCover(run, 2, teal)).toBe('unexpected_file')
  expect(await sendCover(run + 999, 1, teal)).toBe('unknown_import')
  await pool.ask(imports.planImport, { import_run_id: run }, curator.token)
  expect(await sendCover(run, 1, teal)).toBe('import_finished')
  await pool.ask(imports.stopImport, { import_run_id: run }, curator.token)
  expect(await listSentPictures()).toEqual([])
})

test('deletes the pictures of an import that is removed or never run, unless another import has the same', async () => {
  const { sql } = pool.ctx
  const [teal, plum] = [await aPicture('teal'), await aPicture('plum')]
  const [removed, left] = [await startSentImport(), await startSentImport()]
  for (const run of [removed, left]) {
    await announceFiles(run, [
      ['Kwame - Left (Clean).wav', aWav()],
      ['more/Kwame - Left (Dirty).wav', aWav()],
    ])
    expect(await sendCover(run, 1, teal)).toBe('taken')
  }
  expect(await sendCover(removed, 2, plum)).toBe('taken')
  expect(await listSentPictures()).toHaveLength(2)
  await pool.ask(imports.removeImport, { import_run_id: removed }, curator.token)
  expect(await listSentPictures()).toHaveLength(1)
  expect(await checkLater()).toEqual({ problems: [], unnamed: [] })
  await sweepSentFiles(pool.ctx)
  expect(await listSentPictures()).toHaveLength(1)
  await sql`update import_run set updated_at = now() - interval '15 days' where import_run_id = ${left}`
  await sweepSentFiles(pool.ctx)
  expect(await getProgress(left)).toMatchObject({ state: 'failed' })
  expect(await listSentPictures()).toEqual([])
  expect(await checkLater()).toEqual({ problems: [], unnamed: [] })
})

test('does not store a picture that arrives while its import is removed', async () => {
  const { sql } = pool.ctx
  const teal = await aPicture('teal')
  const redrawn = sha256((await renderCover(teal)).data)
  const run = await startSentImport()
  await announceFiles(run, [['Kwame - Late (Clean).wav', aWav()]])
  const concurrentImport = await sql.begin(async (lockingSql) => {
    await lockContent(lockingSql, redrawn)
    const sendRequest = sendCover(run, 1, teal)
    await waitForBlocked(sql, 1)
    await pool.ask(imports.removeImport, { import_run_id: run }, curator.token)
    return { sending: sendRequest }
  })
  expect(await concurrentImport.sending).toBe('unknown_import')
  expect(await listSentPictures()).toEqual([])
})

test('a path sent by a browser cannot leave the folder', () => {
  expect(normalisePath('../../etc/passwd')).toBe(path.join('etc', 'passwd'))
  expect(normalisePath('/Artist//./Title\u0000.mp3')).toBe(path.join('Artist', 'Title.mp3'))
})
