import { createReadStream } from 'node:fs'
import { createInterface } from 'node:readline'
import * as z from 'zod/mini'
import { backupPaths } from './manifest.ts'

/** A line of `files.jsonl`: a file of a backup. */
const listedFile = z.object({
  kind: z.enum(['audio', 'previews', 'images', 'attachments']),
  sha256: z.string().check(z.regex(/^[0-9a-f]{64}$/)),
  ending: z.string().check(z.regex(/^(\.[a-z0-9]+)?$/)),
  bytes: z.int(),
})

export type ListedFile = z.infer<typeof listedFile>

/** Reads the files of a backup, in order. */
export async function* listedFiles(folder: string): AsyncGenerator<ListedFile> {
  for await (const line of createInterface({ input: createReadStream(backupPaths(folder).files), crlfDelay: Infinity }))
    yield listedFile.parse(JSON.parse(line))
}
