import { defineModule } from '../module.ts'
import { findListCover } from './list-covers.ts'
import { curationRoutes } from './routes.ts'

export const curation = defineModule({
  name: 'curation',
  tables: ['curated_genre', 'curated_list', 'curated_list_song', 'top20', 'top20_song', 'trending_override'],
  routes: curationRoutes,
  findCoverText: ({ sql }, of, id) => findListCover(sql, of, id),
})
