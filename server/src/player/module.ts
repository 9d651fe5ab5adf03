import { startRollUps } from '../catalogue/song-counts.ts'
import { defineModule } from '../module.ts'
import { rollUpListens } from './chart-outbox.ts'
import { serveMedia } from './media.ts'
import { playerData } from './own-data.ts'
import { playerRoutes } from './routes.ts'

export const player = defineModule({
  name: 'player',
  tables: ['listen', 'listen_outbox'],
  routes: playerRoutes,
  http: serveMedia,
  loops: [(ctx) => startRollUps(ctx, rollUpListens)],
  ownData: playerData,
})
