import type { settings as contract, ReplyOf } from '@dubplate/contract'
import { writeLetter } from '../platform/letter.ts'
import { Refusal } from '../platform/refusal.ts'
import { openPost } from '../platform/smtp.ts'
import type { World } from '../world.ts'

const LONGEST_WORDS = 500

/**
 * Sends a letter now, beside the outbox, from a sender that need not be saved: whether the mail server takes it is seen
 * before members get none. Refuses `mail_not_configured`.
 */
export async function sendTestMail(
  { config, settings, now }: World,
  to: string,
  mailFrom: { name: string; address: string },
): Promise<ReplyOf<typeof contract.sendTestMail>> {
  const post = openPost({ config, settings: { mailFrom } })
  if (!post) throw new Refusal('mail_not_configured', 'No mail server is configured. Set SMTP_URL to send email.')
  const letter = writeLetter(settings.letterhead, {
    to,
    subject: `Test email from ${settings.poolName}`,
    lines: ['This is a test email from your settings. Sender:', `${mailFrom.name} <${mailFrom.address}>`],
  })
  try {
    await post.send({ ...letter, mail_id: 0, created_at: now(), reply_to: '', headers: {} })
    return { to, sent: true, said: 'The mail server accepted the email.' }
  } catch (error) {
    const { response, message } = error as { response?: string; message: string }
    return { to, sent: false, said: (response ?? message).slice(0, LONGEST_WORDS) }
  } finally {
    post.close()
  }
}
