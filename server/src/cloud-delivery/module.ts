import { defineModule } from '../module.ts'
import { startDeliveryLoop } from './delivery-loop.ts'
import { cloudDeliveryData } from './own-data.ts'
import { cloudDeliveryRoutes } from './routes.ts'

export const cloudDelivery = defineModule({
  name: 'cloud-delivery',
  tables: ['cloud_connection', 'cloud_delivery', 'cloud_delivery_file', 'cloud_revocation'],
  routes: cloudDeliveryRoutes,
  loops: [startDeliveryLoop],
  ownData: cloudDeliveryData,
})
