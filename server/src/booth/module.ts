import { defineModule } from '../module.ts'
import { boothData } from './own-data.ts'
import { boothRoutes } from './routes.ts'

export const booth = defineModule({
  name: 'booth',
  tables: ['download_profile'],
  routes: boothRoutes,
  ownData: boothData,
})
