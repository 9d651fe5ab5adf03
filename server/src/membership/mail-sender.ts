import type { AppContext } from '../app-context.ts'
import type { WorkerLoop } from '../module.ts'
import { sendDueMail } from '../platform/outbox.ts'
import { repeatEvery } from '../platform/repeat-every.ts'
import { createMailer } from '../platform/smtp.ts'
import { processMailRequests } from './mail-requests.ts'

const MAIL_EVERY_MS = 2000

/** Renders and sends due emails until stopped; emails being sent at a stop are finished first. */
export function startMailSender(ctx: AppContext): WorkerLoop {
  const mailer = createMailer(ctx)
  let isStopping = false
  const sendLoop = repeatEvery(MAIL_EVERY_MS, ctx.log, async () => {
    await processMailRequests(ctx)
    while ((await sendDueMail(ctx, mailer)) && !isStopping);
  })
  return {
    stop: async () => {
      isStopping = true
      await sendLoop.stop()
      mailer?.close()
    },
  }
}
