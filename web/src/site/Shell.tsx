import { Outlet, useSearch } from '@tanstack/react-router'
import { lazy, Suspense, useEffect } from 'react'
import { SongMenu } from '../catalogue/SongMenu.tsx'
import { keepProfileFresh } from '../membership/membership.ts'
import { closeDialog, type DialogName, openDialog } from '../platform/address.ts'
import { useSession } from '../platform/session.ts'
import { installKeyboard } from '../player/keyboard.ts'
import { Player } from '../player/Player.tsx'
import { Beside } from './Beside.tsx'
import { Header } from './Header.tsx'
import { LoadingBar } from './LoadingBar.tsx'
import { Navigation, Tabs } from './Navigation.tsx'
import { OfflineNotice } from './OfflineNotice.tsx'
import { PaletteOpener } from './PaletteOpener.tsx'
import css from './Shell.module.css'

const SignIn = lazy(() => import('../membership/SignIn.tsx').then(({ SignIn }) => ({ default: SignIn })))
const Keys = lazy(() => import('./Keys.tsx').then(({ Keys }) => ({ default: Keys })))

const DIALOG: Record<DialogName, typeof SignIn> = { 'sign-in': SignIn, keys: Keys }

/** What stands around every screen, and never goes away: navigation, header, player. */
export function Shell() {
  useEffect(installKeyboard, [])
  useEffect(keepProfileFresh, [])
  useHelpKey()
  useSignInWhenEnded()
  return (
    <div className={css.shell}>
      <a className="skip" href="#main">
        Skip to content
      </a>
      <LoadingBar />
      <Navigation />
      <Header />
      <main id="main" className={css.main} tabIndex={-1}>
        <Beside>
          <Suspense fallback={<div className={css.waiting} aria-busy />}>
            <Outlet />
          </Suspense>
        </Beside>
        <SongMenu />
      </main>
      <OfflineNotice />
      <Player />
      <Tabs />
      <Suspense>
        <OpenDialog />
      </Suspense>
      <PaletteOpener />
    </div>
  )
}

function OpenDialog() {
  const { dialog } = useSearch({ strict: false })
  if (!dialog) return null
  const Dialog = DIALOG[dialog]
  return <Dialog onClose={closeDialog} />
}

/** The player hears the keyboard; it asks for help with this event when `?` is pressed. */
function useHelpKey() {
  useEffect(() => {
    const help = () => openDialog('keys')
    addEventListener('dubplate:help', help)
    return () => removeEventListener('dubplate:help', help)
  }, [])
}

/** A session that the server ended: the sign-in comes up over the page, which stays as it is, with all that was typed. */
function useSignInWhenEnded() {
  const ended = useSession((session) => session.ended)
  useEffect(() => {
    if (ended) openDialog('sign-in')
  }, [ended])
}
