import { defineModule } from '../module.ts'
import { sweepDecisions } from './decisions.ts'
import { diggingData } from './own-data.ts'
import { diggingRoutes } from './routes.ts'

export const digging = defineModule({
  name: 'digging',
  tables: ['dig_decision'],
  routes: diggingRoutes,
  sweeps: [({ sql }) => sweepDecisions(sql)],
  ownData: diggingData,
})
