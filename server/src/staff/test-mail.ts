import type { settings as contract, ReplyOf } from '@dubplate/contract'
import type { AppContext } from '../app-context.ts'
import { ApiError } from '../platform/api-error.ts'
import { renderEmail } from '../platform/email-template.ts'
import { createMailer } from '../platform/smtp.ts'

const MAX_ERROR_LENGTH = 500

/**
 * Sends an email immediately, without the outbox, from a sender that need not be saved: shows whether the mail server
 * accepts it before members miss emails. Throws `mail_not_configured`.
 */
export async function sendTestMail(
  { config, settings, now }: AppContext,
  to: string,
  mailFrom: { name: string; address: string },
): Promise<ReplyOf<typeof contract.sendTestMail>> {
  const post = createMailer({ config, settings: { mailFrom } })
  if (!post) throw new ApiError('mail_not_configured', 'No mail server is configured. Set SMTP_URL to send email.')
  const email = renderEmail(settings.emailSender, {
    to,
    subject: `Test email from ${settings.poolName}`,
    lines: ['This is a test email from your settings. Sender:', `${mailFrom.name} <${mailFrom.address}>`],
  })
  try {
    await post.send({ ...email, mail_id: 0, created_at: now(), reply_to: '', headers: {} })
    return { to, sent: true, said: 'The mail server accepted the email.' }
  } catch (error) {
    const { response, message } = error as { response?: string; message: string }
    return { to, sent: false, said: (response ?? message).slice(0, MAX_ERROR_LENGTH) }
  } finally {
    post.close()
  }
}
