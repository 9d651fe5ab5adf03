import { ListObjectsCommand, type ListObjectsCommandOutput, type S3Client } from '@aws-sdk/client-s3'
import { type Listed, parseName } from './storage.ts'
import { storeUnavailable } from './storage-s3-errors.ts'

const LIST_OPTIONS = { requestTimeout: 30_000 }

/**
 * Lists the files below a folder of a bucket, a thousand at a time unless `pageSize` is given. S3 lists in the byte
 * order of the keys; the older listing, which continues after a key, is supported by every compatible server.
 */
export async function* listObjects(
  client: S3Client,
  { bucket, folder, pageSize }: { bucket: string; folder: string; pageSize?: number },
): AsyncGenerator<Listed> {
  for (let last: string | undefined = ''; last !== undefined; ) {
    const part = { ...(last ? { Marker: last } : {}), ...(pageSize ? { MaxKeys: pageSize } : {}) }
    const page: ListObjectsCommandOutput = await client
      .send(new ListObjectsCommand({ Bucket: bucket, Prefix: folder, ...part }), LIST_OPTIONS)
      .catch((error) => {
        throw storeUnavailable(bucket, error)
      })
    const objects = page.Contents ?? []
    for (const { Key = '', Size = 0, LastModified = new Date(0) } of objects) {
      const stored = parseName(Key.slice(Key.lastIndexOf('/') + 1))
      if (stored) yield { ...stored, bytes: Size, changed_at: LastModified }
    }
    last = page.IsTruncated ? objects.at(-1)?.Key : undefined
  }
}
