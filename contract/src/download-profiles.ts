import * as z from 'zod/mini'
import { CONVERSION_FORMATS } from './conversion-formats.ts'
import { SOFTWARE } from './dj-software.ts'
import { endpoint, id, nothing, optionalId } from './endpoint.ts'
import { DEFAULT_FILE_TEMPLATE, SYSTEMS, type System, UNICODE_FORMS, unknownPlaceholders } from './file-paths.ts'
import { NOTATIONS } from './keys.ts'

/** Where and how a member's downloads are stored on one of their computers or sticks, and for which DJ software. */

export const MAX_PROFILES = 10

/** Where the key of a version is written in its tags. */
export const KEY_FIELDS = ['key', 'comment', 'both'] as const

/** Tags that can be left out. Title and artist are always written. */
export const OPTIONAL_TAGS = [
  'album',
  'genre',
  'year',
  'bpm',
  'label',
  'isrc',
  'remixer',
  'replaygain',
  'energy',
  'cover',
] as const
export type OptionalTag = (typeof OPTIONAL_TAGS)[number]

/** Width and height of the cover in a file. */
export const COVER_PIXELS = [300, 500, 800] as const

/** What is written as stars. */
export const RATINGS = ['none', 'energy', 'favourites'] as const

export const TRAKTOR_VERSIONS = [3, 4] as const

export const MAX_NAME = 60
export const MAX_FOLDER = 120
const MAX_TEMPLATE = 200

const text = (max: number) => z.string().check(z.trim(), z.maxLength(max, `Use at most ${max} characters.`))

const template = text(MAX_TEMPLATE).check(
  z.refine((value) => unknownPlaceholders(value).length === 0, {
    error: ({ input }) => `{${unknownPlaceholders(String(input))[0]}} is not a field. Choose one from the list.`,
  }),
)

const WINDOWS_FOLDER = /^[A-Za-z]:\\([^<>:"/|?*]*)$/
const UNIX_FOLDER = /^\//
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what must not be there
const CONTROL = /[\u0000-\u001f\u007f]/

/** Why this is not a folder of the system, as a sentence; undefined if it is one. */
export function folderProblem(system: System, folder: string): string | undefined {
  if (CONTROL.test(folder)) return 'Remove line breaks and control characters.'
  if (folder.split(/[\\/]/).some((part) => part === '..' || part === '.'))
    return 'Enter the folder without “.” and “..”.'
  if (system === 'windows' && !WINDOWS_FOLDER.test(folder))
    return 'Enter a folder that begins with its drive, such as C:\\Users\\you\\Music.'
  if (system === 'macos' && !UNIX_FOLDER.test(folder))
    return 'Enter a folder that begins with /, such as /Users/you/Music or /Volumes/USB/Music.'
  if (system === 'linux' && !UNIX_FOLDER.test(folder))
    return 'Enter a folder that begins with /, such as /home/you/Music.'
  return undefined
}

/** Without separators at the end. */
export const trimFolder = (folder: string): string =>
  folder.replace(/(?<=.)[\\/]+$/, '').replace(/^([A-Za-z]:)$/, '$1\\')

const name = text(MAX_NAME).check(z.minLength(1, 'Enter a name.'))

/** Everything of a profile except its name. */
export const settings = {
  system: z.enum(SYSTEMS, 'Choose a system.'),
  software: z.enum(SOFTWARE, 'Choose your DJ software.'),
  music_folder: text(MAX_FOLDER).check(z.minLength(1, 'Enter your music folder.')),
  /** The name of the system's disk on macOS; other volumes follow from the music folder. */
  traktor_volume: z._default(text(MAX_NAME), 'Macintosh HD'),
  traktor_version: z._default(z.literal(TRAKTOR_VERSIONS, 'Choose Traktor 3 or 4.'), 4),
  /** The drive that has the folder `_Serato_`, on macOS and Linux: '/' or '/Volumes/USB'. */
  serato_root: z._default(text(MAX_FOLDER), '/'),
  folder_template: z._default(template, ''),
  file_template: z._default(template.check(z.minLength(1, 'Enter a file name.')), DEFAULT_FILE_TEMPLATE),
  unicode_form: z._default(z.enum(UNICODE_FORMS), 'nfc'),
  key_notation: z._default(z.enum(NOTATIONS), 'musical'),
  key_field: z._default(z.enum(KEY_FIELDS), 'key'),
  /** Empty: the comment of the uploaded file. */
  comment_template: z._default(template, ''),
  tags: z._default(z.array(z.enum(OPTIONAL_TAGS)), [...OPTIONAL_TAGS]),
  cover_pixels: z._default(z.literal(COVER_PIXELS), 500),
  rating: z._default(z.enum(RATINGS), 'none'),
  format: z._default(z.enum(['original', ...CONVERSION_FORMATS]), 'original'),
  /** Kits contain the versions that the member prefers of each song, instead of those in the list. */
  preferred_versions: z._default(z.boolean(), false),
}

const folderOf = (value: unknown) => {
  const { system, music_folder } = value as { system: System; music_folder: string }
  return folderProblem(system, music_folder)
}

const profileInput = z
  .object({
    /** Replaces this one; a new one without it. */
    profile_id: optionalId('profile_id'),
    name,
    ...settings,
    is_default: z._default(z.boolean(), false),
  })
  .check(
    z.refine((value) => folderOf(value) === undefined, {
      path: ['music_folder'],
      error: ({ input }) => folderOf(input),
    }),
  )

const profile = z.object({
  profile_id: z.number(),
  name,
  ...settings,
  /** Used unless another one is chosen. */
  is_default: z.boolean(),
})
export type DownloadProfile = z.output<typeof profile>

export const getProfiles = endpoint({
  path: 'customer/download-profiles.json',
  access: 'member',
  summary: 'List the member’s download profiles by name.',
  input: nothing,
  reply: z.object({ profiles: z.array(profile) }),
})

export const saveProfile = endpoint({
  path: 'customer/save-download-profile.json',
  access: 'member',
  summary: 'Add or change a download profile. The first one is the default.',
  input: profileInput,
  reply: z.object({ profile }),
  errors: ['unknown_profile', 'name_taken', 'too_many_profiles'],
})

export const removeProfile = endpoint({
  path: 'customer/remove-download-profile.json',
  access: 'member',
  summary: 'Delete a download profile. If it was the default, the first of the others becomes it.',
  input: z.object({ profile_id: id('profile_id') }),
  reply: z.object({ profiles: z.array(profile) }),
  errors: ['unknown_profile'],
})
