import { IconAdjustments, IconKeyboard, IconLogout, IconShieldLock, IconUpload, IconUser } from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import { Avatar } from '../membership/account/Avatar.tsx'
import { openDialog } from '../platform/address.ts'
import { useIsSectionVisible } from '../platform/pool.ts'
import { chooseNotation, NOTATIONS, type Notation, usePreferences } from '../platform/preferences.ts'
import { useSession } from '../platform/session.ts'
import { Menu, MenuChoice, MenuGroup, MenuItem, type Point } from '../ui/Menu.tsx'
import * as texts from './texts.ts'
import css from './UserMenu.module.css'

const NAMES: Record<Notation, string> = { camelot: texts.camelot8a, musical: texts.musicalAm, open: texts.openKey1m }

const ACCOUNT = [
  { to: '/account/update', text: texts.account, icon: IconUser },
  { to: '/account/security', text: texts.signInSecurity, icon: IconShieldLock },
  { to: '/account/display', text: texts.display, icon: IconAdjustments },
] as const

const UPLOADS = { to: '/uploads/index', text: texts.uploads, icon: IconUpload } as const

/** The customer group of labels, who upload rather than download: their uploads come first. */
const LABELS = 3

const entriesOf = (groupId: number | undefined) => (groupId === LABELS ? [UPLOADS, ...ACCOUNT] : [...ACCOUNT, UPLOADS])

type Props = { name: string; at: Point; opener: HTMLElement; onClose: () => void }

/** The menu that the member's picture opens. */
export function UserMenu({ name, at, opener, onClose }: Props) {
  const navigate = useNavigate()
  const notation = usePreferences((preferences) => preferences.notation)
  const groupId = useSession((session) => session.profile?.group_id)
  const isShown = useIsSectionVisible()
  return (
    <Menu label={name || texts.accountMenu} at={at} returnTo={opener} onClose={onClose}>
      <AccountName name={name} />
      <MenuGroup>
        {entriesOf(groupId)
          .filter(({ to }) => isShown(to))
          .map(({ to, text, icon: Icon }) => (
            <MenuItem key={to} icon={<Icon size={16} />} onSelect={() => void navigate({ to })}>
              {text}
            </MenuItem>
          ))}
      </MenuGroup>
      <MenuGroup title={texts.keyNotation}>
        {NOTATIONS.map((each) => (
          <MenuChoice key={each} chosen={each === notation} onSelect={() => chooseNotation(each)}>
            {NAMES[each]}
          </MenuChoice>
        ))}
      </MenuGroup>
      <MenuGroup>
        <MenuItem icon={<IconKeyboard size={16} />} onSelect={() => openDialog('keys')}>
          {texts.keyboardShortcuts}
        </MenuItem>
        <MenuItem icon={<IconLogout size={16} />} onSelect={() => void navigate({ to: '/logout' })}>
          {texts.signOut}
        </MenuItem>
      </MenuGroup>
    </Menu>
  )
}

/** The menu itself has this name; this is only its visible text. */
function AccountName({ name }: { name: string }) {
  const profile = useSession((session) => session.profile)
  return (
    <div className={css.who} aria-hidden>
      <Avatar name={name} picture={profile?.profile_picture} size_px={40} />
      <span>
        <b className="ellipsis">{name}</b>
        <small className="ellipsis">{profile?.email}</small>
      </span>
    </div>
  )
}
