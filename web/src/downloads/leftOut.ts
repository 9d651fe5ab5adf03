import type { downloads } from '@dubplate/contract'

/** What the member leaves out of a download, as its request says it. */
export type LeftOut = { skip_downloaded?: true | undefined; skip_in_library?: true | undefined }

/** How many files that leaves out: those downloaded before and those in the DJ library are counted separately. */
export const countLeftOut = (
  { repeated, in_library }: downloads.DownloadSummary,
  { skip_downloaded, skip_in_library }: LeftOut,
): number => (skip_downloaded ? repeated : 0) + (skip_in_library ? in_library : 0)
