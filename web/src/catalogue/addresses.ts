import * as z from 'zod/mini'
import { ORDERS, type Sort } from './SortHeader.tsx'

/** What the addresses of lists carry. A value that makes no sense is as good as none. */
const optional = <T extends z.ZodMiniType>(shape: T) => z.catch(z.optional(shape), undefined)

const positive = optional(z.coerce.number().check(z.int(), z.gte(1)))
const words = optional(z.string().check(z.trim(), z.minLength(1), z.maxLength(200)))

const sorted = {
  page: positive,
  order: optional(z.enum(ORDERS)),
  dir: optional(z.enum(['ASC', 'DESC'])),
}

export const homeAddress = z.object({ genre: positive, fresh: positive })
export const pageAddress = z.object({ page: positive })
export const listAddress = z.object({ ...sorted, genre: positive })
export const crateAddress = z.object({ page: positive, genre: positive })
export const searchAddress = z.object({
  ...sorted,
  genre: positive,
  title: words,
  artist: words,
  bpm: words,
  key: words,
  year: words,
  /** Codes of versions, with commas between. */
  versions: words,
})
export type SearchAddress = z.output<typeof searchAddress>

/** The sorting of an address as the calls take it; nothing where the list keeps its own order. */
export const orderInput = ({ order, dir }: Sort) => (order ? { order, orderDir: dir ?? 'ASC' } : {})
