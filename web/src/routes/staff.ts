import { createRoute } from '@tanstack/react-router'
import { pageAddress } from '../catalogue/addresses.ts'
import type { ListSection } from '../catalogue/section.ts'
import { oneOf, positiveInteger, searchFields, trimmedText } from '../platform/search-fields.ts'
import { lazyScreen, number, root, withSidebar } from './routeHelpers.ts'

/** The search parameters of tables: each page checks the values itself (`useTableSearch`). */
type TableSearch = {
  page?: number
  find?: string
  state?: string
  sort?: string
  from?: string
  to?: string
  /** The row that is shown beside the table. */
  open?: string | number
  /** 1: only what is assigned to the current user. */
  mine?: number
  /** Only the rows of one member, subscription or plan, or about one thing. */
  member?: number
  subscription?: number
  plan?: number
  subject?: string
  /** The import that is shown, and which of its files. */
  run?: number
  outcome?: string
  reason?: string
  tab?: string
  period?: string
  metric?: string
  version?: number
  /** Songs: what is missing, a genre, and a section. */
  lacks?: string
  genre?: number
  section?: ListSection
  /** Rows per page. */
  size?: number
}

const tableSearch = (search: TableSearch): TableSearch => search

const staffRoot = createRoute({
  getParentRoute: () => root,
  path: '/staff',
  component: lazyScreen('BackOffice'),
})

const staffDashboard = createRoute({
  getParentRoute: () => staffRoot,
  path: '/',
  validateSearch: tableSearch,
  component: lazyScreen('Dashboard'),
})

const staffSavedReplies = createRoute({
  getParentRoute: () => staffRoot,
  path: '/saved-replies',
  validateSearch: tableSearch,
  component: lazyScreen('SavedReplies'),
})

const staffStorage = createRoute({
  getParentRoute: () => staffRoot,
  path: '/storage',
  component: lazyScreen('StoragePage'),
})

const staffApplications = createRoute({
  getParentRoute: () => staffRoot,
  path: '/applications',
  validateSearch: tableSearch,
  component: lazyScreen('ApplicationsPage'),
})

const staffMail = createRoute({
  getParentRoute: () => staffRoot,
  path: '/outgoing-mail',
  validateSearch: tableSearch,
  component: lazyScreen('OutgoingMail'),
})

const staffPayments = createRoute({
  getParentRoute: () => staffRoot,
  path: '/payments',
  validateSearch: tableSearch,
  component: lazyScreen('Payments'),
})

const staffPlans = createRoute({
  getParentRoute: () => staffRoot,
  path: '/plans',
  validateSearch: tableSearch,
  component: lazyScreen('StaffPlans'),
})

const staffCoupons = createRoute({
  getParentRoute: () => staffRoot,
  path: '/coupons',
  validateSearch: tableSearch,
  component: lazyScreen('Coupons'),
})

const staffSubscriptions = createRoute({
  getParentRoute: () => staffRoot,
  path: '/subscriptions',
  validateSearch: tableSearch,
  component: lazyScreen('Subscriptions'),
})

const staffSubscription = createRoute({
  getParentRoute: () => staffRoot,
  path: '/subscriptions/$subscriptionId',
  params: number('subscriptionId'),
  component: lazyScreen('SubscriptionPage'),
})

const staffInvoices = createRoute({
  getParentRoute: () => staffRoot,
  path: '/invoices',
  validateSearch: tableSearch,
  component: lazyScreen('Invoices'),
})

const staffReports = createRoute({
  getParentRoute: () => staffRoot,
  path: '/reports',
  validateSearch: tableSearch,
  component: lazyScreen('Reports'),
})

const staffUploads = createRoute({
  getParentRoute: () => staffRoot,
  path: '/uploads',
  validateSearch: tableSearch,
  component: lazyScreen('UploadsPage'),
})

const staffCuration = createRoute({
  getParentRoute: () => staffRoot,
  path: '/curation',
  validateSearch: tableSearch,
  component: lazyScreen('CurationPage'),
})

const staffPreview = createRoute({
  ...withSidebar,
  path: '/staff/curation/preview',
  validateSearch: searchFields({
    page: positiveInteger,
    kind: oneOf(['spotlight', 'top20'] as const),
    open: trimmedText,
  }),
  component: lazyScreen('Preview'),
})

const staffSongs = createRoute({
  getParentRoute: () => staffRoot,
  path: '/songs',
  validateSearch: tableSearch,
  component: lazyScreen('SongsPage'),
})

const staffSong = createRoute({
  getParentRoute: () => staffRoot,
  path: '/songs/$entityId',
  params: number('entityId'),
  component: lazyScreen('SongPage'),
})

const staffGenres = createRoute({
  getParentRoute: () => staffRoot,
  path: '/genres',
  component: lazyScreen('StaffGenres'),
})

const staffImport = createRoute({
  getParentRoute: () => staffRoot,
  path: '/import',
  validateSearch: tableSearch,
  component: lazyScreen('ImportsPage'),
})

const staffAnnouncements = createRoute({
  getParentRoute: () => staffRoot,
  path: '/announcements',
  validateSearch: tableSearch,
  component: lazyScreen('AnnouncementsPage'),
})

const staffMerchandise = createRoute({
  getParentRoute: () => staffRoot,
  path: '/merchandise',
  validateSearch: tableSearch,
  component: lazyScreen('MerchandisePage'),
})

const staffPages = createRoute({
  getParentRoute: () => staffRoot,
  path: '/pages',
  validateSearch: tableSearch,
  component: lazyScreen('SitePages'),
})

const staffTickets = createRoute({
  getParentRoute: () => staffRoot,
  path: '/tickets',
  validateSearch: tableSearch,
  component: lazyScreen('TicketsPage'),
})

const staffTicket = createRoute({
  getParentRoute: () => staffRoot,
  path: '/tickets/$ticketNumber',
  params: number('ticketNumber'),
  validateSearch: pageAddress,
  component: lazyScreen('TicketPage'),
})

const staffHelpArticles = createRoute({
  getParentRoute: () => staffRoot,
  path: '/help-articles',
  component: lazyScreen('HelpArticles'),
})

const staffMembers = createRoute({
  getParentRoute: () => staffRoot,
  path: '/members',
  validateSearch: tableSearch,
  component: lazyScreen('Members'),
})

const staffMember = createRoute({
  getParentRoute: () => staffRoot,
  path: '/members/$customerId',
  params: number('customerId'),
  validateSearch: tableSearch,
  component: lazyScreen('MemberPage'),
})

const staffAudit = createRoute({
  getParentRoute: () => staffRoot,
  path: '/audit',
  validateSearch: tableSearch,
  component: lazyScreen('AuditLog'),
})

const staffJobs = createRoute({ getParentRoute: () => staffRoot, path: '/jobs', component: lazyScreen('JobsPage') })

const staffSettings = createRoute({
  getParentRoute: () => staffRoot,
  path: '/settings',
  validateSearch: tableSearch,
  component: lazyScreen('Settings'),
})

const staffCareers = createRoute({
  getParentRoute: () => staffRoot,
  path: '/careers',
  validateSearch: tableSearch,
  component: lazyScreen('CareersPage'),
})

const staffAppearance = createRoute({
  getParentRoute: () => staffRoot,
  path: '/appearance',
  component: lazyScreen('StaffAppearance'),
})

/** The back office, and the preview of a list as members will see it. */
export const staffRoutes = [
  staffRoot.addChildren([
    staffDashboard,
    staffSavedReplies,
    staffStorage,
    staffApplications,
    staffMail,
    staffPayments,
    staffPlans,
    staffCoupons,
    staffSubscriptions,
    staffSubscription,
    staffInvoices,
    staffReports,
    staffUploads,
    staffCuration,
    staffSongs,
    staffSong,
    staffGenres,
    staffImport,
    staffAnnouncements,
    staffMerchandise,
    staffPages,
    staffTickets,
    staffTicket,
    staffHelpArticles,
    staffMembers,
    staffMember,
    staffAudit,
    staffJobs,
    staffSettings,
    staffCareers,
    staffAppearance,
  ]),
  staffPreview,
] as const
