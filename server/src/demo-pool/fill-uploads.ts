import { fork } from 'node:child_process'
import { rm, stat, truncate } from 'node:fs/promises'
import os from 'node:os'
import { setTimeout as pause } from 'node:timers/promises'
import { type DemoUpload, type DemoUploadVersion, UPLOADS, UPLOADS_BY } from '@dubplate/demo/pool/uploads'
import { builtProgram } from '../platform/root.ts'
import { takeIn } from '../uploads/intake.ts'
import { publishUpload, refuseUpload } from '../uploads/publishing.ts'
import { createSong } from '../uploads/song-saving.ts'
import type { World } from '../world.ts'
import type { FromMusician, ToMusician } from './music-messages.ts'

const LOOK_EVERY_MS = 500
const POLITE = 15
const MUSIC_CHILD = builtProgram('music-child')

type People = { label: number; staff: number }

/**
 * Sends the label's files, song by song, while the pool runs: they come in, are analysed and looked at as everybody's
 * are. What an earlier start has done is left alone; one that was ended in the middle is gone on with.
 */
export function fillUploads(world: World): { stop(): Promise<void> } {
  const ending = new AbortController()
  const filling = sendAll(world, ending.signal).catch((error) => {
    if (!ending.signal.aborted) world.log.warn(error, 'Could not create the demo uploads')
  })
  return {
    stop: async () => {
      ending.abort()
      await filling
    },
  }
}

async function sendAll(world: World, signal: AbortSignal): Promise<void> {
  const people = await findPeople(world)
  if (!people) return
  for (const song of UPLOADS) {
    if (signal.aborted) return
    // A song that cannot be made so is left as far as it came; the others come all the same.
    await sendSong(world, people, song, signal).catch((error) => {
      if (!signal.aborted) world.log.warn({ err: error, title: song.title }, 'A demo upload has an unexpected state')
    })
  }
}

async function findPeople({ sql }: World): Promise<People | undefined> {
  const rows = await sql<{ customer_id: number; email: string }[]>`
    select customer_id, email from customer where demo and email in ('label@demo.test', 'staff@demo.test')`
  const idOf = (email: string) => rows.find((row) => row.email === email)?.customer_id
  const [label, staff] = [idOf('label@demo.test'), idOf('staff@demo.test')]
  return label && staff ? { label, staff } : undefined
}

async function sendSong(world: World, people: People, song: DemoUpload, signal: AbortSignal): Promise<void> {
  const [made] = await world.sql<Made[]>`
    select upload_song_id as entity_id, review = 'open' and version = 1 and deleted_at is null as is_new
    from upload_song where customer_id = ${people.label} and title = ${song.title}`
  if (made?.is_new) await decide(world, people, song, made.entity_id)
  if (made) return
  const files: number[] = []
  for (const version of song.versions) files.push(await sendFile(world, people, song, version, signal))
  if (song.standing === 'files') return
  await untilAnalysed(world, files, signal)
  const { entity_id } = await createSong(world, people.label, {
    songData: {
      ...{ title: song.title, artist: UPLOADS_BY, song_key: song.song_key, bpm: String(song.music.bpm) },
      ...{ year: String(world.now().getUTCFullYear()), genres: await genreIds(world, song) },
    },
    versions: song.versions.map(({ version }, n) => ({
      ...{ song_version_id: undefined, version_id: undefined, new_label: version },
      ...{ song: files[n] as number, start_min: 0, start_sec: 15 },
    })),
  })
  await decide(world, people, song, entity_id)
}

type Made = { entity_id: number; is_new: boolean }

/** What staff say of a song nobody has touched since it was made. */
async function decide(world: World, people: People, song: DemoUpload, entity_id: number): Promise<void> {
  const decision = { entity_id, version: 1, staff_id: people.staff }
  if (song.standing === 'published') await world.sql.begin((sql) => publishUpload(world, sql, decision))
  if (song.standing === 'refused')
    await world.sql.begin((sql) => refuseUpload(world, sql, { ...decision, reason: song.reason }))
}

/** A version's file, made and sent, unless it is there from an earlier start. */
async function sendFile(
  world: World,
  { label }: People,
  song: DemoUpload,
  { version, share }: DemoUploadVersion,
  signal: AbortSignal,
): Promise<number> {
  const name = `${UPLOADS_BY} - ${song.title} (${version}).mp3`
  const [sent] = await world.sql<{ upload_id: number }[]>`
    select upload_id from upload where customer_id = ${label} and name = ${name} and removed_at is null`
  if (sent) return sent.upload_id
  const made = await world.storage.scratch('demo.mp3')
  try {
    const recipe = { ...song.music, version }
    await record({ recipe, path: made, cacheFolder: world.config.demoCache }, signal)
    if (share) await truncate(made, Math.floor((await stat(made)).size * share))
    return await takeIn(world, { customer_id: label, path: made, name })
  } finally {
    await rm(made, { force: true })
  }
}

/** Writes the music of a recipe to a file, in a child process of low priority. */
function record(order: ToMusician, signal: AbortSignal): Promise<void> {
  const child = fork(MUSIC_CHILD, [], {
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    env: {},
  })
  if (child.pid !== undefined) os.setPriority(child.pid, POLITE)
  return new Promise<void>((resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true })
    child.once('error', reject).once('exit', () => reject(new Error('The music generator process exited')))
    child.on('message', (message: FromMusician) => {
      if (message.kind === 'done') resolve()
      if (message.kind === 'failed') reject(new Error(message.message))
    })
    child.send(order)
  }).finally(() => child.kill())
}

async function untilAnalysed({ sql }: World, uploadIds: number[], signal: AbortSignal): Promise<void> {
  for (;;) {
    const waiting = await sql`
      select 1 from upload
      where upload_id = any(${uploadIds}::bigint[]) and state in ('queued', 'running') and removed_at is null`
    if (waiting.length === 0) return
    await pause(LOOK_EVERY_MS, undefined, { signal })
  }
}

async function genreIds({ sql }: World, { genres }: DemoUpload): Promise<number[]> {
  const rows = await sql<{ genre_id: number }[]>`
    select genre_id from genre where kind = 'genre' and name = any(${[...genres]}::text[]) order by parent_id nulls first limit 1`
  return rows.map(({ genre_id }) => genre_id)
}
