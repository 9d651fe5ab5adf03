import { createWriteStream } from 'node:fs'
import { rm } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import { uploads } from '@dubplate/contract'
import type { MultipartFile } from '@fastify/multipart'
import type { FastifyRequest } from 'fastify'
import type { AppContext } from '../app-context.ts'
import { ApiError } from '../platform/api-error.ts'
import { rejectOverDailyLimit } from './analysis-usage.ts'
import {
  cleanName,
  fileTooLargeError,
  ingestUpload,
  rejectFullContainer,
  rejectUnwanted,
  rejectWithoutRoom,
} from './intake.ts'

const { MAX_PARALLEL_UPLOADS: MAX_FILES_PER_REQUEST, MAX_FILE_BYTES } = uploads

const FILE_FIELD = /^UploadForm\[mp3Files\](\[\d*\])?$/

type Received = { path: string; name: string }

/**
 * Receives the files of a multipart request and returns their upload_ids. It takes all of them or none: an error of the
 * second file is found before the first is stored. Throws `file_required`, `too_many_files`, `too_large`,
 * `unsupported_file_type`, `insufficient_storage`, `daily_limit_reached`, and `invalid_request` if the request was
 * interrupted.
 */
export async function receiveFiles(ctx: AppContext, customerId: number, request: FastifyRequest): Promise<number[]> {
  await rejectFullContainer(ctx.sql, customerId)
  await rejectOverDailyLimit(ctx.sql, customerId)
  await rejectWithoutRoom(ctx, Number(request.headers['content-length'] ?? 0))
  const received: Received[] = []
  try {
    await receiveForm(ctx, request, received)
    const uploadIds: number[] = []
    for (const file of received) uploadIds.push(await ingestUpload(ctx, { customer_id: customerId, ...file }))
    return uploadIds
  } finally {
    for (const { path } of received) await rm(path, { force: true })
  }
}

async function receiveForm(ctx: AppContext, request: FastifyRequest, received: Received[]): Promise<void> {
  const limits = { files: MAX_FILES_PER_REQUEST, fileSize: MAX_FILE_BYTES, fields: 10, fieldSize: 1000 }
  try {
    for await (const part of request.files({ limits })) await receive(ctx, part, received)
  } catch (error) {
    throw error instanceof ApiError ? error : toUploadError(error)
  }
  if (received.length === 0) throw new ApiError('file_required', 'Choose a file first.')
}

async function receive(ctx: AppContext, part: MultipartFile, received: Received[]): Promise<void> {
  const name = cleanName(part.filename ?? '')
  if (!FILE_FIELD.test(part.fieldname)) {
    part.file.resume()
    return
  }
  rejectUnwanted(name, undefined)
  const path = await ctx.storage.scratch('upload')
  received.push({ path, name })
  await pipeline(part.file, createWriteStream(path))
  if (part.file.truncated) throw fileTooLargeError(name)
}

function toUploadError(error: unknown): unknown {
  const { code } = error as { code?: string }
  if (code === 'FST_FILES_LIMIT')
    return new ApiError('too_many_files', `You can upload up to ${MAX_FILES_PER_REQUEST} files at once.`)
  if (code === 'FST_REQ_FILE_TOO_LARGE') return fileTooLargeError('This file')
  if (
    code?.startsWith('FST_') ||
    code === 'ERR_STREAM_PREMATURE_CLOSE' ||
    (error as Error).message === 'Unexpected end of form'
  )
    return new ApiError('invalid_request', 'The upload was incomplete. Upload the files again.')
  return error
}
