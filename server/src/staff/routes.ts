import { staff } from '@dubplate/contract'
import type { AppContext } from '../app-context.ts'
import { type Caller, on } from '../membership/caller.ts'
import { requeueMail } from '../platform/outbox.ts'
import { listMail, readMail } from '../platform/outgoing-mail.ts'
import type { Call } from '../platform/serve.ts'
import { decideApplication, listApplications, saveApplicationNote } from './applications.ts'
import { recordAudit } from './audit.ts'
import { getDashboard } from './dashboard.ts'

export const staffRoutes = (ctx: AppContext): Call<Caller>[] => {
  const { sql, config } = ctx
  return [
    on(staff.getDashboard, async () => getDashboard(sql, ctx.now())),
    on(staff.getApplications, async ({ input }) => listApplications(sql, input)),
    on(staff.decideApplication, async ({ input, member, request }) => ({
      application: await decideApplication(ctx, { ...input, staff_id: member.customer_id, ip: request.ip }),
    })),
    on(staff.noteApplication, async ({ input, member, request }) => ({
      application: await saveApplicationNote(ctx, { ...input, staff_id: member.customer_id, ip: request.ip }),
    })),
    on(staff.getOutgoingMail, async ({ input }) => ({
      ...(await listMail(sql, input)),
      is_sent: config.smtpUrl !== undefined,
    })),
    // An email may contain a sign-in link, so reading it is recorded. Its recipient is only stored with the email.
    on(staff.getMail, async ({ input, member, request }) => {
      const mail = await readMail(sql, input.mail_id)
      await recordAudit(sql, {
        staff_id: member.customer_id,
        action: 'email viewed',
        subject: `mail ${input.mail_id}`,
        ip: request.ip,
      })
      return { mail }
    }),
    on(staff.sendMailAgain, async ({ input, member, request }) => {
      await sql.begin(async (sql) => {
        await requeueMail(sql, config, input.mail_id)
        await recordAudit(sql, {
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
