import { IconBasket, IconMoon, IconSun } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { useCallback, useState } from 'react'
import { format, rich } from '../format/message.ts'
import { useLibrary } from '../library/library.ts'
import { Avatar } from '../membership/account/Avatar.tsx'
import { Bell } from '../notices/Bell.tsx'
import { openDialog } from '../platform/address.ts'
import { chooseScheme, usePreferences } from '../platform/preferences.ts'
import { useSession } from '../platform/session.ts'
import { lazyOnDemand } from '../ui/lazyOnDemand.tsx'
import { Drawer } from './Drawer.tsx'
import css from './Header.module.css'
import { SearchBox } from './SearchBox.tsx'
import * as texts from './texts.ts'

const UserMenu = lazyOnDemand(() => import('./UserMenu.tsx').then(({ UserMenu }) => UserMenu))

export const Header = () => (
  <header className={css.header}>
    <Drawer />
    <SearchBox />
    <LightModeSwitch />
    <CrateLink />
    <AccountButton />
  </header>
)

function LightModeSwitch() {
  const isLightMode = usePreferences(({ scheme }) => scheme === 'light')
  return (
    <button
      type="button"
      className={css.action}
      role="switch"
      aria-checked={isLightMode}
      aria-label={texts.dayMode}
      title={texts.dayMode}
      onClick={() => chooseScheme(isLightMode ? 'dark' : 'light')}
    >
      {isLightMode ? <IconSun size={19} aria-hidden /> : <IconMoon size={19} aria-hidden />}
      <span className={css.wide}>{texts.dayMode}</span>
    </button>
  )
}

function CrateLink() {
  const crateCount = useLibrary((library) => library.crateCount)
  return (
    <Link to="/crate" className={css.action} title={texts.yourCrate} data-takes="crate">
      <IconBasket size={19} aria-hidden />
      <span className={css.crate}>{texts.yourCrate}</span>
      {rich(texts.songsInCrate, {
        count: crateCount,
        b: (inside) => <b className="num">{inside}</b>,
        hidden: (inside) => <span className="sr">{inside}</span>,
      })}
    </Link>
  )
}

function AccountButton() {
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
      <button type="button" className={`${css.action} ${css.wide}`} onClick={() => openDialog('create-account')}>
        {texts.createAccount}
      </button>
      <button type="button" className={`${css.action} ${css.signIn}`} onClick={() => openDialog('sign-in')}>
        {texts.signIn}
      </button>
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
        <Avatar name={name} picture={profile?.profile_picture} size_px={38} />
      </button>
      {opener && <UserMenu name={name} at={menuPosition(opener)} opener={opener} onClose={close} />}
    </>
  )
}

function menuPosition(element: HTMLElement) {
  const { right, bottom } = element.getBoundingClientRect()
  return { x: right, y: bottom + 6 }
}
