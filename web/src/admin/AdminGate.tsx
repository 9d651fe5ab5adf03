import { IconLock } from '@tabler/icons-react'
import { Link, useLocation } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useProfile } from '../membership/useProfile.ts'
import { openDialog } from '../platform/address.ts'
import { ErrorState } from '../platform/ErrorState.tsx'
import { Page } from '../platform/Page.tsx'
import { useSession } from '../platform/session.ts'
import { NotFound } from '../site/NotFound.tsx'
import button from '../ui/Button.module.css'
import { Button } from '../ui/Button.tsx'
import { EmptyState } from '../ui/EmptyState.tsx'
import { canOpen, findAdminPage } from './adminPages.ts'
import * as texts from './texts.ts'

/**
 * Lets staff pass who may use the back office: signed in, with two-factor authentication if the pool requires it. For
 * other members the page does not exist.
 */
export function AdminGate({ children }: { children: ReactNode }) {
  const isSignedIn = useSession((session) => session.token !== null)
  return isSignedIn ? <StaffOnly>{children}</StaffOnly> : <SignInFirst />
}

function StaffOnly({ children }: { children: ReactNode }) {
  const { profile, error, retry } = useProfile()
  if (!profile)
    return (
      <Page title={texts.backOffice}>
        {error && <ErrorState error={error} title={texts.couldntLoadYourAccount} retry={retry} />}
      </Page>
    )
  if (!profile.staff_role) return <NotFound />
  return profile.two_factor_required ? <TwoFactorFirst /> : children
}

/** The page of the current path, if the role of the current user includes it. */
export function RoleGate({ children }: { children: ReactNode }) {
  const page = useLocation({ select: ({ pathname }) => findAdminPage(pathname) })
  const role = useSession(({ profile }) => profile?.staff_role)
  if (!role || !page) return null
  if (canOpen(role, page)) return children
  return (
    <Page title={page.name}>
      <EmptyState icon={<IconLock size={24} />} title={texts.noAccess}>
        {texts.roleDoesntIncludePage}
      </EmptyState>
    </Page>
  )
}

function SignInFirst() {
  const signIn = (
    <Button variant="primary" onClick={() => openDialog('sign-in')}>
      {texts.signIn}
    </Button>
  )
  return (
    <Page title={texts.backOffice}>
      <EmptyState icon={<IconLock size={24} />} title={texts.staffOnly} action={signIn}>
        {texts.signInWithStaffAccount}
      </EmptyState>
    </Page>
  )
}

function TwoFactorFirst() {
  const security = (
    <Link to="/account/security" className={button.button} data-look="primary">
      {texts.turnOn}
    </Link>
  )
  return (
    <Page title={texts.backOffice}>
      <EmptyState icon={<IconLock size={24} />} title={texts.twoFactorAuthenticationRequired} action={security}>
        {texts.siteRequiresTwoFactor}
      </EmptyState>
    </Page>
  )
}
