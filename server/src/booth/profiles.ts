import type { downloadProfiles } from '@dubplate/contract'

export type DownloadProfile = downloadProfiles.DownloadProfile
