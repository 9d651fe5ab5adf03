import { IconBookmark, IconBookmarkFilled, IconListSearch, IconPencil, IconRss, IconTrash } from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import { useCallback, useState } from 'react'
import { openDialog } from '../platform/address.ts'
import { format } from '../platform/message.ts'
import { isSignedIn } from '../platform/session.ts'
import { Button } from '../ui/Button.tsx'
import { KeepFocus } from '../ui/KeepFocus.tsx'
import { lazyOnDemand } from '../ui/lazyOnDemand.tsx'
import { Menu, MenuCheck, MenuGroup, MenuItem } from '../ui/Menu.tsx'
import css from './SaveSearch.module.css'
import { changeSearch, copyFeed, removeSearch, type SavedSearch, saveSearch, setEmailAlerts } from './savedSearches.ts'
import { defaultName, type Query, queryChips } from './searchQuery.ts'
import * as texts from './texts.ts'
import { useNames } from './useNames.ts'

const SearchForm = lazyOnDemand(() => import('./SearchForm.tsx').then(({ SearchForm }) => SearchForm))

type Props = { query: Query; saved: SavedSearch | undefined }

/** Saves the search on screen; if it is already saved, shows its name and allows renaming or removing it. */
export function SaveSearch({ query, saved }: Props) {
  const [isNaming, setNaming] = useState(false)
  return (
    <KeepFocus>
      {saved ? (
        <SavedSearchButton saved={saved} onChange={() => setNaming(true)} />
      ) : (
        <Button onClick={() => (isSignedIn() ? setNaming(true) : openDialog('sign-in'))}>
          <IconBookmark size={17} aria-hidden />
          {texts.saveSearch}
        </Button>
      )}
      {isNaming && <NameDialog query={query} saved={saved} onClose={() => setNaming(false)} />}
    </KeepFocus>
  )
}

/** The dialog to name a new saved search, or to rename an existing one. */
export function NameDialog({ query, saved, onClose }: Props & { onClose: () => void }) {
  const names = useNames()
  // The state when the dialog opened: after saving, it is about to close.
  const [before] = useState(saved)
  return (
    <SearchForm
      title={before ? texts.editSavedSearch : texts.saveSearch}
      submit={texts.save}
      initialValues={before ?? { name: defaultName(query, names), by_email: false }}
      chips={queryChips(query, names)}
      onSubmit={(values) => (before ? changeSearch(before, values) : saveSearch({ query, ...values }))}
      onClose={onClose}
    />
  )
}

function SavedSearchButton({ saved, onChange }: { saved: SavedSearch; onChange: () => void }) {
  const navigate = useNavigate()
  const [opener, setOpener] = useState<HTMLElement | null>(null)
  const close = useCallback(() => setOpener(null), [])
  const { left, bottom } = opener?.getBoundingClientRect() ?? { left: 0, bottom: 0 }
  return (
    <>
      <Button
        className={css.kept}
        aria-haspopup="menu"
        aria-expanded={opener !== null}
        title={format(texts.savedAsName, { name: saved.name })}
        onClick={(event) => setOpener(opener ? null : event.currentTarget)}
      >
        <IconBookmarkFilled size={17} aria-hidden />
        <span className="sr">{texts.savedAs} </span>
        <span className={css.name}>{saved.name}</span>
      </Button>
      {opener && (
        <Menu label={saved.name} at={{ x: left, y: bottom + 4 }} onClose={close} returnTo={opener}>
          <MenuGroup title={format(texts.savedAsName, { name: saved.name })}>
            <MenuItem icon={<IconPencil size={16} />} onSelect={onChange}>
              {texts.edit}
            </MenuItem>
            <MenuCheck checked={saved.by_email} onSelect={() => void setEmailAlerts(saved, !saved.by_email)}>
              {texts.emailMeAboutNewMusic}
            </MenuCheck>
            <MenuItem icon={<IconRss size={16} />} onSelect={() => void copyFeed(saved)}>
              {texts.copyFeedUrl}
            </MenuItem>
            <MenuItem icon={<IconTrash size={16} />} onSelect={() => removeSearch(saved)}>
              {texts.deleteLabel}
            </MenuItem>
          </MenuGroup>
          <MenuGroup>
            <MenuItem icon={<IconListSearch size={16} />} onSelect={() => void navigate({ to: '/searches' })}>
              {texts.seeAllSavedSearches}
            </MenuItem>
          </MenuGroup>
        </Menu>
      )}
    </>
  )
}
