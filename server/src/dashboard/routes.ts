import { dashboard, type StaffRole } from '@dubplate/contract'
import type { Caller, Route } from '../membership/caller.ts'
import { staffRead } from '../staff/audit.ts'
import { readMetrics } from './metrics.ts'
import { metricsLink } from './metrics-file.ts'
import { readWorkQueue } from './work-queue.ts'

/** Every caller of a staff endpoint has a role; the type does not say so. */
const roleOf = ({ staff_role }: Caller): StaffRole => staff_role ?? 'support'

/** The dashboard of the back office. */
export const dashboardRoutes: Route[] = [
  staffRead(dashboard.getAttentionItems, async ({ member, ctx }) => readWorkQueue(ctx, roleOf(member))),
  staffRead(dashboard.getMetrics, async ({ input, member, ctx, sql }) =>
    readMetrics(sql, { ...input, role: roleOf(member), now: ctx.now() }),
  ),
  staffRead(dashboard.getMetricsFile, async ({ member, ctx }) => metricsLink(ctx, member)),
]
