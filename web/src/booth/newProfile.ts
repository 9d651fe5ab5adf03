import type { downloadProfiles, System } from '@dubplate/contract'
import { MAX_NAME, saveProfile } from '@dubplate/contract/schemas/download-profiles'
import { format } from '../format/message.ts'
import { systemOf } from './systems.ts'
import * as texts from './texts.ts'

export type DownloadProfile = downloadProfiles.DownloadProfile

/** What the form of a profile edits. */
export type ProfileValues = Omit<DownloadProfile, 'profile_id'>

const SUGGESTED_FOLDERS: Record<System, string> = {
  windows: 'C:\\Users\\you\\Music',
  macos: '/Users/you/Music',
  linux: '/home/you/Music',
}

/** A music folder of a system in which only the user name is missing. */
export const suggestedFolder = (system: System) => SUGGESTED_FOLDERS[system]

/** Whether the folder still has the placeholder for the user name. */
export const needsUserName = (folder: string) =>
  Object.values(SUGGESTED_FOLDERS).some((suggestion) => folder.startsWith(suggestion.replace(/Music$/, '')))

/** The values that change with the system: a folder that was not edited becomes the one suggested for it. */
export const changeSystem = ({ system, music_folder }: ProfileValues, next: System): Partial<ProfileValues> => ({
  system: next,
  ...(music_folder === suggestedFolder(system) && { music_folder: suggestedFolder(next) }),
})

/** The suggested values of a new profile; the defaults are those of the contract. */
export function newProfile(userAgent = navigator.userAgent): ProfileValues {
  const system = systemOf(userAgent)
  const required = { name: 'New', system, software: 'rekordbox', music_folder: suggestedFolder(system) } as const
  const { profile_id: _, ...values } = saveProfile.input.parse(required)
  return { ...values, name: '' }
}

export const toValues = ({ profile_id: _, ...values }: DownloadProfile): ProfileValues => values

/** The values of a new profile that is like another one. */
export const copyOf = (profile: DownloadProfile): ProfileValues => ({
  ...toValues(profile),
  name: format(texts.copyOfName, { name: profile.name }).slice(0, MAX_NAME),
  is_default: false,
})
