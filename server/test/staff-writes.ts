import {
  account,
  announcements,
  checkout,
  coupons,
  dashboard,
  type Endpoint,
  invoices,
  members,
  openings,
  operations,
  payments,
  plans,
  settings,
  sitePages,
  staff,
  subscriptions,
  support,
} from '@dubplate/contract'
import { aMember } from './makers.ts'
import { aPlan, payByCard } from './payment-makers.ts'
import { aPicture, type Input, type MultipartForm, type StaffContext } from './staff-context.ts'
import { aTicket } from './ticket-makers.ts'

export type Write = { call: Endpoint; input: (context: StaffContext) => Promise<unknown>; isForm: boolean }

/** A staff endpoint that writes, with an input that it accepts. */
export const write = <E extends Endpoint, const I extends Input<E>>(
  call: E,
  input: (context: StaffContext) => Promise<I>,
): Write => ({
  call,
  input,
  isForm: false,
})

/** The same for an endpoint that takes files. */
export const writeForm = (call: Endpoint, input: (context: StaffContext) => Promise<MultipartForm>): Write => ({
  call,
  input,
  isForm: true,
})

let count = 0
const unique = (name: string) => `${name} ${++count}`
const reason = 'Asked for it'

/** A member of the pool, and as staff know them. */
const aCustomer = async ({ pool }: StaffContext, overrides: Parameters<typeof aMember>[1] = {}) => ({
  customer_id: (await aMember(pool.ctx, overrides)).customer_id,
})

/** A member's paid subscription, with its payment and its invoice. */
async function aSubscription({ pool, ask }: StaffContext) {
  const { token, customer_id } = await aMember(pool.ctx, { payment_profile_status: 'unpaid' })
  const { profile_id } = await payByCard(pool, token, { plan: await aPlan(pool.ctx) })
  const { payments: made } = await ask(payments.getPayments, { customer_id })
  const { invoices: issued } = await ask(invoices.getInvoices, { customer_id })
  return {
    ...{ customer_id, subscription_id: profile_id ?? 0 },
    ...{ charge_id: made[0]?.charge_id ?? 0, invoice_id: issued[0]?.invoice_id ?? 0 },
  }
}

async function aTransfer({ pool }: StaffContext): Promise<number> {
  const { token } = await aMember(pool.ctx, { payment_profile_status: 'unpaid' })
  const { profile_id } = await pool.ask(checkout.payByTransfer, { subscription: await aPlan(pool.ctx) }, token)
  return profile_id ?? 0
}

const planTerms = {
  ...{ percent: 10, amount: null, currency: null, payments: null, max_uses: null },
  ...{ starts_at: null, ends_at: null, plan_ids: null },
}
const aCoupon = async ({ ask }: StaffContext) => {
  const { code } = await ask(coupons.makeCode, {})
  return (await ask(coupons.saveCoupon, { code, ...planTerms })).coupon
}
const plan = () => ({
  title: unique('Plan of staff'),
  price: '15',
  currency: 'USD',
  interval: 'month' as const,
  is_premium: false,
  is_published: true,
})

const openTicket = async ({ pool }: StaffContext) => aTicket(pool, (await aMember(pool.ctx)).token)

async function aMail({ pool: { ctx } }: StaffContext, state: 'waiting' | 'failed'): Promise<number> {
  const [mail] = await ctx.sql<{ mail_id: number }[]>`
    insert into outgoing_mail (to_address, subject, body, html, state)
    values ('dj@example.test', 'News', 'Hello.', '<p>Hello.</p>', ${state})
    returning mail_id`
  return mail?.mail_id ?? 0
}

async function aJob({ pool: { ctx } }: StaffContext): Promise<number> {
  const [job] = await ctx.sql<{ id: number }[]>`select id from graphile_worker.add_job('test', run_at => '2026-01-01')`
  return job?.id ?? 0
}

async function aFailedUpload(context: StaffContext): Promise<number> {
  const { sql } = context.pool.ctx
  const { customer_id } = await aCustomer(context)
  const fault = [{ code: 'analysis_failed', message: 'It broke off.', blocks: true }]
  const [upload] = await sql<{ upload_id: number }[]>`
    insert into upload (customer_id, name, bytes, sha256, state, attempts, playable, faults)
    values (${customer_id}, 'failed.mp3', 10, ${Buffer.alloc(32, ++count)}, 'failed', 4, false, ${sql.json(fault)})
    returning upload_id`
  return upload?.upload_id ?? 0
}

async function aPaymentReview(context: StaffContext): Promise<number> {
  const { sql } = context.pool.ctx
  const [review] = await sql<{ review_id: number }[]>`
    insert into payment_review (gateway, ref, reason, at) values ('sandbox', ${unique('ref')}, 'unlinked', now())
    returning review_id`
  return review?.review_id ?? 0
}

/** Staff endpoints for members, money, support and the site that leave an entry in the audit log. */
export const AUDITED: Write[] = [
  write(announcements.saveAnnouncement, async () => ({ page_name: 'mp3_home', message: '<p>Hello</p>' })),
  write(announcements.endAnnouncement, async ({ ask }) => {
    const options = { page_name: 'mp3_chart', message: '<p>Hello</p>' } as const
    return { message_id: (await ask(announcements.saveAnnouncement, options)).announcement.message_id }
  }),
  write(coupons.saveCoupon, async ({ ask }) => ({ ...(await ask(coupons.makeCode, {})), ...planTerms })),
  write(coupons.endCoupon, async (context) => {
    const { coupon_id, version } = await aCoupon(context)
    return { coupon_id, version }
  }),
  write(coupons.makeCoupons, async () => ({ ...planTerms, title: unique('Promotion'), count: 2 })),
  write(coupons.endPromotion, async ({ ask }) => ({
    promotion_id: (await ask(coupons.makeCoupons, { ...planTerms, title: unique('Promotion'), count: 2 })).promotion
      .promotion_id,
  })),
  write(dashboard.measureStorage, async () => ({})),
  write(dashboard.backUp, async () => ({})),
  write(invoices.mailInvoice, async (context) => ({ invoice_id: (await aSubscription(context)).invoice_id })),
  write(members.changeGroup, async (context) => ({ ...(await aCustomer(context)), group_id: 3 })),
  write(members.suspend, async (context) => ({ ...(await aCustomer(context)), reason })),
  write(members.liftSuspension, async (context) => ({
    ...(await aCustomer(context, { status: 'suspended' })),
    reason,
  })),
  write(members.signOutEverywhere, (context) => aCustomer(context)),
  write(members.changeRole, async (context) => ({ ...(await aCustomer(context)), staff_role: 'support' })),
  write(members.viewAs, (context) => aCustomer(context)),
  write(members.writeNote, async (context) => ({ ...(await aCustomer(context)), text: 'Called us.' })),
  write(members.removeNote, async (context) => {
    const { notes } = await context.ask(members.writeNote, { ...(await aCustomer(context)), text: 'Called us.' })
    return { staff_note_id: notes[0]?.staff_note_id ?? 0 }
  }),
  write(openings.saveOpening, async () => ({ title: unique('Editor'), markdown: 'Write.' })),
  write(openings.removeOpening, async ({ ask }) => ({
    job_opening_id: (await ask(openings.saveOpening, { title: unique('Editor'), markdown: 'Write.' })).opening
      .job_opening_id,
  })),
  write(operations.runJobAgain, async (context) => ({ job_id: await aJob(context) })),
  write(operations.discardJob, async (context) => ({ job_id: await aJob(context) })),
  write(operations.analyseAgain, async (context) => ({ upload_id: await aFailedUpload(context) })),
  write(payments.markPaid, async (context) => ({ subscription_id: await aTransfer(context) })),
  write(payments.refundPayment, async (context) => ({ charge_id: (await aSubscription(context)).charge_id })),
  write(payments.moveClock, async (context) => ({ customer_id: (await aSubscription(context)).customer_id, days: 1 })),
  write(payments.decidePaymentReview, async (context) => ({
    review_id: await aPaymentReview(context),
    decision: 'handled',
  })),
  write(plans.savePlan, async () => plan()),
  write(plans.orderPlans, async ({ pool }) => ({ plan_ids: [await aPlan(pool.ctx)] })),
  write(plans.removePlan, async ({ pool }) => ({ plan_id: await aPlan(pool.ctx) })),
  write(settings.saveSettings, async (context) => ({
    ...{ group: 'name' as const, version: (await context.ask(settings.getSettings, {})).groups.name.version },
    values: { pool_name: unique('Pool') },
  })),
  writeForm(settings.uploadLogo, async () => ({ fields: { version: 0 }, file: ['picture', await aPicture()] })),
  write(settings.removeLogo, async () => ({ version: 1 })),
  write(sitePages.savePage, async () => ({ slug: 'terms', title: 'Terms', version: 0, markdown: 'Be kind.' })),
  write(staff.decideApplication, async (context) => ({
    ...(await aCustomer(context, { application: 'pending' })),
    ...{ decision: 'approve' as const, version: 1 },
  })),
  write(staff.noteApplication, async (context) => ({
    ...(await aCustomer(context, { application: 'pending' })),
    ...{ note: 'Knows us.', version: 1 },
  })),
  write(staff.getMail, async (context) => ({ mail_id: await aMail(context, 'waiting') })),
  write(staff.sendMailAgain, async (context) => ({ mail_id: await aMail(context, 'failed') })),
  write(subscriptions.cancelSubscription, async (context) => ({
    ...{ subscription_id: (await aSubscription(context)).subscription_id, seen: 'active' as const, reason },
  })),
  write(subscriptions.resumeSubscription, async (context) => {
    const { subscription_id } = await aSubscription(context)
    await context.ask(subscriptions.cancelSubscription, { subscription_id, seen: 'active', reason })
    return { subscription_id, seen: 'cancel_scheduled', reason }
  }),
  write(subscriptions.endSubscription, async (context) => ({
    ...{ subscription_id: (await aSubscription(context)).subscription_id, seen: 'active' as const, reason },
  })),
  write(support.answerTicket, async (context) => ({
    ...{ ticket_number: await openTicket(context), details: '<p>Try again.</p>', after_reply_id: 0 },
  })),
  write(support.changeTicket, async (context) => ({ ticket_number: await openTicket(context), status: 'close' })),
  write(support.saveFaq, async () => ({ question: unique('How?'), answer: '<p>So.</p>' })),
  write(support.removeFaq, async ({ ask }) => ({
    faq_id: (await ask(support.saveFaq, { question: unique('How?'), answer: '<p>So.</p>' })).faq.faq_id,
  })),
  write(support.orderFaqs, async ({ ask }) => ({
    faq_ids: (await ask(support.getFaqs, {})).faqs.map(({ faq_id }) => faq_id).reverse(),
  })),
  write(support.saveSavedReply, async () => ({ title: unique('Greeting'), answer: 'Hi' })),
  write(support.removeSavedReply, async ({ ask }) => ({
    saved_reply_id: (await ask(support.saveSavedReply, { title: unique('Greeting'), answer: 'Hi' })).answer
      .saved_reply_id,
  })),
]

/** Staff endpoints that write but leave no entry in the audit log. */
export const NOT_AUDITED: Write[] = [
  write(account.confirmIdentity, async ({ admin }) => ({ password: admin.password })),
  write(members.endView, async () => ({})),
  write(payments.checkGateways, async () => ({})),
  write(settings.sendTestMail, async () => ({ mail_from: { name: 'Pool', address: 'pool@pool.test' } })),
  write(support.fillSavedReply, async (context) => {
    const options = { title: unique('Greeting'), answer: 'Hi' }
    const { answer } = await context.ask(support.saveSavedReply, options)
    return { saved_reply_id: answer.saved_reply_id, ticket_number: await openTicket(context) }
  }),
]
