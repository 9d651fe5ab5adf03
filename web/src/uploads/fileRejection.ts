import { type ErrorReply, uploads } from '@dubplate/contract'
import { formatBytes } from '../format/format.ts'
import { format } from '../format/message.ts'
import * as texts from './texts.ts'

const { AUDIO_ENDINGS, MAX_FILE_BYTES } = uploads

const extensionOf = (name: string): string => /\.([a-z0-9]{1,5})$/i.exec(name)?.[1]?.toLowerCase() ?? ''

const isMusic = (name: string): boolean => AUDIO_ENDINGS.some((extension) => extension === extensionOf(name))

/** Why a file is not uploaded at all; undefined if it can be. The server checks the same. */
export function fileRejectionReason({ name, size }: Pick<File, 'name' | 'size'>): string | undefined {
  if (!isMusic(name)) return format(texts.isntSupportedUploadMp3Wav, { name })
  if (size === 0) return format(texts.isEmpty, { name })
  if (size <= MAX_FILE_BYTES) return undefined
  const maxMb = MAX_FILE_BYTES / 1024 / 1024
  return format(texts.isTooLargeTheLimit, { name, size: formatBytes(size), most_mb: maxMb })
}

/** The error in the body of a response; undefined if there is none, as from a proxy. */
export function parseErrorReply(body: string): Partial<ErrorReply> | undefined {
  try {
    const reply = JSON.parse(body) as Partial<ErrorReply> | null
    return typeof reply?.code === 'string' && typeof reply.message === 'string' ? reply : undefined
  } catch {
    return undefined
  }
}
