import { createRoute, notFound, redirect } from '@tanstack/react-router'
import { pageAddress } from '../catalogue/addresses.ts'
import { Logout } from '../membership/Logout.tsx'
import { keepConfirmLink, keepResetLink } from '../membership/mailedLinks.ts'
import { oneOf, positive, searchFields, words } from '../platform/search-fields.ts'
import { number, otherScreen, root } from './parts.ts'

/** Which tickets are listed. */
function ticketStatus(text: string): 'all' | 'open' | 'close' {
  if (text === 'all' || text === 'open' || text === 'close') return text
  throw notFound()
}

/**
 * Links in emails. Their fragment never reaches a server or a proxy's log, and leaves the address bar at once; the dialog
 * opens over the start page. Links with everything in the path are the older, specified form.
 */
const toDialog = (dialog: 'reset' | 'confirm') => redirect({ to: '/', search: { dialog }, replace: true })

const fragment = () => window.location.hash.slice(1)

const resetByFragment = createRoute({
  getParentRoute: () => root,
  path: '/reset-password',
  beforeLoad: () => {
    const [email = '', token] = fragment().split('/')
    keepResetLink(token ? { email: decodeURIComponent(email), token } : undefined)
    throw toDialog('reset')
  },
})

const confirmByFragment = createRoute({
  getParentRoute: () => root,
  path: '/confirm',
  beforeLoad: () => {
    keepConfirmLink(fragment())
    throw toDialog('confirm')
  },
})

const resetPassword = createRoute({
  getParentRoute: () => root,
  path: '/reset-password/$email/$token',
  beforeLoad: ({ params: { email, token } }) => {
    keepResetLink({ email, token })
    throw toDialog('reset')
  },
})

const confirmAddress = createRoute({
  getParentRoute: () => root,
  path: '/confirm/$token',
  beforeLoad: ({ params: { token } }) => {
    keepConfirmLink(token)
    throw toDialog('confirm')
  },
})

const editProfile = createRoute({
  getParentRoute: () => root,
  path: '/account/update',
  component: otherScreen('EditProfile'),
})

const changePassword = createRoute({
  getParentRoute: () => root,
  path: '/account/change-password',
  component: otherScreen('ChangePassword'),
})

const security = createRoute({
  getParentRoute: () => root,
  path: '/account/security',
  component: otherScreen('Security'),
})

const display = createRoute({
  getParentRoute: () => root,
  path: '/account/display',
  component: otherScreen('DisplayChoices'),
})

const noticeChoices = createRoute({
  getParentRoute: () => root,
  path: '/account/notices',
  component: otherScreen('NoticeChoices'),
})

const notices = createRoute({
  getParentRoute: () => root,
  path: '/notices',
  validateSearch: pageAddress,
  component: otherScreen('Notices'),
})

const savedSearches = createRoute({
  getParentRoute: () => root,
  path: '/searches',
  component: otherScreen('SavedSearches'),
})

const yourData = createRoute({
  getParentRoute: () => root,
  path: '/account/data',
  component: otherScreen('YourData'),
})

const manageSubscription = createRoute({
  getParentRoute: () => root,
  path: '/account/manage-subscription',
  component: otherScreen('ManageSubscription'),
})

const billingHistory = createRoute({
  getParentRoute: () => root,
  path: '/account/billing',
  validateSearch: searchFields({
    page: positive,
    from: words,
    to: words,
    sort: oneOf(['payment_date', 'amount'] as const),
    dir: oneOf(['ASC', 'DESC'] as const),
  }),
  component: otherScreen('BillingHistory'),
})

const downloadRescue = createRoute({
  getParentRoute: () => root,
  path: '/download-rescue',
  validateSearch: searchFields({ page: positive, from: words, to: words, find: words }),
  component: otherScreen('DownloadRescue'),
})

const uploadList = createRoute({
  getParentRoute: () => root,
  path: '/uploads/index',
  validateSearch: searchFields({
    page: positive,
    // Spelt out, so that the calls of uploads are no part of the first visit.
    status: oneOf(['draft', 'analysing', 'in_review', 'published', 'refused', 'expired'] as const),
    sort: oneOf(['title', 'artist', 'expire_date'] as const),
    dir: oneOf(['ASC', 'DESC'] as const),
  }),
  component: otherScreen('UploadList'),
})

const newSong = createRoute({
  getParentRoute: () => root,
  path: '/uploads/new',
  component: otherScreen('NewSong'),
})

const editSong = createRoute({
  getParentRoute: () => root,
  path: '/uploads/edit-song/$entityId',
  params: number('entityId'),
  component: otherScreen('EditSong'),
})

const helpDesk = createRoute({
  getParentRoute: () => root,
  path: '/support/faqs',
  validateSearch: searchFields({ find: words, faq: positive }),
  component: otherScreen('HelpDesk'),
})

const tickets = createRoute({
  getParentRoute: () => root,
  path: '/tickets/$status',
  params: {
    parse: ({ status }) => ({ status: ticketStatus(status) }),
    stringify: ({ status }) => ({ status }),
  },
  validateSearch: pageAddress,
  component: otherScreen('Tickets'),
})

const ticket = createRoute({
  getParentRoute: () => root,
  path: '/ticket/details/$ticketNumber',
  params: number('ticketNumber'),
  validateSearch: pageAddress,
  component: otherScreen('TicketView'),
})

const logout = createRoute({
  getParentRoute: () => root,
  path: '/logout',
  // Not fetched then: without a network too somebody can sign out.
  component: Logout,
})

/** One's own account, uploads and tickets; links that were mailed. */
export const accountRoutes = [
  resetPassword,
  resetByFragment,
  confirmByFragment,
  confirmAddress,
  editProfile,
  changePassword,
  security,
  display,
  noticeChoices,
  notices,
  savedSearches,
  yourData,
  manageSubscription,
  billingHistory,
  downloadRescue,
  uploadList,
  newSong,
  editSong,
  helpDesk,
  tickets,
  ticket,
  logout,
] as const
