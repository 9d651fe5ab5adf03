import { fork } from 'node:child_process'
import { rm, stat, truncate } from 'node:fs/promises'
import os from 'node:os'
import { setTimeout as pause } from 'node:timers/promises'
import { type DemoUpload, type DemoUploadVersion, UPLOADER_NAME, UPLOADS } from '@dubplate/demo/pool/uploads'
import type { AppContext } from '../app-context.ts'
import { builtProgram } from '../platform/project-root.ts'
import { ingestUpload } from '../uploads/intake.ts'
import { publishUpload, rejectUpload } from '../uploads/publishing.ts'
import { createSong } from '../uploads/song-saving.ts'
import type { RenderMessage, RenderRequest } from './music-messages.ts'

const POLL_MS = 500
const LOW_PRIORITY = 15
const MUSIC_CHILD = builtProgram('music-child')

type UploadPeople = { label: number; staff: number }

/**
 * Uploads the label's files, song by song, while the pool runs: they are received, analysed and reviewed like any other
 * upload. Songs from an earlier start are left as they are; a run that was interrupted is continued.
 */
export function fillUploads(ctx: AppContext): { stop(): Promise<void> } {
  const abortController = new AbortController()
  const uploading = sendAll(ctx, abortController.signal).catch((error) => {
    if (!abortController.signal.aborted) ctx.log.warn(error, 'Could not create the demo uploads')
  })
  return {
    stop: async () => {
      abortController.abort()
      await uploading
    },
  }
}

async function sendAll(ctx: AppContext, signal: AbortSignal): Promise<void> {
  const uploadPeople = await findPeople(ctx)
  if (!uploadPeople) return
  for (const song of UPLOADS) {
    if (signal.aborted) return
    // A song that fails keeps the state it has reached; the others are still uploaded.
    await sendSong(ctx, uploadPeople, song, signal).catch((error) => {
      if (!signal.aborted) ctx.log.warn({ err: error, title: song.title }, 'A demo upload has an unexpected state')
    })
  }
}

async function findPeople({ sql }: AppContext): Promise<UploadPeople | undefined> {
  const rows = await sql<{ customer_id: number; email: string }[]>`
    select customer_id, email from customer where demo and email in ('label@demo.test', 'staff@demo.test')`
  const idOf = (email: string) => rows.find((row) => row.email === email)?.customer_id
  const [label, staff] = [idOf('label@demo.test'), idOf('staff@demo.test')]
  return label && staff ? { label, staff } : undefined
}

async function sendSong(
  ctx: AppContext,
  uploadPeople: UploadPeople,
  song: DemoUpload,
  signal: AbortSignal,
): Promise<void> {
  const [existing] = await ctx.sql<StoredSong[]>`
    select upload_song_id as entity_id, review = 'open' and version = 1 and deleted_at is null as is_new
    from upload_song where customer_id = ${uploadPeople.label} and title = ${song.title}`
  if (existing?.is_new) await decide(ctx, uploadPeople, song, existing.entity_id)
  if (existing) return
  const files: number[] = []
  for (const version of song.versions) files.push(await sendFile(ctx, uploadPeople, song, version, signal))
  if (song.reviewState === 'files') return
  await untilAnalysed(ctx, files, signal)
  const { entity_id } = await createSong(ctx, uploadPeople.label, {
    songData: {
      ...{ title: song.title, artist: UPLOADER_NAME, song_key: song.song_key, bpm: String(song.music.bpm) },
      ...{ year: String(ctx.now().getUTCFullYear()), genres: await genreIds(ctx, song) },
    },
    versions: song.versions.map(({ version }, n) => ({
      ...{ song_version_id: undefined, version_id: undefined, new_label: version },
      ...{ song: files[n] as number, start_min: 0, start_sec: 15 },
    })),
  })
  await decide(ctx, uploadPeople, song, entity_id)
}

type StoredSong = { entity_id: number; is_new: boolean }

/** Applies the decision of staff to a song that has not changed since it was created. */
async function decide(ctx: AppContext, uploadPeople: UploadPeople, song: DemoUpload, entity_id: number): Promise<void> {
  const decision = { entity_id, version: 1, staff_id: uploadPeople.staff }
  if (song.reviewState === 'published') await ctx.sql.begin((sql) => publishUpload(ctx, sql, decision))
  if (song.reviewState === 'declined')
    await ctx.sql.begin((sql) => rejectUpload(ctx, sql, { ...decision, reason: song.reason }))
}

/** Uploads the generated file of a version, unless an earlier start did. Returns its upload id. */
async function sendFile(
  ctx: AppContext,
  { label }: UploadPeople,
  song: DemoUpload,
  { version, share }: DemoUploadVersion,
  signal: AbortSignal,
): Promise<number> {
  const name = `${UPLOADER_NAME} - ${song.title} (${version}).mp3`
  const [sent] = await ctx.sql<{ upload_id: number }[]>`
    select upload_id from upload where customer_id = ${label} and name = ${name} and removed_at is null`
  if (sent) return sent.upload_id
  const renderedPath = await ctx.storage.scratch('demo.mp3')
  try {
    const recipe = { ...song.music, version }
    await renderUpload({ recipe, path: renderedPath, cacheFolder: ctx.config.demoCache }, signal)
    if (share) await truncate(renderedPath, Math.floor((await stat(renderedPath)).size * share))
    return await ingestUpload(ctx, { customer_id: label, path: renderedPath, name })
  } finally {
    await rm(renderedPath, { force: true })
  }
}

/** Writes the music of a recipe to a file, in a child process of low priority. */
function renderUpload(renderRequest: RenderRequest, signal: AbortSignal): Promise<void> {
  const child = fork(MUSIC_CHILD, [], {
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    env: {},
  })
  if (child.pid !== undefined) os.setPriority(child.pid, LOW_PRIORITY)
  return new Promise<void>((resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true })
    child.once('error', reject).once('exit', () => reject(new Error('The music generator process exited')))
    child.on('message', (message: RenderMessage) => {
      if (message.kind === 'done') resolve()
      if (message.kind === 'failed') reject(new Error(message.message))
    })
    child.send(renderRequest)
  }).finally(() => child.kill())
}

async function untilAnalysed({ sql }: AppContext, uploadIds: number[], signal: AbortSignal): Promise<void> {
  for (;;) {
    const waiting = await sql`
      select 1 from upload
      where upload_id = any(${uploadIds}::bigint[]) and state in ('queued', 'running') and removed_at is null`
    if (waiting.length === 0) return
    await pause(POLL_MS, undefined, { signal })
  }
}

async function genreIds({ sql }: AppContext, { genres }: DemoUpload): Promise<number[]> {
  const rows = await sql<{ genre_id: number }[]>`
    select genre_id from genre where kind = 'genre' and name = any(${[...genres]}::text[]) order by parent_id nulls first limit 1`
  return rows.map(({ genre_id }) => genre_id)
}
