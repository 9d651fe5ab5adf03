import type { membership } from '@dubplate/contract'
import { IconUser } from '@tabler/icons-react'
import { Link, useLocation } from '@tanstack/react-router'
import { type ReactNode, useEffect, useRef } from 'react'
import { MembersOnly } from '../../library/MembersOnly.tsx'
import { Trouble } from '../../platform/errors.tsx'
import { useSession } from '../../platform/session.ts'
import { Page } from '../../ui/Page.tsx'
import * as texts from '../texts.ts'
import { useProfile } from '../useProfile.ts'
import css from './AccountPage.module.css'
import { isTabOf, tabsFor } from './accountTabs.ts'

type Profile = membership.Profile

type Props = {
  title: string
  /** Stands under the tabs until the member is known, in the size of what will stand there. */
  bones: ReactNode
  /** For lists with many columns, or for two columns of which each is one. */
  isWide?: boolean | 'columns' | undefined
  /** What a visitor sees, where it is not only for members. */
  forVisitors?: ReactNode
  children: (profile: Profile) => ReactNode
}

/** The frame of every screen of the account: its tabs, and who it is about. A visitor is asked to sign in. */
export function AccountPage({ title, bones, isWide, forVisitors, children }: Props) {
  const signedIn = useSession((session) => session.token !== null)
  return (
    <Page title={title}>
      {signedIn ? (
        <OfMember bones={bones} isWide={isWide}>
          {children}
        </OfMember>
      ) : (
        (forVisitors ?? <MembersOnly icon={<IconUser size={24} />}>{texts.signInToManageYour}</MembersOnly>)
      )}
    </Page>
  )
}

function OfMember({ bones, isWide, children }: Omit<Props, 'title' | 'forVisitors'>) {
  const { profile, error, retry } = useProfile()
  if (!profile && error) return <Trouble error={error} what={texts.yourAccount} retry={retry} />
  return (
    <>
      <Tabs profile={profile} />
      {profile ? (
        <div className={css.inside} data-wide={isWide || undefined} key={profile.customer_id}>
          {children(profile)}
        </div>
      ) : (
        <div className={css.inside} data-wide={isWide || undefined} aria-busy>
          {bones}
        </div>
      )}
    </>
  )
}

const CURRENT = { 'aria-current': 'page' } as const

/** Until the payment status is known the line stands empty: no tab moves another away. */
function Tabs({ profile }: { profile: Profile | null }) {
  const line = useRef<HTMLElement>(null)
  const here = useLocation({ select: ({ pathname }) => pathname })
  const tabs = profile ? tabsFor(profile.payment_profile_status) : []
  const isThere = tabs.length > 0
  useEffect(() => {
    const own = line.current
    const here = own?.querySelector<HTMLElement>('[aria-current]')
    if (own && here && isThere) own.scrollLeft = here.offsetLeft - (own.clientWidth - here.offsetWidth) / 2
  }, [isThere])
  return (
    <nav ref={line} className={css.tabs} aria-label={texts.account}>
      {tabs.map((tab) => (
        <Link key={tab.to} to={tab.to} className={css.tab} {...(isTabOf(tab, here) ? CURRENT : {})}>
          {tab.text}
        </Link>
      ))}
    </nav>
  )
}
