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
import { exactDate } from '../platform/format.ts'
import { IconButton } from '../ui/IconButton.tsx'
import { Menu, MenuGroup, MenuItem } from '../ui/Menu.tsx'
import { newWords } from './newWords.ts'
import css from './SavedSearches.module.css'
import { Naming } from './SaveSearch.tsx'
import { copyFeed, removeSearch, renewFeed, type Saved, switchMail } from './savedSearches.ts'
import { addressOf, piecesOf } from './searchQuery.ts'
import type { useNames } from './useNames.ts'

type Props = { search: Saved; names: ReturnType<typeof useNames> }

/** A kept search: its name leads to what it finds. */
export function SavedRow({ search, names }: Props) {
  const { name, query, new_songs, seen_at, by_mail, trouble } = search
  const [isNaming, setNaming] = useState(false)
  const { term, search: filters } = addressOf(query)
  const mail = by_mail ? `Emails about new music for ${name} are on` : `Emails about new music for ${name} are off`
  return (
    <li className={css.row}>
      <IconBookmark className={css.mark} size={20} stroke={1.7} aria-hidden />
      <div className={css.words}>
        <p className={css.head}>
          <Link to="/search/result/{-$term}" params={{ term }} search={filters} className={css.name} title={name}>
            {name}
          </Link>
          {new_songs > 0 && (
            <span className={`${css.badge} num`} title={`Added since ${exactDate(seen_at)}`}>
              {newWords(new_songs)} new
            </span>
          )}
        </p>
        <ul className={css.pieces} aria-label={`Filters in ${name}`}>
          {piecesOf(query, names).map((piece, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a word may stand there twice
            <li key={`${at} ${piece}`} title={piece}>
              {piece}
            </li>
          ))}
        </ul>
        {trouble && (
          <p className={css.trouble}>
            <IconAlertTriangle size={16} aria-hidden />
            {trouble}
          </p>
        )}
      </div>
      <div className={css.actions}>
        <IconButton label={mail} aria-pressed={by_mail} onClick={() => void switchMail(search, !by_mail)}>
          {by_mail ? <IconMail size={18} /> : <IconMailOff size={18} />}
        </IconButton>
        <IconButton className={css.feed} label={`Copy feed URL for ${name}`} onClick={() => void copyFeed(search)}>
          <IconRss size={18} />
        </IconButton>
        <More search={search} onRename={() => setNaming(true)} />
      </div>
      {isNaming && <Naming query={query} saved={search} onClose={() => setNaming(false)} />}
    </li>
  )
}

function More({ search, onRename }: { search: Saved; onRename: () => void }) {
  const [opener, setOpener] = useState<HTMLElement | null>(null)
  const close = useCallback(() => setOpener(null), [])
  const { right, bottom } = opener?.getBoundingClientRect() ?? { right: 0, bottom: 0 }
  return (
    <>
      <IconButton
        label={`More options for ${search.name}`}
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
              Rename
            </MenuItem>
            <MenuItem icon={<IconRss size={16} />} onSelect={() => void copyFeed(search)}>
              {' '}
              Copy feed URL{' '}
            </MenuItem>
            <MenuItem icon={<IconRefresh size={16} />} onSelect={() => void renewFeed(search)}>
              {' '}
              Reset feed URL{' '}
            </MenuItem>
            <MenuItem icon={<IconTrash size={16} />} onSelect={() => removeSearch(search)}>
              {' '}
              Delete{' '}
            </MenuItem>
          </MenuGroup>
        </Menu>
      )}
    </>
  )
}
