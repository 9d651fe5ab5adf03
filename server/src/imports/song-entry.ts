import path from 'node:path'
import type { Analysis } from '../analysis/analysis.ts'
import type { NewSong, NewVersion, Source } from '../catalogue/additions.ts'
import { type ParsedName, parseFileName } from './file-name.ts'
import type { Tags } from './tags.ts'
import { overlaps } from './text-overlap.ts'
import { normaliseText, type ParsedTitle, parseTitle, splitFeaturing } from './title-parser.ts'

/** A song as described by one of its files, and which version that file is. */
export type SongEntry = NewSong & { version_label: string; genres: string[] }

/** The label of a version without a name. */
export const PLAIN_VERSION = 'Original'

/** 'Artist/Album/Title.mp3': the information in the folders of a file, within the imported folder. */
export function parseArtistFolder(relativePath: string): { artist?: string; album?: string } {
  const folders = path.dirname(relativePath).split(path.sep).map(normaliseText)
  const [artist, album] = folders.slice(-2)
  if (!artist || !album || /^(?:various(?: artists)?|va|compilations?)$/i.test(artist)) return {}
  return { artist, album }
}

/**
 * Combines the information in the tags (first), the name (second) and the folders (last) of a file. Undefined when
 * artist or title is missing.
 */
export function describeSong(relativePath: string, tags: Tags): SongEntry | undefined {
  const folders = parseArtistFolder(relativePath)
  const tagged = readTagTitle(tags)
  const named = parseSongFileName(relativePath)
  const name = isAboutAnotherSong(named, tagged) ? {} : named
  const artist = tags.artist ?? tagged?.artist ?? name.artist ?? folders.artist
  const parsedTitle = tagged ?? (name.title === undefined ? undefined : { ...name, title: name.title })
  if (!artist || !parsedTitle) return undefined
  const remix = resolveRemix(parsedTitle, name, tags, artist)
  return {
    title: remix.title,
    artist: appendFeaturing(artist, parsedTitle.featuring ?? name.featuring),
    album: tags.album ?? (tags.artist ? '' : (folders.album ?? '')),
    label: tags.label ?? tagged?.label ?? name.label ?? '',
    isrc: tags.isrc ?? '',
    remixer: remix.remixer,
    year: tags.year ?? null,
    version_label: moreDetailedLabel(tagged?.version, name.version) ?? PLAIN_VERSION,
    genres: tags.genres,
    ...resolveTempo(tags, tagged, name),
    ...keyOf(tags, tagged, name),
  }
}

/**
 * Whether the name of a file contradicts its tags: then nothing is taken from the name, so that title, artist and
 * version have the same source.
 */
function isAboutAnotherSong(named: ParsedName, tagged: ParsedTitle | undefined): boolean {
  if (!tagged || named.artist === undefined || named.title === undefined) return false
  return !overlaps(named.title, tagged.title) && !overlaps(`${named.artist} ${named.title}`, tagged.title)
}

/** Parses the name of a music file, whatever its extension. */
export const parseSongFileName = (relativePath: string): ParsedName => parseFileName(ensureAudioExtension(relativePath))

/** Replaces another extension, as in 'Artist - Title.bin', so that it is removed as well. */
const ensureAudioExtension = (file: string): string => file.replace(/\.[A-Za-z0-9]{1,5}$/, '.mp3')

/** Some tags contain 'Artist - Title (Clean)' in the title only; next to an artist tag, it repeats the artist. */
function readTagTitle({ title, artist, bpm }: Tags): (ParsedTitle & { artist?: string }) | undefined {
  if (!title) return undefined
  const whole = parseTitle(title, bpm)
  if (!title.includes(' - ')) return whole
  if (artist && title.toLowerCase().startsWith(`${artist.toLowerCase()} - `))
    return parseTitle(title.slice(artist.length + 3), bpm)
  const parts = artist ? undefined : parseFileName(`${title}.mp3`)
  return parts?.title ? { ...parts, title: parts.title } : whole
}

/** Adds a remix to the title that is only in the file name or in the remixer tag. */
function resolveRemix(
  parsedTitle: ParsedTitle,
  name: ParsedName,
  tags: Tags,
  artist: string,
): { title: string; remixer: string } {
  if (parsedTitle.remixer) return { title: parsedTitle.title, remixer: parsedTitle.remixer }
  const [suffix] = name.remixer ? (/ \([^()]+\)$/.exec(name.title ?? '') ?? []) : []
  if (name.remixer && suffix) return { title: `${parsedTitle.title}${suffix}`, remixer: name.remixer }
  const isDifferentRemixer = tags.remixer && tags.remixer.toLowerCase() !== artist.toLowerCase()
  if (!tags.remixer || !isDifferentRemixer || /[([][^)\]]*mix[)\]]/i.test(parsedTitle.title))
    return { title: parsedTitle.title, remixer: '' }
  return { title: `${parsedTitle.title} (${tags.remixer} Remix)`, remixer: tags.remixer }
}

export function appendFeaturing(artist: string, guests: string | undefined): string {
  const split = splitFeaturing(normaliseText(artist) || artist)
  const guestNames = split.featuring ?? guests
  const isAlreadyNamed = guestNames === undefined || split.text.toLowerCase().includes(guestNames.toLowerCase())
  return isAlreadyNamed ? split.text : `${split.text} feat. ${guestNames}`
}

/** Returns the version in the tags, unless the name says the same and more: 'Clean' and 'Intro Clean'. */
function moreDetailedLabel(tagged: string | undefined, named: string | undefined): string | undefined {
  if (!tagged || !named) return tagged ?? named
  const words = named.split(' ')
  const saysMore = tagged === PLAIN_VERSION || tagged.split(' ').every((word) => words.includes(word))
  return saysMore ? named : tagged
}

type Tempo = Pick<NewSong, 'min_bpm' | 'max_bpm' | 'bpm_source'>

function resolveTempo(tags: Tags, tagged: ParsedTitle | undefined, name: ParsedName): Tempo {
  // Only the name of a transition contains both tempos.
  const taggedRange = [tagged, name].find((source) => source?.bpm_to !== undefined)
  if (taggedRange) return makeTempo(taggedRange.bpm, taggedRange.bpm_to, 'name')
  if (tags.bpm ?? tagged?.bpm) return makeTempo(tags.bpm ?? tagged?.bpm, undefined, 'tag')
  return name.bpm === undefined ? {} : makeTempo(name.bpm, undefined, 'name')
}

const makeTempo = (from: number | undefined, to: number | undefined, source: Source): Tempo => {
  const range = [from ?? 0, to ?? from ?? 0]
  return { min_bpm: Math.min(...range), max_bpm: Math.max(...range), bpm_source: source }
}

function keyOf(
  tags: Tags,
  tagged: ParsedTitle | undefined,
  name: ParsedName,
): Pick<NewSong, 'song_key' | 'key_source'> {
  const explicitKey = tags.song_key ?? tagged?.song_key
  if (explicitKey) return { song_key: explicitKey, key_source: 'tag' }
  return name.song_key ? { song_key: name.song_key, key_source: 'name' } : {}
}

/** Fills in missing values from the analysis, even uncertain ones, whose confidence is stored too. */
export function applyAnalysis(entry: SongEntry, { bpm, song_key }: Pick<Analysis, 'bpm' | 'song_key'>): SongEntry {
  const completed: SongEntry = { ...entry }
  if (!entry.bpm_source && bpm) Object.assign(completed, makeTempo(bpm, undefined, 'analysis'))
  if (!entry.key_source && song_key) Object.assign(completed, { song_key, key_source: 'analysis' })
  return completed
}

/** Returns the label, or 'Clean (2)' if another recording already uses it. */
export function findFreeLabel(label: string, usedLabels: ReadonlySet<string>): string {
  let available = label
  for (let n = 2; usedLabels.has(available); n++) available = `${label} (${n})`
  return available
}

/** The tempo and key of a file as those of its version. */
export const versionTempoOf = ({
  min_bpm = null,
  max_bpm = null,
  ...entry
}: SongEntry): NonNullable<NewVersion['tempo']> => ({
  bpm: min_bpm,
  bpm_to: max_bpm === min_bpm ? null : max_bpm,
  bpm_source: entry.bpm_source ?? null,
  song_key: entry.song_key ?? null,
  key_source: entry.key_source ?? null,
})
