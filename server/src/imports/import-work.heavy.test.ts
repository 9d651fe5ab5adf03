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
import { aMember } from '../../test/makers.ts'
import { openTestPool, refusalOf, type TestPool } from '../../test/pool.ts'
import { storedAt } from '../../test/stored-file.ts'
import { analyserHere, aWav } from '../../test/uploading.ts'
import { untilWaiting } from '../../test/waiting.ts'
import type { Analyser } from '../audio/analyser.ts'
import { lockContent } from '../audio/shelf.ts'
import { checkPool } from '../backups/check.ts'
import { silentSteps } from '../backups/steps.ts'
import { drawCover } from '../catalogue/song-covers.ts'
import type { World } from '../world.ts'
import { workOnNext } from './import-work.ts'
import { plainPath, sweepSent } from './sent-files.ts'

let pool: TestPool
let root: string
let folder: string
let curator: Awaited<ReturnType<typeof aMember>>
beforeAll(async () => {
  root = realpathSync(mkdtempSync(path.join(tmpdir(), 'dubplate-allowed-')))
  pool = await openTestPool({ config: { importFolders: [root] }, everyAskFromElsewhere: true })
  curator = await aMember(pool.world, { staff_role: 'curator' })
})
beforeEach(() => {
  folder = mkdtempSync(path.join(root, 'music-'))
})
afterAll(async () => {
  await pool.close()
  rmSync(root, { recursive: true, force: true })
})

function put(name: string, bytes: Uint8Array): void {
  const file = path.join(folder, name)
  mkdirSync(path.dirname(file), { recursive: true })
  writeFileSync(file, bytes)
}

const { signal } = new AbortController()
const workers = { analyser: analyserHere, jobs: 1, childPath: '', signal }
const work = (stop: AbortSignal = signal) => workOnNext(pool.world, { ...workers, signal: stop })

const start = async (named = folder) => (await pool.ask(imports.startImport, { folder: named }, curator.token)).import
const now = async (import_run_id: number) =>
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

test('a folder is looked through first, comes in then, and its report says of each file what became of it', async () => {
  const clean = aWav()
  put('Kwame - Night Drive (Clean).wav', clean)
  put('Kwame - Night Drive (Dirty).wav', aWav())
  put('copies/Kwame - Night Drive (Clean).wav', clean)
  put('broken.wav', Buffer.from('no music'))
  const run = await start()
  expect(run).toMatchObject({ phase: 'plan', state: 'waiting', files: 0 })
  await work()
  expect(await now(run.import_run_id)).toMatchObject({
    ...{ phase: 'plan', state: 'done', files: 4, files_done: 4, songs_added: 1, versions_added: 2, skipped: 2 },
    reasons: [
      { reason: 'duplicate in folder', files: 1 },
      { reason: 'not an audio file', files: 1 },
    ],
  })
  // Nothing came in yet.
  expect(await pool.world.sql`select 1 from song where title = 'Night Drive'`).toEqual([])
  await pool.ask(imports.doImport, { import_run_id: run.import_run_id }, curator.token)
  await work()
  expect(await now(run.import_run_id)).toMatchObject({ phase: 'import', state: 'done', versions_added: 2, skipped: 2 })
  const files = await filesOf(run.import_run_id)
  // Of two that are the same the one comes in that is read first.
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
  const deeds = await pool.world
    .sql`select action from audit where subject = ${`import ${run.import_run_id}`} order by audit_id`
  expect(deeds).toEqual([{ action: 'folder scanned' }, { action: 'import started' }])
  expect((await refusalOf(pool.ask(imports.doImport, { import_run_id: run.import_run_id }, curator.token))).code).toBe(
    'import_finished',
  )
})

test('only folders inside the allowed ones can be imported, whatever the path or link', async () => {
  const outside = mkdtempSync(path.join(tmpdir(), 'dubplate-outside-'))
  writeFileSync(path.join(outside, 'Kwame - Secret (Clean).wav'), aWav())
  symlinkSync(outside, path.join(folder, 'away'))
  symlinkSync(path.join(outside, 'Kwame - Secret (Clean).wav'), path.join(folder, 'Kwame - Linked (Clean).wav'))
  const refused = async (named: string) => refusalOf(pool.ask(imports.startImport, { folder: named }, curator.token))
  expect((await refused(outside)).code).toBe('folder_not_allowed')
  expect((await refused(`${folder}/../../..`)).message).toMatch(/isn’t inside an import folder/)
  expect((await refused(path.join(folder, 'away'))).message).toMatch(/points outside the import folders/)
  expect((await refused('music')).message).toMatch(/Enter the absolute path of the folder/)
  expect((await refused(`${root}-next`)).code).toBe('folder_not_allowed')
  // Whether something is there is not told of a place outside.
  expect((await refused('/etc')).message.replaceAll('/etc', '')).toBe(
    (await refused('/nowhere')).message.replaceAll('/nowhere', ''),
  )
  const run = await start()
  await work()
  expect((await filesOf(run.import_run_id)).map(({ path, reason }) => [path, reason])).toEqual([
    ['away', 'symbolic link'],
    ['Kwame - Linked (Clean).wav', 'symbolic link'],
  ])
  rmSync(outside, { recursive: true })
})

test('without import folders, the error says which setting to use', async () => {
  const none = { config: { ...pool.world.config, importFolders: [] } }
  const { openPlace } = await import('./import-places.ts')
  await expect(openPlace(none, folder)).rejects.toThrow(
    'No import folders are configured. Set IMPORT_FOLDERS and restart.',
  )
})

test('an import that was stopped or whose worker was killed goes on, and its report is one', async () => {
  for (const n of [1, 2, 3]) put(`Kwame - Part ${n} (Clean).wav`, aWav())
  const run = await start()
  await pool.ask(imports.doImport, { import_run_id: run.import_run_id }, curator.token).catch(() => {})
  await work()
  await pool.ask(imports.doImport, { import_run_id: run.import_run_id }, curator.token)
  // The process ends in the middle of the second file.
  const ending = new AbortController()
  const killed: Analyser = {
    ...analyserHere,
    analyse: async (file, options) => {
      if (!file.includes('Part 2')) return analyserHere.analyse(file, options)
      const first = async () => expect(await now(run.import_run_id)).toMatchObject({ versions_added: 1 })
      await vi.waitFor(first, { timeout: 60_000 })
      throw Object.assign(new Error('gone'), { code: 'CONNECTION_ENDED' })
    },
  }
  await expect(workOnNext(pool.world, { ...workers, analyser: killed, signal: ending.signal })).rejects.toThrow('gone')
  expect(await now(run.import_run_id)).toMatchObject({ state: 'running', versions_added: 1 })
  expect(await work()).toBe(false)
  await pool.world
    .sql`update import_run set touched_at = now() - interval '2 minutes' where import_run_id = ${run.import_run_id}`
  expect(await work()).toBe(true)
  expect(await now(run.import_run_id)).toMatchObject({
    state: 'done',
    files: 3,
    versions_added: 3,
    songs_added: 3,
    skipped: 0,
  })
})

describe('a worker that dies', () => {
  const gone = () => Object.assign(new Error('gone'), { code: 'CONNECTION_ENDED' })
  /** Another process: nothing that this one remembers is known to it. */
  const anotherProcess = (storage: Partial<World['storage']> = {}): World => ({
    ...pool.world,
    storage: { ...pool.world.storage, ...storage },
  })
  const attempts = async (run: number) =>
    pool.world.sql<{ path: string; attempts: number; interruptions: number; stage: string | null }[]>`
      select path, attempts, interruptions, stage from import_file where import_run_id = ${run} order by n`
  /** A minute passes without a worker. */
  const abandon = (run: number) =>
    pool.world.sql`update import_run set touched_at = now() - interval '2 minutes' where import_run_id = ${run}`
  async function begin(): Promise<number> {
    const run = await start()
    await work()
    await pool.ask(imports.doImport, { import_run_id: run.import_run_id }, curator.token)
    return run.import_run_id
  }

  test('because the server is restarted fails neither its import nor a file, however often', async () => {
    for (const n of [1, 2]) put(`Kwame - Restarted ${n} (Clean).wav`, aWav())
    const run = await begin()
    const analyser: Analyser = { ...analyserHere, analyse: () => Promise.reject(gone()) }
    for (let restarts = 0; restarts < 5; restarts++) {
      await expect(workOnNext(anotherProcess(), { ...workers, analyser })).rejects.toThrow('gone')
      expect(await now(run)).toMatchObject({ state: 'running', files_done: 0 })
      await abandon(run)
    }
    await work()
    expect(await now(run)).toMatchObject({ state: 'done', versions_added: 2, skipped: 0 })
  })

  test('over the same file three times has that file skipped and named, and no other', async () => {
    for (const name of ['Ada - First', 'Kwame - Deadly', 'Zoe - Last']) put(`${name} (Clean).wav`, aWav())
    const run = await begin()
    // The worker ends while it reads the tags of this file, and everything else that it has under way ends with it.
    const scratch = async (name: string) => {
      const [deadly] = await pool.world.sql`
        select 1 from import_file where import_run_id = ${run} and path like 'Kwame - Deadly%' and stage = 'reading'`
      if (deadly) throw gone()
      return pool.world.storage.scratch(name)
    }
    let deaths = 0
    for (; (await now(run)).state !== 'done' && deaths < 10; deaths++) {
      await workOnNext(anotherProcess({ scratch }), workers).catch(() => {})
      await abandon(run)
    }
    expect(deaths).toBe(4)
    expect(await now(run)).toMatchObject({ state: 'done', trouble: '', versions_added: 2, skipped: 1 })
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
    put('Kwame - Patient (Clean).wav', aWav())
    const run = await begin()
    let isAway = true
    const survivor = anotherProcess({
      scratch: async (name) => {
        const [reading] = await pool.world.sql`
          select 1 from import_file where import_run_id = ${run} and stage = 'reading'`
        if (reading && isAway) throw gone()
        return pool.world.storage.scratch(name)
      },
    })
    for (let n = 0; n < 4; n++) {
      await expect(workOnNext(survivor, workers)).rejects.toThrow('gone')
      await abandon(run)
    }
    isAway = false
    const stopping = new AbortController()
    const analyser: Analyser = {
      ...analyserHere,
      analyse: async (file, options) => {
        stopping.abort()
        return analyserHere.analyse(file, options)
      },
    }
    await workOnNext(survivor, { ...workers, analyser, signal: stopping.signal })
    expect(await now(run)).toMatchObject({ state: 'waiting', versions_added: 1 })
    expect(await attempts(run)).toMatchObject([{ attempts: 0, interruptions: 0, stage: null }])
    await work()
    expect(await now(run)).toMatchObject({ state: 'done', versions_added: 1 })
  })
})

const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')

const beginSending = async () =>
  (await pool.ask(imports.beginSending, { folder: 'Crate' }, curator.token)).import.import_run_id
const announce = (run: number, files: [string, Buffer][]) =>
  pool.ask(
    imports.announceFiles,
    {
      import_run_id: run,
      files: files.map(([name, bytes]) => ({ path: name, bytes: bytes.length, sha256: sha256(bytes) })),
    },
    curator.token,
  )

/** Sends a file as a browser does, which says what its content should be. */
async function send(run: number, n: number, bytes: Buffer, should = sha256(bytes)) {
  const metadata = { filename: 'x.wav', sha256: should, import_run_id: String(run), import_file: String(n) }
  const coded = Object.entries(metadata).map(([name, value]) => `${name} ${Buffer.from(value).toString('base64')}`)
  const headers = { authorization: `Bearer ${curator.token}`, 'tus-resumable': '1.0.0' }
  const begun = await pool.app.inject({
    method: 'POST',
    url: uploads.RESUMABLE_PATH,
    headers: { ...headers, 'upload-length': String(bytes.length), 'upload-metadata': coded.join(',') },
  })
  if (begun.statusCode !== 201) return begun.statusCode
  const sent = await pool.app.inject({
    method: 'PATCH',
    url: String(begun.headers.location),
    headers: { ...headers, 'upload-offset': '0', 'content-type': 'application/offset+octet-stream' },
    payload: bytes,
  })
  return sent.statusCode
}

test('a folder from a browser: what is here is not sent, what came lies in the store until it is in, and no longer', async () => {
  const here = aWav()
  put('Kwame - Here (Clean).wav', here)
  const first = await start()
  await work()
  await pool.ask(imports.doImport, { import_run_id: first.import_run_id }, curator.token)
  await work()
  const [fresh, twin, broken] = [aWav(), aWav(), Buffer.from('RIFF no music at all')]
  const run = { import_run_id: await beginSending() }
  const names: [string, Buffer][] = [
    ['Crate/../Kwame - Fresh (Clean).wav', fresh],
    ['Kwame - Again (Clean).wav', here],
    ['Kwame - Late (Clean).wav', twin],
    ['broken.wav', broken],
  ]
  const { files } = await announce(run.import_run_id, names)
  expect(files.map(({ state }) => state)).toEqual(['send', 'here', 'send', 'send'])
  expect(await send(run.import_run_id, files[0]?.n ?? 0, fresh)).toBe(204)
  expect(await send(run.import_run_id, files[3]?.n ?? 0, broken)).toBe(204)
  expect(await send(run.import_run_id, 99, twin)).not.toBe(201)
  // Chosen again after a reload: what has arrived need not come again.
  const again = await announce(run.import_run_id, names)
  expect(again.files.map(({ state }) => state)).toEqual(['sent', 'here', 'send', 'sent'])
  await pool.ask(imports.planImport, { import_run_id: run.import_run_id }, curator.token)
  await work()
  expect(await now(run.import_run_id)).toMatchObject({ phase: 'plan', state: 'done', versions_added: 1, skipped: 3 })
  await pool.ask(imports.doImport, { import_run_id: run.import_run_id }, curator.token)
  await work()
  expect((await filesOf(run.import_run_id)).map(({ path, outcome, reason }) => [path, outcome, reason])).toEqual([
    ['Crate/Kwame - Fresh (Clean).wav', 'added', ''],
    ['Kwame - Again (Clean).wav', 'skipped', 'already in the catalogue'],
    ['Kwame - Late (Clean).wav', 'skipped', 'not uploaded'],
    ['broken.wav', 'skipped', 'not an audio file'],
  ])
  expect(await pool.world.storage.has('audio', sha256(fresh))).toBe(true)
  expect(await pool.world.storage.has('audio', sha256(broken))).toBe(false)
  expect(await checkPool(pool.world, { files: 'all', steps: silentSteps, signal })).toEqual({
    troubles: [],
    unnamed: [],
  })
})

test('a folder from a browser brings a damaged file again, and it is restored', async () => {
  const bytes = aWav()
  put('Kwame - Damaged (Clean).wav', bytes)
  const first = await start()
  await work()
  await pool.ask(imports.doImport, { import_run_id: first.import_run_id }, curator.token)
  await work()
  const stored = storedAt(pool.world, sha256(bytes))
  truncateSync(stored, 100)
  const run = await beginSending()
  const { files } = await announce(run, [['Kwame - Damaged (Clean).wav', bytes]])
  expect(files.map(({ state }) => state)).toEqual(['send'])
  expect(await send(run, 1, bytes)).toBe(204)
  expect(readFileSync(stored).equals(bytes)).toBe(true)
  const intact = await announce(run, [['Kwame - Copy of it (Clean).wav', bytes]])
  expect(intact.files.map(({ state }) => state)).toEqual(['here'])
})

test('of two identical files from a browser the one with the better name comes in, though its content came under the other', async () => {
  const music = aWav()
  const run = await beginSending()
  const names: [string, Buffer][] = [['track 01.wav', music]]
  await announce(run, names)
  expect(await send(run, 1, music)).toBe(204)
  const { files } = await announce(run, [...names, ['Kwame - Better Named (Clean).wav', music]])
  expect(files.map(({ state }) => state)).toEqual(['sent', 'twice'])
  await pool.ask(imports.planImport, { import_run_id: run }, curator.token)
  await work()
  expect(await now(run)).toMatchObject({ versions_added: 1, skipped: 1 })
  await pool.ask(imports.doImport, { import_run_id: run }, curator.token)
  await work()
  expect((await filesOf(run)).map(({ path, outcome, reason }) => [path, outcome, reason])).toEqual([
    ['track 01.wav', 'skipped', 'duplicate in folder'],
    ['Kwame - Better Named (Clean).wav', 'added', ''],
  ])
})

/** Sends a sheet that lies in the folder. */
async function sendSheet(run: number, path: string, content: string) {
  const form = new FormData()
  form.append('import_run_id', String(run))
  form.append('path', path)
  form.append('sheet', new Blob([content]), 'sheet.csv')
  const body = new Response(form)
  const sent = await pool.app.inject({
    method: 'POST',
    url: `/api/${imports.sendSheet.path}`,
    headers: { authorization: `Bearer ${curator.token}`, 'content-type': body.headers.get('content-type') ?? '' },
    payload: Buffer.from(await body.arrayBuffer()),
  })
  return sent.statusCode === 200 ? 'taken' : sent.json().code
}

test('a sheet that a browser sends describes the files beside it, and is kept no longer than the import', async () => {
  const [one, two] = [aWav(), aWav()]
  const run = await beginSending()
  await announce(run, [
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
  await work()
  expect(await now(run)).toMatchObject({
    ...{ state: 'done', songs_added: 1, versions_added: 2 },
    sheets: [
      {
        ...{ path: path.join('promo', 'sheet.csv'), files_described: 2 },
        problems: [{ row: 4, message: 'There is no file “3” beside the sheet.' }],
      },
    ],
  })
  await pool.ask(imports.doImport, { import_run_id: run }, curator.token)
  await work()
  expect((await filesOf(run)).map(({ title, version_label }) => [title, version_label])).toEqual([
    ['From A Sheet', 'Clean'],
    ['From A Sheet', 'Dirty'],
  ])
  expect(await pool.world.sql`select 1 from import_sheet where content is not null`).toEqual([])
})

test('a pattern is used by an import from the back office, and a wrong one is refused', async () => {
  put('Dusk/Kwame/By Path.wav', aWav())
  const begin = (pattern: string) => pool.ask(imports.startImport, { folder, pattern }, curator.token)
  expect(await refusalOf(begin('{artst}'))).toMatchObject({ code: 'invalid_pattern', message: /no field \{artst\}/ })
  const { import: run } = await begin('{label}/{artist}/{title}')
  expect(run.pattern).toBe('{label}/{artist}/{title}')
  await work()
  await pool.ask(imports.doImport, { import_run_id: run.import_run_id }, curator.token)
  await work()
  expect([...(await pool.world.sql`select artist, label from song where title = 'By Path'`)]).toEqual([
    { artist: 'Kwame', label: 'Dusk' },
  ])
})

const editFile = (import_run_id: number, n: number, changes: object) =>
  pool.ask(imports.correctFile, { import_run_id, n, ...changes }, curator.token)

test('what staff change in the preview is counted at once, outlives looking again, and is what comes in', async () => {
  put('01 no name at all.wav', aWav())
  put('Kwame - Typo Drve (Clean).wav', aWav())
  put('Kwame - Typo Drve (Dirty).wav', aWav())
  put('Kwame - Unwanted.wav', aWav())
  const { import_run_id: run } = await start()
  await work()
  expect(await now(run)).toMatchObject({ songs_added: 2, versions_added: 3, skipped: 1 })
  const named = await editFile(run, 1, { artist: ' Kwame ', title: 'Typo Drive', version_label: 'Intro' })
  expect(named.file).toMatchObject({
    ...{ outcome: 'added', artist: 'Kwame', title: 'Typo Drive', version_label: 'Intro', is_new_song: true },
    found: { artist: '', title: 'no name at all', version_label: 'Original', genre: '' },
    correction: { artist: 'Kwame', title: 'Typo Drive', version_label: 'Intro' },
  })
  expect(named.import).toMatchObject({ songs_added: 3, versions_added: 4, skipped: 0 })
  // The first file of a song is the one that makes it new.
  expect((await editFile(run, 2, { title: 'Typo Drive', genre: 'House, Techno' })).import.songs_added).toBe(3)
  expect((await editFile(run, 3, { title: 'Typo Drive' })).import.songs_added).toBe(2)
  expect((await editFile(run, 4, { is_left_out: true })).import).toMatchObject({
    songs_added: 1,
    versions_added: 3,
    skipped: 1,
  })
  // An emptied field is what was read.
  expect((await editFile(run, 1, { title: '' })).file).toMatchObject({ title: 'no name at all', outcome: 'added' })
  expect((await editFile(run, 1, { reset: true })).file).toMatchObject({ outcome: 'skipped', correction: null })
  await editFile(run, 1, { artist: 'Kwame', title: 'Typo Drive', version_label: 'Intro', genre: 'House, Techno' })

  await pool.ask(imports.planImport, { import_run_id: run }, curator.token)
  expect((await refusalOf(editFile(run, 1, { title: 'Now' }))).code).toBe('import_in_progress')
  await work()
  expect(await now(run)).toMatchObject({ songs_added: 1, versions_added: 3, skipped: 1 })
  await pool.ask(imports.doImport, { import_run_id: run }, curator.token)
  await work()
  expect((await filesOf(run)).map(({ title, version_label, reason }) => [title, version_label, reason])).toEqual([
    ['Typo Drive', 'Intro', ''],
    ['Typo Drive', 'Clean', ''],
    ['Typo Drive', 'Dirty', ''],
    ['', '', 'left out'],
  ])
  const [song] = await pool.world.sql`
    select artist, origins ->> 'title' as title_source,
      array(select name from song_genre join genre using (genre_id) where entity_id = s.entity_id order by name) as genres
    from song s where title = 'Typo Drive'`
  expect(song).toEqual({ artist: 'Kwame', title_source: 'staff', genres: ['House', 'Techno'] })
  expect((await refusalOf(editFile(run, 1, { title: 'Late' }))).code).toBe('import_finished')
})

test('a file that cannot come in cannot be changed', async () => {
  put('broken.wav', Buffer.from('no music'))
  const { import_run_id: run } = await start()
  await work()
  expect((await refusalOf(editFile(run, 1, { title: 'Music' }))).code).toBe('not_editable')
  expect((await refusalOf(editFile(run, 9, { title: 'Music' }))).code).toBe('unknown_file')
  const audio = await now(run)
  expect([audio.audio_seconds, audio.audio_seconds_done]).toEqual([0, 0])
})

test('a preview says how much audio an import has to analyse', async () => {
  const known = aWav()
  put('Kwame - Analysed (Clean).wav', known)
  put('again/Kwame - Analysed (Clean).wav', known)
  const { import_run_id: run } = await start()
  await work()
  const { audio_seconds, audio_seconds_done } = await now(run)
  expect(audio_seconds).toBeGreaterThan(0)
  expect(audio_seconds_done).toBe(audio_seconds)
  const [seconds] = await pool.world.sql`
    select sum(audio_seconds) filter (where outcome = 'added') as added, sum(audio_seconds) filter (where outcome = 'skipped') as skipped
    from import_file where import_run_id = ${run}`
  expect(seconds).toEqual({ added: audio_seconds, skipped: 0 })
})

test('a file that is another one when its folder is chosen again comes anew, and nothing is left of what came before', async () => {
  const { storage } = pool.world
  const [old, fresh, damaged] = [aWav(), aWav(), aWav()]
  const run = await beginSending()
  const [name, copy] = ['Kwame - Mixed (Clean).wav', 'Kwame - Copied (Clean).wav']
  await announce(run, [[name, old]])
  expect(await send(run, 1, old)).toBe(204)
  // What lay there under that name lies under another one by now.
  const { files } = await announce(run, [
    [copy, old],
    [name, fresh],
  ])
  expect(files.map(({ state }) => state)).toEqual(['send', 'send'])
  expect(await storage.has('audio', sha256(old))).toBe(false)
  expect(await send(run, 2, old)).toBe(204)
  await pool.ask(imports.planImport, { import_run_id: run }, curator.token)
  await work()
  expect((await filesOf(run)).map(({ path, outcome, reason }) => [path, outcome, reason])).toEqual([
    [name, 'skipped', 'not uploaded'],
    [copy, 'added', ''],
  ])
  // Sent once more, and otherwise: the last one counts. What was damaged on its way is none.
  await announce(run, [[name, fresh]])
  expect(await send(run, 1, fresh)).toBe(204)
  expect(await send(run, 1, damaged, sha256(fresh))).toBe(422)
  const other = aWav()
  expect(await send(run, 1, other)).toBe(204)
  const kept = await Promise.all([old, fresh, other, damaged].map((bytes) => storage.has('audio', sha256(bytes))))
  expect(kept).toEqual([true, false, true, false])
})

test('an import that is removed takes what was sent for it along, also what comes that very moment', async () => {
  const { sql, storage } = pool.world
  const [sent, late] = [aWav(), aWav()]
  const run = await beginSending()
  await announce(run, [
    ['Kwame - Sent (Clean).wav', sent],
    ['Kwame - Late (Clean).wav', late],
  ])
  expect(await send(run, 1, sent)).toBe(204)
  const under = await sql.begin(async (busy) => {
    for (const bytes of [late, sent]) await lockContent(busy, sha256(bytes))
    const sending = send(run, 2, late)
    await untilWaiting(sql, 1)
    const removing = pool.ask(imports.removeImport, { import_run_id: run }, curator.token)
    await untilWaiting(sql, 2)
    // From the first moment of its removal nobody begins it.
    const beginning = pool.ask(imports.doImport, { import_run_id: run }, curator.token)
    expect((await refusalOf(beginning)).code).toBe('unknown_import')
    return { sending, removing }
  })
  await under.removing
  expect(await under.sending).toBe(404)
  expect(await storage.has('audio', sha256(sent))).toBe(false)
  expect(await storage.has('audio', sha256(late))).toBe(false)
})

test('a file that arrives after its import started is neither imported nor kept', async () => {
  const { sql, storage } = pool.world
  const late = aWav()
  const run = await beginSending()
  await announce(run, [['Kwame - Late (Clean).wav', late]])
  const under = await sql.begin(async (busy) => {
    await lockContent(busy, sha256(late))
    const sending = send(run, 1, late)
    await untilWaiting(sql, 1)
    await pool.ask(imports.doImport, { import_run_id: run }, curator.token)
    return { sending }
  })
  expect(await under.sending).toBe(409)
  expect(await storage.has('audio', sha256(late))).toBe(false)
  await work()
  expect((await filesOf(run)).map(({ outcome, reason }) => [outcome, reason])).toEqual([['skipped', 'not uploaded']])
})

test('whoever lost an import to another worker throws nothing away that it still works on', async () => {
  const { sql, storage } = pool.world
  const [music, broken] = [aWav(), Buffer.from('RIFF no music either')]
  const run = await beginSending()
  await announce(run, [
    ['broken.wav', broken],
    ['Kwame - Taken (Clean).wav', music],
  ])
  expect([await send(run, 1, broken), await send(run, 2, music)]).toEqual([204, 204])
  await pool.ask(imports.doImport, { import_run_id: run }, curator.token)
  const slow: Analyser = {
    ...analyserHere,
    analyse: async (file, options) => {
      // Another one has taken it to be gone.
      await sql`update import_run set turn = turn + 1 where import_run_id = ${run}`
      return analyserHere.analyse(file, options)
    },
  }
  await workOnNext(pool.world, { ...workers, analyser: slow })
  expect(await now(run)).toMatchObject({ state: 'running', files_done: 2 })
  expect(await storage.has('audio', sha256(broken))).toBe(true)
  await sql`update import_run set touched_at = now() - interval '2 minutes' where import_run_id = ${run}`
  await work()
  expect(await now(run)).toMatchObject({ state: 'done', versions_added: 1, skipped: 1 })
  expect(await storage.has('audio', sha256(broken))).toBe(false)
})

const aPicture = (background: string, side = 64) =>
  sharp({ create: { width: side, height: side, channels: 3, background } })
    .png()
    .toBuffer()

/** Sends the picture of the folder that an announced file is in. */
async function sendCover(run: number, n: number, bytes: Buffer) {
  const form = new FormData()
  form.append('import_run_id', String(run))
  form.append('import_file', String(n))
  form.append('picture', new Blob([new Uint8Array(bytes)]), 'cover.png')
  const body = new Response(form)
  const sent = await pool.app.inject({
    method: 'POST',
    url: `/api/${imports.sendCover.path}`,
    headers: { authorization: `Bearer ${curator.token}`, 'content-type': body.headers.get('content-type') ?? '' },
    payload: Buffer.from(await body.arrayBuffer()),
  })
  return sent.statusCode === 200 ? 'taken' : sent.json().code
}

/** The pictures in the store that were sent and belong to no song. */
async function sentPictures(): Promise<string[]> {
  const all: string[] = []
  for await (const { sha256, ending } of pool.world.storage.list('images')) if (ending === '.sent') all.push(sha256)
  return all
}

const coverOf = async (title: string) => {
  const [song] = await pool.world.sql<{ cover: string | null }[]>`
    select encode(a.sha256, 'hex') as cover from song s left join artwork a using (artwork_id) where s.title = ${title}`
  return song?.cover
}

/** Everything that came in lately may be named in a moment: this looks later. */
const checkLater = () =>
  checkPool(
    { ...pool.world, now: () => new Date(Date.now() + 7_200_000) },
    { files: 'all', steps: silentSteps, signal },
  )

test('music from a browser has the cover of its own folder, as music of the server has', async () => {
  const [teal, plum, olive] = [await aPicture('teal'), await aPicture('plum'), await aPicture('olive')]
  put('Kwame - Covered Here (Clean).wav', aWav())
  put('cover.png', teal)
  const here = await start()
  await work()
  await pool.ask(imports.doImport, { import_run_id: here.import_run_id }, curator.token)
  await work()

  const run = await beginSending()
  const names: [string, Buffer][] = [
    ['Kwame - Covered There (Clean).wav', aWav()],
    ['one/Kwame - Covered Otherwise (Clean).wav', aWav()],
    ['one/below/Kwame - Covered by None (Clean).wav', aWav()],
  ]
  const { files } = await announce(run, names)
  expect(files.map(({ cover }) => cover)).toEqual([null, null, null])
  expect(await sendCover(run, 1, olive)).toBe('taken')
  expect(await sendCover(run, 2, plum)).toBe('taken')
  // Another picture lies there by now.
  expect(await sendCover(run, 1, teal)).toBe('taken')
  // Chosen again after a reload: which pictures have come is told.
  const again = await announce(run, names)
  expect(again.files.map(({ cover }) => cover)).toEqual([sha256(teal), sha256(plum), null])
  for (const [at, [, bytes]] of names.entries()) expect(await send(run, at + 1, bytes)).toBe(204)
  await pool.ask(imports.planImport, { import_run_id: run }, curator.token)
  await work()
  expect(await now(run)).toMatchObject({ state: 'done', files: 3, versions_added: 3, skipped: 0, reasons: [] })
  expect(await sentPictures()).toHaveLength(2)
  await pool.ask(imports.doImport, { import_run_id: run }, curator.token)
  await work()
  expect(await now(run)).toMatchObject({ state: 'done', files: 3, versions_added: 3, skipped: 0 })
  const fromServer = await coverOf('Covered Here')
  expect(fromServer).toMatch(/^[0-9a-f]{64}$/)
  expect(await coverOf('Covered There')).toBe(fromServer)
  expect(await coverOf('Covered Otherwise')).toMatch(/^[0-9a-f]{64}$/)
  expect(await coverOf('Covered Otherwise')).not.toBe(fromServer)
  expect(await coverOf('Covered by None')).toBeNull()
  expect(await sentPictures()).toEqual([])
  expect(await checkLater()).toEqual({ troubles: [], unnamed: [] })
})

test('a picture that is none, or of no import that is being sent, is refused and not kept', async () => {
  const run = await beginSending()
  await announce(run, [['Kwame - Plain (Clean).wav', aWav()]])
  const teal = await aPicture('teal')
  expect(await sendCover(run, 1, Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'))).toBe('invalid_image')
  expect(await sendCover(run, 1, await aPicture('teal', 31))).toBe('image_too_small')
  expect(await sendCover(run, 1, Buffer.alloc(corrections.LARGEST_COVER_BYTES + 1))).toBe('too_large')
  expect(await sendCover(run, 1, Buffer.alloc(0))).toBe('file_required')
  expect(await sendCover(run, 0, teal)).toBe('invalid_request')
  expect(await sendCover(run, 2, teal)).toBe('unexpected_file')
  expect(await sendCover(run + 999, 1, teal)).toBe('unknown_import')
  await pool.ask(imports.planImport, { import_run_id: run }, curator.token)
  expect(await sendCover(run, 1, teal)).toBe('import_finished')
  await pool.ask(imports.stopImport, { import_run_id: run }, curator.token)
  expect(await sentPictures()).toEqual([])
})

test('pictures of an import that is removed or never brought in go with it, unless another one has the same', async () => {
  const { sql } = pool.world
  const [teal, plum] = [await aPicture('teal'), await aPicture('plum')]
  const [removed, left] = [await beginSending(), await beginSending()]
  for (const run of [removed, left]) {
    await announce(run, [
      ['Kwame - Left (Clean).wav', aWav()],
      ['more/Kwame - Left (Dirty).wav', aWav()],
    ])
    expect(await sendCover(run, 1, teal)).toBe('taken')
  }
  expect(await sendCover(removed, 2, plum)).toBe('taken')
  expect(await sentPictures()).toHaveLength(2)
  await pool.ask(imports.removeImport, { import_run_id: removed }, curator.token)
  expect(await sentPictures()).toHaveLength(1)
  expect(await checkLater()).toEqual({ troubles: [], unnamed: [] })
  await sweepSent(pool.world)
  expect(await sentPictures()).toHaveLength(1)
  await sql`update import_run set touched_at = now() - interval '15 days' where import_run_id = ${left}`
  await sweepSent(pool.world)
  expect(await now(left)).toMatchObject({ state: 'failed' })
  expect(await sentPictures()).toEqual([])
  expect(await checkLater()).toEqual({ troubles: [], unnamed: [] })
})

test('a picture that comes while its import is removed is not kept', async () => {
  const { sql } = pool.world
  const teal = await aPicture('teal')
  const drawn = sha256((await drawCover(teal)).data)
  const run = await beginSending()
  await announce(run, [['Kwame - Late (Clean).wav', aWav()]])
  const under = await sql.begin(async (busy) => {
    await lockContent(busy, drawn)
    const sending = sendCover(run, 1, teal)
    await untilWaiting(sql, 1)
    await pool.ask(imports.removeImport, { import_run_id: run }, curator.token)
    return { sending }
  })
  expect(await under.sending).toBe('unknown_import')
  expect(await sentPictures()).toEqual([])
})

test('a path a browser tells is no way out of the folder', () => {
  expect(plainPath('../../etc/passwd')).toBe(path.join('etc', 'passwd'))
  expect(plainPath('/Artist//./Title\u0000.mp3')).toBe(path.join('Artist', 'Title.mp3'))
})
