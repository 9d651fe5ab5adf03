import type { LinkProps } from '@tanstack/react-router'
import { plural } from '../platform/format.ts'

/** What lists show: songs unless the address says otherwise. */
export const LIST_SECTIONS = ['songs', 'kuts', 'all'] as const
export type ListSection = (typeof LIST_SECTIONS)[number]

/** Screens whose address says the section. */
export const LISTS = /^\/($|charts|newRelease|genres|search)/

/** What an address carries behind the `?` for a section; nothing for songs. */
export const inAddress = (section: ListSection | undefined) =>
  section && section !== 'songs' ? { section } : { section: undefined }

/** What the address of a screen carries for a section: nothing where it is not a list. */
export const inLists = (path: string | undefined, section: ListSection): LinkProps['search'] =>
  LISTS.test(path ?? '') ? inAddress(section) : {}

const INPUT: Record<ListSection, { song_section_id?: number }> = {
  songs: {},
  kuts: { song_section_id: 2 },
  all: { song_section_id: 0 },
}

/** A section as the calls take it. */
export const sectionInput = (section: ListSection | undefined) => INPUT[section ?? 'songs']

/** “1 kut”, “12 songs”. */
export const countOf = (count: number, section: ListSection) => plural(count, section === 'kuts' ? 'kut' : 'song')
