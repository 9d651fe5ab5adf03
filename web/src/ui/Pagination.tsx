import type { Pagination as Pages } from '@dubplate/contract'
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { count } from '../platform/format.ts'
import { format } from '../platform/message.ts'
import css from './Pagination.module.css'
import { pagesAround } from './pages.ts'
import * as texts from './texts.ts'

type TurnProps = { page: number; unnamed: number; label: string; children: ReactNode; current?: boolean }

function Turn({ page, unnamed, label, children, current }: TurnProps) {
  return (
    <Link
      to="."
      // Without a page in it the first page's address is also part of that of every other page.
      activeOptions={{ exact: true }}
      search={(search) => ({ ...search, page: page === unnamed ? undefined : page })}
      className={css.turn}
      aria-label={label}
      aria-current={current ? 'page' : undefined}
    >
      {children}
    </Link>
  )
}

type Props = {
  pagination: Pages
  /** There are more than `totalCount` says. */
  more?: boolean
  /** The list opens on its last page, which an address without a page is then. */
  opensLast?: boolean
}

/** Turns the pages of a list; the page is in the address. */
export function Pagination({ pagination, more = false, opensLast = false }: Props) {
  const { page, perPageLimit, totalCount } = pagination
  const last = Math.ceil(totalCount / perPageLimit)
  const unnamed = opensLast ? last : 1
  if (last <= 1) return null
  const [from, to] = [(page - 1) * perPageLimit + 1, Math.min(page * perPageLimit, totalCount)]
  return (
    <nav className={css.pages} aria-label={texts.pages}>
      <p className="num">
        {format(texts.of, { from: count(from), to: count(to) })} {more && 'more than '}
        {count(totalCount)}
      </p>
      <ul>
        <li>
          {page > 1 && (
            <Turn page={page - 1} unnamed={unnamed} label={texts.previousPage}>
              <IconChevronLeft size={17} />
            </Turn>
          )}
        </li>
        {pagesAround(page, last).map((number) => (
          <li key={number}>
            <Turn page={number} unnamed={unnamed} label={format(texts.page, { number })} current={number === page}>
              {count(number)}
            </Turn>
          </li>
        ))}
        <li>
          {page < last && (
            <Turn page={page + 1} unnamed={unnamed} label={texts.nextPage}>
              <IconChevronRight size={17} />
            </Turn>
          )}
        </li>
      </ul>
    </nav>
  )
}
