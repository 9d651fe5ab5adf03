import { site } from '@dubplate/contract'
import { IconCrown, IconExternalLink, IconShoppingBag } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { useAsk } from '../platform/queries.ts'
import { useSession } from '../platform/session.ts'
import { Logo } from './Logo.tsx'
import css from './Navigation.module.css'
import { GROUPS, TABS } from './sections.ts'

/** The groups of links; in the column on the left, and in the drawer of a phone. */
export const NavigationLinks = () =>
  GROUPS.map(({ title, sections }) => (
    <div key={title ?? ''} className={css.group}>
      {title && <h2>{title}</h2>}
      <ul>
        {sections.map(({ to, text, icon: Icon }) => (
          <li key={to}>
            <Link to={to} className={css.link} activeOptions={{ exact: true, includeSearch: false }} title={text}>
              <Icon size={19} stroke={1.7} aria-hidden />
              <span>{text}</span>
            </Link>
          </li>
        ))}
        {title === 'Others' && <StoreLink />}
      </ul>
    </div>
  ))

/** The store is another site; left out where the pool has none. */
function StoreLink() {
  const { data } = useAsk(site.getProducts, {})
  if (!data?.store_url) return null
  return (
    <li>
      <a
        href={data.store_url}
        target="_blank"
        rel="noopener noreferrer"
        className={css.link}
        title="Store (another site)"
      >
        <IconShoppingBag size={19} stroke={1.7} aria-hidden />
        <span>Store</span>
        <IconExternalLink className={css.leaves} size={14} aria-hidden />
        <span className="sr">, opens another site</span>
      </a>
    </li>
  )
}

/** Shown to whoever has no paid plan and could have one. */
export function GoPremium() {
  const profile = useSession((session) => session.profile)
  const signedIn = useSession((session) => session.token !== null)
  const couldPay = signedIn ? profile?.group_id === 2 && profile.payment_profile_status === 'unpaid' : true
  if (!couldPay) return null
  return (
    <Link to="/subscription/plans" className={css.premium} title="Go premium">
      <IconCrown size={18} stroke={1.8} aria-hidden />
      <span>Go premium</span>
    </Link>
  )
}

/** The column on the left: with words from 1200 px on, a rail of pictures below, gone on phones. */
export const Navigation = () => (
  <nav className={css.column} aria-label="Main">
    <Link to="/" className={css.brand} aria-label="Dubplate, home">
      <Logo />
      <span>Dubplate</span>
    </Link>
    <NavigationLinks />
    <GoPremium />
  </nav>
)

export const Tabs = () => (
  <nav className={css.tabs} aria-label="Sections">
    {TABS.map(({ to, params, text, icon: Icon }) => (
      <Link key={to} to={to} params={params} activeOptions={{ exact: to === '/', includeSearch: false }}>
        <Icon size={21} stroke={1.7} aria-hidden />
        <span>{text}</span>
      </Link>
    ))}
  </nav>
)
