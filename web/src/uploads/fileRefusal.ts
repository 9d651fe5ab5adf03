import { type RefusalReply, uploads } from '@dubplate/contract'
import { byteSize } from '../platform/format.ts'
import { format } from '../platform/message.ts'
import * as texts from './texts.ts'

const { AUDIO_ENDINGS, LARGEST_FILE_BYTES } = uploads

const endingOf = (name: string): string => /\.([a-z0-9]{1,5})$/i.exec(name)?.[1]?.toLowerCase() ?? ''

const isMusic = (name: string): boolean => AUDIO_ENDINGS.some((ending) => ending === endingOf(name))

/** Why a file is not sent at all; undefined where it may be. The server says the same of what it gets. */
export function whyNotSent({ name, size }: Pick<File, 'name' | 'size'>): string | undefined {
  if (!isMusic(name)) return format(texts.isntSupportedUploadMp3Wav, { name })
  if (size === 0) return format(texts.isEmpty, { name })
  if (size <= LARGEST_FILE_BYTES) return undefined
  const most_mb = LARGEST_FILE_BYTES / 1024 / 1024
  return format(texts.isTooLargeTheLimit, { name, size: byteSize(size), most_mb })
}

/** A refusal in the body of an answer; undefined where there is none, as from a proxy. */
export function refusalIn(body: string): Partial<RefusalReply> | undefined {
  try {
    const reply = JSON.parse(body) as Partial<RefusalReply> | null
    return typeof reply?.code === 'string' && typeof reply.message === 'string' ? reply : undefined
  } catch {
    return undefined
  }
}
