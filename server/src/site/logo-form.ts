import type { FastifyRequest } from 'fastify'
import { ApiError } from '../platform/api-error.ts'
import { MAX_LOGO_BYTES } from './logo.ts'

type LogoForm = { version: number; bytes: Buffer }

/**
 * Reads the fields `version` and `picture`, in any order. Throws `file_required`, `too_large` and `invalid_request`.
 */
export async function readLogoForm(request: FastifyRequest): Promise<LogoForm> {
  let version = Number.NaN
  let bytes: Buffer | undefined
  try {
    const limits = { files: 1, fileSize: MAX_LOGO_BYTES, fields: 10, fieldSize: 1000 }
    for await (const part of request.parts({ limits })) {
      if (part.type === 'file') bytes = await part.toBuffer()
      else if (part.fieldname === 'version') version = Number(part.value)
    }
  } catch (error) {
    throw toFormError(error)
  }
  if (!bytes || bytes.length === 0) throw new ApiError('file_required', 'Choose a picture first.')
  if (!Number.isInteger(version) || version < 0 || version > 2_147_483_647) {
    throw new ApiError('invalid_request', 'version must be an integer.')
  }
  return { version, bytes }
}

function toFormError(error: unknown): ApiError {
  const { code } = error as { code?: string }
  if (code === 'FST_FILES_LIMIT') return new ApiError('invalid_request', 'Upload one picture.')
  if (code === 'FST_REQ_FILE_TOO_LARGE') {
    return new ApiError('too_large', `The picture is too large. The limit is ${MAX_LOGO_BYTES / 1024 / 1024} MB.`)
  }
  return new ApiError('invalid_request', 'The upload was incomplete. Upload the picture again.')
}
