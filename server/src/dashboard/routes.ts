import { dashboard, type StaffRole } from '@dubplate/contract'
import type { AppContext } from '../app-context.ts'
import type { Caller } from '../membership/caller.ts'
import type { Call } from '../platform/serve.ts'
import { staffRead } from '../staff/audit.ts'
import { readMetrics } from './metrics.ts'
import { metricsLink } from './metrics-file.ts'
import { readWorkQueue } from './work-queue.ts'

/** Every caller of a staff endpoint has a role; the type does not say so. */
const roleOf = ({ staff_role }: Caller): StaffRole => staff_role ?? 'support'

/** The dashboard of the back office. */
export const dashboardRoutes = (ctx: AppContext): Call<Caller>[] => [
  staffRead(dashboard.getAttentionItems, async ({ member }) => readWorkQueue(ctx, roleOf(member))),
  staffRead(dashboard.getMetrics, async ({ input, member }) =>
    readMetrics(ctx.sql, { ...input, role: roleOf(member), now: ctx.now() }),
  ),
  staffRead(dashboard.getMetricsFile, async ({ member }) => metricsLink(ctx, member)),
]
