import type { FastifyRequest } from 'fastify'
import { ApiError } from './api-error.ts'

const MB = 1024 * 1024

type FormLimits<Name extends string> = { maxBytes: number; numbers: readonly Name[] }

/**
 * Reads a form with one picture and positive whole numbers, in any order. Throws `file_required`, `too_large` and
 * `invalid_request`.
 */
export async function readPictureForm<Name extends string>(
  request: FastifyRequest,
  { maxBytes, numbers }: FormLimits<Name>,
): Promise<{ bytes: Buffer; numbers: Record<Name, number> }> {
  const fields: Record<string, number> = {}
  let bytes: Buffer | undefined
  try {
    const limits = { files: 1, fileSize: maxBytes, fields: 10, fieldSize: 1000 }
    for await (const part of request.parts({ limits })) {
      if (part.type === 'file') bytes = await part.toBuffer()
      else fields[part.fieldname] = Number(part.value)
    }
  } catch (error) {
    throw toFormError(error, maxBytes)
  }
  if (!bytes || bytes.length === 0) throw new ApiError('file_required', 'Choose a picture first.')
  const numberEntries = numbers.map((name) => [name, parseInteger(fields, name)])
  return { bytes, numbers: Object.fromEntries(numberEntries) }
}

function parseInteger(fields: Record<string, number>, name: string): number {
  const value = fields[name] ?? 0
  if (Number.isInteger(value) && value >= 1 && value <= 2_147_483_647) return value
  throw new ApiError('invalid_request', `${name} must be a positive integer.`)
}

function toFormError(error: unknown, maxBytes: number): ApiError {
  const { code } = error as { code?: string }
  if (code === 'FST_FILES_LIMIT') return new ApiError('invalid_request', 'Upload one picture.')
  if (code === 'FST_REQ_FILE_TOO_LARGE')
    return new ApiError('too_large', `The picture is too large. The limit is ${maxBytes / MB} MB.`)
  return new ApiError('invalid_request', 'The upload was incomplete. Upload the picture again.')
}
