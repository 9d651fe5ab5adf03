import { defineModule } from '../module.ts'
import { refreshDueCharts } from './chart-snapshots.ts'
import { chartRoutes } from './routes.ts'

export const charts = defineModule({
  name: 'charts',
  tables: ['chart_snapshot', 'chart_refresh'],
  routes: chartRoutes,
  jobs: [
    {
      task: 'refresh_charts',
      schedule: { times: '* * * * *', about: 'Updates charts that are due.', atStart: true },
      run: ({ sql, now }) => refreshDueCharts(sql, now()),
    },
  ],
})
