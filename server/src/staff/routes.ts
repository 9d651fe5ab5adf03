import { staff } from '@dubplate/contract'
import type { Route } from '../membership/caller.ts'
import { requeueMail } from '../platform/outbox.ts'
import { listMail, readMail } from '../platform/outgoing-mail.ts'
import { DECISION_ACTIONS, decideApplication, listApplications, saveApplicationNote } from './applications.ts'
import { staffRead, staffWrite } from './audit.ts'
import { getDashboard } from './dashboard.ts'

const memberSubject = ({ customer_id }: { customer_id: number }) => `customer ${customer_id}`
const mailSubject = ({ mail_id }: { mail_id: number }) => `mail ${mail_id}`

export const staffRoutes: Route[] = [
  staffRead(staff.getDashboard, async ({ ctx, sql }) => getDashboard(sql, ctx.now())),
  staffRead(staff.getApplications, async ({ input, sql }) => listApplications(sql, input)),
  staffWrite(
    staff.decideApplication,
    { action: ({ decision }) => DECISION_ACTIONS[decision], subject: memberSubject },
    async ({ input, staff_id, sql, ctx }) => {
      const { before, after } = await decideApplication(sql, ctx, { ...input, staff_id })
      return { reply: { application: after }, before: { state: before.state }, after: { state: after.state } }
    },
  ),
  staffWrite(
    staff.noteApplication,
    { action: 'application note saved', subject: memberSubject },
    async ({ input, sql }) => ({ reply: { application: await saveApplicationNote(sql, input) } }),
  ),
  staffRead(staff.getOutgoingMail, async ({ input, ctx, sql }) => ({
    ...(await listMail(sql, input)),
    is_sent: ctx.config.smtpUrl !== undefined,
  })),
  // An email may contain a sign-in link, so reading it is recorded. Its recipient is only stored with the email.
  staffWrite(staff.getMail, { action: 'email viewed', subject: mailSubject }, async ({ input, sql }) => ({
    reply: { mail: await readMail(sql, input.mail_id) },
  })),
  staffWrite(staff.sendMailAgain, { action: 'email resent', subject: mailSubject }, async ({ input, sql, ctx }) => {
    await requeueMail(sql, ctx.config, input.mail_id)
    const { text: _, ...mail } = await readMail(sql, input.mail_id)
    return { reply: { mail } }
  }),
]
