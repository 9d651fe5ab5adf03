import type { downloads, FilePath, NamedVersion, PathProfile } from '@dubplate/contract'
import { trimFolder } from '@dubplate/contract/schemas/download-profiles'
import { commentOf, filePaths } from '@dubplate/contract/schemas/file-paths'
import { cleanName, MAX_NAME_BYTES, nameSize } from '@dubplate/contract/schemas/safe-names'
import type { DownloadFormat } from '../downloads/downloadFormats.ts'

type ExampleSong = NamedVersion & { isLossless: boolean }

const DETAILS = { remixer: '', album: 'Night Bus', label: 'Low Ceiling', isrc: 'GBXYZ2600001' }

/** Songs whose names are difficult for file systems: accents, separators, emoji, and too many letters. */
export const EXAMPLE_SONGS: readonly ExampleSong[] = [
  {
    ...{ artist: 'Zoë Müller', title: 'Déjà Vu', version_label: 'Extended', extension: '.mp3', isLossless: false },
    ...{ ...DETAILS, genres: ['House'], year: 2026, bpm: 124, song_key: 'Am', energy: 6 },
  },
  {
    ...{ artist: 'Day/Night', title: 'Why Not?', version_label: 'Intro Clean', extension: '.wav', isLossless: true },
    ...{ ...DETAILS, genres: ['Drum & Bass'], year: 2025, bpm: 174, song_key: 'F#m', energy: 8 },
  },
  {
    ...{ artist: 'DJ Fuego 🔥', title: '¡Baila! 💃🏽', version_label: 'Clean', extension: '.mp3', isLossless: false },
    ...{ ...DETAILS, genres: ['Reggaeton'], year: 2026, bpm: 96, song_key: 'Dm', energy: 7 },
  },
  {
    ...{ artist: 'Room 14 Orchestra', version_label: 'Instrumental', extension: '.flac', isLossless: true },
    title:
      'The Very Long Song About a Night on the Last Bus Home, How Everyone on It Began to Sing, and What the Driver Said When We Finally Arrived at the End of the Line in the Rain (Live at the Glass Harbour)',
    ...{ ...DETAILS, genres: ['Disco'], year: 2024, bpm: 118, song_key: 'C', energy: 4 },
  },
]

const EXTENSIONS: Record<downloads.ConversionFormat, string> = { mp3: '.mp3', aiff: '.aiff' }

/** The examples as files of a format: only lossless files are converted. */
export const exampleVersions = (format: DownloadFormat): NamedVersion[] =>
  EXAMPLE_SONGS.map(({ isLossless, ...version }) =>
    isLossless && format !== 'original' ? { ...version, extension: EXTENSIONS[format] } : version,
  )

export type PreviewedPath = FilePath & {
  version: NamedVersion
  /** Characters that file names cannot contain. */
  replaced: string[]
  isNameShortened: boolean
  /** The whole path was too long for programs on Windows. */
  isPathShortened: boolean
  /** An earlier example has the same path, so that this one has a number. */
  isNumbered: boolean
}

/** The paths of these versions, each with what was changed in its names. */
export function previewPaths(profile: PathProfile, versions: readonly NamedVersion[]): PreviewedPath[] {
  const trimmed = { ...profile, music_folder: trimFolder(profile.music_folder.trim()) }
  const paths = filePaths(trimmed, versions)
  return versions.map((version, index) => {
    const path = paths[index]!
    const own = relativePath(trimmed, version)
    const names = writtenNames(profile, version)
    return {
      ...path,
      version,
      replaced: [...new Set(names.flatMap(replacedCharacters))],
      isNameShortened: names.some((name) => nameSize(cleanName(name)) > MAX_NAME_BYTES),
      isPathShortened: profile.system === 'windows' && own !== relativePath({ ...trimmed, system: 'linux' }, version),
      isNumbered: own !== path.relative,
    }
  })
}

const relativePath = (profile: PathProfile, version: NamedVersion) => filePaths(profile, [version])[0]!.relative

/** The folders and the file name as the templates and the song have them. */
const writtenNames = ({ folder_template, file_template }: PathProfile, version: NamedVersion): string[] => [
  ...folder_template.split('/').map((part) => commentOf(part, version)),
  `${commentOf(file_template, version)}${version.extension}`,
]

const replacedCharacters = (name: string): string[] =>
  [...name.normalize('NFC')].filter(
    (character) => !/\s/.test(character) && cleanName(`x${character}x`) !== `x${character}x`.normalize('NFC'),
  )
