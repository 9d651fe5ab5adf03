import { IconLayoutSidebarRight, IconLayoutSidebarRightFilled, IconMoon, IconSun } from '@tabler/icons-react'
import { useLocation } from '@tanstack/react-router'
import { useCallback, useState } from 'react'
import { format } from '../format/message.ts'
import { Avatar } from '../membership/account/Avatar.tsx'
import { Bell } from '../notices/Bell.tsx'
import { openDialog } from '../platform/address.ts'
import { usePageTitle } from '../platform/Page.tsx'
import { chooseScheme, usePreferences } from '../platform/preferences.ts'
import { useSession } from '../platform/session.ts'
import { Button } from '../ui/Button.tsx'
import { IconButton } from '../ui/IconButton.tsx'
import { lazyOnDemand } from '../ui/lazyOnDemand.tsx'
import { SearchBox } from './SearchBox.tsx'
import css from './Shell.module.css'
import { toggleSidebar, useHasSidebar, useIsSidebarOpen } from './sidebarChoice.ts'
import * as texts from './texts.ts'

const UserMenu = lazyOnDemand(() => import('./UserMenu.tsx').then(({ UserMenu }) => UserMenu))

/** On a phone it shows the title of the page; on the search page the search box. */
export function Header() {
  const path = useLocation({ select: ({ pathname }) => pathname })
  const title = usePageTitle((state) => state.title)
  const hasSidebar = useHasSidebar()
  return (
    <header className={css.header} data-path={path}>
      {/* The page itself has the heading. */}
      <span className={`${css.title} ellipsis`} aria-hidden>
        {path === '/' ? texts.home : title}
      </span>
      <SearchBox />
      <div className={css.actions}>
        <ThemeButton />
        {hasSidebar && <SidebarButton />}
        <AccountButtons />
      </div>
    </header>
  )
}

function ThemeButton() {
  const isLight = usePreferences(({ scheme }) => scheme === 'light')
  return (
    <IconButton
      label={isLight ? texts.darkTheme : texts.lightTheme}
      className={css.wide}
      onClick={() => chooseScheme(isLight ? 'dark' : 'light')}
    >
      {isLight ? <IconMoon size={18} stroke={1.7} /> : <IconSun size={18} stroke={1.7} />}
    </IconButton>
  )
}

function SidebarButton() {
  const isOpen = useIsSidebarOpen()
  const Icon = isOpen ? IconLayoutSidebarRightFilled : IconLayoutSidebarRight
  return (
    <IconButton
      label={isOpen ? texts.hideSideColumn : texts.showSideColumn}
      className={css.wide}
      onClick={() => toggleSidebar(!isOpen)}
    >
      <Icon size={18} stroke={1.7} />
    </IconButton>
  )
}

function AccountButtons() {
  const signedIn = useSession((session) => session.token !== null)
  if (signedIn)
    return (
      <>
        <Bell />
        <MenuButton />
      </>
    )
  return (
    <>
      <button type="button" className={css.signIn} onClick={() => openDialog('sign-in')}>
        {texts.signIn}
      </button>
      <Button variant="primary" className={css.wide} onClick={() => openDialog('create-account')}>
        {texts.joinFree}
      </Button>
    </>
  )
}

function MenuButton() {
  const profile = useSession((session) => session.profile)
  const [opener, setOpener] = useState<HTMLElement | null>(null)
  const close = useCallback(() => setOpener(null), [])
  const name = profile?.dj_name ?? ''
  return (
    <>
      <button
        type="button"
        className={css.user}
        aria-haspopup="menu"
        aria-expanded={opener !== null}
        aria-label={name ? format(texts.accountMenuOfMember, { name }) : texts.accountMenu}
        title={name}
        onClick={(event) => setOpener(opener ? null : event.currentTarget)}
      >
        <Avatar name={name} picture={profile?.profile_picture} size_px={32} />
      </button>
      {opener && <UserMenu name={name} at={menuPosition(opener)} opener={opener} onClose={close} />}
    </>
  )
}

function menuPosition(element: HTMLElement) {
  const { right, bottom } = element.getBoundingClientRect()
  return { x: right, y: bottom + 6 }
}
