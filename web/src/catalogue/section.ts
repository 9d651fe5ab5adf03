import type { LinkProps } from '@tanstack/react-router'

/** What lists show: songs unless the address says otherwise. */
export const LIST_SECTIONS = ['songs', 'kuts', 'all'] as const
export type ListSection = (typeof LIST_SECTIONS)[number]

/** Screens whose address says the section. */
export const LISTS = /^\/($|charts|newRelease|genres|search)/

/** What an address carries behind the `?` for a section; nothing for songs. */
export const toSectionParam = (section: ListSection | undefined) => ({
  section: section === 'songs' ? undefined : section,
})

/** What the address of a screen carries for a section: nothing where it is not a list. */
export const keepSectionForPath = (path: string | undefined, section: ListSection): LinkProps['search'] =>
  LISTS.test(path ?? '') ? toSectionParam(section) : {}

/** A section as the calls take it; nothing for songs, which is their default. */
export const sectionInput = (section: ListSection | undefined): { song_section_id?: number } =>
  section === 'kuts' ? { song_section_id: 2 } : section === 'all' ? { song_section_id: 0 } : {}
