import { format } from '../format/message.ts'
import type { ListSection } from './section.ts'
import * as texts from './texts.ts'

/** “1 kut”, “12 songs”. */
export const countOf = (count: number, section: ListSection) =>
  format(section === 'kuts' ? texts.kutCount : texts.songCount, { count })
