import { rm } from 'node:fs/promises'
import { setInterval } from 'node:timers'
import { uploads } from '@dubplate/contract'
import { type Analyser, AnalyserError, isOutOfSpace } from '../analysis/analyser.ts'
import type { Analysis } from '../analysis/analysis.ts'
import { expectedTempo } from '../analysis/usual-tempo.ts'
import type { AppContext } from '../app-context.ts'
import { readPayload } from '../audio-files/payload.ts'
import { tempoOfLabel } from '../catalogue/label-tempos.ts'
import { createCoverReader } from '../imports/cover.ts'
import { parseFileName } from '../imports/file-name.ts'
import { describeSong, PLAIN_VERSION } from '../imports/song-entry.ts'
import { readTags, type Tags } from '../imports/tags.ts'
import { findSameRecordings } from '../media/duplicates.ts'
import { insertAudioFile, insertPicture, lockContent } from '../media/media-repository.ts'
import { isDatabaseUnavailable, type Sql } from '../platform/db.ts'
import { isStoreError } from '../platform/error-replies.ts'
import { NotStoredError } from '../platform/storage.ts'
import { addFailedAttempt, addUsage, hasReachedLimit, lastTurnQuery, recordTurn } from './analysis-usage.ts'
import { toFault } from './upload-container.ts'

/** A file whose analysis crashed this often is marked and not retried. */
const MAX_ATTEMPTS = 3
/** How often a worker reports that it is still analysing. */
const HEARTBEAT_INTERVAL_MS = 15_000
/** After this time without a report, another worker may claim the file. */
const CLAIM_TIMEOUT_SECONDS = 90
const PROGRESS_INTERVAL_MS = 400
const RETRY_DELAY_SECONDS = 30

type ClaimedUpload = { upload_id: number; customer_id: number; sha256: string; name: string; attempts: number }

/**
 * Analyses the next upload, or one whose analysis was interrupted. Members take turns, each with their oldest upload.
 * Returns false if none is queued. Safe to be killed at any point: an unfinished analysis is repeated, by this process
 * or another.
 */
export async function analyseNext(ctx: AppContext, analyser: Analyser): Promise<boolean> {
  const claimed = await claim(ctx.sql)
  if (!claimed) return false
  if (claimed.attempts > MAX_ATTEMPTS) await failUpload(ctx, claimed)
  else await analyse(ctx, analyser, claimed)
  return true
}

/** The member with the fewest uploads in progress comes first; of those the one whose last turn is longest ago. */
async function claim(sql: Sql): Promise<ClaimedUpload | undefined> {
  const isAbandoned = sql`u.updated_at < now() - make_interval(secs => ${CLAIM_TIMEOUT_SECONDS})`
  const [claimed] = await sql<ClaimedUpload[]>`
    with member as (
      select u.customer_id, count(*) filter (where u.state = 'running' and not ${isAbandoned}) as running, ${lastTurnQuery(sql)} as last_turn_at
      from (select customer_id, state, updated_at from upload where state in ('queued', 'running') and removed_at is null) u
      where not ${hasReachedLimit(sql)} group by u.customer_id),
    chosen as (
      select u.upload_id, u.customer_id from upload u join member m using (customer_id)
      where u.state in ('queued', 'running') and u.removed_at is null and (u.state = 'queued' and u.due_at <= now() or ${isAbandoned})
      order by m.running, m.last_turn_at nulls first, u.due_at, u.upload_id limit 1 for update of u skip locked),
    turn as (${recordTurn(sql)})
    update upload u set state = 'running', progress = 0, attempts = attempts + 1, updated_at = now() from chosen c
    where u.upload_id = c.upload_id
    returning u.upload_id, u.customer_id, encode(u.sha256, 'hex') as sha256, u.name, u.attempts`
  return claimed
}

async function analyse(ctx: AppContext, analyser: Analyser, claimed: ClaimedUpload): Promise<void> {
  const { sql, log } = ctx
  const heartbeatTimer = setInterval(() => {
    renewClaim(sql, claimed).catch((error) => log.warn(error, 'Could not send the heartbeat of an analysis'))
  }, HEARTBEAT_INTERVAL_MS)
  try {
    await analyseFile(ctx, analyser, claimed)
  } catch (error) {
    if (error instanceof AnalyserError && !isAnalyserFault(error)) {
      log.warn({ upload_id: claimed.upload_id, reason: error.reason }, 'Upload analysis failed')
      await addFailedAttempt(sql, claimed.customer_id)
      await releaseClaim(sql, claimed, 0)
      return
    }
    if (error instanceof NotStoredError) {
      log.error({ upload_id: claimed.upload_id }, 'Uploaded file missing from storage')
      await markFailed(sql, claimed, LOST_FAULT)
      return
    }
    const isShutdown = error instanceof AnalyserError && error.kind === 'stopped'
    if (isShutdown) await requeueUpload(sql, claimed, 0).catch(() => {})
    else if (isTransient(error)) await requeueUpload(sql, claimed, RETRY_DELAY_SECONDS).catch(() => {})
    // An unexpected error, which may be caused by this file each time.
    else await releaseClaim(sql, claimed, RETRY_DELAY_SECONDS).catch(() => {})
    if (!isShutdown) throw error
  } finally {
    clearInterval(heartbeatTimer)
  }
}

const isAnalyserFault = (error: AnalyserError) => error.kind === 'stopped' || isOutOfSpace(error)

/** Errors of storage, the disk or the database are not caused by the file and not counted as attempts. */
const isTransient = (error: unknown): boolean =>
  error instanceof AnalyserError || isDatabaseUnavailable(error) || isStoreError(error)

const renewClaim = (sql: Sql, { upload_id, attempts }: ClaimedUpload) =>
  sql`update upload set updated_at = now() where upload_id = ${upload_id} and attempts = ${attempts} and state = 'running'`

/** Releases it for another attempt, or to be marked after too many. */
const releaseClaim = async (sql: Sql, { upload_id, attempts }: ClaimedUpload, delaySeconds: number): Promise<void> => {
  await sql`update upload set state = 'queued', updated_at = now(), due_at = now() + make_interval(secs => ${delaySeconds})
    where upload_id = ${upload_id} and attempts = ${attempts} and state = 'running'`
}

const requeueUpload = async (sql: Sql, { upload_id, attempts }: ClaimedUpload, delaySeconds: number): Promise<void> => {
  await sql`update upload set state = 'queued', attempts = attempts - 1, updated_at = now(),
      due_at = now() + make_interval(secs => ${delaySeconds})
    where upload_id = ${upload_id} and attempts = ${attempts} and state = 'running'`
}

async function failUpload({ sql, log }: AppContext, claimed: ClaimedUpload): Promise<void> {
  log.error(
    { upload_id: claimed.upload_id, name: claimed.name },
    'Upload crashed the analyser three times; marked as failed',
  )
  await markFailed(sql, claimed, CRASHED_FAULT)
}

const CRASHED_FAULT = {
  code: 'analysis_failed',
  message: 'The analysis of this file failed three times. Export the file again and upload the new version.',
  blocks: true,
}
const LOST_FAULT = { code: 'file_lost', message: 'We lost this file. Delete it and upload it again.', blocks: true }

const markFailed = async (sql: Sql, { upload_id, attempts }: ClaimedUpload, fault: uploads.Fault): Promise<void> => {
  await sql`
    update upload set state = 'failed', playable = false, faults = ${sql.json([fault])}, updated_at = now()
    where upload_id = ${upload_id} and attempts = ${attempts} and state = 'running'`
}

async function analyseFile(ctx: AppContext, analyser: Analyser, claimed: ClaimedUpload): Promise<void> {
  const { storage, sql } = ctx
  const original = await storage.onDisk('audio', claimed.sha256)
  const previewPath = await storage.scratch('preview.mp3')
  try {
    const tags = await readTags(original.path, { pictures: true })
    const label = await tempoOfLabel(sql, tags.label ?? '')
    await recordTags(sql, claimed, tags)
    const analysis = await analyser.analyse(original.path, {
      previewPath,
      maxDurationSeconds: uploads.MAX_FILE_MINUTES * 60,
      tempoRange: expectedTempo({ bpm: tags.bpm, genres: tags.genres, relatives: [label] }),
      onProgress: createProgressReporter(ctx, claimed),
    })
    await addUsage(sql, claimed.customer_id, analysis.decoded_seconds)
    const cover = tags.picture && (await createCoverReader(storage).keep(previewPath, tags.picture))
    const body = await readPayload(original.path, analysis.format)
    if (analysis.playable && body.kept.kind === 'as_is') rejectTags(analysis)
    const isPlayable = analysis.duration_seconds > 0
    const playableFile = isPlayable
      ? {
          ...{ sha256: claimed.sha256, analysis, body },
          ...{ bytes: await readSize(sql, claimed), preview: await storage.putFile('previews', previewPath, '.mp3') },
        }
      : undefined
    await sql.begin(async (transaction) => {
      await lockContent(transaction, claimed.sha256)
      if (playableFile) await lockPreview(transaction, storage, playableFile.preview.sha256, previewPath)
      const fileId = playableFile ? await storeFileOnce(transaction, playableFile) : null
      const artworkId = cover ? await insertPicture(transaction, cover) : null
      await finishAnalysis(transaction, claimed, { analysis, fileId, artworkId })
    })
  } finally {
    await rm(previewPath, { force: true })
    await original.done()
  }
}

/** Downloads would otherwise contain whatever its sender left in the file. */
function rejectTags(analysis: Analysis): void {
  const message = 'The tags of this file cannot be replaced. Export it again and upload the new file.'
  analysis.faults.push({ code: 'unreplaceable_tags', message })
  analysis.playable = false
}

/** Another file with this preview may have been deleted at this moment. */
async function lockPreview(sql: Sql, storage: AppContext['storage'], sha256: string, path: string): Promise<void> {
  await lockContent(sql, sha256)
  if (!(await storage.has('previews', sha256, '.mp3'))) await storage.putFile('previews', path, '.mp3')
}

/** The tags are stored long before the analysis is complete. */
const recordTags = async (sql: Sql, { upload_id, name, attempts }: ClaimedUpload, tags: Tags): Promise<void> => {
  await sql`update upload set tag = ${sql.json(await toTag(sql, name, tags))}, updated_at = now()
    where upload_id = ${upload_id} and attempts = ${attempts} and state = 'running'`
}

/** Records the progress of the file, a few times a second at most. */
function createProgressReporter(
  { sql, log }: AppContext,
  { upload_id, attempts }: ClaimedUpload,
): (progress: number) => void {
  let reportedAt = 0
  return (progress) => {
    if (Date.now() - reportedAt < PROGRESS_INTERVAL_MS) return
    reportedAt = Date.now()
    sql`update upload set progress = ${progress}, updated_at = now()
      where upload_id = ${upload_id} and attempts = ${attempts} and state = 'running'`.catch((error: unknown) =>
      log.warn(error, 'Could not save the progress of an analysis'),
    )
  }
}

async function readSize(sql: Sql, { upload_id }: ClaimedUpload): Promise<number> {
  const [upload] = await sql<{ bytes: number }[]>`select bytes from upload where upload_id = ${upload_id}`
  if (!upload) throw new Error('Upload disappeared during analysis')
  return upload.bytes
}

/** The same file may have been added by another member or an import. */
async function storeFileOnce(sql: Sql, file: Parameters<typeof insertAudioFile>[1]): Promise<number> {
  const added = await insertAudioFile(sql, file)
  if (added !== undefined) return added
  const [known] = await sql<{ file_id: number }[]>`
    select file_id from file where sha256 = ${Buffer.from(file.sha256, 'hex')}`
  if (!known) throw new Error('File record not found after insert')
  return known.file_id
}

type Outcome = { analysis: Analysis; fileId: number | null; artworkId: number | null }

async function finishAnalysis(sql: Sql, { upload_id, attempts }: ClaimedUpload, outcome: Outcome): Promise<void> {
  const { analysis, fileId, artworkId } = outcome
  const [done] = await sql<{ upload_id: number }[]>`
    update upload set state = 'done', progress = 1, updated_at = now(), file_id = ${fileId}, artwork_id = ${artworkId},
      playable = ${analysis.playable && fileId !== null}, faults = ${sql.json(analysis.faults.map(toFault))}
    where upload_id = ${upload_id} and attempts = ${attempts} and state = 'running' returning upload_id`
  // Another worker has claimed it in the meantime: its result counts.
  if (!done || fileId === null) return
  await sql`delete from upload_duplicate where upload_id = ${upload_id}`
  for (const duplicate of await findSameRecordings(sql, analysis.fingerprint)) {
    if (duplicate.file_id === fileId) continue
    // Either of them may be published first.
    await sql`
      insert into upload_duplicate (upload_id, file_id, similarity)
      select ${upload_id}::bigint, ${duplicate.file_id}::bigint, ${duplicate.similarity}::real
      union select upload_id, ${fileId}, ${duplicate.similarity} from upload where file_id = ${duplicate.file_id}
      on conflict do nothing`
  }
}

/** Returns the values of the tags, or of the file name if a tag is missing. */
async function toTag(sql: Sql, name: string, tags: Tags) {
  const described = describeSong(name, tags)
  // A name without an artist may still contain the title and the version.
  const parsedName = parseFileName(name)
  const version = described?.version_label ?? parsedName.version ?? ''
  const genres = tags.genres
  const known = await sql<{ genre_id: number }[]>`
    select genre_id from genre where kind = 'genre' and lower(name) = any(${genres.map((genre) => genre.toLowerCase())}::text[])`
  return {
    title: toWellFormed(described?.title ?? tags.title ?? parsedName.title ?? ''),
    artist: toWellFormed(described?.artist ?? tags.artist ?? parsedName.artist ?? ''),
    version_label: toWellFormed(version === PLAIN_VERSION ? '' : version),
    year: tags.year ?? null,
    bpm: described?.min_bpm ?? tags.bpm ?? parsedName.bpm ?? null,
    song_key: described?.song_key ?? tags.song_key ?? parsedName.song_key ?? null,
    genres: genres.map(toWellFormed),
    genre_ids: known.map(({ genre_id }) => genre_id),
  }
}

/** Removes unpaired surrogates, which a truncated text may end in and the database rejects. */
const toWellFormed = (text: string): string => text.replace(/\p{Cs}/gu, '')
