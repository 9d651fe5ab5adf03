import { savedSearches, site } from '@dubplate/contract'
import { IconBuildingStore, IconCrown, IconExternalLink, IconShoppingBag, IconUpload } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { SectionChoice } from '../catalogue/SectionChoice.tsx'
import { keepSectionForPath } from '../catalogue/section.ts'
import { useSection } from '../catalogue/useSection.ts'
import { format, rich } from '../format/message.ts'
import { useIsSectionVisible, usePool } from '../platform/pool.ts'
import { useApiQuery } from '../platform/queries.ts'
import { useSession } from '../platform/session.ts'
import { Logo } from './Logo.tsx'
import css from './Navigation.module.css'
import { GROUPS, OTHERS, TABS, YOUR_LIBRARY } from './sections.ts'
import * as texts from './texts.ts'

/** The groups of links, for the left column and the drawer of a phone. */
export const NavigationLinks = () => {
  const isLabel = useSession(({ profile }) => profile?.group_id === LABELS)
  const isShown = useIsSectionVisible()
  const { section } = useSection()
  return GROUPS.map(({ title, sections }) => (
    <div key={title ?? ''} className={css.group}>
      {!title && <SectionChoice label={texts.section} className={css.choice} />}
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
              >
                <Icon size={19} stroke={1.7} aria-hidden />
                <span className="ellipsis">{text}</span>
                {to === '/searches' && <NewCount />}
              </Link>
            </li>
          ))}
        {title === YOUR_LIBRARY && !isLabel && <UploadsLink />}
        {title === OTHERS && <StoreLink />}
        {title === OTHERS && <StaffLink />}
      </ul>
    </div>
  ))
}

/** The number of songs that are new to the member's saved searches; requested once the member is known. */
function NewCount() {
  const isKnown = useSession(({ profile }) => profile !== null)
  const { data } = useApiQuery(savedSearches.getSearches, {}, { enabled: isKnown })
  const count = data?.searches.reduce((sum, { new_songs }) => sum + new_songs, 0) ?? 0
  if (!isKnown || count === 0) return null
  return (
    <b className={`${css.count} num`}>
      {rich(texts.newSongCount, {
        count: count > 99 ? '99+' : count,
        hidden: (inside) => <span className="sr">{inside}</span>,
      })}
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
        <IconUpload size={19} stroke={1.7} aria-hidden />
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
        <IconShoppingBag size={19} stroke={1.7} aria-hidden />
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
        <IconBuildingStore size={19} stroke={1.7} aria-hidden />
        <span>{texts.backOffice}</span>
      </Link>
    </li>
  )
}

/** Shown to users who have no paid plan and could have one. */
export function UpgradeLink() {
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

/** The left column: with text from 1200 px on, icons only below that, hidden on phones. */
export function Navigation() {
  const { name } = usePool()
  return (
    <nav className={css.column} aria-label={texts.main}>
      <Link to="/" className={css.brand} aria-label={format(texts.home, { name })} title={name}>
        <Logo />
        <span className="ellipsis">{name}</span>
      </Link>
      <NavigationLinks />
      <UpgradeLink />
    </nav>
  )
}

export function Tabs() {
  const isShown = useIsSectionVisible()
  const { section } = useSection()
  return (
    <nav className={css.tabs} aria-label={texts.sections}>
      {TABS.filter(({ to }) => isShown(to)).map(({ to, params, text, icon: Icon }) => (
        <Link
          key={to}
          to={to}
          params={params}
          search={keepSectionForPath(to, section)}
          activeOptions={{ exact: to === '/', includeSearch: false }}
        >
          <Icon size={21} stroke={1.7} aria-hidden />
          <span>{text}</span>
        </Link>
      ))}
    </nav>
  )
}
