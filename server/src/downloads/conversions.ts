import {
  CONVERTED_MP3_TIMING,
  type ConversionFormat,
  convertedRate,
  MP3_KBPS,
  mp3Halvings,
} from '../analysis/conversion/formats.ts'
import type { AppContext } from '../app-context.ts'
import {
  type Conversion,
  findConversions,
  remakeConversion,
  requestConversions,
  type StoredConversion,
} from '../media/conversions.ts'
import { recordReadFailure } from '../media/originals.ts'
import { ApiError } from '../platform/api-error.ts'
import type { Sql } from '../platform/db.ts'
import { isStoreError } from '../platform/error-replies.ts'
import type { Settings } from '../platform/settings.ts'
import type { OriginalReadError } from './segments.ts'
import { findSourceFiles, isAvailable, originalOf, type SourceFile, untaggedMp3 } from './source-files.ts'

/** What a member downloads: the uploaded file, or a conversion of it. */
export type DownloadFormat = 'original' | ConversionFormat

type Deps = { settings: Pick<Settings, 'conversions'> }

type ConvertibleFile = Pick<SourceFile, 'file_id' | 'format' | 'sample_rate' | 'channels' | 'has_mp3_upload'> & {
  is_alac: boolean
}

/** Returns the formats that the pool offers of a file besides the original. */
function offeredFormats({ settings }: Deps, file: ConvertibleFile): ConversionFormat[] {
  const { format, sample_rate, channels, has_mp3_upload, is_alac } = file
  const isLossless = format === 'wav' || format === 'aiff' || format === 'flac' || (format === 'm4a' && is_alac)
  if (!isLossless || file.file_id === null || sample_rate === null || channels === null || channels > 2) return []
  return settings.conversions.filter((offered) =>
    offered === 'aiff' ? format !== 'aiff' : !has_mp3_upload && mp3Halvings(sample_rate) !== undefined,
  )
}

const isAlac = ({ body }: SourceFile): boolean => body?.kept.kind === 'm4a' && body.kept.codec === 'alac'

const isOffered = (ctx: Deps, sourceFile: SourceFile, format: ConversionFormat): boolean =>
  offeredFormats(ctx, { ...sourceFile, is_alac: isAlac(sourceFile) }).includes(format)

/** Returns the formats that these published versions are offered in besides their own. */
export async function listOfferedFormats(
  deps: Deps & { sql: Sql },
  versionIds: readonly number[],
): Promise<Map<number, ConversionFormat[]>> {
  if (deps.settings.conversions.length === 0) return new Map()
  const sourceFiles = await findSourceFiles(deps.sql, versionIds)
  return new Map(
    sourceFiles.map((sourceFile) => [
      sourceFile.song_version_id,
      offeredFormats(deps, { ...sourceFile, is_alac: isAlac(sourceFile) }),
    ]),
  )
}

/** Returns the version with the conversion in place of its original. */
const replaced = (sourceFile: SourceFile, format: ConversionFormat, stored: StoredConversion): SourceFile => ({
  ...asConverted(sourceFile, format),
  ...{ ...stored, missing: false, found_bytes: null },
})

/** Returns the version with the properties of its conversion. */
const asConverted = (sourceFile: SourceFile, format: ConversionFormat): SourceFile => ({
  ...sourceFile,
  format,
  sample_rate: sourceFile.sample_rate && convertedRate(format, sourceFile.sample_rate),
})

/**
 * Returns versions as a member who downloaded them in this format has them, whether the conversions are still stored or
 * not. What these files contain is then unknown, except how an MP3 begins.
 */
export async function asDownloaded(
  ctx: AppContext,
  sourceFiles: readonly SourceFile[],
  format: DownloadFormat,
): Promise<SourceFile[]> {
  if (format === 'original') return [...sourceFiles]
  const stored = await withConversions(ctx, sourceFiles, format)
  return stored.map((sourceFile) => {
    if (sourceFile.conversion_id !== undefined || !isOffered(ctx, sourceFile, format)) return sourceFile
    const unknown = { ...asConverted(sourceFile, format), bytes: null, body: null }
    return format === 'mp3'
      ? { ...unknown, bitrate_kbps: MP3_KBPS, body: untaggedMp3(0, CONVERTED_MP3_TIMING) }
      : unknown
  })
}

const byFile = (conversions: readonly Conversion[]) => new Map(conversions.map((each) => [each.file_id, each]))

/** Returns versions as they are downloaded in this format: converted ones where that is done, otherwise originals. */
export async function withConversions(
  { sql }: Pick<AppContext, 'sql'>,
  sourceFiles: readonly SourceFile[],
  format: ConversionFormat | null,
): Promise<SourceFile[]> {
  if (format === null) return [...sourceFiles]
  const fileIds = sourceFiles.flatMap(({ file_id }) => file_id ?? [])
  const conversions = byFile(await findConversions(sql, fileIds, format))
  return sourceFiles.map((sourceFile) => {
    const stored = conversions.get(sourceFile.file_id ?? 0)?.stored
    return stored ? replaced(sourceFile, format, stored) : sourceFile
  })
}

export type Preparation = {
  /** How many of the files are converted, of how many. */
  ready: number
  files: number
  /** The share of the work that is done, 0 to 1. */
  progress: number
  /** Versions that cannot be converted. */
  failed: SourceFile[]
}

type PrepareOptions = { format: ConversionFormat; is_bulk: boolean }

/**
 * Queues the conversions of those versions that are offered in this format and reports how far they are. Files that
 * have been lost from the storage are made again.
 */
export async function prepareConversions(
  ctx: AppContext,
  sourceFiles: readonly SourceFile[],
  { format, is_bulk }: PrepareOptions,
): Promise<Preparation> {
  const offered = sourceFiles.filter((sourceFile) => isOffered(ctx, sourceFile, format))
  const fileIds = offered.map(({ file_id }) => file_id!)
  if (fileIds.length > 0) await requestConversions(ctx.sql, fileIds, { format, is_bulk })
  const conversions = byFile(await findConversions(ctx.sql, fileIds, format))
  const preparation: Preparation = { ready: 0, files: offered.length, progress: 0, failed: [] }
  let share = 0
  for (const sourceFile of offered) {
    const { state = 'queued', progress = 0, stored = null } = conversions.get(sourceFile.file_id!) ?? {}
    if (state === 'failed') {
      preparation.failed.push(sourceFile)
      share += 1
    } else if (!stored) share += progress
    else if (await isAvailable(ctx, replaced(sourceFile, format, stored))) {
      preparation.ready += 1
      share += 1
    } else await remakeConversion(ctx, stored)
  }
  return { ...preparation, progress: offered.length === 0 ? 1 : share / offered.length }
}

export const isPrepared = ({ ready, files, failed }: Preparation): boolean => ready + failed.length === files

export const pendingError = () =>
  new ApiError('conversion_pending', 'This download is still being prepared. Try again in a moment.')

const FORMAT_NAMES: Record<ConversionFormat, string> = { mp3: 'MP3 320', aiff: 'AIFF' }

/**
 * Returns one version in this format. Throws `conversion_not_offered`, `conversion_failed` and, until it is made,
 * `conversion_pending`.
 */
export async function convertedVersion(
  ctx: AppContext,
  sourceFile: SourceFile,
  format: ConversionFormat,
): Promise<SourceFile> {
  const name = `“${sourceFile.title} (${sourceFile.version_label})”`
  if (!isOffered(ctx, sourceFile, format))
    throw new ApiError('conversion_not_offered', `${name} isn’t available as ${FORMAT_NAMES[format]}.`)
  const { failed, ready } = await prepareConversions(ctx, [sourceFile], { format, is_bulk: false })
  if (failed.length > 0)
    throw new ApiError(
      'conversion_failed',
      `${name} couldn’t be converted to ${FORMAT_NAMES[format]}. Download the original file. This download wasn’t counted.`,
    )
  const [converted] = ready > 0 ? await withConversions(ctx, [sourceFile], format) : []
  if (converted?.conversion_id === undefined) throw pendingError()
  return converted
}

/** Queues a version's conversion again, whose file is missing or damaged. */
export async function remakeLost(ctx: AppContext, { conversion_id, sha256 }: SourceFile): Promise<void> {
  if (conversion_id !== undefined && sha256 !== null) await remakeConversion(ctx, { conversion_id, sha256 })
}

/**
 * Records that the file of a version could not be read to its end; a conversion is made again. Returns false for a
 * temporary error of the storage.
 */
export async function recordUnreadable(
  ctx: AppContext,
  sourceFile: SourceFile,
  { cause }: OriginalReadError,
): Promise<boolean> {
  const original = originalOf(sourceFile)
  if (original) return recordReadFailure(ctx, original, cause)
  const isUnreadable = (cause as { code?: string }).code === 'EIO'
  if (sourceFile.conversion_id === undefined || (!isUnreadable && isStoreError(cause))) return false
  await remakeLost(ctx, sourceFile)
  return true
}
