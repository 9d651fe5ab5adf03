import { site } from '@dubplate/contract'
import {
  IconAdjustments,
  IconBell,
  IconBuildingStore,
  IconCloudUp,
  IconCreditCard,
  IconDatabase,
  IconExternalLink,
  IconFolderCog,
  IconLifebuoy,
  IconLogout,
  IconMoon,
  IconReceipt,
  IconShieldLock,
  IconShoppingBag,
  IconSpeakerphone,
  IconSun,
  IconUser,
  IconVolumeOff,
} from '@tabler/icons-react'
import { Avatar } from '../membership/account/Avatar.tsx'
import { openDialog } from '../platform/address.ts'
import { Page } from '../platform/Page.tsx'
import { usePool } from '../platform/pool.ts'
import { chooseScheme, usePreferences } from '../platform/preferences.ts'
import { useApiQuery } from '../platform/queries.ts'
import { useSession } from '../platform/session.ts'
import { Button } from '../ui/Button.tsx'
import { type LinkRow, LinkRows } from './LinkRows.tsx'
import css from './SitePages.module.css'
import * as texts from './texts.ts'

/** The account and everything else that is in the menus of wider windows, as links. */
export function AccountMenuPage() {
  const signedIn = useSession((session) => session.token !== null)
  const role = useSession((session) => session.profile?.staff_role)
  const more: LinkRow[] = [
    { to: '/support/faqs', text: texts.helpDesk, icon: IconLifebuoy },
    { to: '/news', text: texts.whatsNews, icon: IconSpeakerphone },
  ]
  if (role) more.push({ to: '/staff', text: texts.backOffice, icon: IconBuildingStore })
  return (
    <Page title={texts.account} width="narrow">
      {signedIn ? <MemberRows /> : <VisitorRows />}
      <LinkRows rows={more} />
      <ul className={css.rows}>
        <StoreRow />
        <ThemeRow />
      </ul>
      {signedIn && <LinkRows rows={[{ to: '/logout', text: texts.signOut, icon: IconLogout }]} />}
    </Page>
  )
}

function MemberRows() {
  const profile = useSession((session) => session.profile)
  const isPaid = profile?.payment_profile_status === 'paid'
  const hasCloud = usePool().cloud_providers.length > 0
  const cloudRows: LinkRow[] = hasCloud ? [{ to: '/account/cloud', text: texts.cloudStorage, icon: IconCloudUp }] : []
  const payment: LinkRow[] = isPaid
    ? [
        { to: '/account/manage-subscription', text: texts.subscription, icon: IconCreditCard },
        { to: '/account/billing', text: texts.billingHistory, icon: IconReceipt },
      ]
    : [{ to: '/subscription/plans', text: texts.plans, icon: IconCreditCard }]
  return (
    <>
      <div className={css.who}>
        <Avatar name={profile?.dj_name ?? ''} picture={profile?.profile_picture} size_px={48} />
        <span>
          <b className="ellipsis">{profile?.dj_name}</b>
          <small className="ellipsis">{profile?.email}</small>
        </span>
      </div>
      <LinkRows
        rows={[
          { to: '/account/update', text: texts.editProfile, icon: IconUser },
          { to: '/account/security', text: texts.signInSecurity, icon: IconShieldLock },
          { to: '/account/notices', text: texts.notifications, icon: IconBell },
          { to: '/account/display', text: texts.display, icon: IconAdjustments },
          { to: '/account/download-profiles', text: texts.downloadProfiles, icon: IconFolderCog },
          ...cloudRows,
          { to: '/account/muted', text: texts.muted, icon: IconVolumeOff },
          ...payment,
          { to: '/account/data', text: texts.yourData, icon: IconDatabase },
        ]}
      />
    </>
  )
}

const VisitorRows = () => (
  <>
    <div className={css.join}>
      <Button variant="primary" onClick={() => openDialog('create-account')}>
        {texts.joinFree}
      </Button>
      <Button onClick={() => openDialog('sign-in')}>{texts.signIn}</Button>
    </div>
    <LinkRows rows={[{ to: '/subscription/plans', text: texts.plans, icon: IconCreditCard }]} />
  </>
)

function ThemeRow() {
  const isLight = usePreferences(({ scheme }) => scheme === 'light')
  const Icon = isLight ? IconMoon : IconSun
  return (
    <li>
      <button type="button" className={css.row} onClick={() => chooseScheme(isLight ? 'dark' : 'light')}>
        <Icon size={20} stroke={1.7} aria-hidden />
        <span>{isLight ? texts.darkTheme : texts.lightTheme}</span>
      </button>
    </li>
  )
}

/** The store is another site; hidden if the pool has none. */
function StoreRow() {
  const { data } = useApiQuery(site.getProducts, {})
  if (!data?.store_url) return null
  return (
    <li>
      <a href={data.store_url} target="_blank" rel="noopener noreferrer" className={css.row}>
        <IconShoppingBag size={20} stroke={1.7} aria-hidden />
        <span>
          {texts.store}
          <span className="sr"> {texts.opensInANewTab}</span>
        </span>
        <IconExternalLink size={18} aria-hidden />
      </a>
    </li>
  )
}
