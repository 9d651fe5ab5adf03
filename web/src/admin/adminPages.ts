import type { ReplyOf, StaffRole, staff } from '@dubplate/contract'
import {
  IconBriefcase,
  IconCategory,
  IconChartBar,
  IconCreditCard,
  IconDatabase,
  IconDiscount2,
  IconFileInvoice,
  IconFileText,
  IconHelpCircle,
  IconHistory,
  IconInbox,
  IconLayoutDashboard,
  IconListCheck,
  IconMail,
  IconMessage,
  IconMessage2Bolt,
  IconMusic,
  IconPalette,
  IconRepeat,
  IconServerCog,
  IconSettings,
  IconShirt,
  IconSpeakerphone,
  IconStack2,
  IconUpload,
  IconUserCheck,
  IconUsers,
  type TablerIcon,
} from '@tabler/icons-react'
import type { LinkProps } from '@tanstack/react-router'
import * as texts from './texts.ts'

type DashboardCount = Exclude<keyof ReplyOf<typeof staff.getDashboard>, 'program'>

/** A page of the back office. */
export type AdminPage = {
  to: LinkProps['to'] & string
  name: string
  icon: TablerIcon
  /** Who may open it and the pages below its path, besides admins. */
  roles: readonly StaffRole[]
  /** The number shown beside its name. */
  count?: DashboardCount
  /** True if that number means something failed. */
  isFailure?: boolean
}

type AdminPageGroup = { name?: string; pages: readonly AdminPage[] }

/** Every page of the back office, in the order of the navigation. */
const PAGE_GROUPS: readonly AdminPageGroup[] = [
  {
    pages: [
      {
        to: '/staff',
        name: texts.dashboard,
        icon: IconLayoutDashboard,
        roles: ['support', 'curator', 'billing'],
      },
    ],
  },
  {
    name: texts.music,
    pages: [
      { to: '/staff/songs', name: texts.songs, icon: IconMusic, roles: ['curator'] },
      { to: '/staff/import', name: texts.importSongs, icon: IconUpload, roles: ['curator'] },
      {
        to: '/staff/uploads',
        name: texts.uploadsToReview,
        icon: IconInbox,
        roles: ['curator'],
        count: 'uploads_waiting',
      },
      { to: '/staff/curation', name: texts.curation, icon: IconStack2, roles: ['curator'] },
      { to: '/staff/genres', name: texts.genres, icon: IconCategory, roles: ['curator'] },
    ],
  },
  {
    name: texts.members,
    pages: [
      {
        to: '/staff/applications',
        name: texts.applications,
        icon: IconUserCheck,
        roles: ['support'],
        count: 'applications_pending',
      },
      { to: '/staff/members', name: texts.members, icon: IconUsers, roles: ['support', 'billing'] },
    ],
  },
  {
    name: texts.support,
    pages: [
      { to: '/staff/tickets', name: texts.tickets, icon: IconMessage, roles: ['support'], count: 'tickets_waiting' },
      { to: '/staff/help-articles', name: texts.helpArticles, icon: IconHelpCircle, roles: ['support'] },
      { to: '/staff/saved-replies', name: texts.savedReplies, icon: IconMessage2Bolt, roles: ['support'] },
    ],
  },
  {
    name: texts.sales,
    pages: [
      {
        to: '/staff/payments',
        name: texts.payments,
        icon: IconCreditCard,
        roles: ['billing'],
        count: 'transfers_waiting',
      },
      { to: '/staff/subscriptions', name: texts.subscriptions, icon: IconRepeat, roles: ['billing'] },
      { to: '/staff/plans', name: texts.plans, icon: IconListCheck, roles: ['billing'] },
      { to: '/staff/coupons', name: texts.coupons, icon: IconDiscount2, roles: ['billing'] },
      { to: '/staff/invoices', name: texts.invoices, icon: IconFileInvoice, roles: ['billing'] },
      { to: '/staff/reports', name: texts.reports, icon: IconChartBar, roles: ['billing'] },
    ],
  },
  {
    name: texts.site,
    pages: [
      {
        to: '/staff/announcements',
        name: texts.announcements,
        icon: IconSpeakerphone,
        roles: ['curator', 'support'],
      },
      { to: '/staff/pages', name: texts.pages, icon: IconFileText, roles: [] },
      { to: '/staff/merchandise', name: texts.merchandise, icon: IconShirt, roles: ['curator'] },
      { to: '/staff/careers', name: texts.careers, icon: IconBriefcase, roles: [] },
      { to: '/staff/appearance', name: texts.appearance, icon: IconPalette, roles: [] },
    ],
  },
  {
    name: texts.system,
    pages: [
      { to: '/staff/settings', name: texts.settings, icon: IconSettings, roles: [] },
      {
        to: '/staff/outgoing-mail',
        name: texts.email,
        icon: IconMail,
        roles: [],
        count: 'mail_failed',
        isFailure: true,
      },
      { to: '/staff/jobs', name: texts.jobs, icon: IconServerCog, roles: [] },
      { to: '/staff/storage', name: texts.storageAndBackups, icon: IconDatabase, roles: [] },
      { to: '/staff/audit', name: texts.auditLog, icon: IconHistory, roles: [] },
    ],
  },
]

/** Whether staff with this role may open the page. */
export const canOpen = (role: StaffRole, page: AdminPage): boolean => role === 'admin' || page.roles.includes(role)

/** The groups of pages that staff with this role may open. */
export const pageGroupsFor = (role: StaffRole): readonly AdminPageGroup[] =>
  PAGE_GROUPS.map((group) => ({ ...group, pages: group.pages.filter((page) => canOpen(role, page)) })).filter(
    ({ pages }) => pages.length > 0,
  )

const PAGES = PAGE_GROUPS.flatMap(({ pages }) => pages)
const [DASHBOARD] = PAGES

/** The page that a path belongs to: `/staff/songs/12` belongs to Songs. */
export const findAdminPage = (path: string): AdminPage | undefined =>
  PAGES.find((page) => page !== DASHBOARD && (path === page.to || path.startsWith(`${page.to}/`))) ?? DASHBOARD
