import type { quality } from '@dubplate/contract'
import { readSpectrum } from '../media/spectra.ts'
import type { Caller } from '../membership/caller.ts'
import { ApiError } from '../platform/api-error.ts'
import type { Sql } from '../platform/db.ts'

/**
 * Reads the spectrogram of an uploaded file, for its uploader and the staff who review uploads; null if it has none.
 * Throws `unknown_upload`.
 */
export async function findUploadSpectrum(
  sql: Sql,
  { customer_id, staff_role }: Pick<Caller, 'customer_id' | 'staff_role'>,
  uploadId: number,
): Promise<quality.Spectrum | null> {
  const isReviewer = staff_role === 'curator' || staff_role === 'admin'
  const [upload] = await sql<{ file_id: number | null }[]>`
    select file_id from upload
    where upload_id = ${uploadId} and (${isReviewer} or customer_id = ${customer_id} and removed_at is null)`
  if (!upload) throw new ApiError('unknown_upload', 'File not found. It may have been deleted.')
  return readSpectrum(sql, upload.file_id)
}
