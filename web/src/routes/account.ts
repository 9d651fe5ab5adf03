import { createRoute, notFound, redirect } from '@tanstack/react-router'
import { pageAddress } from '../catalogue/addresses.ts'
import { Logout } from '../membership/Logout.tsx'
import { saveConfirmLink, saveResetLink, saveSignInLink } from '../membership/mailedLinks.ts'
import { DJ_LIBRARY_TABS } from '../ownLibrary/tabs.ts'
import { oneOf, positiveInteger, searchFields, trimmedText } from '../platform/search-fields.ts'
import { lazyScreen, number, root } from './routeHelpers.ts'

/** The ticket status in the URL. */
function ticketStatus(text: string): 'all' | 'open' | 'close' {
  if (text === 'all' || text === 'open' || text === 'close') return text
  throw notFound()
}

/**
 * Links in emails. Their fragment never reaches a server or a proxy's log, and is removed from the address bar at once;
 * the dialog opens over the start page. Links with everything in the path are the older, specified form.
 */
const toDialog = (dialog: 'reset' | 'confirm' | 'welcome') => redirect({ to: '/', search: { dialog }, replace: true })

const locationFragment = () => window.location.hash.slice(1)

const resetByFragment = createRoute({
  getParentRoute: () => root,
  path: '/reset-password',
  beforeLoad: () => {
    const [email = '', token] = locationFragment().split('/')
    saveResetLink(token ? { email: decodeURIComponent(email), token } : undefined)
    throw toDialog('reset')
  },
})

const confirmByFragment = createRoute({
  getParentRoute: () => root,
  path: '/confirm',
  beforeLoad: () => {
    saveConfirmLink(locationFragment())
    throw toDialog('confirm')
  },
})

const signInByFragment = createRoute({
  getParentRoute: () => root,
  path: '/welcome',
  beforeLoad: () => {
    saveSignInLink(locationFragment())
    throw toDialog('welcome')
  },
})

const resetPassword = createRoute({
  getParentRoute: () => root,
  path: '/reset-password/$email/$token',
  beforeLoad: ({ params: { email, token } }) => {
    saveResetLink({ email, token })
    throw toDialog('reset')
  },
})

const confirmAddress = createRoute({
  getParentRoute: () => root,
  path: '/confirm/$token',
  beforeLoad: ({ params: { token } }) => {
    saveConfirmLink(token)
    throw toDialog('confirm')
  },
})

const accountMenu = createRoute({
  getParentRoute: () => root,
  path: '/account',
  component: lazyScreen('AccountMenuPage'),
})

const editProfile = createRoute({
  getParentRoute: () => root,
  path: '/account/update',
  component: lazyScreen('EditProfile'),
})

const changePassword = createRoute({
  getParentRoute: () => root,
  path: '/account/change-password',
  component: lazyScreen('ChangePassword'),
})

const security = createRoute({
  getParentRoute: () => root,
  path: '/account/security',
  component: lazyScreen('Security'),
})

const display = createRoute({
  getParentRoute: () => root,
  path: '/account/display',
  component: lazyScreen('DisplaySettings'),
})

const muted = createRoute({
  getParentRoute: () => root,
  path: '/account/muted',
  component: lazyScreen('Muted'),
})

const noticeChoices = createRoute({
  getParentRoute: () => root,
  path: '/account/notices',
  component: lazyScreen('NotificationSettings'),
})

const notices = createRoute({
  getParentRoute: () => root,
  path: '/notices',
  validateSearch: pageAddress,
  component: lazyScreen('Notifications'),
})

const savedSearches = createRoute({
  getParentRoute: () => root,
  path: '/searches',
  component: lazyScreen('SavedSearches'),
})

const djLibrary = createRoute({
  getParentRoute: () => root,
  path: '/dj-library',
  validateSearch: searchFields({
    // Listed here, so that the API calls for libraries are not part of the first visit.
    tab: oneOf(DJ_LIBRARY_TABS),
    library: positiveInteger,
    find: trimmedText,
    show: oneOf(['preferred', 'lossless', 'all'] as const),
    page: positiveInteger,
  }),
  component: lazyScreen('DjLibrary'),
})

const yourData = createRoute({
  getParentRoute: () => root,
  path: '/account/data',
  component: lazyScreen('YourData'),
})

const manageSubscription = createRoute({
  getParentRoute: () => root,
  path: '/account/manage-subscription',
  component: lazyScreen('ManageSubscription'),
})

const billingHistory = createRoute({
  getParentRoute: () => root,
  path: '/account/billing',
  validateSearch: searchFields({
    page: positiveInteger,
    from: trimmedText,
    to: trimmedText,
    sort: oneOf(['payment_date', 'amount'] as const),
    dir: oneOf(['ASC', 'DESC'] as const),
  }),
  component: lazyScreen('BillingHistory'),
})

const downloadRescue = createRoute({
  getParentRoute: () => root,
  path: '/download-rescue',
  validateSearch: searchFields({ page: positiveInteger, from: trimmedText, to: trimmedText, find: trimmedText }),
  component: lazyScreen('DownloadRescue'),
})

const downloadProfiles = createRoute({
  getParentRoute: () => root,
  path: '/account/download-profiles',
  // The profile whose form is open: its id, or 'new', also with the id of the one to copy.
  validateSearch: searchFields({
    profile: (value): number | 'new' | undefined => (value === 'new' ? value : positiveInteger(value)),
    copy: positiveInteger,
  }),
  component: lazyScreen('DownloadProfiles'),
})

const cloudStorage = createRoute({
  getParentRoute: () => root,
  path: '/account/cloud',
  validateSearch: pageAddress,
  component: lazyScreen('CloudStorage'),
})

/** Where Dropbox and Google send the browser back to, with `code` and `state`. */
const dropboxReturn = createRoute({
  getParentRoute: () => root,
  path: '/cloud/dropbox',
  component: lazyScreen('DropboxReturn'),
})

const googleDriveReturn = createRoute({
  getParentRoute: () => root,
  path: '/cloud/google-drive',
  component: lazyScreen('GoogleDriveReturn'),
})

const uploadList = createRoute({
  getParentRoute: () => root,
  path: '/uploads/index',
  validateSearch: searchFields({
    page: positiveInteger,
    // Listed here, so that the API calls for uploads are not part of the first visit.
    status: oneOf(['draft', 'analysing', 'in_review', 'published', 'declined', 'expired'] as const),
    sort: oneOf(['title', 'artist', 'expire_date'] as const),
    dir: oneOf(['ASC', 'DESC'] as const),
  }),
  component: lazyScreen('UploadList'),
})

const newSong = createRoute({
  getParentRoute: () => root,
  path: '/uploads/new',
  component: lazyScreen('NewSong'),
})

const editSong = createRoute({
  getParentRoute: () => root,
  path: '/uploads/edit-song/$entityId',
  params: number('entityId'),
  component: lazyScreen('EditSong'),
})

const helpDesk = createRoute({
  getParentRoute: () => root,
  path: '/support/faqs',
  validateSearch: searchFields({ find: trimmedText, faq: positiveInteger }),
  component: lazyScreen('HelpDesk'),
})

const tickets = createRoute({
  getParentRoute: () => root,
  path: '/tickets/$status',
  params: {
    parse: ({ status }) => ({ status: ticketStatus(status) }),
    stringify: ({ status }) => ({ status }),
  },
  validateSearch: pageAddress,
  component: lazyScreen('Tickets'),
})

const ticket = createRoute({
  getParentRoute: () => root,
  path: '/ticket/details/$ticketNumber',
  params: number('ticketNumber'),
  validateSearch: pageAddress,
  component: lazyScreen('TicketView'),
})

const logout = createRoute({
  getParentRoute: () => root,
  path: '/logout',
  // Not loaded on demand, so that signing out works offline.
  component: Logout,
})

/** The member's account, uploads and tickets; links from emails. */
export const accountRoutes = [
  resetPassword,
  resetByFragment,
  confirmByFragment,
  signInByFragment,
  confirmAddress,
  accountMenu,
  editProfile,
  changePassword,
  security,
  display,
  muted,
  noticeChoices,
  notices,
  savedSearches,
  djLibrary,
  yourData,
  manageSubscription,
  billingHistory,
  downloadRescue,
  downloadProfiles,
  cloudStorage,
  dropboxReturn,
  googleDriveReturn,
  uploadList,
  newSong,
  editSong,
  helpDesk,
  tickets,
  ticket,
  logout,
] as const
