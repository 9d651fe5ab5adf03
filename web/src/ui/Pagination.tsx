import type { Pagination as Pages } from '@dubplate/contract'
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { count } from '../platform/format.ts'
import css from './Pagination.module.css'
import { pagesAround } from './pages.ts'

function Turn({
  page,
  label,
  children,
  current,
}: {
  page: number
  label: string
  children: ReactNode
  current?: boolean
}) {
  return (
    <Link
      to="."
      search={(search) => ({ ...search, page: page === 1 ? undefined : page })}
      className={css.turn}
      aria-label={label}
      aria-current={current ? 'page' : undefined}
    >
      {children}
    </Link>
  )
}

type Props = { pagination: Pages /** There are more than `totalCount` says. */; more?: boolean }

/** Turns the pages of a list; the page is in the address. */
export function Pagination({ pagination: { page, perPageLimit, totalCount }, more = false }: Props) {
  const last = Math.ceil(totalCount / perPageLimit)
  if (last <= 1) return null
  const [from, to] = [(page - 1) * perPageLimit + 1, Math.min(page * perPageLimit, totalCount)]
  return (
    <nav className={css.pages} aria-label="Pages">
      <p className="num">
        {count(from)}–{count(to)} of {more && 'more than '}
        {count(totalCount)}
      </p>
      <ul>
        <li>
          {page > 1 && (
            <Turn page={page - 1} label="Page before">
              <IconChevronLeft size={17} />
            </Turn>
          )}
        </li>
        {pagesAround(page, last).map((number) => (
          <li key={number}>
            <Turn page={number} label={`Page ${number}`} current={number === page}>
              {count(number)}
            </Turn>
          </li>
        ))}
        <li>
          {page < last && (
            <Turn page={page + 1} label="Next page">
              <IconChevronRight size={17} />
            </Turn>
          )}
        </li>
      </ul>
    </nav>
  )
}
