import { listSong, replaceSource, versionKind } from '../catalogue/additions.ts'
import { findSong, songKeyOf } from '../catalogue/artist-credit.ts'
import { completeSong } from '../catalogue/completion.ts'
import {
  type LockedSong,
  lockSong,
  readValues,
  type SongFields,
  type Values,
  versionField,
} from '../catalogue/song-values.ts'
import { completeVersion, refreshTempoAndKey } from '../catalogue/version-values.ts'
import { writeValues } from '../catalogue/written-values.ts'
import type { Pool, Sql } from '../platform/db.ts'
import { rankDescription } from './description-rank.ts'
import { findGenresByName } from './genre-names.ts'
import { describeSong, PLAIN_VERSION, type SongEntry, versionTempoOf } from './song-entry.ts'
import type { Tags } from './tags.ts'
import { serializeTags } from './value-origins.ts'

/** A file of an import whose audio is a version of the pool already. */
export type KnownFile = {
  song_version_id: number
  /** Its path within the folder. */
  name: string
  uploaded_name: string
  entry: SongEntry
  tags: Partial<Tags>
  isDescribed: boolean
}

/** What a better described file changes: artist, title and version together, and missing values. */
type Improvement = { song: LockedSong; names: Values; label: string | undefined; isCompleting: boolean }

export const RENAMED = 'Its artist, title and version come from this file, which is described better.'
const COMPLETED = 'Its missing values come from this file.'

/** Improves a version by a better described file. Returns what it did, in a sentence; '' for nothing. */
export async function improveKnownVersion(sql: Pool, known: KnownFile): Promise<string> {
  if ((await describeImprovement(sql, known)) === '') return ''
  return sql.begin(async (transaction) => {
    const plan = await planImprovement(transaction, known, lockSong)
    if (plan) await applyImprovement(transaction, known, plan)
    return summaryOf(plan)
  })
}

/** Returns what `improveKnownVersion` would do. */
export const describeImprovement = async (sql: Sql, known: KnownFile): Promise<string> =>
  summaryOf(await planImprovement(sql, known, readValues))

function summaryOf(plan: Improvement | undefined): string {
  if (!plan) return ''
  return Object.keys(plan.names).length > 0 || plan.label !== undefined ? RENAMED : plan.isCompleting ? COMPLETED : ''
}

type StoredVersion = { entity_id: number; version_label: string; uploaded_name: string; tag: Partial<Tags> }
type Comparison = { known: KnownFile; song: LockedSong; stored: StoredVersion }

/** Values of staff and uploaders stay, and so do names that were changed since the version was imported. */
async function planImprovement(
  sql: Sql,
  known: KnownFile,
  readSong: (sql: Sql, entityId: number) => Promise<LockedSong>,
): Promise<Improvement | undefined> {
  const [stored] = await sql<StoredVersion[]>`
    select entity_id, version_label, uploaded_name, tag from song_version where song_version_id = ${known.song_version_id}`
  if (!stored) return undefined
  const song = await readSong(sql, stored.entity_id)
  if (song.values.status[0] !== 'published') return undefined
  const { names, label } = await betterNames(sql, { known, song, stored })
  const isSame = songKeyOf(known.entry) === keyOf({ ...song.values, ...names })
  return { song, names, label, isCompleting: isSame && isCompleting(song.values, known.entry) }
}

const keyOf = ({ title, artist, remixer }: SongFields): string =>
  songKeyOf({ title: title[0], artist: artist[0], remixer: remixer[0] })

const isManual = (source: unknown): boolean => source === 'staff' || source === 'uploader'

async function betterNames(
  sql: Sql,
  { known, song, stored }: Comparison,
): Promise<Pick<Improvement, 'names' | 'label'>> {
  const { entry } = known
  const tags: Tags = { genres: [], ...stored.tag }
  const before = describeSong(stored.uploaded_name, tags)
  const rankBefore = rankDescription({ name: stored.uploaded_name, tags, entry: before })
  if (rankDescription(known) <= rankBefore) return { names: {}, label: undefined }
  const isSame = songKeyOf(entry) === keyOf(song.values)
  if (!isSame && !(await canRename(sql, { known, song, stored }, before))) return { names: {}, label: undefined }
  const isLabelUnchanged = stored.version_label === (before?.version_label ?? PLAIN_VERSION)
  const isTaken = song.versions.some(({ version_label }) => version_label === entry.version_label)
  const isLabelBetter = isLabelUnchanged && !isTaken && !(isSame && entry.version_label === PLAIN_VERSION)
  return { names: isSame ? {} : namesOf(entry), label: isLabelBetter ? entry.version_label : undefined }
}

/** Whether the whole song has its name from the worse file, and no other song has the better name. */
async function canRename(sql: Sql, { known, song }: Comparison, before: SongEntry | undefined): Promise<boolean> {
  const { title, artist, song_section_id } = song.values
  if (song.versions.length > 1 || isManual(title[1]) || isManual(artist[1])) return false
  const isUnchanged = before
    ? before.title === title[0] && before.artist === artist[0]
    : title[1] === 'name' && artist[1] === 'name'
  return isUnchanged && (await findSong(sql, song_section_id, known.entry)) === undefined
}

function namesOf({ title, artist, remixer, origins }: SongEntry): Values {
  return {
    title: [title, origins?.title ?? 'name'],
    artist: [artist, origins?.artist ?? 'name'],
    remixer: [remixer ?? '', remixer ? (origins?.remixer ?? 'name') : null],
  }
}

/** Whether `completeSong` would change anything: re-importing a whole library leaves its songs alone. */
function isCompleting(values: SongFields, entry: SongEntry): boolean {
  const isMissing = ([value, source]: [unknown, unknown], isKnown: unknown) =>
    !value && !isManual(source) && Boolean(isKnown)
  const isMeasured = (source: unknown) => (source ?? 'analysis') === 'analysis'
  return (
    (['album', 'label', 'isrc', 'year'] as const).some((field) => isMissing(values[field], entry[field])) ||
    (isMeasured(values.bpm[2]) && !isMeasured(entry.bpm_source)) ||
    (isMeasured(values.song_key[1]) && !isMeasured(entry.key_source)) ||
    isMissingGenres(values, entry)
  )
}

const isMissingGenres = ({ genres: [ids, source] }: SongFields, { genres }: SongEntry): boolean =>
  ids.length === 0 && !isManual(source) && genres.length > 0

async function applyImprovement(sql: Sql, known: KnownFile, { song, names, label, isCompleting }: Improvement) {
  const { song_version_id, uploaded_name, entry } = known
  const kind = label === undefined ? undefined : await versionKind(sql, label, { offered: true })
  const version: Values = kind === undefined ? {} : versionField(song_version_id, 'name', [label ?? '', kind])
  const changed: Values = { ...names, ...version }
  if (Object.keys(changed).length > 0) {
    await writeValues(sql, song, changed)
    await replaceSource(sql, song_version_id, { uploaded_name, tag: serializeTags(known.tags) })
  }
  if (!isCompleting) return
  await completeSong(sql, song.entity_id, { ...entry, artwork_id: null })
  await completeVersion(sql, song_version_id, versionTempoOf(entry))
  await refreshTempoAndKey(sql, song.entity_id)
  const genres = isMissingGenres(song.values, entry) ? await findGenresByName(sql, entry.genres) : []
  await listSong(sql, song.entity_id, genres)
}
