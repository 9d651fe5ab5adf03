import { IconBasketPlus, IconListSearch, IconPencil, IconRefresh, IconRss, IconTrash } from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { Menu, MenuCheck, MenuGroup, MenuItem } from '../ui/Menu.tsx'
import { type SavedSearch, useSavedSearchActions } from './savedSearches.ts'
import * as texts from './texts.ts'

type OpenerProps = {
  'aria-haspopup': 'menu'
  'aria-expanded': boolean
  onClick: (event: { currentTarget: HTMLElement }) => void
}

type Props = {
  search: SavedSearch
  title: string
  onEdit: () => void
  /** Whether the menu leads to the list of saved searches. */
  linksToAll?: boolean
  /** The button that opens the menu. */
  children: (opener: OpenerProps) => ReactNode
}

/** A button that opens the menu of a saved search. */
export function SavedSearchMenu({ search, title, onEdit, linksToAll, children }: Props) {
  const navigate = useNavigate()
  const { toggleEmail, fillNow, copyFeed, renewFeed, remove } = useSavedSearchActions(search)
  const [opener, setOpener] = useState<HTMLElement | null>(null)
  const { left, right, bottom } = opener?.getBoundingClientRect() ?? { left: 0, right: 0, bottom: 0 }
  return (
    <>
      {children({
        'aria-haspopup': 'menu',
        'aria-expanded': opener !== null,
        onClick: ({ currentTarget }) => setOpener(opener ? null : currentTarget),
      })}
      {opener && (
        <Menu
          label={search.name}
          at={{ x: linksToAll ? left : right, y: bottom + 4 }}
          onClose={() => setOpener(null)}
          returnTo={opener}
        >
          <MenuGroup title={title}>
            <MenuItem icon={<IconPencil size={16} />} onSelect={onEdit}>
              {texts.edit}
            </MenuItem>
            <MenuCheck checked={search.by_email} onSelect={toggleEmail}>
              {texts.emailMeAboutNewMusic}
            </MenuCheck>
            <MenuItem icon={<IconBasketPlus size={16} />} onSelect={fillNow}>
              {texts.addNewestToCrate}
            </MenuItem>
            <MenuItem icon={<IconRss size={16} />} onSelect={copyFeed}>
              {texts.copyFeedUrl}
            </MenuItem>
            <MenuItem icon={<IconRefresh size={16} />} onSelect={renewFeed}>
              {texts.resetFeedUrl}
            </MenuItem>
            <MenuItem icon={<IconTrash size={16} />} onSelect={remove}>
              {texts.deleteLabel}
            </MenuItem>
          </MenuGroup>
          {linksToAll && (
            <MenuGroup>
              <MenuItem icon={<IconListSearch size={16} />} onSelect={() => void navigate({ to: '/searches' })}>
                {texts.seeAllSavedSearches}
              </MenuItem>
            </MenuGroup>
          )}
        </Menu>
      )}
    </>
  )
}
