import { type catalogue, type InputOf, parseKey, type ReplyOf } from '@dubplate/contract'
import { useSearch } from '@tanstack/react-router'
import { format } from '../format/message.ts'
import { type Notation, usePreferences } from '../platform/preferences.ts'
import { useSession } from '../platform/session.ts'
import { currentEntry, usePlayer } from '../player/store.ts'
import { formatKey } from './mixing.ts'
import * as texts from './texts.ts'

/** The filter of a list in the URL; texts are as the API takes them. */
export type FilterAddress = {
  bpm?: string
  key?: string
  year?: string
  /** Codes, separated by commas. */
  versions?: string
  /** Ids, separated by commas. */
  genres?: string
  /** One genre, on screens with genre chips. */
  genre?: number
  fits?: 1
  fresh?: 1
  notInLibrary?: 1
  notOwned?: 1
  /** Of older search links. */
  title?: string
  artist?: string
}

type SongFilter = NonNullable<InputOf<typeof catalogue.genreSongs>['filter']>

/** A list whose filter has options: as the API takes it. */
export type FilterSource = Omit<InputOf<typeof catalogue.getFilterOptions>, 'filter'>

export const NO_LIST_FILTER = {
  bpm: undefined,
  key: undefined,
  year: undefined,
  versions: undefined,
  genres: undefined,
  genre: undefined,
  fits: undefined,
  fresh: undefined,
  notInLibrary: undefined,
  notOwned: undefined,
} satisfies Record<string, undefined>

export const partsOf = (text: string | undefined): string[] => text?.split(',').filter(Boolean) ?? []

const idsOf = (text: string | undefined): number[] => partsOf(text).map(Number).filter(Number.isSafeInteger)

/** On these screens a single genre is in the same parameter as that of the genre chips. */
const hasGenreChips = ({ list }: FilterSource) => ['new_releases', 'crate', 'search'].includes(list)

export const genresOf = (address: FilterAddress, source: FilterSource): number[] =>
  address.genres ? idsOf(address.genres) : hasGenreChips(source) && address.genre ? [address.genre] : []

export function genresChange(genres: number[], source: FilterSource) {
  if (!hasGenreChips(source)) return { genres: genres.join() || undefined }
  return genres.length === 1
    ? { genre: genres[0], genres: undefined }
    : { genre: undefined, genres: genres.join() || undefined }
}

function toInput(address: FilterAddress, playing: number | undefined, isMember: boolean): SongFilter {
  const { bpm, key, year, versions, genres, fits, fresh, notInLibrary, notOwned } = address
  return {
    ...(bpm && { bpm }),
    ...(key && { key }),
    ...(year && { year }),
    ...(versions && { versions: partsOf(versions) }),
    ...(genres && { genres: idsOf(genres) }),
    ...(fits && playing && { fits: playing }),
    ...(isMember && fresh && { not_downloaded: true }),
    ...(isMember && notInLibrary && { not_in_library: true }),
    ...(isMember && notOwned && { not_owned: true }),
  }
}

/** The filter of the list in the URL; with “Fits what’s playing”, it changes with the song that plays. */
export function useSongFilter() {
  const address: FilterAddress = useSearch({ strict: false })
  const playing = usePlayer((state) => currentEntry(state)?.song.entity_id)
  const isMember = useSession((session) => session.token !== null)
  const filter = toInput(address, playing, isMember)
  const isFiltered = Object.keys(filter).length > 0
  return {
    address,
    filter,
    isFiltered,
    isMember,
    isPlaying: playing !== undefined,
    input: isFiltered ? { filter } : {},
  }
}

export const MIN_BPM = 60
export const MAX_BPM = 200

/** The bounds of a BPM range as sliders show it; the whole range for an invalid text. */
export function boundsOf(bpm: string | undefined): [number, number] {
  const [, open, from, to] = /^([<>])?=?\s*(\d{2,3})(?:\s*[-–]\s*(\d{2,3}))?$/.exec(bpm?.trim() ?? '') ?? []
  if (!from) return [MIN_BPM, MAX_BPM]
  if (open === '>') return [Number(from) + 1, MAX_BPM]
  if (open === '<') return [MIN_BPM, Number(from) - 1]
  return [Number(from), Number(to ?? from)]
}

/** A range for the URL; undefined for one that leaves nothing out. */
export const bpmText = (from: number, to: number): string | undefined =>
  from === MIN_BPM && to === MAX_BPM ? undefined : from === to ? String(from) : `${from}-${to}`

/** The key of the wheel, and whether compatible ones are included: `~8A`. An older link may name several keys. */
export function chosenKey(text: string | undefined) {
  const [first = '', ...others] = partsOf(text)
  return { key: parseKey(first.replace(/^~/, '')), isWide: first.startsWith('~'), others: others.length }
}

const plusOthers = (name: string, others: number) => (others > 0 ? `${name} +${others}` : name)

function keyLabel(text: string, notation: Notation): string {
  const { key, isWide, others } = chosenKey(text)
  const name = plusOthers(key ? formatKey(key, notation) : text, others)
  return isWide ? format(texts.keyAndCompatible, { key: name }) : name
}

/** `intro_clean` → `Intro Clean` */
const versionName = (code: string) =>
  code.replace(/(^|_)(\w)/g, (_, start, letter) => (start && ' ') + letter.toUpperCase())

export type FilterOptions = ReplyOf<typeof catalogue.getFilterOptions>

export type FilterPanelProps = {
  address: FilterAddress
  source: FilterSource
  /** Undefined while they load. */
  options: FilterOptions | undefined
  isFailed: boolean
  onChange: (changes: Record<string, string | number | undefined>) => void
}

export const PANELS = ['bpm', 'key', 'versions', 'genres', 'year'] as const
export type PanelName = (typeof PANELS)[number]

export const PANEL_TITLES: Record<PanelName, string> = {
  bpm: texts.bpmLabel,
  key: texts.key,
  versions: texts.version,
  genres: texts.genre,
  year: texts.year,
}

/** The applied value of each panel, for its pill: “118–128”, “Intro Clean +1”. */
export function useFilterLabels(
  address: FilterAddress,
  source: FilterSource,
  options: FilterOptions | undefined,
): Record<PanelName, string | undefined> {
  const notation = usePreferences((preferences) => preferences.notation)
  const versions = partsOf(address.versions)
  const genres = genresOf(address, source)
  const years = partsOf(address.year)
  const nameOfVersion = (code: string) =>
    options?.versions.find(({ version_code }) => version_code === code)?.name ?? versionName(code)
  const nameOfGenre = (id: number | undefined) => options?.genres.find(({ genre_id }) => genre_id === id)?.name ?? '…'
  return {
    bpm: address.bpm?.replace('-', '–'),
    key: address.key && keyLabel(address.key, notation),
    versions: versions[0] && plusOthers(nameOfVersion(versions[0]), versions.length - 1),
    genres: genres.length > 0 ? plusOthers(nameOfGenre(genres[0]), genres.length - 1) : undefined,
    year: years[0] && plusOthers(years[0].replace('-', '–'), years.length - 1),
  }
}
