import type { membership } from '@dubplate/contract'
import { IconUser } from '@tabler/icons-react'
import { Link, useLocation } from '@tanstack/react-router'
import { type ReactNode, useEffect, useRef } from 'react'
import { MembersOnly } from '../../library/MembersOnly.tsx'
import { ErrorState } from '../../platform/ErrorState.tsx'
import { useSession } from '../../platform/session.ts'
import { Page } from '../../ui/Page.tsx'
import * as texts from '../texts.ts'
import { useProfile } from '../useProfile.ts'
import css from './AccountPage.module.css'
import { isTabForPath, tabsFor } from './accountTabs.ts'

type Profile = membership.Profile

type Props = {
  title: string
  /** Stands under the tabs until the member is known, in the size of what will stand there. */
  skeleton: ReactNode
  /** For lists with many columns, or for two columns of which each is one. */
  isWide?: boolean | 'columns' | undefined
  /** What a visitor sees, where it is not only for members. */
  visitorContent?: ReactNode
  children: (profile: Profile) => ReactNode
}

/** The frame of every screen of the account: its tabs, and who it is about. A visitor is asked to sign in. */
export function AccountPage({ title, skeleton, isWide, visitorContent, children }: Props) {
  const signedIn = useSession((session) => session.token !== null)
  return (
    <Page title={title}>
      {signedIn ? (
        <MemberContent skeleton={skeleton} isWide={isWide}>
          {children}
        </MemberContent>
      ) : (
        (visitorContent ?? <MembersOnly icon={<IconUser size={24} />}>{texts.signInToManageYour}</MembersOnly>)
      )}
    </Page>
  )
}

function MemberContent({ skeleton, isWide, children }: Omit<Props, 'title' | 'visitorContent'>) {
  const { profile, error, retry } = useProfile()
  if (!profile && error) return <ErrorState error={error} subject={texts.yourAccount} retry={retry} />
  return (
    <>
      <Tabs profile={profile} />
      {profile ? (
        <div className={css.inside} data-wide={isWide || undefined} key={profile.customer_id}>
          {children(profile)}
        </div>
      ) : (
        <div className={css.inside} data-wide={isWide || undefined} aria-busy>
          {skeleton}
        </div>
      )}
    </>
  )
}

const CURRENT = { 'aria-current': 'page' } as const

/** Until the payment status is known the line stands empty: no tab moves another away. */
function Tabs({ profile }: { profile: Profile | null }) {
  const tabListRef = useRef<HTMLElement>(null)
  const currentPath = useLocation({ select: ({ pathname }) => pathname })
  const tabs = profile ? tabsFor(profile.payment_profile_status) : []
  const hasTabs = tabs.length > 0
  useEffect(() => {
    const own = tabListRef.current
    const currentPath = own?.querySelector<HTMLElement>('[aria-current]')
    if (own && currentPath && hasTabs)
      own.scrollLeft = currentPath.offsetLeft - (own.clientWidth - currentPath.offsetWidth) / 2
  }, [hasTabs])
  return (
    <nav ref={tabListRef} className={css.tabs} aria-label={texts.account}>
      {tabs.map((tab) => (
        <Link key={tab.to} to={tab.to} className={css.tab} {...(isTabForPath(tab, currentPath) ? CURRENT : {})}>
          {tab.text}
        </Link>
      ))}
    </nav>
  )
}
