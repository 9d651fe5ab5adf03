import { stat } from 'node:fs/promises'
import { uploads } from '@dubplate/contract'
import { restoreOriginal } from '../audio/originals.ts'
import { lockContent } from '../audio/shelf.ts'
import type { Sql } from '../platform/db.ts'
import { Refusal } from '../platform/refusal.ts'
import { hashFile } from '../platform/storage.ts'
import type { World } from '../world.ts'

const { AUDIO_ENDINGS, LARGEST_FILE_BYTES } = uploads

/** A file that has arrived on this machine's disk. */
export type Arrived = {
  customer_id: number
  path: string
  /** As its sender calls it. */
  name: string
  /** What its sender measured, in hex; undefined where it was not said. */
  sha256?: string | undefined
}

const MB = 1024 * 1024

/** A file's own name, without folders and what no name has. */
export const plainName = (name: string): string => {
  const last = name.normalize('NFC').split(/[\\/]/).at(-1) ?? ''
  const shown = last.replace(/\p{Cc}/gu, '').trim()
  return shown.length <= 200 ? shown : `${shown.slice(0, 190)}${/\.[a-z0-9]{1,5}$/i.exec(shown)?.[0] ?? ''}`
}

/** Refuses `unsupported_file_type` for a name that is not music of ours, and `too_large`: before any of it is sent. */
export function refuseUnwanted(name: string, bytes: number | undefined): void {
  const shown = plainName(name) || 'This file'
  const ending = /\.([a-z0-9]{1,5})$/i.exec(name)?.[1]?.toLowerCase() ?? ''
  if (!(AUDIO_ENDINGS as readonly string[]).includes(ending)) {
    throw new Refusal('unsupported_file_type', `“${shown}” isn’t supported. Upload MP3, WAV, FLAC or AIFF files.`)
  }
  if (bytes === 0) throw new Refusal('unsupported_file_type', `“${shown}” is empty.`)
  if (bytes !== undefined && bytes > LARGEST_FILE_BYTES) throw tooLarge(shown)
}

export const tooLarge = (name: string): Refusal =>
  new Refusal('too_large', `“${name}” is too large. The limit is ${LARGEST_FILE_BYTES / MB} MB per file.`)

/** Left free for the database and everything else. */
const SPARE_BYTES = 512 * MB

/** Refuses `insufficient_storage` unless so many bytes fit twice: as they arrive, and where they are kept. */
export async function refuseWithoutRoom({ storage, log }: Pick<World, 'storage' | 'log'>, bytes: number) {
  const free = await storage.freeBytes()
  if (free === undefined || free > 2 * bytes + SPARE_BYTES) return
  log.error({ free, bytes }, 'Not enough disk space for uploads')
  throw new Refusal('insufficient_storage', 'We’re out of storage space and have been notified. Try again later.')
}

/** A container is shown whole; whoever fills one makes no songs. */
const MOST_LOOSE_FILES = 500

/** Refuses `too_many_files` for a member who has so many files that are in no song. */
export async function refuseFullContainer(sql: Sql, customerId: number): Promise<void> {
  const [loose] = await sql<{ n: number }[]>`
    select count(*)::int as n from upload u where customer_id = ${customerId} and removed_at is null
      and not exists (select 1 from upload_version v where v.upload_id = u.upload_id)`
  if (!loose || loose.n < MOST_LOOSE_FILES) return
  const sentence = `You have ${loose.n} unused files. Add them to songs or delete some first.`
  throw new Refusal('too_many_files', sentence)
}

/** Refuses `already_uploaded` when the member has this very file in the container or in a song. */
export async function refuseSentBefore(sql: Sql, customerId: number, sha256: string): Promise<void> {
  const [before] = await sql<{ upload_id: number; name: string }[]>`
    select upload_id, name from upload
    where customer_id = ${customerId} and sha256 = ${Buffer.from(sha256, 'hex')} and removed_at is null`
  if (!before) return
  const { upload_id, name } = before
  throw new Refusal('already_uploaded', `You’ve already uploaded this file as “${name}”.`, { data: { upload_id } })
}

/**
 * Takes a file in: its bytes are in the store and its analysis is waited for when this answers with its upload_id. Twice
 * with the same file gives the same upload. Refuses `unsupported_file_type`, `too_large`, `upload_corrupted` and `session_expired`. The file at
 * `path` is the caller's to remove.
 */
export async function takeIn(world: World, arrived: Arrived): Promise<number> {
  const { size } = await stat(arrived.path)
  refuseUnwanted(arrived.name, size)
  if (arrived.sha256 !== undefined && arrived.sha256 !== (await hashFile(arrived.path))) throw damaged(arrived.name)
  const kept = await world.storage.keepFile('audio', arrived.path)
  await restoreOriginal(world, kept.sha256, arrived.path)
  return world.sql.begin(async (sql) => {
    await lockContent(sql, kept.sha256)
    // The same content may have been thrown away this very moment.
    if (!(await world.storage.has('audio', kept.sha256))) await world.storage.keepFile('audio', arrived.path)
    return noteUpload(sql, { ...arrived, ...kept })
  })
}

const damaged = (name: string) =>
  new Refusal('upload_corrupted', `“${plainName(name)}” was corrupted during upload. Upload it again.`)

type Noted = Arrived & { sha256: string; bytes: number }

async function noteUpload(sql: Sql, { customer_id, name, sha256, bytes }: Noted): Promise<number> {
  // Held until it is noted: an account that is deleted meanwhile takes this file along, or has gone before it.
  const [sender] = await sql`
    select 1 from customer where customer_id = ${customer_id} and status <> 'deleted' for share`
  if (!sender) throw new Refusal('session_expired', 'This account no longer exists.')
  const content = Buffer.from(sha256, 'hex')
  const [added] = await sql<{ upload_id: number }[]>`
    insert into upload (customer_id, name, bytes, sha256)
    values (${customer_id}, ${plainName(name)}, ${bytes}, ${content})
    on conflict (customer_id, sha256) where removed_at is null do nothing returning upload_id`
  if (added) return added.upload_id
  const [before] = await sql<{ upload_id: number }[]>`
    select upload_id from upload where customer_id = ${customer_id} and sha256 = ${content} and removed_at is null`
  if (!before) throw new Error('Upload disappeared during lookup')
  return before.upload_id
}
