import { createWriteStream } from 'node:fs'
import { rm } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import { uploads } from '@dubplate/contract'
import type { MultipartFile } from '@fastify/multipart'
import type { FastifyRequest } from 'fastify'
import { Refusal } from '../platform/refusal.ts'
import type { World } from '../world.ts'
import { refuseOverDailyLimit } from './analysis-usage.ts'
import { plainName, refuseFullContainer, refuseUnwanted, refuseWithoutRoom, takeIn, tooLarge } from './intake.ts'

const { FILES_AT_ONCE, LARGEST_FILE_BYTES } = uploads

const FIELD = /^UploadForm\[mp3Files\](\[\d*\])?$/

type Received = { path: string; name: string }

/**
 * Takes in the files of a multipart request and answers with their upload_ids. All of them or none: the second file's
 * fault is noticed before the first is kept. Refuses `file_required`, `too_many_files`, `too_large`, `unsupported_file_type`,
 * `insufficient_storage`, `daily_limit_reached` and `invalid_request` where the request broke off.
 */
export async function receiveFiles(world: World, customerId: number, request: FastifyRequest): Promise<number[]> {
  await refuseFullContainer(world.sql, customerId)
  await refuseOverDailyLimit(world.sql, customerId)
  await refuseWithoutRoom(world, Number(request.headers['content-length'] ?? 0))
  const received: Received[] = []
  try {
    await readForm(world, request, received)
    const uploadIds: number[] = []
    for (const file of received) uploadIds.push(await takeIn(world, { customer_id: customerId, ...file }))
    return uploadIds
  } finally {
    for (const { path } of received) await rm(path, { force: true })
  }
}

async function readForm(world: World, request: FastifyRequest, received: Received[]): Promise<void> {
  const limits = { files: FILES_AT_ONCE, fileSize: LARGEST_FILE_BYTES, fields: 10, fieldSize: 1000 }
  try {
    for await (const part of request.files({ limits })) await receive(world, part, received)
  } catch (error) {
    throw error instanceof Refusal ? error : troubleOf(error)
  }
  if (received.length === 0) throw new Refusal('file_required', 'Choose a file first.')
}

async function receive(world: World, part: MultipartFile, received: Received[]): Promise<void> {
  const name = plainName(part.filename ?? '')
  if (!FIELD.test(part.fieldname)) {
    part.file.resume()
    return
  }
  refuseUnwanted(name, undefined)
  const path = await world.storage.scratch('upload')
  received.push({ path, name })
  await pipeline(part.file, createWriteStream(path))
  if (part.file.truncated) throw tooLarge(name)
}

function troubleOf(error: unknown): unknown {
  const { code } = error as { code?: string }
  if (code === 'FST_FILES_LIMIT')
    return new Refusal('too_many_files', `You can upload up to ${FILES_AT_ONCE} files at once.`)
  if (code === 'FST_REQ_FILE_TOO_LARGE') return tooLarge('This file')
  if (
    code?.startsWith('FST_') ||
    code === 'ERR_STREAM_PREMATURE_CLOSE' ||
    (error as Error).message === 'Unexpected end of form'
  )
    return new Refusal('invalid_request', 'The upload was incomplete. Upload the files again.')
  return error
}
