import { MAX_COUNTED_ROWS, type Pagination } from '@dubplate/contract'
import { count } from '../format/format.ts'

/** A number of rows that the server has counted up to MAX_COUNTED_ROWS; one more means that there are more. */
export const cappedCount = (n: number): string => (n > MAX_COUNTED_ROWS ? `${count(MAX_COUNTED_ROWS)}+` : count(n))

/** The number of rows of a list, counted in the same way; 0 before it has loaded. */
export const rowCount = (pagination: Pagination | undefined): number =>
  pagination ? pagination.totalCount + (pagination.more ? 1 : 0) : 0
