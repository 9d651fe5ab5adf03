import { staff } from '@dubplate/contract'
import { createRoute } from '@tanstack/react-router'
import { pageAddress } from '../catalogue/addresses.ts'
import { LIST_SECTIONS } from '../catalogue/section.ts'
import { flag, oneOf, positive, searchFields, words } from '../platform/search-fields.ts'
import { beside, number, otherScreen, root } from './parts.ts'

const staffDesk = createRoute({
  getParentRoute: () => root,
  path: '/staff',
  // Spelt out, so that the calls of the desk are no part of the first visit.
  validateSearch: searchFields({ period: oneOf(['day', 'week', 'month', 'quarter', 'year'] as const) }),
  component: otherScreen('StaffDesk'),
})

const staffAnswers = createRoute({
  getParentRoute: () => root,
  path: '/staff/answers',
  validateSearch: searchFields({ find: words }),
  component: otherScreen('SavedAnswers'),
})

const staffStorage = createRoute({
  getParentRoute: () => root,
  path: '/staff/storage',
  component: otherScreen('StorageDesk'),
})

const staffApplications = createRoute({
  getParentRoute: () => root,
  path: '/staff/applications',
  validateSearch: searchFields({ page: positive, state: oneOf(staff.APPLICATION_STATES), find: words }),
  component: otherScreen('Applications'),
})

const staffMail = createRoute({
  getParentRoute: () => root,
  path: '/staff/outgoing-mail',
  validateSearch: searchFields({ page: positive, state: oneOf(staff.MAIL_FILTERS) }),
  component: otherScreen('OutgoingMail'),
})

const staffPayments = createRoute({
  getParentRoute: () => root,
  path: '/staff/payments',
  validateSearch: searchFields({
    page: positive,
    // Spelt out, so that the calls of paying are no part of the first visit.
    state: oneOf(['waiting', 'paid', 'failed', 'refunded', 'review'] as const),
    find: words,
    member: positive,
    subscription: positive,
    gateway: words,
    amount: words,
    from: words,
    to: words,
  }),
  component: otherScreen('Payments'),
})

const staffPlans = createRoute({
  getParentRoute: () => root,
  path: '/staff/plans',
  validateSearch: searchFields({ open: words }),
  component: otherScreen('StaffPlans'),
})

const staffCoupons = createRoute({
  getParentRoute: () => root,
  path: '/staff/coupons',
  validateSearch: searchFields({
    page: positive,
    state: oneOf(['on', 'to_come', 'over'] as const),
    find: words,
    promotion: positive,
  }),
  component: otherScreen('Coupons'),
})

const staffSubscriptions = createRoute({
  getParentRoute: () => root,
  path: '/staff/subscriptions',
  validateSearch: searchFields({
    page: positive,
    state: oneOf(['pending', 'trialing', 'active', 'past_due', 'cancel_scheduled', 'ended', 'failed'] as const),
    plan: positive,
    gateway: words,
    member: positive,
    find: words,
  }),
  component: otherScreen('Subscriptions'),
})

const staffSubscription = createRoute({
  getParentRoute: () => root,
  path: '/staff/subscriptions/$subscriptionId',
  params: number('subscriptionId'),
  component: otherScreen('SubscriptionView'),
})

const staffInvoices = createRoute({
  getParentRoute: () => root,
  path: '/staff/invoices',
  validateSearch: searchFields({
    page: positive,
    kind: oneOf(['invoice', 'credit_note'] as const),
    find: words,
    member: positive,
    from: words,
    to: words,
  }),
  component: otherScreen('Invoices'),
})

const staffBooks = createRoute({
  getParentRoute: () => root,
  path: '/staff/books',
  validateSearch: searchFields({ from: words, to: words }),
  component: otherScreen('Books'),
})

const staffUploads = createRoute({
  getParentRoute: () => root,
  path: '/staff/uploads',
  validateSearch: searchFields({
    page: positive,
    state: oneOf(['in_review', 'analysing', 'draft', 'published', 'refused', 'expired'] as const),
    find: words,
    open: positive,
  }),
  component: otherScreen('Uploads'),
})

const staffProgramming = createRoute({
  getParentRoute: () => root,
  path: '/staff/programming',
  validateSearch: searchFields({
    page: positive,
    room: oneOf(['genres', 'top20', 'suggested', 'trending', 'schedule'] as const),
    state: oneOf(['draft', 'scheduled', 'published', 'ended', 'withdrawn'] as const),
    find: words,
    open: words,
  }),
  component: otherScreen('Programming'),
})

const staffPreview = createRoute({
  ...beside,
  path: '/staff/programming/preview',
  validateSearch: searchFields({ page: positive, kind: oneOf(['spotlight', 'top20'] as const), open: words }),
  component: otherScreen('Preview'),
})

const staffSongs = createRoute({
  getParentRoute: () => root,
  path: '/staff/songs',
  validateSearch: searchFields({
    page: positive,
    find: words,
    // Spelt out, so that the calls of the desk are no part of the first visit.
    state: oneOf(['published', 'withdrawn', 'draft'] as const),
    lacks: oneOf(['key', 'bpm', 'art', 'genre', 'year'] as const),
    genre: positive,
    section: oneOf(LIST_SECTIONS),
    sort: oneOf(['newest', 'oldest', 'title', 'artist', 'bpm', 'key', 'year', 'changed'] as const),
  }),
  component: otherScreen('StaffSongs'),
})

const staffSong = createRoute({
  getParentRoute: () => root,
  path: '/staff/songs/$entityId',
  params: number('entityId'),
  component: otherScreen('StaffSong'),
})

const staffGenres = createRoute({
  getParentRoute: () => root,
  path: '/staff/genres',
  component: otherScreen('StaffGenres'),
})

const staffImport = createRoute({
  getParentRoute: () => root,
  path: '/staff/import',
  validateSearch: searchFields({
    page: positive,
    run: positive,
    // Spelt out, so that the calls of imports are no part of the first visit.
    outcome: oneOf(['added', 'skipped', 'noted', 'waiting'] as const),
    reason: words,
    find: words,
  }),
  component: otherScreen('StaffImport'),
})

const staffAnnouncements = createRoute({
  getParentRoute: () => root,
  path: '/staff/announcements',
  validateSearch: searchFields({
    page: positive,
    // Spelt out, so that the calls of writing are no part of the first visit.
    state: oneOf(['current', 'scheduled', 'ended'] as const),
    open: words,
  }),
  component: otherScreen('StaffAnnouncements'),
})

const staffMerchandise = createRoute({
  getParentRoute: () => root,
  path: '/staff/merchandise',
  validateSearch: searchFields({ open: words }),
  component: otherScreen('StaffMerchandise'),
})

const staffPages = createRoute({
  getParentRoute: () => root,
  path: '/staff/pages',
  validateSearch: searchFields({ open: words }),
  component: otherScreen('StaffPages'),
})

const staffTickets = createRoute({
  getParentRoute: () => root,
  path: '/staff/tickets',
  validateSearch: searchFields({
    page: positive,
    // Spelt out, so that the calls of the help desk are no part of the first visit.
    state: oneOf(['waiting', 'answered', 'close', 'all'] as const),
    find: words,
    mine: flag,
  }),
  component: otherScreen('TicketQueue'),
})

const staffTicket = createRoute({
  getParentRoute: () => root,
  path: '/staff/tickets/$ticketNumber',
  params: number('ticketNumber'),
  validateSearch: pageAddress,
  component: otherScreen('TicketDesk'),
})

const staffFaq = createRoute({
  getParentRoute: () => root,
  path: '/staff/faq',
  component: otherScreen('FaqDesk'),
})

const staffMembers = createRoute({
  getParentRoute: () => root,
  path: '/staff/members',
  validateSearch: searchFields({
    page: positive,
    // Spelt out, so that the calls about members are no part of the first visit.
    state: oneOf(['all', 'paid', 'unpaid', 'suspended', 'staff'] as const),
    find: words,
  }),
  component: otherScreen('Members'),
})

const staffMember = createRoute({
  getParentRoute: () => root,
  path: '/staff/members/$customerId',
  params: number('customerId'),
  validateSearch: searchFields({ version: positive }),
  component: otherScreen('MemberView'),
})

const staffAudit = createRoute({
  getParentRoute: () => root,
  path: '/staff/audit',
  validateSearch: searchFields({
    page: positive,
    who: positive,
    action: words,
    subject: words,
    from: words,
    to: words,
  }),
  component: otherScreen('AuditLog'),
})

const staffJobs = createRoute({ getParentRoute: () => root, path: '/staff/jobs', component: otherScreen('Jobs') })

const staffSettings = createRoute({
  getParentRoute: () => root,
  path: '/staff/settings',
  validateSearch: searchFields({ part: oneOf(['look', 'site', 'limits', 'mail', 'payments', 'around'] as const) }),
  component: otherScreen('Settings'),
})

/** The back office. */
export const staffRoutes = [
  staffDesk,
  staffAnswers,
  staffStorage,
  staffApplications,
  staffMail,
  staffPayments,
  staffPlans,
  staffCoupons,
  staffSubscriptions,
  staffSubscription,
  staffInvoices,
  staffBooks,
  staffUploads,
  staffProgramming,
  staffPreview,
  staffSongs,
  staffSong,
  staffGenres,
  staffImport,
  staffAnnouncements,
  staffMerchandise,
  staffPages,
  staffTickets,
  staffTicket,
  staffFaq,
  staffMembers,
  staffMember,
  staffAudit,
  staffJobs,
  staffSettings,
] as const
