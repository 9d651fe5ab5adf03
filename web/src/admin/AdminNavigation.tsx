import { type StaffRole, staff } from '@dubplate/contract'
import { ActionIcon, Tooltip } from '@mantine/core'
import {
  IconArrowLeft,
  IconLayoutSidebarLeftCollapse,
  IconLayoutSidebarLeftExpand,
  IconMoon,
  IconSearch,
  IconSun,
} from '@tabler/icons-react'
import { Link, useLocation } from '@tanstack/react-router'
import type { ReactElement } from 'react'
import { format, rich } from '../format/message.ts'
import { Avatar } from '../membership/account/Avatar.tsx'
import { usePool } from '../platform/pool.ts'
import { chooseScheme, usePreferences } from '../platform/preferences.ts'
import { useApiQuery } from '../platform/queries.ts'
import { useSession } from '../platform/session.ts'
import { Logo } from '../site/Logo.tsx'
import css from './AdminShell.module.css'
import { type AdminPage, findAdminPage, pageGroupsFor } from './adminPages.ts'
import { cappedCount } from './cappedCount.ts'
import * as texts from './texts.ts'

type Props = {
  /** Whether only icons are shown. */
  isNarrow?: boolean
  /** Without it (in the drawer of a phone) the navigation cannot be collapsed. */
  onNarrow?: (isNarrow: boolean) => void
  onSearch: () => void
}

/** How often the counts beside the pages are refreshed. */
const REFRESH_MS = 60_000

/** The navigation of the back office: every page the role includes, with the number of items that need attention. */
export function AdminNavigation({ isNarrow = false, onNarrow, onSearch }: Props) {
  const role = useSession(({ profile }) => profile?.staff_role)
  const path = useLocation({ select: ({ pathname }) => pathname })
  const { data } = useApiQuery(staff.getDashboard, {}, { refetchMs: REFRESH_MS })
  const { name } = usePool()
  if (!role) return null
  const currentPage = findAdminPage(path)
  const NarrowIcon = isNarrow ? IconLayoutSidebarLeftExpand : IconLayoutSidebarLeftCollapse
  return (
    <nav className={css.nav} aria-label={texts.backOffice}>
      <div className={css.brand}>
        <Logo />
        <span className={css.name}>
          {name}
          <small>{texts.backOffice}</small>
        </span>
        {onNarrow && (
          <ActionIcon
            size={28}
            aria-label={isNarrow ? texts.expandNavigation : texts.collapseNavigation}
            onClick={() => onNarrow(!isNarrow)}
          >
            <NarrowIcon size={17} stroke={1.7} />
          </ActionIcon>
        )}
      </div>
      <button type="button" className={css.search} onClick={onSearch} aria-label={texts.search}>
        <IconSearch size={15} stroke={1.9} aria-hidden /> <span>{texts.search}</span> <kbd>Ctrl K</kbd>
      </button>
      <div className={css.groups}>
        {pageGroupsFor(role).map((group) => (
          <section key={group.name ?? ''}>
            {group.name && <h2>{group.name}</h2>}
            <ul>
              {group.pages.map((page) => (
                <li key={page.to}>
                  <PageLink
                    page={page}
                    isCurrent={page === currentPage}
                    isNarrow={isNarrow}
                    count={page.count && data?.[page.count]}
                  />
                </li>
              ))}
            </ul>
          </section>
        ))}
      </div>
      <div className={css.foot}>
        <NavigationTip label={texts.backToSite} isNarrow={isNarrow}>
          <Link to="/" className={css.link}>
            <IconArrowLeft size={17} stroke={1.7} aria-hidden /> <span className={css.name}>{texts.backToSite}</span>
          </Link>
        </NavigationTip>
        <Account />
        <ProgramVersion {...data?.program} />
      </div>
    </nav>
  )
}

type TipProps = { label: string; isNarrow: boolean; children: ReactElement }

/** The name of an item, where the navigation shows only its icon. */
const NavigationTip = ({ label, isNarrow, children }: TipProps) => (
  <Tooltip label={label} position="right" openDelay={200} disabled={!isNarrow}>
    {children}
  </Tooltip>
)

type PageLinkProps = { page: AdminPage; isCurrent: boolean; isNarrow: boolean; count: number | undefined }

const PageLink = ({ page, isCurrent, isNarrow, count: n = 0 }: PageLinkProps) => {
  const { to, name, icon: Icon, isFailure } = page
  return (
    <NavigationTip label={name} isNarrow={isNarrow}>
      <Link
        to={to}
        className={css.link}
        activeOptions={{ exact: true, includeSearch: false }}
        data-current={isCurrent || undefined}
        {...(isCurrent ? { 'aria-current': 'page' } : {})}
      >
        <Icon size={17} stroke={1.7} aria-hidden /> <span className={css.name}>{name}</span>
        {n > 0 && (
          <b data-failure={isFailure || undefined}>
            {rich(isFailure ? texts.failedCount : texts.pendingCount, {
              n: cappedCount(n),
              sr: (inside) => <span className="sr">{inside}</span>,
            })}
          </b>
        )}
      </Link>
    </NavigationTip>
  )
}

const ROLE_NAMES: Record<StaffRole, string> = {
  admin: texts.roleAdmin,
  billing: texts.roleBilling,
  curator: texts.roleCurator,
  support: texts.roleSupport,
}

function Account() {
  const profile = useSession((session) => session.profile)
  const isLight = usePreferences(({ scheme }) => scheme === 'light')
  if (!profile?.staff_role) return null
  return (
    <div className={css.account}>
      <Avatar name={profile.dj_name} picture={profile.profile_picture} size_px={28} />
      <span className={css.name}>
        {profile.dj_name}
        <small>{ROLE_NAMES[profile.staff_role]}</small>
      </span>
      <ActionIcon
        size={28}
        aria-label={isLight ? texts.darkTheme : texts.lightTheme}
        onClick={() => chooseScheme(isLight ? 'dark' : 'light')}
      >
        {isLight ? <IconMoon size={16} stroke={1.7} /> : <IconSun size={16} stroke={1.7} />}
      </ActionIcon>
    </div>
  )
}

/** The running version, needed first for a bug report or an upgrade; an empty line until it is known. */
const ProgramVersion = ({ version, commit }: { version?: string; commit?: string }) => (
  <p className={css.version}>
    {version ? format(texts.version, { version }) : '\u00a0'} {commit && <code>{commit}</code>}
  </p>
)
