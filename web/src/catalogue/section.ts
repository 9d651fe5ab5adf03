import type { LinkProps } from '@tanstack/react-router'

/** The sections of lists; songs by default. */
export const LIST_SECTIONS = ['songs', 'kuts', 'all'] as const
export type ListSection = (typeof LIST_SECTIONS)[number]

/** Screens whose URL contains the section. */
export const LISTS = /^\/($|charts|newRelease|genres|search)/

/** The query parameter of a section; none for songs. */
export const toSectionParam = (section: ListSection | undefined) => ({
  section: section === 'songs' ? undefined : section,
})

/** The query parameter of a section for a path; none if the path is not a list. */
export const keepSectionForPath = (path: string | undefined, section: ListSection): LinkProps['search'] =>
  LISTS.test(path ?? '') ? toSectionParam(section) : {}

/** The section as the API takes it; omitted for songs, the default. */
export const sectionInput = (section: ListSection | undefined): { song_section_id?: number } =>
  section === 'kuts' ? { song_section_id: 2 } : section === 'all' ? { song_section_id: 0 } : {}
