import { IconKeyboard, IconLogout } from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import { openDialog } from '../platform/address.ts'
import { chooseNotation, NOTATIONS, type Notation, usePreferences } from '../platform/preferences.ts'
import { Menu, MenuChoice, MenuGroup, MenuItem, type Point } from '../ui/Menu.tsx'

const NAMES: Record<Notation, string> = { camelot: 'Camelot (8A)', musical: 'Musical (Am)', open: 'Open Key (1m)' }

type Props = { name: string; at: Point; opener: HTMLElement; onClose: () => void }

/** The menu behind the member's picture. */
export function UserMenu({ name, at, opener, onClose }: Props) {
  const navigate = useNavigate()
  const notation = usePreferences((preferences) => preferences.notation)
  return (
    <Menu label={name || 'Your menu'} at={at} returnTo={opener} onClose={onClose}>
      <MenuGroup title="Keys written as">
        {NOTATIONS.map((each) => (
          <MenuChoice key={each} chosen={each === notation} onSelect={() => chooseNotation(each)}>
            {NAMES[each]}
          </MenuChoice>
        ))}
      </MenuGroup>
      <MenuGroup>
        <MenuItem icon={<IconKeyboard size={16} />} onSelect={() => openDialog('keys')}>
          Keyboard shortcuts
        </MenuItem>
        <MenuItem icon={<IconLogout size={16} />} onSelect={() => void navigate({ to: '/logout' })}>
          Log out
        </MenuItem>
      </MenuGroup>
    </Menu>
  )
}
