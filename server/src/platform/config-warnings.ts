import type { Config } from './config.ts'

/**
 * Returns warnings about valid settings that are probably mistakes, one sentence each, for the log of a process that
 * listens.
 */
export function findWarnings({ host, isPublicUrlSet, publicUrl, sendfile, bucket }: Config): string[] {
  const warnings: string[] = []
  if (!isPublicUrlSet && ['0.0.0.0', '::', '[::]'].includes(host))
    warnings.push(
      `HOST=${host} accepts connections from other machines, but PUBLIC_URL is not set: links in emails lead to ${publicUrl}, which no one can open. Set PUBLIC_URL to the address people use, such as https://pool.example.`,
    )
  if (sendfile !== 'off' && bucket)
    warnings.push(
      `SENDFILE=${sendfile} has no effect, because the files are in the bucket of STORAGE_URL. Remove SENDFILE. To send unchanged files from the bucket, add redirect=on to STORAGE_URL.`,
    )
  return warnings
}
