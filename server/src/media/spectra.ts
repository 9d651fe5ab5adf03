import { promisify } from 'node:util'
import { deflateRaw, inflateRaw } from 'node:zlib'
import type { quality } from '@dubplate/contract'
import { SPECTRUM_BANDS, SPECTRUM_COLUMNS } from '@dubplate/contract/spectrum'
import type { Spectrum } from '../analysis/spectrogram.ts'
import type { Sql } from '../platform/db.ts'

const deflate = promisify(deflateRaw)
const inflate = promisify(inflateRaw)

const MAX_LEVELS = SPECTRUM_COLUMNS * SPECTRUM_BANDS

/** Stores the spectrogram of a file. Throws a RangeError if it has more columns than the analysis produces. */
export async function saveSpectrum(sql: Sql, fileId: number, spectrum: Spectrum | null): Promise<void> {
  if (!spectrum) return
  const { top_hz, duration_seconds, highest_hz, levels } = spectrum
  if (levels.length > MAX_LEVELS)
    throw new RangeError(`A spectrum has at most ${MAX_LEVELS} levels, not ${levels.length}`)
  await sql`
    insert into spectrum (file_id, top_hz, duration_seconds, highest_hz, levels)
    values (${fileId}, ${top_hz}, ${duration_seconds}, ${highest_hz}, ${await deflate(levels)})`
}

type SpectrumRow = Omit<quality.Spectrum, 'levels'> & { levels: Buffer }

/** Reads the spectrogram of a file; null if it has none. */
export async function readSpectrum(sql: Sql, fileId: number | null): Promise<quality.Spectrum | null> {
  const [row] = await sql<SpectrumRow[]>`
    select top_hz, duration_seconds, highest_hz, levels from spectrum where file_id = ${fileId}`
  if (!row) return null
  return { ...row, levels: (await inflate(row.levels, { maxOutputLength: MAX_LEVELS })).toString('base64') }
}
