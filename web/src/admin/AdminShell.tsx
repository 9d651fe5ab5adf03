import './mantine.css'
import { ActionIcon } from '@mantine/core'
import { useLocalStorage, useMediaQuery } from '@mantine/hooks'
import { IconMenu2, IconSearch } from '@tabler/icons-react'
import { Outlet, useLocation } from '@tanstack/react-router'
import { Suspense, useState } from 'react'
import { KeepFocus } from '../ui/KeepFocus.tsx'
import { lazyOnDemand } from '../ui/lazyOnDemand.tsx'
import { Mantine } from '../ui/Mantine.tsx'
import { RoleGate } from './AdminGate.tsx'
import { AdminNavigation } from './AdminNavigation.tsx'
import css from './AdminShell.module.css'
import { findAdminPage } from './adminPages.ts'
import { ConfirmIdentity } from './ConfirmIdentity.tsx'
import { PreviewPlayer } from './PreviewPlayer.tsx'
import * as texts from './texts.ts'
import { useAdminSearch } from './useAdminSearch.ts'

const AdminSearch = lazyOnDemand(() => import('./AdminSearch.tsx').then((code) => code.AdminSearch))
const NavigationDrawer = lazyOnDemand(() => import('./NavigationDrawer.tsx').then((code) => code.NavigationDrawer))

/** The frame of the back office: its own navigation, the page, and a small player while staff listen to a song. */
export function AdminShell() {
  return (
    <Mantine>
      <Frame />
      <ConfirmIdentity />
    </Mantine>
  )
}

function Frame() {
  const path = useLocation({ select: ({ pathname }) => pathname })
  const page = findAdminPage(path)
  const { isNarrow, setNarrow } = useNarrowNavigation()
  // Closes when another page opens.
  const [drawerPath, setDrawerPath] = useState<string>()
  const search = useAdminSearch()
  return (
    <div className={css.shell} data-narrow={isNarrow || undefined}>
      <a className="skip" href="#main">
        {texts.skipToContent}
      </a>
      <header className={css.phoneBar}>
        <ActionIcon size={44} aria-label={texts.openNavigation} onClick={() => setDrawerPath(path)}>
          <IconMenu2 size={22} stroke={1.8} />
        </ActionIcon>
        <b>{page?.name}</b>
        <ActionIcon size={44} aria-label={texts.search} onClick={search.open}>
          <IconSearch size={20} stroke={1.8} />
        </ActionIcon>
      </header>
      <div className={css.side}>
        <AdminNavigation isNarrow={isNarrow} onNarrow={setNarrow} onSearch={search.open} />
      </div>
      <main id="main" className={css.main} tabIndex={-1}>
        <KeepFocus>
          <Suspense fallback={<div className={css.waiting} aria-busy />}>
            <RoleGate>
              <Outlet />
            </RoleGate>
          </Suspense>
        </KeepFocus>
      </main>
      <PreviewPlayer />
      {drawerPath === path && <NavigationDrawer onSearch={search.open} onClose={() => setDrawerPath(undefined)} />}
      {search.isOpen && <AdminSearch onClose={search.close} />}
    </div>
  )
}

/** Whether the navigation shows only icons: chosen by the user, remembered for wide windows and for narrower ones. */
function useNarrowNavigation() {
  const width = useMediaQuery('(min-width: 75em)', true, { getInitialValueInEffect: false }) ? 'wide' : 'medium'
  const [isNarrowAt, setNarrowAt] = useLocalStorage({
    key: 'dubplate.narrow-navigation',
    defaultValue: { wide: false, medium: true },
    getInitialValueInEffect: false,
  })
  return {
    isNarrow: isNarrowAt[width],
    setNarrow: (isNarrow: boolean) => setNarrowAt((was) => ({ ...was, [width]: isNarrow })),
  }
}
