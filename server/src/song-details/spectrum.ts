import type { quality } from '@dubplate/contract'
import { readSpectrum } from '../media/spectra.ts'
import { ApiError } from '../platform/api-error.ts'
import type { Sql } from '../platform/db.ts'

/**
 * Reads the spectrogram of a version; null if its file has none. Throws `unknown_version`, also for versions that are not
 * published unless all may be read.
 */
export async function findVersionSpectrum(
  sql: Sql,
  songVersionId: number,
  versions: 'published' | 'all',
): Promise<quality.Spectrum | null> {
  const [version] = await sql<{ file_id: number | null }[]>`
    select v.file_id from song_version v join song s using (entity_id)
    where v.song_version_id = ${songVersionId}
      and (${versions} = 'all' or v.status = 'published' and s.status = 'published')`
  if (!version) throw new ApiError('unknown_version', 'Version not found. The song may have changed; reload the page.')
  return readSpectrum(sql, version.file_id)
}
