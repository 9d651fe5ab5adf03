import { randomUUID } from 'node:crypto'
import type { ErrorCode } from '@dubplate/contract/schemas/errors'
import type { FastifyBaseLogger, FastifyReply, FastifyRequest } from 'fastify'
import { ApiError } from './api-error.ts'
import { isDatabaseFull, isDatabaseUnavailable, isStatementTimeout } from './db.ts'
import { outages } from './outage.ts'
import { NotStoredError, StorageUnavailableError } from './storage.ts'

/** Sends any error as a readable reply. Unexpected errors are logged with a reference number. */
export function reject(error: unknown, request: FastifyRequest, reply: FastifyReply) {
  const apiError = toApiError(error, request.log)
  setRetryAfter(apiError, reply)
  const { code, message, errors, fields, data } = apiError
  return reply
    .code(apiError.status)
    .header('cache-control', 'no-store')
    .type('application/json; charset=utf-8')
    .send(JSON.stringify({ data, code, message, errors, ...(fields ? { fields } : {}) }))
}

const RETRY_AFTER_SECONDS: Partial<Record<ErrorCode, number>> = {
  service_unavailable: 2,
  storage_unavailable: 10,
  insufficient_storage: 60,
}

type WithHeaders = { header: (name: 'retry-after', value: string) => unknown }

/** Sets Retry-After if the error passes by itself, or the caller has to wait. */
export function setRetryAfter({ code, retryAfter_seconds }: ApiError, reply: WithHeaders): void {
  const wait_seconds = retryAfter_seconds ?? RETRY_AFTER_SECONDS[code]
  if (wait_seconds !== undefined) reply.header('retry-after', String(wait_seconds))
}

const DISK_FULL = new Set(['ENOSPC', 'EDQUOT'])
const DISK_ERRORS = new Set([...DISK_FULL, 'EIO', 'EROFS', 'EACCES', 'EMFILE', 'ESTALE'])

/** PostgreSQL: numeric value out of range, character not in repertoire, the same within JSON. */
const INVALID_VALUE_CODES = new Set(['22003', '22021', '22P05'])

/** PostgreSQL: a foreign key violation, or a unique violation. */
const CONFLICT_CODES = new Set(['23503', '23505'])

/** Returns whether the disk or storage failed, as opposed to an invalid request. */
export const isStoreError = (error: unknown): boolean =>
  error instanceof StorageUnavailableError ||
  isDatabaseFull(error) ||
  DISK_ERRORS.has((error as { code?: string }).code ?? '')

const UNAVAILABLE_MESSAGE = 'This site is temporarily unavailable. Try again in a few seconds.'

/** Converts any error to an ApiError; unexpected ones are logged with a reference number. */
export function toApiError(error: unknown, log: Pick<FastifyBaseLogger, 'error'>): ApiError {
  if (error instanceof ApiError) return error
  const { code, statusCode } = error as { code?: string; statusCode?: number }
  if (isDatabaseFull(error) || DISK_FULL.has(code ?? '')) {
    outages.disk.failed(log, error)
    return new ApiError(
      'insufficient_storage',
      'The server’s disk is full, so this couldn’t be saved. You can still browse. Try again later.',
    )
  }
  if (isStatementTimeout(error)) {
    log.error(error, 'A database statement timed out.')
    return new ApiError('service_unavailable', 'This took too long and was stopped. Try again in a few seconds.')
  }
  if (isDatabaseUnavailable(error)) {
    outages.database.failed(log, error)
    return new ApiError('service_unavailable', UNAVAILABLE_MESSAGE)
  }
  if (DISK_ERRORS.has(code ?? '')) {
    outages.disk.failed(log, error)
    return new ApiError('service_unavailable', UNAVAILABLE_MESSAGE)
  }
  if (error instanceof StorageUnavailableError) {
    outages.storage.failed(log, error)
    return new ApiError(
      'storage_unavailable',
      'Music and pictures are temporarily unavailable. Try again in a few seconds.',
    )
  }
  if (error instanceof NotStoredError) {
    log.error(error, 'File missing from storage')
    return new ApiError('file_unavailable', 'The file is missing on our side.')
  }
  if (INVALID_VALUE_CODES.has(code ?? ''))
    return new ApiError('invalid_request', 'The request contains an invalid value.')
  if (CONFLICT_CODES.has(code ?? '')) {
    log.error(error, 'Write conflict rejected by the database')
    return new ApiError('conflict', 'Someone else changed or deleted this at the same time. Reload to see the changes.')
  }
  if (statusCode === 429) return new ApiError('rate_limited', 'Too many requests. Try again in a minute.')
  if (statusCode === 413) return new ApiError('too_large', 'The request is too large.')
  if (statusCode === 415) return new ApiError('unsupported_media_type', 'Send the request body as application/json.')
  if (statusCode !== undefined && statusCode >= 400 && statusCode < 500) {
    return new ApiError('invalid_request', 'The request body isn’t valid JSON.')
  }
  const reference = randomUUID().slice(0, 8)
  log.error({ err: error, reference }, 'Request failed')
  return new ApiError(
    'internal_error',
    `Something went wrong on our side. If it happens again, contact support and quote ${reference}.`,
  )
}
