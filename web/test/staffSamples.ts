import type {
  coupons,
  dashboard,
  imports,
  invoices,
  members,
  operations,
  payments,
  plans,
  ReplyOf,
  review,
  settings,
  staff,
  staffSongs,
  subscriptions,
  support,
  uploadedSongs,
} from '@dubplate/contract'
// Imports the schemas, which the app's own code never loads.
import * as contract from '../../contract/src/index.ts'
import { sampleOf } from './sampleOf.ts'

let lastId = 100

/** An approved, paying member, as staff see them. */
export const makeMember = (overrides: Partial<members.ListedMember> = {}): members.ListedMember => ({
  ...(sampleOf(contract.members.memberListItem) as members.ListedMember),
  customer_id: ++lastId,
  dj_name: 'DJ Marlow',
  email: 'dj@pool.test',
  group: { group_id: 2, name: 'Downloading member' },
  payment_profile_status: 'paid',
  status: 'active',
  application: 'approved',
  staff_role: null,
  plan_name: 'Pro',
  country_id: 'DE',
  last_seen_at: '2026-11-20T10:00:00Z',
  created_at: '2026-03-04T10:00:00Z',
  ...overrides,
})

type Dashboard = ReplyOf<typeof staff.getDashboard>

/** The counts of the navigation: nothing needs attention. */
export const makeDashboard = (overrides: Partial<Dashboard> = {}): Dashboard => ({
  applications_pending: 0,
  tickets_waiting: 0,
  uploads_waiting: 0,
  transfers_waiting: 0,
  mail_waiting: 0,
  mail_failed: 0,
  program: { version: '0.1.0', commit: 'abc1234' },
  ...overrides,
})

type Reply<Items> = Items extends readonly (infer Item)[] ? Item : never

/** A card payment of a monthly plan. */
export const makePayment = (overrides: Partial<payments.StaffPayment> = {}): payments.StaffPayment => ({
  charge_id: ++lastId,
  subscription_id: ++lastId,
  customer_id: 7,
  dj_name: 'DJ Marlow',
  email: 'dj@pool.test',
  plan_name: 'Standard',
  gateway: 'stripe',
  payment_method: 'card',
  amount: '15.00',
  refunded: '0.00',
  currency: 'USD',
  reference: '',
  status: 'paid',
  failure_reason: '',
  at: '2026-11-20T10:00:00Z',
  invoice_number: '2026-00001',
  ...overrides,
})

/** A monthly plan that nobody has yet. */
export const makePlan = (overrides: Partial<plans.StaffPlan> = {}): plans.StaffPlan => ({
  plan_id: ++lastId,
  title: 'Standard',
  description: '',
  features: '',
  price: '15.00',
  trial_price: '0.00',
  currency: 'USD',
  interval: 'month',
  is_premium: false,
  is_published: true,
  monthly_downloads: null,
  version_downloads: null,
  has_crate_bundles: true,
  has_top20_packs: true,
  head_start_hours: 0,
  subscribers: 0,
  agreed: [],
  monthly: [],
  can_remove: true,
  version: 1,
  ...overrides,
})

/** 20% off the first payment, for all plans. */
export const makeCoupon = (overrides: Partial<coupons.Coupon> = {}): coupons.Coupon => ({
  coupon_id: ++lastId,
  code: 'SUMMER',
  percent: 20,
  amount: null,
  currency: null,
  payments: 1,
  max_uses: null,
  starts_at: null,
  ends_at: null,
  plan_ids: null,
  state: 'active',
  description: '20% off your first payment',
  uses: 0,
  discounts: [],
  promotion: null,
  version: 1,
  ...overrides,
})

type Invoice = Reply<ReplyOf<typeof invoices.getInvoices>['invoices']>

export const makeInvoice = (overrides: Partial<Invoice> = {}): Invoice => ({
  invoice_id: ++lastId,
  kind: 'invoice',
  number: `2026-${lastId}`,
  issued_at: '2026-11-20T10:00:00Z',
  customer_id: 7,
  buyer: 'Robin Marlow',
  dj_name: 'DJ Marlow',
  text: 'Standard, 20 Nov 2026 – 20 Dec 2026',
  net: '15.00',
  tax: '0.00',
  total: '15.00',
  tax_percent: 0,
  currency: 'USD',
  charge_id: ++lastId,
  subscription_id: 3,
  corrects: null,
  mailed_at: '2026-11-20T10:01:00Z',
  can_mail: true,
  ...overrides,
})

/** An entry of the audit log: the price of a plan was changed. */
export const makeAuditEntry = (overrides: Partial<operations.AuditEntry> = {}): operations.AuditEntry => ({
  audit_id: ++lastId,
  at: '2026-11-20T10:00:00Z',
  staff: { customer_id: 5, dj_name: 'Front Desk' },
  action: 'plan updated',
  subject: 'plan 3',
  subject_name: 'Standard',
  ip: '192.0.2.1',
  changes: [{ field: 'price', before: '10.00', after: '12.00' }],
  ...overrides,
})

export const makeEmail = (overrides: Partial<staff.OutgoingMail> = {}): staff.OutgoingMail => ({
  mail_id: ++lastId,
  subject: 'Welcome',
  to: 'dj@pool.test',
  state: 'sent',
  attempts: 1,
  last_error: '',
  bounce_kind: null,
  bounce_detail: '',
  sent_at: null,
  created_at: '2026-11-20T10:00:00Z',
  ...overrides,
})

export const makeJob = (overrides: Partial<operations.Job> = {}): operations.Job => ({
  job_id: ++lastId,
  task: 'send-email',
  state: 'waiting',
  attempts: 0,
  max_attempts: 5,
  run_at: '2026-11-20T10:00:00Z',
  created_at: '2026-11-20T10:00:00Z',
  last_error: '',
  ...overrides,
})

export const makeMeasurement = (
  overrides: Partial<dashboard.StorageMeasurement> = {},
): dashboard.StorageMeasurement => ({
  measured_at: '2026-11-20T03:40:00Z',
  seconds: 4,
  kinds: [{ kind: 'originals', files: 1204, bytes: 40_000_000_000 }],
  database_bytes: 200_000_000,
  tables: [{ table: 'downloads', bytes: 90_000_000, rows: 120_000 }],
  missing: 0,
  orphans: 0,
  orphan_bytes: 0,
  ...overrides,
})

export const makeBackup = (overrides: Partial<dashboard.Backup> = {}): dashboard.Backup => ({
  backup_id: ++lastId,
  folder: '/backups/2026-11-20',
  ended_at: '2026-11-20T04:01:00Z',
  taken_at: '2026-11-20T04:00:00Z',
  seconds: 60,
  bytes: 1_000_000,
  rows: 5000,
  files: 33,
  copied: 33,
  lost: 0,
  error_message: '',
  requested_by: null,
  checked_at: null,
  check_error: '',
  is_scheduled: false,
  files_in: 'folder',
  ...overrides,
})

/** The settings of a new pool, all from the environment, at one version; `overrides` are those that were changed. */
export function makeSettings(overrides: Partial<settings.Everything['settings']>, version = 0): settings.Everything {
  const fromEnvironment = <Value>(value: Value) => ({ value, first: value, is_overridden: false })
  const group = { version, changed_at: null, changed_by: '' }
  return {
    settings: {
      pool_name: fromEnvironment('Dubplate'),
      logo: fromEnvironment(null),
      accent: fromEnvironment(null),
      store_url: fromEnvironment(''),
      mail_from: fromEnvironment({ name: 'Dubplate', address: 'pool@pool.test' }),
      download_limit: fromEnvironment(2),
      upload_days: fromEnvironment(90),
      rescue_days: fromEnvironment(30),
      conversions: fromEnvironment(['mp3', 'aiff']),
      public_browsing: fromEnvironment(true),
      hidden: fromEnvironment([]),
      ...overrides,
    },
    groups: {
      name: group,
      logo: group,
      accent: group,
      store: group,
      sender: group,
      limits: group,
      conversions: group,
      visitors: group,
      sections: group,
    },
    can_send_email: true,
    pages: [{ slug: 'terms', title: 'Terms', state: 'sample', gaps: 2 }],
    environment: [{ part: 'Email', facts: [{ name: 'SMTP_URL', what: 'SMTP server', value: 'Not set' }] }],
  }
}

/** An active subscription that staff may cancel or end. */
export const makeSubscription = (
  overrides: Partial<subscriptions.SubscriptionDetails> = {},
): subscriptions.SubscriptionDetails => ({
  ...{ subscription_id: 3, customer_id: 7, dj_name: 'DJ Marlow', email: 'dj@pool.test', status: 'active' },
  ...{ plan_id: 2, plan_name: 'Pro', next_plan_name: '', price: '15.00', currency: 'EUR', interval: 'month' },
  ...{ gateway: 'stripe', gateway_ref: 'sub_1', coupon_code: '', failure_reason: '' },
  method: { kind: 'credit_card', brand: 'visa', last_four: '4242', expires: '12/28' },
  ...{ next_payment_at: '2026-12-22T10:00:00Z', next_amount: '15.00', created_at: '2026-08-22T10:00:00Z' },
  ...{ paid_until: '2026-12-22T10:00:00Z', access_until: '2026-12-25T10:00:00Z' },
  ...{ refundable: '15.00', unused: '6.50', can_cancel: true, can_resume: false, can_end: true, history: [] },
  ...overrides,
})

/** A pending application without a reference. */
export const makeApplication = (overrides: Partial<staff.Application> = {}): staff.Application => ({
  customer_id: ++lastId,
  dj_name: 'DJ Marlow',
  email: 'dj@pool.test',
  email_verified: true,
  referred_by: '',
  referrer: null,
  dj_website: '',
  link: null,
  comment: '',
  state: 'pending',
  reason: '',
  note: '',
  applied_at: '2026-11-20T10:00:00Z',
  decided_at: null,
  decided_by: null,
  version: 1,
  ...overrides,
})

/** An open ticket of a paying member that needs a reply. */
export const makeTicket = (overrides: Partial<support.QueuedTicket> = {}): support.QueuedTicket => ({
  ...(sampleOf(contract.support.queued) as support.QueuedTicket),
  ticket_number: ++lastId,
  subject: 'Download interrupted',
  status: 'open',
  department: 'Downloads',
  priority: 'Normal',
  awaiting_reply_from: 'staff',
  customer: { customer_id: 7, dj_name: 'DJ Marlow', email: 'dj@pool.test', payment_profile_status: 'paid' },
  assigned_to: null,
  waiting_since: '2026-11-20T10:00:00Z',
  is_overdue: false,
  ...overrides,
})

/** A member's song in review, without problems. */
export const makeUpload = (overrides: Partial<review.ReviewedUpload> = {}): review.ReviewedUpload => ({
  ...(sampleOf(contract.uploadedSongs.uploadedSong) as review.ReviewedUpload),
  entity_id: ++lastId,
  title: 'Low Ceiling',
  artist: 'Room 14',
  search_version_term: 'Clean',
  faults: [],
  genres: [],
  song_section_id: 1,
  status: 'in_review',
  expire_date: '2027-02-20T00:00:00Z',
  created_at: '2026-11-20T10:00:00Z',
  submitted_at: '2026-11-20T10:00:00Z',
  uploader: { customer_id: 7, dj_name: 'Rye Lane Audio' },
  version: 3,
  is_edit: false,
  ...overrides,
})

/** A playable version of an upload. */
export const makeSlot = (overrides: Partial<uploadedSongs.Slot> = {}): uploadedSongs.Slot => {
  const slot = sampleOf(contract.uploadedSongs.slot) as uploadedSongs.Slot
  const upload_id = ++lastId
  const analysis = { ...slot.file.analysis, state: 'done' as const, duration_seconds: 40 }
  const file = { ...slot.file, upload_id, file: 'low-ceiling.mp3', mp3: `/previews/long-${upload_id}.mp3`, analysis }
  return { ...slot, song_version_id: ++lastId, version_id: 5, name: 'Clean', song: upload_id, file, ...overrides }
}

/** A folder from the server that has been scanned, without files. */
export const makeImport = (overrides: Partial<imports.ImportRun> = {}): imports.ImportRun => ({
  ...(sampleOf(contract.imports.importRun) as imports.ImportRun),
  import_run_id: 7,
  source: 'folder',
  folder: '/srv/music',
  song_section_id: 1,
  phase: 'plan',
  state: 'done',
  created_at: '2026-11-20T10:00:00Z',
  ...overrides,
})

/** A file of an import that is not scanned yet. */
export const makeImportFile = (overrides: Partial<imports.ImportFile> = {}): imports.ImportFile => ({
  ...(sampleOf(contract.imports.importFile) as imports.ImportFile),
  n: 1,
  path: 'Kwame - Night Drive (Clean).wav',
  ...overrides,
})

/** A published song as staff see it, with one version and everything but a picture of its own. */
export const makeStaffSong = (overrides: Partial<staffSongs.StaffSong> = {}): staffSongs.StaffSong => ({
  ...{ entity_id: ++lastId, revision: 1, title: 'Low Ceiling', artist: 'Room 14' },
  ...{ album: '', label: '', remixer: '', isrc: '', year: 2026, min_bpm: 124, max_bpm: 124, song_key: 'Am' },
  genres: [{ genre_id: 1, name: 'House', kind: 'genre' }],
  ...{ song_section_id: 1, status: 'published', unpublished_at: null, has_cover: false, lacks: [], origins: {} },
  image: '/images/cover/320.webp',
  versions: [
    {
      ...{ song_version_id: ++lastId, version_kind_id: 5, version_label: 'Clean', start_seconds: 15 },
      ...{ duration_seconds: 40, status: 'published', unpublished_at: null, format: 'mp3', file: 'stored' },
      ...{ bpm: 124, bpm_to: null, bpm_source: 'tag', bpm_confidence: null },
      ...{ song_key: 'Am', key_source: 'tag', key_confidence: null, measured: null },
    },
  ],
  ...{ created_at: '2026-11-20T10:00:00Z', changed_at: null },
  ...overrides,
})
