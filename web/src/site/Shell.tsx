import { Outlet, useMatches, useSearch } from '@tanstack/react-router'
import { type ComponentType, Suspense, useEffect } from 'react'
import { SongMenu } from '../catalogue/SongMenu.tsx'
import { startProfileRefresh } from '../membership/membership.ts'
import { resumption } from '../membership/pendingAction.ts'
import { closeDialog, type DialogName, openDialog } from '../platform/address.ts'
import { useSession } from '../platform/session.ts'
import { installKeyboard } from '../player/keyboard.ts'
import { Player } from '../player/Player.tsx'
import { lazyOnDemand, lazyOptional } from '../ui/lazyOnDemand.tsx'
import { RenderWhenVisible } from '../ui/RenderWhenVisible.tsx'
import { Header } from './Header.tsx'
import { LoadingBar } from './LoadingBar.tsx'
import { Navigation, Tabs } from './Navigation.tsx'
import { OfflineNotice } from './OfflineNotice.tsx'
import { PaletteOpener } from './PaletteOpener.tsx'
import css from './Shell.module.css'
import { Sidebar } from './Sidebar.tsx'
import * as texts from './texts.ts'

const Footer = lazyOptional(() => import('./Footer.tsx').then(({ Footer }) => Footer))

type Dialog = ComponentType<{ onClose: () => void }>

/**
 * A dialog whose code is loaded when it opens. If that fails, an error is shown and the dialog is removed from the URL.
 */
const dialog = (loadComponent: () => Promise<Dialog>): Dialog =>
  lazyOnDemand(() =>
    loadComponent().catch((error) => {
      closeDialog()
      throw error
    }),
  )

const DIALOG: Record<DialogName, Dialog> = {
  'sign-in': dialog(() => import('../membership/SignIn.tsx').then(({ SignIn }) => SignIn)),
  'create-account': dialog(() => import('../membership/CreateAccount.tsx').then(({ CreateAccount }) => CreateAccount)),
  apply: dialog(() => import('../membership/Apply.tsx').then(({ Apply }) => Apply)),
  recover: dialog(() => import('../membership/Recover.tsx').then(({ Recover }) => Recover)),
  reset: dialog(() => import('../membership/Reset.tsx').then(({ Reset }) => Reset)),
  confirm: dialog(() => import('../membership/Confirm.tsx').then(({ ConfirmEmail: Confirm }) => Confirm)),
  welcome: dialog(() => import('../membership/SignInLink.tsx').then(({ SignInLink }) => SignInLink)),
  keys: dialog(() => import('./KeyboardShortcuts.tsx').then(({ Keys }) => Keys)),
}

resumption.run = (action) => void import('./resumeAction.ts').then(({ resume }) => resume(action))

/** Around every screen: the frame of the site or, for staff in the back office, only what both have. */
export function Root() {
  useEffect(startProfileRefresh, [])
  useSignInWhenEnded()
  const isBackOffice = useIsBackOffice()
  return (
    <>
      {isBackOffice ? <Screen /> : <Shell />}
      <LoadingBar />
      <OfflineNotice />
      <Notice />
      <OpenDialog />
    </>
  )
}

/** Whether the back office is shown. Visitors and members who are not staff see its “not found” page on the site. */
function useIsBackOffice(): boolean {
  const isStaffRoute = useMatches({ select: (matches) => matches.some(({ routeId }) => routeId === '/staff') })
  const couldBeStaff = useSession(({ token, profile }) => token !== null && (!profile || profile.staff_role !== null))
  return isStaffRoute && couldBeStaff
}

const Screen = () => (
  <Suspense fallback={<div className={css.waiting} aria-busy />}>
    <Outlet />
  </Suspense>
)

/** The frame around every screen of the site, which stays mounted: navigation, header, player. */
function Shell() {
  useEffect(installKeyboard, [])
  useHelpKey()
  const isFullScreen = useMatches({ select: (matches) => matches.at(-1)?.staticData.isFullScreen === true })
  return (
    <div className={css.shell} data-full-screen={isFullScreen || undefined}>
      <a className="skip" href="#main">
        {texts.skipToContent}
      </a>
      <Navigation />
      <Header />
      <main id="main" className={css.main} tabIndex={-1}>
        <Sidebar>
          <Screen />
        </Sidebar>
        <SongMenu />
      </main>
      <footer className={css.footer}>
        <RenderWhenVisible name="footer">
          <Footer />
        </RenderWhenVisible>
      </footer>
      <Player />
      <Tabs />
      <PaletteOpener />
    </div>
  )
}

const AccountNotice = lazyOnDemand(() => import('./AccountNotice.tsx').then(({ AccountNotice }) => AccountNotice))

function Notice() {
  const isShown = useSession(
    ({ profile }) => profile && (profile.viewed_by || (profile.email_bounced && !profile.pending_email)),
  )
  return isShown && <AccountNotice />
}

function OpenDialog() {
  const { dialog } = useSearch({ strict: false })
  if (!dialog) return null
  const Dialog = DIALOG[dialog]
  return <Dialog onClose={closeDialog} />
}

/** The player handles the keyboard; it sends this event when `?` is pressed. */
function useHelpKey() {
  useEffect(() => {
    const help = () => openDialog('keys')
    addEventListener('dubplate:help', help)
    return () => removeEventListener('dubplate:help', help)
  }, [])
}

/** After the server ended a session, the sign-in opens over the page, which stays unchanged with everything typed. */
function useSignInWhenEnded() {
  const ended = useSession((session) => session.ended)
  useEffect(() => {
    if (ended) openDialog('sign-in')
  }, [ended])
}
