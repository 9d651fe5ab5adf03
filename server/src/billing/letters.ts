import type { Payer } from '../membership/payment-status.ts'
import { type Letter, type Sender, writeLetter } from '../platform/letter.ts'

/** The letters about a subscription, in words. */

const DAY = new Intl.DateTimeFormat('en', { day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' })
const inWords = (date: Date): string => DAY.format(date)

const manage = ({ publicUrl }: Sender) => ({
  label: 'My subscription',
  url: `${publicUrl}/account/manage-subscription`,
})

export const paymentComing = (
  sender: Sender,
  { email: to, dj_name }: Payer,
  coming: { plan: string; amount: string; on: Date; expires: Date | null },
): Letter =>
  writeLetter(sender, {
    to,
    subject: coming.expires
      ? `Your card expires before the next payment to ${sender.poolName}`
      : `The next payment to ${sender.poolName}`,
    lines: [
      `Hello ${dj_name},`,
      `${coming.amount} for ${coming.plan} is due on ${inWords(coming.on)}; it is paid automatically.`,
      ...(coming.expires
        ? [`Your card is good until ${inWords(coming.expires)}. Enter another one, so that your downloads go on.`]
        : []),
    ],
    button: manage(sender),
    note: 'You can cancel any time until then, and what is paid stays.',
  })

export const transferDue = (
  sender: Sender,
  { email: to, dj_name }: Payer,
  due: { plan: string; amount: string; on: Date; reference: string; instructions: string },
): Letter =>
  writeLetter(sender, {
    to,
    subject: `The next payment to ${sender.poolName}`,
    lines: [
      `Hello ${dj_name},`,
      `${due.amount} for ${due.plan} is due on ${inWords(due.on)}. Transfer it with the reference ${due.reference}.`,
      ...(due.instructions ? [due.instructions] : []),
    ],
    button: manage(sender),
  })

export const transferOrdered = (
  sender: Sender,
  { email: to, dj_name }: Payer,
  due: { plan: string; amount: string; reference: string; instructions: string },
): Letter =>
  writeLetter(sender, {
    to,
    subject: `How to pay for ${due.plan} at ${sender.poolName}`,
    lines: [
      `Hello ${dj_name},`,
      `thank you for choosing ${due.plan}. Transfer ${due.amount} with the reference ${due.reference}; your downloads open once it has come.`,
      ...(due.instructions ? [due.instructions] : []),
    ],
    button: manage(sender),
  })

export const paymentFailed = (
  sender: Sender,
  { email: to, dj_name }: Payer,
  failed: { plan: string; amount: string; until: Date; rests: boolean; why: string },
): Letter =>
  writeLetter(sender, {
    to,
    subject: `A payment to ${sender.poolName} did not go through`,
    lines: [
      `Hello ${dj_name},`,
      `${failed.amount} for ${failed.plan} could not be charged. ${failed.why}`.trim(),
      failed.rests
        ? 'Your downloads rest until it is paid. Enter another card, and it is tried again at once.'
        : `You can download until ${inWords(failed.until)}. Enter another card, and it is tried again at once.`,
    ],
    button: { ...manage(sender), label: 'Update payment details' },
  })

export const cancelled = (
  sender: Sender,
  { email: to, dj_name }: Payer,
  { plan, until, canResume }: { plan: string; until: Date; canResume: boolean },
): Letter =>
  writeLetter(sender, {
    to,
    subject: `Your subscription at ${sender.poolName} is cancelled`,
    lines: [
      `Hello ${dj_name},`,
      `${plan} is cancelled, and nothing more is charged. You can download until ${inWords(until)}${canResume ? ', and take the cancellation back until then' : ''}.`,
    ],
    button: manage(sender),
  })

export const ended = (
  sender: Sender,
  { email: to, dj_name }: Payer,
  { plan, why }: { plan: string; why: 'unpaid' | 'over' },
): Letter =>
  writeLetter(sender, {
    to,
    subject: `Your subscription at ${sender.poolName} has ended`,
    lines: [
      `Hello ${dj_name},`,
      why === 'unpaid'
        ? `${plan} has ended, because its payment did not go through.`
        : `${plan} has ended. Thank you for having been with us.`,
      'Your crate, favourites and playlists stay as they are. You can come back any time.',
    ],
    button: { label: 'See the plans', url: `${sender.publicUrl}/subscription/plans` },
  })
