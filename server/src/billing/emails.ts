import type { Payer } from '../membership/payment-status.ts'
import { type EmailContent, renderEmail, type Sender } from '../platform/email-template.ts'

/** The texts of the emails about a subscription. */

const DAY = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC' })
const inWords = (date: Date): string => DAY.format(date)

const manageLink = ({ publicUrl }: Sender) => ({
  label: 'Manage subscription',
  url: `${publicUrl}/account/manage-subscription`,
})

export const paymentUpcomingEmail = (
  sender: Sender,
  { email: to, dj_name }: Payer,
  upcoming: { plan: string; amount: string; on: Date; expires: Date | null },
): EmailContent =>
  renderEmail(sender, {
    to,
    subject: upcoming.expires
      ? `Your card expires before your next ${sender.poolName} payment`
      : `Your next ${sender.poolName} payment`,
    lines: [
      `Hi ${dj_name},`,
      `Your ${upcoming.plan} plan renews on ${inWords(upcoming.on)}. We’ll charge ${upcoming.amount} automatically.`,
      ...(upcoming.expires
        ? [`Your card expires on ${inWords(upcoming.expires)}. Update your card to keep downloading.`]
        : []),
    ],
    button: manageLink(sender),
    note: 'You can cancel any time before then and keep access until the end of the paid period.',
  })

export const transferDueEmail = (
  sender: Sender,
  { email: to, dj_name }: Payer,
  due: { plan: string; amount: string; on: Date; reference: string; instructions: string },
): EmailContent =>
  renderEmail(sender, {
    to,
    subject: `Your next ${sender.poolName} payment`,
    lines: [
      `Hi ${dj_name},`,
      `${due.amount} for ${due.plan} is due on ${inWords(due.on)}. Please transfer it with the reference ${due.reference}.`,
      ...(due.instructions ? [due.instructions] : []),
    ],
    button: manageLink(sender),
  })

export const transferOrderedEmail = (
  sender: Sender,
  { email: to, dj_name }: Payer,
  due: { plan: string; amount: string; reference: string; instructions: string },
): EmailContent =>
  renderEmail(sender, {
    to,
    subject: `How to pay for ${due.plan} at ${sender.poolName}`,
    lines: [
      `Hi ${dj_name},`,
      `Thanks for choosing ${due.plan}. Please transfer ${due.amount} with the reference ${due.reference}. You can start downloading once we’ve received your payment.`,
      ...(due.instructions ? [due.instructions] : []),
    ],
    button: manageLink(sender),
  })

export const paymentFailedEmail = (
  sender: Sender,
  { email: to, dj_name }: Payer,
  failed: { plan: string; amount: string; until: Date; rests: boolean; why: string },
): EmailContent =>
  renderEmail(sender, {
    to,
    subject: `Your ${sender.poolName} payment failed`,
    lines: [
      `Hi ${dj_name},`,
      `We couldn’t charge ${failed.amount} for ${failed.plan}. ${failed.why}`.trim(),
      failed.rests
        ? 'Downloads are paused until the payment goes through. Update your payment details and we’ll try again right away.'
        : `You can keep downloading until ${inWords(failed.until)}. Update your payment details and we’ll try again right away.`,
    ],
    button: { ...manageLink(sender), label: 'Update payment details' },
  })

export const cancelledEmail = (
  sender: Sender,
  { email: to, dj_name }: Payer,
  { plan, until, canResume }: { plan: string; until: Date; canResume: boolean },
): EmailContent =>
  renderEmail(sender, {
    to,
    subject: `Your ${sender.poolName} subscription is cancelled`,
    lines: [
      `Hi ${dj_name},`,
      `Your ${plan} plan is cancelled and you won’t be charged again. You can download until ${inWords(until)}${canResume ? '. Changed your mind? You can resume your plan until then' : ''}.`,
    ],
    button: manageLink(sender),
  })

export const endedEmail = (
  sender: Sender,
  { email: to, dj_name }: Payer,
  { plan, why }: { plan: string; why: 'unpaid' | 'expired' },
): EmailContent =>
  renderEmail(sender, {
    to,
    subject: `Your ${sender.poolName} subscription has ended`,
    lines: [
      `Hi ${dj_name},`,
      why === 'unpaid'
        ? `Your ${plan} plan has ended because the payment didn’t go through.`
        : `Your ${plan} plan has ended. Thanks for being a member.`,
      'Your crate, favourites and playlists are saved. You can subscribe again at any time.',
    ],
    button: { label: 'View plans', url: `${sender.publicUrl}/subscription/plans` },
  })
