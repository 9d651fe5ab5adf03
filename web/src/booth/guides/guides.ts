import type { Software } from '@dubplate/contract'
import { engineGuide } from './engineGuide.ts'
import type { Guide } from './guide.ts'
import { mixxxGuide } from './mixxxGuide.ts'
import { rekordboxGuide } from './rekordboxGuide.ts'
import { seratoGuide } from './seratoGuide.ts'
import { traktorGuide } from './traktorGuide.ts'
import { virtualdjGuide } from './virtualdjGuide.ts'

export const GUIDES: Record<Software, Guide> = {
  rekordbox: rekordboxGuide,
  serato: seratoGuide,
  traktor: traktorGuide,
  virtualdj: virtualdjGuide,
  mixxx: mixxxGuide,
  engine: engineGuide,
}
