import { defineModule } from '../module.ts'
import { sweepNotifications } from './notifications.ts'
import { notificationsData } from './own-data.ts'
import { notificationRoutes } from './routes.ts'

export const notices = defineModule({
  name: 'notices',
  tables: ['notification', 'notification_preference'],
  routes: notificationRoutes,
  sweeps: [({ sql }) => sweepNotifications(sql)],
  ownData: notificationsData,
})
