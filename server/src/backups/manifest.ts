import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import * as z from 'zod/mini'
import { BackupError } from './backup-error.ts'

/** Raised when an older program could not read the new format. 2: the files are in a bucket. */
const FORMAT = 2

const sha256 = z.string().check(z.regex(/^[0-9a-f]{64}$/))
const name = z.string().check(z.regex(/^[a-z_][a-z0-9_]*$/))
const count = z.int().check(z.gte(0))

const tableDump = z.object({
  table: name,
  columns: z.array(z.string()),
  rows: count,
  /** Bytes of the uncompressed rows. */
  bytes: count,
  sha256,
})

/** The content of `manifest.json`: written last, so that a folder without it is not a backup. */
const manifest = z.object({
  dubplate_backup: z.union([z.literal(1), z.literal(2)]),
  /** The version of the program that made it. */
  version: z.string(),
  /** Missing in backups of versions that did not record it. */
  commit: z._default(z.string(), ''),
  /** The moment of the database's snapshot. */
  taken_at: z.iso.datetime(),
  migrations: z.array(z.object({ name: z.string(), hash: sha256 })),
  /** Sorted so that each comes after those it refers to: `database/TABLE.copy.gz`. */
  tables: z.array(tableDump),
  sequences: z.array(z.object({ sequence: name, last_value: z.string(), is_called: z.boolean() })),
  /**
   * `files.jsonl` has a line for each: kind, sha256, ending, bytes. This `sha256` is that of the text of `files.jsonl`.
   */
  files: z.object({ count, bytes: count, sha256 }),
  /** Referenced files that were missing or damaged when the backup was made. */
  lost: z.array(z.object({ kind: z.string(), sha256, why: z.enum(['missing', 'broken']) })),
  /** Distinguishes one SECRET from another without revealing it. */
  secret_mark: z.string(),
  /** Where the files are when they are not in the folder; `list` is the name of their list there. */
  files_in_bucket: z.optional(
    z.object({
      bucket: z.string(),
      prefix: z.string(),
      region: z.string(),
      endpoint: z.nullable(z.string()),
      path_style: z.boolean(),
      list: z.string(),
    }),
  ),
  /** The hash of everything above as written. Backups of the first versions do not have it. */
  manifest_sha256: z.optional(sha256),
})

export type Manifest = z.infer<typeof manifest>
export type TableDump = z.infer<typeof tableDump>
export type SequenceDump = Manifest['sequences'][number]

/** Returns the text of a manifest with a hash of everything else in it. */
export function writeManifest(manifest: Omit<Manifest, 'manifest_sha256'>): string {
  return `${JSON.stringify({ ...manifest, manifest_sha256: hashOf(manifest) }, null, 1)}\n`
}

const hashOf = (manifest: object): string => createHash('sha256').update(JSON.stringify(manifest)).digest('hex')

/** Whether a manifest has the hash of its content. */
function isIntact(text: string): boolean {
  const { manifest_sha256, ...rest } = parseJson(text) as Record<string, unknown>
  return manifest_sha256 === undefined || manifest_sha256 === hashOf(rest)
}

export const backupPaths = (folder: string) => ({
  manifest: path.join(folder, 'manifest.json'),
  files: path.join(folder, 'files.jsonl'),
  media: path.join(folder, 'media'),
  table: (table: string) => path.join(folder, 'database', `${table}.copy.gz`),
})

/**
 * Reads the manifest of a backup. Throws BackupError if the folder is not a backup, has a newer format or was changed.
 */
export async function readManifest(folder: string): Promise<Manifest> {
  const text = await readFile(backupPaths(folder).manifest, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR')
      throw new BackupError(`${folder} is not a backup: manifest.json is missing.`)
    throw error
  })
  const read = manifest.safeParse(parseJson(text))
  if (read.success && isIntact(text)) return read.data
  if (read.success)
    throw new BackupError(
      `The backup ${folder} is damaged: its manifest.json was changed after the backup was made. Nothing was written. Use another backup.`,
    )
  const { dubplate_backup } = (parseJson(text) ?? {}) as { dubplate_backup?: unknown }
  if (typeof dubplate_backup === 'number' && dubplate_backup > FORMAT)
    throw new BackupError(`${folder} was made by a newer version of Dubplate. Use that version or later.`)
  const at = read.error.issues[0]?.path.join('.')
  throw new BackupError(`Could not read manifest.json in ${folder}${at ? ` (${at})` : ''}.`)
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
