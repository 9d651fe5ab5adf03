import { savedSearches, site } from '@dubplate/contract'
import { IconBuildingStore, IconCrown, IconExternalLink, IconShoppingBag, IconUpload } from '@tabler/icons-react'
import { Link, useLocation, useRouter } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { keepSectionForPath } from '../catalogue/section.ts'
import { useSection } from '../catalogue/useSection.ts'
import { format, rich } from '../format/message.ts'
import { useLibrary } from '../library/library.ts'
import { useIsSectionVisible, usePool } from '../platform/pool.ts'
import { useApiQuery } from '../platform/queries.ts'
import { useSession } from '../platform/session.ts'
import { Logo } from './Logo.tsx'
import css from './Shell.module.css'
import { GROUPS, MORE, TABS, YOUR_LIBRARY } from './sections.ts'
import * as texts from './texts.ts'

/** The left column: with text from 1200 px on, icons only below that, hidden on phones. */
export function Navigation() {
  const { name } = usePool()
  return (
    <nav className={css.nav} aria-label={texts.main}>
      <Link to="/" className={css.brand} aria-label={format(texts.nameHome, { name })} title={name}>
        <Logo />
        <span className="ellipsis">{name}</span>
      </Link>
      <NavigationLinks />
      <UpgradeLink />
    </nav>
  )
}

function NavigationLinks() {
  const isLabel = useSession(({ profile }) => profile?.group_id === LABELS)
  const isShown = useIsSectionVisible()
  const { section } = useSection()
  return GROUPS.map(({ title, sections }) => (
    <div key={title ?? ''}>
      {title && <h2>{title}</h2>}
      <ul>
        {title === YOUR_LIBRARY && isLabel && <UploadsLink />}
        {sections
          .filter(({ to }) => isShown(to))
          .map(({ to, text, icon: Icon }) => (
            <li key={to}>
              <Link
                to={to}
                search={keepSectionForPath(to, section)}
                className={css.link}
                activeOptions={{ exact: true, includeSearch: false }}
                title={text}
                data-takes={to === '/crate' ? 'crate' : undefined}
              >
                <Icon size={18} stroke={1.7} aria-hidden />
                <span className="ellipsis">{text}</span>
                {to === '/searches' && <NewCount />}
                {to === '/crate' && <CrateCount />}
              </Link>
            </li>
          ))}
        {title === YOUR_LIBRARY && !isLabel && <UploadsLink />}
        {title === MORE && <StoreLink />}
        {title === MORE && <StaffLink />}
      </ul>
    </div>
  ))
}

const hidden = (inside: ReactNode) => <span className="sr">{inside}</span>

/** The number of songs in the crate. */
function CrateCount() {
  const count = useLibrary((library) => library.crateCount)
  return count > 0 && <b className={`${css.count} num`}>{rich(texts.songsInCrate, { count, hidden })}</b>
}

/** The number of songs that are new to the member's saved searches; requested once the member is known. */
function NewCount() {
  const isKnown = useSession(({ profile }) => profile !== null)
  const { data } = useApiQuery(savedSearches.getSearches, {}, { enabled: isKnown })
  const count = data?.searches.reduce((sum, { new_songs }) => sum + new_songs, 0) ?? 0
  if (!isKnown || count === 0) return null
  return (
    <b className={`${css.count} num`} data-soft>
      {rich(texts.newSongCount, { count: count > 99 ? '99+' : count, hidden })}
    </b>
  )
}

/** The customer group of labels, who upload rather than download: their uploads come first. */
const LABELS = 3

function UploadsLink() {
  const signedIn = useSession((session) => session.token !== null)
  const isShown = useIsSectionVisible()
  if (!signedIn || !isShown('uploads')) return null
  return (
    <li>
      <Link to="/uploads/index" className={css.link} title={texts.uploads}>
        <IconUpload size={18} stroke={1.7} aria-hidden />
        <span>{texts.uploads}</span>
      </Link>
    </li>
  )
}

/** The store is another site; hidden if the pool has none. */
function StoreLink() {
  const { data } = useApiQuery(site.getProducts, {})
  if (!data?.store_url) return null
  return (
    <li>
      <a
        href={data.store_url}
        target="_blank"
        rel="noopener noreferrer"
        className={css.link}
        title={texts.storeOpensInANew}
      >
        <IconShoppingBag size={18} stroke={1.7} aria-hidden />
        <span>{texts.store}</span>
        <IconExternalLink className={css.leaves} size={14} aria-hidden />
        <span className="sr"> {texts.opensInANewTab}</span>
      </a>
    </li>
  )
}

/** The link to the back office, for staff. */
function StaffLink() {
  const role = useSession((session) => session.profile?.staff_role)
  if (!role) return null
  return (
    <li>
      <Link to="/staff" className={css.link} title={texts.backOffice}>
        <IconBuildingStore size={18} stroke={1.7} aria-hidden />
        <span>{texts.backOffice}</span>
      </Link>
    </li>
  )
}

/** Shown to users who have no paid plan and could have one. */
function UpgradeLink() {
  const profile = useSession((session) => session.profile)
  const signedIn = useSession((session) => session.token !== null)
  const couldPay = signedIn ? profile?.group_id === 2 && profile.payment_profile_status === 'unpaid' : true
  if (!couldPay) return null
  return (
    <Link to="/subscription/plans" className={css.premium} title={texts.goPremium}>
      <IconCrown size={18} stroke={1.8} aria-hidden />
      <span>{texts.goPremium}</span>
    </Link>
  )
}

const focusSearchBox = () => document.getElementById('q')?.focus()

/** The tabs at the bottom of a phone. */
export function Tabs() {
  const router = useRouter()
  const path = useLocation({ select: ({ pathname }) => pathname })
  const { section } = useSection()
  /** Focuses the search box, which appears with the search page. */
  const openSearch = () => {
    focusSearchBox()
    const stop = router.subscribe('onRendered', () => {
      stop()
      focusSearchBox()
    })
  }
  return (
    <nav className={css.tabs} aria-label={texts.sections}>
      {TABS.map(({ to, params, text, paths, icon: Icon }) => (
        <Link
          key={to}
          to={to}
          params={params}
          search={keepSectionForPath(to, section)}
          activeOptions={{ exact: true, includeSearch: false }}
          aria-current={paths.test(path) ? 'true' : undefined}
          data-takes={to === '/crate' ? 'crate' : undefined}
          onClick={params && openSearch}
        >
          <Icon size={22} stroke={1.7} aria-hidden />
          <span>{text}</span>
          {to === '/crate' && <CrateCount />}
        </Link>
      ))}
    </nav>
  )
}
