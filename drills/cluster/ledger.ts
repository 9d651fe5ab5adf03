import { createHash } from 'node:crypto'
import type { S3Client } from '@aws-sdk/client-s3'
import type { Pool } from '../../server/src/platform/db.ts'
import { storageKey } from '../../server/src/platform/storage.ts'
import { BUCKET } from './cluster.ts'

/** What was confirmed to members by a response. */
export type Acknowledged = {
  /** customer_id of members who have paid. */
  payments: Set<number>
  /** "customer_id song_version_id" of files that arrived whole. */
  downloads: Set<string>
  /** "customer_id sha256" (hex) of uploaded files, with their length in bytes. */
  uploads: Map<string, number>
}

/** What the database and the S3 server have, compared with what was confirmed. All are 0 if nothing is wrong. */
export type Discrepancies = {
  lostPayments: number
  lostDownloads: number
  lostUploads: number
  /** Members who were charged twice, downloads that were counted twice and files that are stored twice. */
  overCounts: number
}

/** Compares with the database and the S3 server. `checked` holds uploads that were compared before; it grows. */
export async function findDiscrepancies(
  sql: Pool,
  bucket: S3Client,
  acknowledged: Acknowledged,
  checked: Set<string>,
): Promise<Discrepancies> {
  // What is confirmed while the database is read may be missing in its answer.
  const payments = [...acknowledged.payments]
  const downloads = [...acknowledged.downloads]
  const files = [...acknowledged.uploads].filter(([key]) => !checked.has(key))
  const charges = await sql<{ customer_id: number; charges: number }[]>`
    select customer_id, count(*)::int as charges from charge where status = 'paid' group by customer_id`
  const grants = await sql<{ key: string; used: number; rows: number }[]>`
    select g.customer_id || ' ' || g.song_version_id as key, g.used::int as used,
      (select count(*)::int from download d where d.customer_id = g.customer_id
        and d.song_version_id = g.song_version_id and not d.free and d.refunded_at is null) as rows
    from download_grant g`
  const uploads = await sql<{ key: string; rows: number }[]>`
    select customer_id || ' ' || encode(sha256, 'hex') as key, count(*)::int as rows
    from upload where removed_at is null group by customer_id, sha256`
  const paid = new Map(charges.map((row) => [row.customer_id, row.charges]))
  const used = new Map(grants.map(({ key, used }) => [key, used]))
  const recorded = new Set(uploads.map(({ key }) => key))
  let lostUploads = 0
  for (const [key, bytes] of files) {
    if (recorded.has(key) && (await isStored(bucket, key.split(' ')[1] ?? '', bytes))) checked.add(key)
    else lostUploads++
  }
  return {
    lostPayments: payments.filter((id) => !paid.get(id)).length,
    lostDownloads: downloads.filter((key) => !used.get(key)).length,
    lostUploads,
    overCounts:
      charges.filter((row) => row.charges > 1).length +
      grants.filter((row) => row.used > 1 || row.rows > row.used).length +
      uploads.filter((row) => row.rows > 1).length,
  }
}

/** Reads a file from the S3 server and compares its content. */
async function isStored(bucket: S3Client, sha256: string, bytes: number): Promise<boolean> {
  const { GetObjectCommand } = await import('@aws-sdk/client-s3')
  try {
    const object = await bucket.send(new GetObjectCommand({ Bucket: BUCKET, Key: storageKey('audio', sha256) }))
    const content = (await object.Body?.transformToByteArray()) ?? new Uint8Array()
    return content.length === bytes && createHash('sha256').update(content).digest('hex') === sha256
  } catch (error) {
    if ((error as Error).name === 'NoSuchKey') return false
    throw error
  }
}

/** How many payments the provider has made that are not in the pool's books, once no payment is in progress. */
export async function countUnrecordedPayments(sql: Pool): Promise<number> {
  const [row] = await sql<{ n: number }[]>`
    select (select count(*) from sandbox_charge where is_paid)::int
      - (select count(*) from charge where status = 'paid')::int as n`
  return row?.n ?? 0
}

/**
 * Waits until the workers have added all downloads to the totals of songs. Returns how many the totals have too many
 * (positive) or too few (negative); 0 if they are right.
 */
export async function compareTotals(sql: Pool, timeoutMs: number): Promise<number> {
  const deadline = performance.now() + timeoutMs
  for (;;) {
    const [row] = await sql<{ difference: number }[]>`
      select (select coalesce(sum(downloads), 0) from song_total)::int
        - (select count(*) from download where not free and refunded_at is null)::int as difference`
    const difference = row?.difference ?? 0
    if (difference === 0 || performance.now() > deadline) return difference
    await new Promise((resolve) => setTimeout(resolve, 500))
  }
}
