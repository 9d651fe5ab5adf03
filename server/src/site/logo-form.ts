import type { FastifyRequest } from 'fastify'
import { Refusal } from '../platform/refusal.ts'
import { LARGEST_LOGO_BYTES } from './logo.ts'

type Form = { version: number; bytes: Buffer }

/** The fields `version` and `picture`, in whatever order. Refuses `file_required`, `too_large` and `invalid_request`. */
export async function readLogoForm(request: FastifyRequest): Promise<Form> {
  let version = Number.NaN
  let bytes: Buffer | undefined
  try {
    const limits = { files: 1, fileSize: LARGEST_LOGO_BYTES, fields: 10, fieldSize: 1000 }
    for await (const part of request.parts({ limits })) {
      if (part.type === 'file') bytes = await part.toBuffer()
      else if (part.fieldname === 'version') version = Number(part.value)
    }
  } catch (error) {
    throw troubleOf(error)
  }
  if (!bytes || bytes.length === 0) throw new Refusal('file_required', 'Choose a picture first.')
  if (!Number.isInteger(version) || version < 0 || version > 2_147_483_647) {
    throw new Refusal('invalid_request', 'version must be an integer.')
  }
  return { version, bytes }
}

function troubleOf(error: unknown): Refusal {
  const { code } = error as { code?: string }
  if (code === 'FST_FILES_LIMIT') return new Refusal('invalid_request', 'Upload one picture.')
  if (code === 'FST_REQ_FILE_TOO_LARGE') {
    return new Refusal('too_large', `The picture is too large. The limit is ${LARGEST_LOGO_BYTES / 1024 / 1024} MB.`)
  }
  return new Refusal('invalid_request', 'The upload was incomplete. Upload the picture again.')
}
