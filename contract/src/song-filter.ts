import * as z from 'zod/mini'
import { id, optionalId } from './endpoint.ts'

/** The filter that every list of songs accepts. */

const text = z.optional(z.string().check(z.maxLength(200, 'Use at most 200 characters per filter.')))
const flag = z.optional(z.boolean())

export const songFilter = z.object({
  /** `124`, `118-128`, `>120` or `<100`. */
  bpm: text,
  /** `8A`, `8A,9A` or `Am`; `~8A` includes the keys that mix with it. */
  key: text,
  /** Years and ranges of years, separated by commas: `2024,2010-2019`. */
  year: text,
  /** Songs that have one of these types of version. */
  versions: z.optional(
    z
      .array(z.string().check(z.maxLength(60, 'Version not found.')))
      .check(z.maxLength(100, 'Choose up to 100 versions.')),
  ),
  genres: z.optional(z.array(id('genres')).check(z.maxLength(100, 'Choose up to 100 genres.'))),
  /** Only songs that mix well after this one: a compatible key and a tempo within 6 %. */
  fits: optionalId('fits'),
  /** Leaves out songs the caller has downloaded; ignored for visitors. */
  not_downloaded: flag,
  /** Leaves out songs that are a favourite, in an own playlist or downloaded; ignored for visitors. */
  not_in_library: flag,
  /** Leaves out songs that the caller has in their own library of files, or has downloaded; ignored for visitors. */
  not_owned: flag,
})
export type SongFilter = z.output<typeof songFilter>

export const filterInput = z.optional(songFilter)

/** Whether the reply depends on who asks. Reads the input before it is parsed. */
export function isPersonalFilter(input: object): boolean {
  const filter = 'filter' in input ? input.filter : undefined
  if (typeof filter !== 'object' || filter === null) return false
  const { not_downloaded, not_in_library, not_owned } = filter as Record<string, unknown>
  return Boolean(not_downloaded || not_in_library || not_owned)
}
