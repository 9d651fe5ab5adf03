import { defineModule } from '../module.ts'
import { libraryData } from './own-data.ts'
import { sweepPlaylists } from './own-playlists.ts'
import { libraryRoutes } from './routes.ts'

export const library = defineModule({
  name: 'library',
  tables: ['crate_item', 'crate_order', 'favourite', 'mute', 'playlist', 'playlist_song'],
  routes: libraryRoutes,
  sweeps: [({ sql }) => sweepPlaylists(sql)],
  ownData: libraryData,
})
