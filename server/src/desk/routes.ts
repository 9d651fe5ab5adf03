import { desk, type StaffRole } from '@dubplate/contract'
import { type Caller, on } from '../membership/asker.ts'
import type { Call } from '../platform/serve.ts'
import type { AppContext } from '../world.ts'
import { readMetrics } from './figures.ts'
import { metricsLink } from './figures-file.ts'
import { readWorkQueue } from './waits.ts'

/** Whoever makes a call of staff has a role. */
const roleOf = ({ staff_role }: Caller): StaffRole => staff_role ?? 'support'

/** The first page of the back office. */
export const dashboardRoutes = (ctx: AppContext): Call<Caller>[] => [
  on(desk.getWaitingWork, async ({ member }) => readWorkQueue(ctx, roleOf(member))),
  on(desk.getFigures, async ({ input, member }) =>
    readMetrics(ctx.sql, { ...input, role: roleOf(member), now: ctx.now() }),
  ),
  on(desk.getFiguresFile, async ({ member }) => metricsLink(ctx, member)),
]
