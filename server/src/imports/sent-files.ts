import path from 'node:path'
import { imports, type ParsedInputOf, type ReplyOf } from '@dubplate/contract'
import { findIntactContents, restoreOriginal } from '../audio/originals.ts'
import { lockContent } from '../audio/shelf.ts'
import type { Sql } from '../platform/db.ts'
import { Refusal } from '../platform/refusal.ts'
import type { World } from '../world.ts'
import { type Coming, type HeldRun, holdImport, refuseSent, refuseUnannounced } from './import-runs.ts'
import { heldCovers, letCoverGo, sentCovers } from './sent-covers.ts'
import { dropSheets } from './sent-sheets.ts'

/** Folders that a browser sends: files are announced, come in by the tus protocol, and lie in the store until they are imported. */

type Kept = Pick<World, 'sql' | 'storage'>
type Tools = Kept & Pick<World, 'log' | 'now'>
type Announced = ParsedInputOf<typeof imports.announceFiles>
type Answer = ReplyOf<typeof imports.announceFiles>['files'][number]

const { MOST_IMPORTED } = imports

/** `../../Artist//Title.mp3` is `Artist/Title.mp3`. */
export const plainPath = (given: string): string =>
  given
    .normalize('NFC')
    .split(/[\\/]/)
    .map((part) => part.replace(/\p{Cc}/gu, '').trim())
    .filter((part) => part !== '' && part !== '.' && part !== '..')
    .join(path.sep)

type File = { name: string; bytes: number; sha256: string }

/**
 * Notes files that are to come, and says of each whether it has to. Refuses `unknown_import`, `import_finished` and
 * `too_many_files`.
 */
export async function announceFiles(world: Tools, { import_run_id, files }: Announced): Promise<Answer[]> {
  const named = files.map(({ path: given, ...file }) => ({ ...file, name: plainPath(given) || 'Untitled' }))
  // A file whose stored original is missing or damaged is sent again, so that the import restores it.
  const intact = await findIntactContents(
    world,
    named.map(({ sha256 }) => sha256),
  )
  const { answers, replaced } = await world.sql.begin(async (sql) => {
    refuseSent(await holdImport(sql, import_run_id))
    const replaced = await dropReplaced(sql, import_run_id, named)
    return { answers: await announceAll(sql, import_run_id, named, intact), replaced }
  })
  for (const sha256 of replaced) await letGo(world, sha256)
  return answers
}

/** A file that is another one by now is not taken for what came of it before, nor another file for its twin. */
async function dropReplaced(sql: Sql, runId: number, files: readonly File[]): Promise<string[]> {
  const replaced = await sql<{ sha256: string }[]>`
    with replaced as (
      select n, held_sha256 from import_file
      join unnest(${files.map(({ name }) => name)}::text[], ${files.map(({ sha256 }) => sha256)}::text[]) now (path, sha256)
        using (path)
      where import_run_id = ${runId} and held_sha256 <> decode(sha256, 'hex'))
    update import_file i set held_sha256 = null from replaced r where i.import_run_id = ${runId} and i.n = r.n
    returning encode(r.held_sha256, 'hex') as sha256`
  return replaced.map(({ sha256 }) => sha256)
}

async function announceAll(
  sql: Sql,
  runId: number,
  files: readonly File[],
  intact: ReadonlySet<string>,
): Promise<Answer[]> {
  await sql`update import_run set state = 'sending', touched_at = now(), ended_at = null where import_run_id = ${runId}`
  const covers = await sentCovers(
    sql,
    runId,
    files.map(({ name }) => name),
  )
  const answers: Answer[] = []
  for (const file of files)
    answers.push({ ...(await announce(sql, runId, file, intact)), cover: covers.get(path.dirname(file.name)) ?? null })
  const [counted] = await sql<{ n: number }[]>`
    select count(*)::int as n from import_file where import_run_id = ${runId}`
  if (counted && counted.n > MOST_IMPORTED)
    throw new Refusal(
      'too_many_files',
      `An import can have up to ${MOST_IMPORTED} files. Split the folder into smaller parts.`,
    )
  return answers
}

async function announce(
  sql: Sql,
  runId: number,
  { name, bytes, sha256 }: File,
  intact: ReadonlySet<string>,
): Promise<Omit<Answer, 'cover'>> {
  const [row] = await sql<{ n: number; held: string | null }[]>`
    insert into import_file (import_run_id, n, path, bytes)
    select ${runId}, coalesce(max(n), 0) + 1, ${name}, ${bytes} from import_file where import_run_id = ${runId}
    on conflict (import_run_id, path) do update set bytes = excluded.bytes, outcome = null, reason = '', detail = ''
    returning n, encode(held_sha256, 'hex') as held`
  const n = row?.n ?? 0
  if (row?.held === sha256) return { n, state: 'sent' }
  if (intact.has(sha256)) {
    await skip(sql, runId, n, {
      reason: 'already in the catalogue',
      detail: 'The same file is already in the catalogue.',
    })
    return { n, state: 'here' }
  }
  const [twin] = await sql<{ path: string }[]>`
    select path from import_file where import_run_id = ${runId} and held_sha256 = decode(${sha256}, 'hex') and n <> ${n} limit 1`
  if (!twin) return { n, state: 'send' }
  // Its content has come under the other name. Which of the two names says more is decided when the import is looked through.
  await sql`
    update import_file set held_sha256 = decode(${sha256}, 'hex') where import_run_id = ${runId} and n = ${n}`
  return { n, state: 'twice' }
}

const skip = (sql: Sql, runId: number, n: number, { reason, detail }: { reason: string; detail: string }) => sql`
  update import_file set outcome = 'skipped', reason = ${reason}, detail = ${detail}
  where import_run_id = ${runId} and n = ${n}`

/** A file has come whole: it is in the store when this returns. Refuses what `refuseUnannounced` does, and `upload_corrupted`. */
export async function takeInSent(
  world: World,
  coming: Coming,
  arrived: { path: string; sha256?: string | undefined },
): Promise<undefined> {
  await refuseUnannounced(world.sql, coming)
  const { sha256 } = await world.storage.keepFile('audio', arrived.path)
  try {
    if (sha256 !== arrived.sha256)
      throw new Refusal('upload_corrupted', 'The upload was corrupted. Send the file again.')
    await restoreOriginal(world, sha256, arrived.path)
    const before = await noteArrived(world, coming, { path: arrived.path, sha256 })
    if (before !== null && before !== sha256) await letGo(world, before)
  } catch (error) {
    if (error instanceof Refusal) await letGo(world, sha256)
    throw error
  }
  return undefined
}

/**
 * Answers what had come for the same file before. The import is held first, as by all who change it: it may have been begun,
 * or removed, while the file was on its way.
 */
const noteArrived = (world: Kept, { import_run_id, import_file }: Coming, file: { path: string; sha256: string }) =>
  world.sql.begin(async (sql) => {
    await lockContent(sql, file.sha256)
    // The same content may have been thrown away this very moment.
    if (!(await world.storage.has('audio', file.sha256))) await world.storage.keepFile('audio', file.path)
    await sql`update import_run set touched_at = now() where import_run_id = ${import_run_id}`
    await refuseUnannounced(sql, { import_run_id, import_file })
    const [before] = await sql<{ sha256: string | null }[]>`
      select encode(held_sha256, 'hex') as sha256 from import_file
      where import_run_id = ${import_run_id} and n = ${import_file}`
    await sql`
      update import_file set held_sha256 = ${Buffer.from(file.sha256, 'hex')}, outcome = null, reason = '', detail = ''
      where import_run_id = ${import_run_id} and n = ${import_file}`
    return before?.sha256 ?? null
  })

const heldOf = async (sql: Sql, runId: number): Promise<string[]> => {
  const held = await sql<{ sha256: string }[]>`
    select distinct encode(held_sha256, 'hex') as sha256 from import_file
    where import_run_id = ${runId} and held_sha256 is not null`
  return held.map(({ sha256 }) => sha256)
}

/** Lets go of what a browser sent: bytes that did not come into the pool are thrown away, and pictures of folders. */
export async function dropSent(world: Kept, runId: number): Promise<void> {
  for (const sha256 of await heldOf(world.sql, runId)) await letGo(world, sha256, { of: runId })
  for (const sha256 of await heldCovers(world.sql, runId)) await letCoverGo(world, sha256, { of: runId })
  await dropSheets(world.sql, runId)
}

/**
 * Throws an import away with its report and what was sent for it; `also` is done in the same transaction, and refuses for
 * all of it. Refuses `unknown_import`.
 */
export async function forgetImport(
  world: Kept,
  runId: number,
  also: (sql: Sql, run: HeldRun) => Promise<void>,
): Promise<void> {
  const { held, covers } = await world.sql.begin(async (sql) => {
    const run = await holdImport(sql, runId)
    await also(sql, run)
    const all = { held: await heldOf(sql, runId), covers: await heldCovers(sql, runId) }
    await sql`delete from import_run where import_run_id = ${runId}`
    return all
  })
  for (const sha256 of held) await letGo(world, sha256)
  for (const sha256 of covers) await letCoverGo(world, sha256)
}

/** Throws bytes away that nobody has any more, once an import does without them. */
async function letGo({ sql: pool, storage }: Kept, sha256: string, without?: { of: number }): Promise<void> {
  const content = Buffer.from(sha256, 'hex')
  await pool.begin(async (sql) => {
    await lockContent(sql, sha256)
    await sql`
      update import_file set held_sha256 = null where import_run_id = ${without?.of ?? null} and held_sha256 = ${content}`
    const wanted = await sql`
      select 1 from file where sha256 = ${content}
      union all select 1 from upload where sha256 = ${content}
      union all select 1 from import_file where held_sha256 = ${content} limit 1`
    if (wanted.length === 0) await storage.remove('audio', sha256)
  })
}

const KEPT_DAYS = 14

/** What was sent and never brought in goes after two weeks. */
export async function sweepSent(world: Kept): Promise<void> {
  const left = await world.sql<{ import_run_id: number }[]>`
    update import_run set state = 'failed', ended_at = now(),
      trouble = ${`The import wasn’t started within ${KEPT_DAYS} days. The uploaded files were deleted.`}
    where source = 'browser' and state not in ('waiting', 'running') and touched_at < now() - make_interval(days => ${KEPT_DAYS})
      and (exists (select 1 from import_file i where i.import_run_id = import_run.import_run_id and held_sha256 is not null)
        or exists (select 1 from import_cover c where c.import_run_id = import_run.import_run_id))
    returning import_run_id`
  for (const { import_run_id } of left) await dropSent(world, import_run_id)
}
