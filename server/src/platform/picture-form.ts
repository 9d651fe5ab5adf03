import type { FastifyRequest } from 'fastify'
import { Refusal } from './refusal.ts'

const MB = 1024 * 1024

type Wish<Name extends string> = { mostBytes: number; numbers: readonly Name[] }

/**
 * Reads the form of one picture and the whole numbers above zero beside it, in whatever order. Refuses `file_required`, `too_large`
 * and `invalid_request`.
 */
export async function readPictureForm<Name extends string>(
  request: FastifyRequest,
  { mostBytes, numbers }: Wish<Name>,
): Promise<{ bytes: Buffer; numbers: Record<Name, number> }> {
  const fields: Record<string, number> = {}
  let bytes: Buffer | undefined
  try {
    const limits = { files: 1, fileSize: mostBytes, fields: 10, fieldSize: 1000 }
    for await (const part of request.parts({ limits })) {
      if (part.type === 'file') bytes = await part.toBuffer()
      else fields[part.fieldname] = Number(part.value)
    }
  } catch (error) {
    throw troubleOf(error, mostBytes)
  }
  if (!bytes || bytes.length === 0) throw new Refusal('file_required', 'Choose a picture first.')
  const named = numbers.map((name) => [name, wholeOf(fields, name)])
  return { bytes, numbers: Object.fromEntries(named) }
}

function wholeOf(fields: Record<string, number>, name: string): number {
  const value = fields[name] ?? 0
  if (Number.isInteger(value) && value >= 1 && value <= 2_147_483_647) return value
  throw new Refusal('invalid_request', `${name} must be a positive integer.`)
}

function troubleOf(error: unknown, mostBytes: number): Refusal {
  const { code } = error as { code?: string }
  if (code === 'FST_FILES_LIMIT') return new Refusal('invalid_request', 'Upload one picture.')
  if (code === 'FST_REQ_FILE_TOO_LARGE')
    return new Refusal('too_large', `The picture is too large. The limit is ${mostBytes / MB} MB.`)
  return new Refusal('invalid_request', 'The upload was incomplete. Upload the picture again.')
}
