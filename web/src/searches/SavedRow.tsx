import {
  IconAlertTriangle,
  IconBookmark,
  IconDots,
  IconMail,
  IconMailOff,
  IconPencil,
  IconRefresh,
  IconRss,
  IconTrash,
} from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { useCallback, useState } from 'react'
import { formatExactDate } from '../platform/format.ts'
import { format } from '../platform/message.ts'
import { IconButton } from '../ui/IconButton.tsx'
import { Menu, MenuGroup, MenuItem } from '../ui/Menu.tsx'
import { formatNewCount } from './formatNewCount.ts'
import css from './SavedSearches.module.css'
import { NameDialog } from './SaveSearch.tsx'
import { copyFeed, removeSearch, renewFeedUrl, type SavedSearch, setEmailAlerts } from './savedSearches.ts'
import { queryChips, toSearchAddress } from './searchQuery.ts'
import * as texts from './texts.ts'
import type { useNames } from './useNames.ts'

type Props = { search: SavedSearch; names: ReturnType<typeof useNames> }

/** A saved search; its name links to the results. */
export function SavedRow({ search, names }: Props) {
  const { name, query, new_songs, seen_at, by_email, error_message: errorMessage } = search
  const [isNaming, setNaming] = useState(false)
  const { term, search: filters } = toSearchAddress(query)
  return (
    <li className={css.row}>
      <IconBookmark className={css.mark} size={20} stroke={1.7} aria-hidden />
      <div className={css.words}>
        <p className={css.head}>
          <Link to="/search/result/{-$term}" params={{ term }} search={filters} className={css.name} title={name}>
            {name}
          </Link>
          {new_songs > 0 && (
            <span
              className={`${css.badge} num`}
              title={format(texts.addedSince, { seen_at: formatExactDate(seen_at) })}
            >
              {format(texts.newLabel, { newWords: formatNewCount(new_songs) })}
            </span>
          )}
        </p>
        <ul className={css.pieces} aria-label={format(texts.filtersIn, { name })}>
          {queryChips(query, names).map((chip, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a word may occur twice
            <li key={`${at} ${chip}`} title={chip}>
              {chip}
            </li>
          ))}
        </ul>
        {errorMessage && (
          <p className={css.error}>
            <IconAlertTriangle size={16} aria-hidden />
            {errorMessage}
          </p>
        )}
      </div>
      <div className={css.actions}>
        <IconButton
          label={format(texts.emailMeAboutNewMusicForSearch, { name })}
          aria-pressed={by_email}
          onClick={() => void setEmailAlerts(search, !by_email)}
        >
          {by_email ? <IconMail size={18} /> : <IconMailOff size={18} />}
        </IconButton>
        <IconButton
          className={css.feed}
          label={format(texts.copyFeedUrlFor, { name })}
          onClick={() => void copyFeed(search)}
        >
          <IconRss size={18} />
        </IconButton>
        <RowMenu search={search} onRename={() => setNaming(true)} />
      </div>
      {isNaming && <NameDialog query={query} saved={search} onClose={() => setNaming(false)} />}
    </li>
  )
}

function RowMenu({ search, onRename }: { search: SavedSearch; onRename: () => void }) {
  const [opener, setOpener] = useState<HTMLElement | null>(null)
  const close = useCallback(() => setOpener(null), [])
  const { right, bottom } = opener?.getBoundingClientRect() ?? { right: 0, bottom: 0 }
  return (
    <>
      <IconButton
        label={format(texts.moreOptionsFor, { name: search.name })}
        aria-haspopup="menu"
        aria-expanded={opener !== null}
        onClick={(event) => setOpener(opener ? null : event.currentTarget)}
      >
        <IconDots size={18} />
      </IconButton>
      {opener && (
        <Menu label={search.name} at={{ x: right, y: bottom + 4 }} onClose={close} returnTo={opener}>
          <MenuGroup title={search.name}>
            <MenuItem icon={<IconPencil size={16} />} onSelect={onRename}>
              {texts.rename}
            </MenuItem>
            <MenuItem icon={<IconRss size={16} />} onSelect={() => void copyFeed(search)}>
              {texts.copyFeedUrl}
            </MenuItem>
            <MenuItem icon={<IconRefresh size={16} />} onSelect={() => void renewFeedUrl(search)}>
              {texts.resetFeedUrl}
            </MenuItem>
            <MenuItem icon={<IconTrash size={16} />} onSelect={() => removeSearch(search)}>
              {texts.deleteLabel}
            </MenuItem>
          </MenuGroup>
        </Menu>
      )}
    </>
  )
}
