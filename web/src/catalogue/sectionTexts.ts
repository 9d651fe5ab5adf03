import { plural } from '../platform/format.ts'
import type { ListSection } from './section.ts'

/** “1 kut”, “12 songs”. */
export const countOf = (count: number, section: ListSection) => plural(count, section === 'kuts' ? 'kut' : 'song')
