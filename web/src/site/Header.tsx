import { IconBasket, IconMoon, IconSun } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { useCallback, useState } from 'react'
import { useLibrary } from '../library/library.ts'
import { Portrait } from '../membership/account/Portrait.tsx'
import { Bell } from '../notices/Bell.tsx'
import { openDialog } from '../platform/address.ts'
import { count } from '../platform/format.ts'
import { format } from '../platform/message.ts'
import { chooseScheme, usePreferences } from '../platform/preferences.ts'
import { useSession } from '../platform/session.ts'
import { late } from '../ui/late.tsx'
import { Drawer } from './Drawer.tsx'
import css from './Header.module.css'
import { SearchBox } from './SearchBox.tsx'
import * as texts from './texts.ts'

const UserMenu = late(() => import('./UserMenu.tsx').then(({ UserMenu }) => UserMenu))

export const Header = () => (
  <header className={css.header}>
    <Drawer />
    <SearchBox />
    <DayMode />
    <CrateLink />
    <Person />
  </header>
)

function DayMode() {
  const isDay = usePreferences(({ scheme }) => scheme === 'light')
  return (
    <button
      type="button"
      className={css.day}
      role="switch"
      aria-checked={isDay}
      aria-label={texts.dayMode}
      title={texts.dayMode}
      onClick={() => chooseScheme(isDay ? 'dark' : 'light')}
    >
      {isDay ? <IconSun size={19} aria-hidden /> : <IconMoon size={19} aria-hidden />}
      <span>{texts.dayMode}</span>
    </button>
  )
}

function CrateLink() {
  const held = useLibrary((library) => library.crateCount)
  return (
    <Link to="/crate" className={css.crate} title={texts.yourCrate} data-takes="crate">
      <IconBasket size={19} aria-hidden />
      <span>{texts.yourCrate}</span>
      <b className="num">{count(held)}</b>
      <span className="sr">{held === 1 ? 'song' : 'songs'}</span>
    </Link>
  )
}

function Person() {
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
      <button type="button" className={css.join} onClick={() => openDialog('create-account')}>
        {texts.createAccount}
      </button>
      <button type="button" className={css.signIn} onClick={() => openDialog('sign-in')}>
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
        aria-label={name ? format(texts.accountMenu, { name }) : texts.accountMenu2}
        title={name}
        onClick={(event) => setOpener(opener ? null : event.currentTarget)}
      >
        <Portrait name={name} picture={profile?.profile_picture} size_px={38} />
      </button>
      {opener && <UserMenu name={name} at={belowOf(opener)} opener={opener} onClose={close} />}
    </>
  )
}

function belowOf(element: HTMLElement) {
  const { right, bottom } = element.getBoundingClientRect()
  return { x: right, y: bottom + 6 }
}
