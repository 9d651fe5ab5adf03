import type { WriteStream } from 'node:fs'
import { open } from 'node:fs/promises'

/**
 * A stream that writes a new file, which exists when this answers. `createWriteStream` creates its file a moment later: a
 * source that fails at once, and the clean-up after it, can come first, and then the file is created after its removal.
 * Throws what the operating system says when the file cannot be created.
 */
export async function openForWriting(
  file: string,
  { flags = 'w', mode }: { flags?: 'w' | 'wx'; mode?: number } = {},
): Promise<WriteStream> {
  return (await open(file, flags, mode)).createWriteStream()
}
