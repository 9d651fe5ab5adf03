import { staff } from '@dubplate/contract'
import { createRoute } from '@tanstack/react-router'
import { pageAddress } from '../catalogue/addresses.ts'
import { LIST_SECTIONS } from '../catalogue/section.ts'
import { booleanFlag, oneOf, positiveInteger, searchFields, trimmedText } from '../platform/search-fields.ts'
import { lazyScreen, number, root, withSidebar } from './routeHelpers.ts'

const staffDesk = createRoute({
  getParentRoute: () => root,
  path: '/staff',
  // Listed here, so that the API calls of the dashboard are not part of the first visit.
  validateSearch: searchFields({ period: oneOf(['day', 'week', 'month', 'quarter', 'year'] as const) }),
  component: lazyScreen('StaffDesk'),
})

const staffAnswers = createRoute({
  getParentRoute: () => root,
  path: '/staff/answers',
  validateSearch: searchFields({ find: trimmedText }),
  component: lazyScreen('SavedReplies'),
})

const staffStorage = createRoute({
  getParentRoute: () => root,
  path: '/staff/storage',
  component: lazyScreen('StorageDesk'),
})

const staffApplications = createRoute({
  getParentRoute: () => root,
  path: '/staff/applications',
  validateSearch: searchFields({ page: positiveInteger, state: oneOf(staff.APPLICATION_STATES), find: trimmedText }),
  component: lazyScreen('Applications'),
})

const staffMail = createRoute({
  getParentRoute: () => root,
  path: '/staff/outgoing-mail',
  validateSearch: searchFields({ page: positiveInteger, state: oneOf(staff.MAIL_FILTERS) }),
  component: lazyScreen('OutgoingMail'),
})

const staffPayments = createRoute({
  getParentRoute: () => root,
  path: '/staff/payments',
  validateSearch: searchFields({
    page: positiveInteger,
    // Listed here, so that the API calls for payments are not part of the first visit.
    state: oneOf(['waiting', 'paid', 'failed', 'refunded', 'review'] as const),
    find: trimmedText,
    member: positiveInteger,
    subscription: positiveInteger,
    gateway: trimmedText,
    amount: trimmedText,
    from: trimmedText,
    to: trimmedText,
  }),
  component: lazyScreen('Payments'),
})

const staffPlans = createRoute({
  getParentRoute: () => root,
  path: '/staff/plans',
  validateSearch: searchFields({ open: trimmedText }),
  component: lazyScreen('StaffPlans'),
})

const staffCoupons = createRoute({
  getParentRoute: () => root,
  path: '/staff/coupons',
  validateSearch: searchFields({
    page: positiveInteger,
    state: oneOf(['active', 'scheduled', 'ended'] as const),
    find: trimmedText,
    promotion: positiveInteger,
  }),
  component: lazyScreen('Coupons'),
})

const staffSubscriptions = createRoute({
  getParentRoute: () => root,
  path: '/staff/subscriptions',
  validateSearch: searchFields({
    page: positiveInteger,
    state: oneOf(['pending', 'trialing', 'active', 'past_due', 'cancel_scheduled', 'ended', 'failed'] as const),
    plan: positiveInteger,
    gateway: trimmedText,
    member: positiveInteger,
    find: trimmedText,
  }),
  component: lazyScreen('Subscriptions'),
})

const staffSubscription = createRoute({
  getParentRoute: () => root,
  path: '/staff/subscriptions/$subscriptionId',
  params: number('subscriptionId'),
  component: lazyScreen('SubscriptionView'),
})

const staffInvoices = createRoute({
  getParentRoute: () => root,
  path: '/staff/invoices',
  validateSearch: searchFields({
    page: positiveInteger,
    kind: oneOf(['invoice', 'credit_note'] as const),
    find: trimmedText,
    member: positiveInteger,
    from: trimmedText,
    to: trimmedText,
  }),
  component: lazyScreen('Invoices'),
})

const staffBooks = createRoute({
  getParentRoute: () => root,
  path: '/staff/books',
  validateSearch: searchFields({ from: trimmedText, to: trimmedText }),
  component: lazyScreen('Books'),
})

const staffUploads = createRoute({
  getParentRoute: () => root,
  path: '/staff/uploads',
  validateSearch: searchFields({
    page: positiveInteger,
    state: oneOf(['in_review', 'analysing', 'draft', 'published', 'declined', 'expired'] as const),
    find: trimmedText,
    open: positiveInteger,
  }),
  component: lazyScreen('Uploads'),
})

const staffProgramming = createRoute({
  getParentRoute: () => root,
  path: '/staff/programming',
  validateSearch: searchFields({
    page: positiveInteger,
    room: oneOf(['genres', 'top20', 'suggested', 'trending', 'schedule'] as const),
    state: oneOf(['draft', 'scheduled', 'published', 'ended', 'unpublished'] as const),
    find: trimmedText,
    open: trimmedText,
  }),
  component: lazyScreen('Programming'),
})

const staffPreview = createRoute({
  ...withSidebar,
  path: '/staff/programming/preview',
  validateSearch: searchFields({
    page: positiveInteger,
    kind: oneOf(['spotlight', 'top20'] as const),
    open: trimmedText,
  }),
  component: lazyScreen('Preview'),
})

const staffSongs = createRoute({
  getParentRoute: () => root,
  path: '/staff/songs',
  validateSearch: searchFields({
    page: positiveInteger,
    find: trimmedText,
    // Listed here, so that the API calls of the back office are not part of the first visit.
    state: oneOf(['published', 'unpublished', 'draft'] as const),
    lacks: oneOf(['key', 'bpm', 'art', 'genre', 'year'] as const),
    genre: positiveInteger,
    section: oneOf(LIST_SECTIONS),
    sort: oneOf(['newest', 'oldest', 'title', 'artist', 'bpm', 'key', 'year', 'changed'] as const),
  }),
  component: lazyScreen('StaffSongs'),
})

const staffSong = createRoute({
  getParentRoute: () => root,
  path: '/staff/songs/$entityId',
  params: number('entityId'),
  component: lazyScreen('StaffSong'),
})

const staffGenres = createRoute({
  getParentRoute: () => root,
  path: '/staff/genres',
  component: lazyScreen('StaffGenres'),
})

const staffImport = createRoute({
  getParentRoute: () => root,
  path: '/staff/import',
  validateSearch: searchFields({
    page: positiveInteger,
    run: positiveInteger,
    // Listed here, so that the API calls for imports are not part of the first visit.
    outcome: oneOf(['added', 'skipped', 'noted', 'waiting'] as const),
    reason: trimmedText,
    find: trimmedText,
  }),
  component: lazyScreen('StaffImport'),
})

const staffAnnouncements = createRoute({
  getParentRoute: () => root,
  path: '/staff/announcements',
  validateSearch: searchFields({
    page: positiveInteger,
    // Listed here, so that the API calls for announcements are not part of the first visit.
    state: oneOf(['current', 'scheduled', 'ended'] as const),
    open: trimmedText,
  }),
  component: lazyScreen('StaffAnnouncements'),
})

const staffMerchandise = createRoute({
  getParentRoute: () => root,
  path: '/staff/merchandise',
  validateSearch: searchFields({ open: trimmedText }),
  component: lazyScreen('StaffMerchandise'),
})

const staffPages = createRoute({
  getParentRoute: () => root,
  path: '/staff/pages',
  validateSearch: searchFields({ open: trimmedText }),
  component: lazyScreen('StaffPages'),
})

const staffTickets = createRoute({
  getParentRoute: () => root,
  path: '/staff/tickets',
  validateSearch: searchFields({
    page: positiveInteger,
    // Listed here, so that the API calls of the help desk are not part of the first visit.
    state: oneOf(['waiting', 'answered', 'close', 'all'] as const),
    find: trimmedText,
    mine: booleanFlag,
  }),
  component: lazyScreen('TicketQueue'),
})

const staffTicket = createRoute({
  getParentRoute: () => root,
  path: '/staff/tickets/$ticketNumber',
  params: number('ticketNumber'),
  validateSearch: pageAddress,
  component: lazyScreen('TicketDesk'),
})

const staffFaq = createRoute({
  getParentRoute: () => root,
  path: '/staff/faq',
  component: lazyScreen('FaqDesk'),
})

const staffMembers = createRoute({
  getParentRoute: () => root,
  path: '/staff/members',
  validateSearch: searchFields({
    page: positiveInteger,
    // Listed here, so that the API calls about members are not part of the first visit.
    state: oneOf(['all', 'paid', 'unpaid', 'suspended', 'staff'] as const),
    find: trimmedText,
  }),
  component: lazyScreen('Members'),
})

const staffMember = createRoute({
  getParentRoute: () => root,
  path: '/staff/members/$customerId',
  params: number('customerId'),
  validateSearch: searchFields({ version: positiveInteger }),
  component: lazyScreen('MemberView'),
})

const staffAudit = createRoute({
  getParentRoute: () => root,
  path: '/staff/audit',
  validateSearch: searchFields({
    page: positiveInteger,
    who: positiveInteger,
    action: trimmedText,
    subject: trimmedText,
    from: trimmedText,
    to: trimmedText,
  }),
  component: lazyScreen('AuditLog'),
})

const staffJobs = createRoute({ getParentRoute: () => root, path: '/staff/jobs', component: lazyScreen('Jobs') })

const staffSettings = createRoute({
  getParentRoute: () => root,
  path: '/staff/settings',
  validateSearch: searchFields({ part: oneOf(['look', 'site', 'limits', 'mail', 'payments', 'around'] as const) }),
  component: lazyScreen('Settings'),
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
