import { defineModule } from '../module.ts'
import { countMetrics, recountMetrics } from './metric-days.ts'
import { serveMetricsFile } from './metrics-file.ts'
import { dashboardRoutes } from './routes.ts'

export const dashboard = defineModule({
  name: 'dashboard',
  tables: ['daily_metric'],
  routes: dashboardRoutes,
  http: serveMetricsFile,
  jobs: [
    {
      task: 'count_figures',
      schedule: { times: '5 * * * *', about: 'Calculates daily metrics.', atStart: true },
      run: ({ sql, now }) => countMetrics(sql, now()),
    },
    {
      task: 'recount_figures',
      schedule: { times: '50 3 * * *', about: 'Recalculates all daily metrics.' },
      run: ({ sql, now }) => recountMetrics(sql, now()),
    },
  ],
})
