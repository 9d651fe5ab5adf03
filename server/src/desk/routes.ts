import { desk, type StaffRole } from '@dubplate/contract'
import { type Asker, on } from '../membership/asker.ts'
import type { Call } from '../platform/serve.ts'
import type { World } from '../world.ts'
import { readFigures } from './figures.ts'
import { figuresLink } from './figures-file.ts'
import { readWaits } from './waits.ts'

/** Whoever makes a call of staff has a role. */
const roleOf = ({ staff_role }: Asker): StaffRole => staff_role ?? 'support'

/** The first page of the back office. */
export const deskRoutes = (world: World): Call<Asker>[] => [
  on(desk.getWaits, async ({ member }) => readWaits(world, roleOf(member))),
  on(desk.getFigures, async ({ input, member }) =>
    readFigures(world.sql, { ...input, role: roleOf(member), now: world.now() }),
  ),
  on(desk.getFiguresFile, async ({ member }) => figuresLink(world, member)),
]
