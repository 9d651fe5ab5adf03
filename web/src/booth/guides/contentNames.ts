import type { Content } from './guide.ts'
import * as texts from './texts.ts'

export const CONTENT_NAMES: Record<Content, string> = {
  playlist: texts.playlist,
  grid: texts.beatGrid,
  cues: texts.cuePoints,
  key: texts.key,
  comment: texts.comment,
  stars: texts.stars,
  energy: texts.energy,
}
