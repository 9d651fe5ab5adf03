import '../../styles/mantine-layout.css'
import type { membership } from '@dubplate/contract'
import { Stack } from '@mantine/core'
import { IconUser } from '@tabler/icons-react'
import { Link, useLocation } from '@tanstack/react-router'
import { type ReactNode, useEffect, useRef } from 'react'
import { ErrorState } from '../../platform/ErrorState.tsx'
import { Page } from '../../platform/Page.tsx'
import { usePool } from '../../platform/pool.ts'
import { useSession } from '../../platform/session.ts'
import { Mantine } from '../../ui/Mantine.tsx'
import { MembersOnly } from '../MembersOnly.tsx'
import * as texts from '../texts.ts'
import { useProfile } from '../useProfile.ts'
import css from './Account.module.css'
import { isTabForPath, tabsFor } from './accountTabs.ts'

type Profile = membership.Profile

type Props = {
  title: string
  /** Shown below the tabs, in the size of the content, until the member is known. */
  skeleton: ReactNode
  /** For lists with many columns, or (`columns`) for two columns of normal width. */
  isWide?: boolean | 'columns' | undefined
  /** What visitors see on screens that are not only for members. */
  visitorContent?: ReactNode
  children: (profile: Profile) => ReactNode
}

const WIDTHS: Record<string, number | string> = {
  undefined: 'var(--narrow)',
  false: 'var(--narrow)',
  true: 960,
  columns: 1160,
}

/** The frame of every account screen: its tabs and the member. Visitors are asked to sign in. */
export function AccountPage({ title, skeleton, isWide, visitorContent, children }: Props) {
  const signedIn = useSession((session) => session.token !== null)
  return (
    <Page title={title}>
      <Mantine>
        {signedIn ? (
          <MemberContent skeleton={skeleton} isWide={isWide}>
            {children}
          </MemberContent>
        ) : (
          (visitorContent ?? <MembersOnly icon={<IconUser size={24} />}>{texts.signInToManageAccount}</MembersOnly>)
        )}
      </Mantine>
    </Page>
  )
}

function MemberContent({ skeleton, isWide, children }: Omit<Props, 'title' | 'visitorContent'>) {
  const { profile, error, retry } = useProfile()
  if (!profile && error) return <ErrorState error={error} title={texts.couldntLoadYourAccount} retry={retry} />
  return (
    <>
      <Tabs profile={profile} />
      <Stack
        key={profile?.customer_id}
        gap={32}
        maw={WIDTHS[`${isWide}`]}
        pt="sm"
        aria-busy={profile ? undefined : true}
      >
        {profile ? children(profile) : skeleton}
      </Stack>
    </>
  )
}

const CURRENT = { 'aria-current': 'page' } as const

/** The tabs are hidden until the payment status is known, so that none of them moves. */
function Tabs({ profile }: { profile: Profile | null }) {
  const tabListRef = useRef<HTMLElement>(null)
  const currentPath = useLocation({ select: ({ pathname }) => pathname })
  const hasCloud = usePool().cloud_providers.length > 0
  const tabs = profile ? tabsFor(profile.payment_profile_status, { hasCloud }) : []
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
