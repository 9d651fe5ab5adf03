import { staff } from '@dubplate/contract'
import { type Asker, on } from '../membership/asker.ts'
import { sendAgain } from '../platform/outbox.ts'
import { listMail, readMail } from '../platform/outgoing-mail.ts'
import type { Call } from '../platform/serve.ts'
import type { World } from '../world.ts'
import { decideApplication, listApplications, noteApplication } from './applications.ts'
import { recordDeed } from './audit.ts'
import { readDesk } from './desk.ts'

export const staffRoutes = (world: World): Call<Asker>[] => {
  const { sql, config } = world
  return [
    on(staff.getDesk, async () => readDesk(sql, world.now())),
    on(staff.getApplications, async ({ input }) => listApplications(sql, input)),
    on(staff.decideApplication, async ({ input, member, request }) => ({
      application: await decideApplication(world, { ...input, staff_id: member.customer_id, ip: request.ip }),
    })),
    on(staff.noteApplication, async ({ input, member, request }) => ({
      application: await noteApplication(world, { ...input, staff_id: member.customer_id, ip: request.ip }),
    })),
    on(staff.getOutgoingMail, async ({ input }) => ({
      ...(await listMail(sql, input)),
      is_sent: config.smtpUrl !== undefined,
    })),
    // A mail may hold a link that lets somebody in: that it was read is written down. To whom it went ends with the mail.
    on(staff.getMail, async ({ input, member, request }) => {
      const mail = await readMail(sql, input.mail_id)
      await recordDeed(sql, {
        staff_id: member.customer_id,
        action: 'email viewed',
        subject: `mail ${input.mail_id}`,
        ip: request.ip,
      })
      return { mail }
    }),
    on(staff.sendMailAgain, async ({ input, member, request }) => {
      await sql.begin(async (sql) => {
        await sendAgain(sql, config, input.mail_id)
        await recordDeed(sql, {
          staff_id: member.customer_id,
          action: 'email resent',
          subject: `mail ${input.mail_id}`,
          ip: request.ip,
        })
      })
      const { text: _, ...mail } = await readMail(sql, input.mail_id)
      return { mail }
    }),
  ]
}
