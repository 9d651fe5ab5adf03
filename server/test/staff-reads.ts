import {
  announcements,
  beatGrids,
  books,
  coupons,
  curatedGenres,
  curation,
  dashboard,
  type Endpoint,
  genreTree,
  imports,
  invoices,
  members,
  merchandise,
  merging,
  openings,
  operations,
  payments,
  plans,
  quality,
  reanalyses,
  review,
  settings,
  sitePages,
  staff,
  staffSongs,
  subscriptions,
  support,
  trending,
} from '@dubplate/contract'
import { aMember, aSong } from './makers.ts'
import { aPlan, payByCard } from './payment-makers.ts'
import type { Input, StaffContext } from './staff-context.ts'
import { aReviewedUpload } from './staff-uploads.ts'
import { aTicket } from './ticket-makers.ts'

export type Read = { call: Endpoint; input: (context: StaffContext) => Promise<unknown> }

const read = <E extends Endpoint, const I extends Input<E>>(
  call: E,
  input: (context: StaffContext) => Promise<I>,
): Read => ({
  call,
  input,
})

const day = (n: number) => ({ day: n, month: 11, year: 2026 })

/** A member's paid subscription. */
async function aSubscription({ pool }: StaffContext): Promise<number> {
  const { token } = await aMember(pool.ctx, { payment_profile_status: 'unpaid' })
  const { profile_id } = await payByCard(pool, token, { plan: await aPlan(pool.ctx) })
  return profile_id ?? 0
}

async function anImport({ ask, importFolder }: StaffContext): Promise<number> {
  return (await ask(imports.startImport, { folder: importFolder })).import.import_run_id
}

async function aPromotion({ ask }: StaffContext): Promise<number> {
  return (await ask(coupons.makeCoupons, { title: `Promotion ${Math.random()}`, count: 2, ...coupon })).promotion
    .promotion_id
}

const coupon = {
  ...{ percent: 10, amount: null, currency: null, payments: null, max_uses: null },
  ...{ starts_at: null, ends_at: null, plan_ids: null },
}

/** Staff endpoints that only read: they change nothing, and leave no audit log entry. */
export const READS: Read[] = [
  read(announcements.getAnnouncements, async () => ({})),
  read(books.getMonthSheet, async () => ({ from: day(1), to: day(30) })),
  read(books.getBooksFile, async () => ({ from: day(1), to: day(30), format: 'csv' })),
  read(coupons.getCoupons, async () => ({})),
  read(coupons.makeCode, async () => ({})),
  read(coupons.getCodesFile, async (context) => ({ promotion_id: await aPromotion(context) })),
  read(curatedGenres.getGenres, async () => ({})),
  read(dashboard.getAttentionItems, async () => ({})),
  read(dashboard.getMetrics, async () => ({})),
  read(dashboard.getMetricsFile, async () => ({})),
  read(dashboard.getStorage, async () => ({})),
  read(genreTree.getGenreTree, async () => ({})),
  read(imports.getImports, async () => ({})),
  read(imports.getImport, async (context) => ({ import_run_id: await anImport(context) })),
  read(imports.getImportFiles, async (context) => ({ import_run_id: await anImport(context) })),
  read(imports.getFolders, async ({ importFolder }) => ({ folder: importFolder })),
  read(imports.getImportReport, async (context) => ({ import_run_id: await anImport(context) })),
  read(invoices.getInvoices, async () => ({})),
  read(invoices.getInvoiceFile, async (context) => {
    await aSubscription(context)
    return { format: 'pdf' }
  }),
  read(members.getMembers, async () => ({})),
  read(members.getMember, async ({ pool }) => ({ customer_id: (await aMember(pool.ctx)).customer_id })),
  read(members.whyNoDownload, async ({ pool }) => ({ customer_id: (await aMember(pool.ctx)).customer_id })),
  read(merchandise.getProducts, async () => ({})),
  read(merging.getMerge, async ({ pool }) => {
    const [keep, other] = [await aSong(pool.ctx), await aSong(pool.ctx)]
    return { entity_ids: [keep.entity_id, other.entity_id], keep_entity_id: keep.entity_id }
  }),
  read(merging.getSplit, async ({ pool }) => ({ entity_id: (await aSong(pool.ctx)).entity_id })),
  read(openings.getOpenings, async () => ({})),
  read(operations.getAudit, async () => ({})),
  read(operations.getAuditFile, async () => ({})),
  read(operations.getJobs, async () => ({})),
  read(payments.getPayments, async () => ({})),
  read(payments.getGatewayStates, async () => ({})),
  read(payments.getPaymentReviews, async () => ({})),
  read(plans.getPlans, async () => ({})),
  read(curation.getLists, async () => ({ kind: 'spotlight' })),
  read(curation.getList, async ({ ask }) => {
    const { list } = await ask(curation.saveList, { kind: 'spotlight', title: 'Read me', entity_ids: [] })
    return { kind: 'spotlight', list_id: list.list_id }
  }),
  read(curation.drawCover, async () => ({ title: 'Warm-up', cover_seed: 7 })),
  read(curation.getSongs, async ({ pool }) => ({ entity_ids: [(await aSong(pool.ctx)).entity_id] })),
  read(curation.previewList, async ({ pool }) => ({
    kind: 'spotlight',
    entity_ids: [(await aSong(pool.ctx)).entity_id],
  })),
  read(curation.getMonthChart, async () => ({ month: '2026-10' })),
  read(curation.getSuggested, async () => ({})),
  read(curation.getSchedule, async () => ({})),
  read(reanalyses.getAnalyses, async () => ({})),
  read(review.getUploads, async () => ({})),
  read(review.getUpload, async (context) => ({ entity_id: (await aReviewedUpload(context)).entity_id })),
  read(settings.getSettings, async () => ({})),
  read(sitePages.getPages, async () => ({})),
  read(sitePages.previewMarkdown, async () => ({ markdown: '# Terms' })),
  read(quality.getSongQuality, async ({ pool }) => ({ entity_id: (await aSong(pool.ctx)).entity_id })),
  read(quality.getStaffSpectrum, async ({ pool }) => ({
    song_version_id: (await aSong(pool.ctx)).versionIds[0] ?? 0,
  })),
  read(beatGrids.getGrid, async ({ pool }) => ({ song_version_id: (await aSong(pool.ctx)).versionIds[0] ?? 0 })),
  read(staffSongs.getSongs, async () => ({})),
  read(staffSongs.countSongs, async () => ({})),
  read(staffSongs.selectSongs, async () => ({})),
  read(staffSongs.getSong, async ({ pool }) => ({ entity_id: (await aSong(pool.ctx)).entity_id })),
  read(staffSongs.getEdits, async () => ({})),
  read(staff.getDashboard, async () => ({})),
  read(staff.getApplications, async () => ({})),
  read(staff.getOutgoingMail, async () => ({ state: 'waiting' })),
  read(subscriptions.getSubscriptions, async () => ({})),
  read(subscriptions.getSubscription, async (context) => ({ subscription_id: await aSubscription(context) })),
  read(support.getQueue, async () => ({})),
  read(support.getTicket, async ({ pool }) => ({
    ticket_number: await aTicket(pool, (await aMember(pool.ctx)).token),
  })),
  read(support.getColleagues, async () => ({})),
  read(support.getFaqs, async () => ({})),
  read(support.getSavedReplies, async () => ({})),
  read(trending.getTrending, async () => ({})),
]
