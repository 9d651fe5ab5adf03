import type { WriteStream } from 'node:fs'
import { open } from 'node:fs/promises'

/**
 * Opens a new file for writing; it exists when this resolves. `createWriteStream` creates its file a moment later: if
 * the source fails at once, the clean-up can run first, and the file is created after its removal. Throws the operating
 * system's error if the file cannot be created.
 */
export async function openForWriting(
  file: string,
  { flags = 'w', mode }: { flags?: 'w' | 'wx'; mode?: number } = {},
): Promise<WriteStream> {
  return (await open(file, flags, mode)).createWriteStream()
}
