import type { Pagination as Pages } from '@dubplate/contract'
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { count } from '../format/format.ts'
import { format } from '../format/message.ts'
import css from './Pagination.module.css'
import { pagesAround } from './pages.ts'
import * as texts from './texts.ts'

type PageLinkProps = { page: number; defaultPage: number; label: string; children: ReactNode; current?: boolean }

function PageLink({ page, defaultPage, label, children, current }: PageLinkProps) {
  return (
    <Link
      to="."
      // The first page has no page parameter, so its URL would match that of every other page.
      activeOptions={{ exact: true }}
      search={(search) => ({ ...search, page: page === defaultPage ? undefined : page })}
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
  /** True if there are more items than `totalCount`. */
  more?: boolean
  /** True if a URL without a page shows the last page. */
  startsAtLastPage?: boolean
}

/** The page links of a list; the page is in the URL. */
export function Pagination({ pagination, more = false, startsAtLastPage = false }: Props) {
  const { page, perPageLimit, totalCount } = pagination
  const last = Math.ceil(totalCount / perPageLimit)
  const defaultPage = startsAtLastPage ? last : 1
  if (last <= 1) return null
  const [from, to] = [(page - 1) * perPageLimit + 1, Math.min(page * perPageLimit, totalCount)]
  return (
    <nav className={css.pages} aria-label={texts.pages}>
      <p className="num">
        {format(more ? texts.rangeOfMoreThanTotal : texts.rangeOfTotal, {
          from: count(from),
          to: count(to),
          total: count(totalCount),
        })}
      </p>
      <ul>
        <li>
          {page > 1 && (
            <PageLink page={page - 1} defaultPage={defaultPage} label={texts.previousPage}>
              <IconChevronLeft size={17} />
            </PageLink>
          )}
        </li>
        {pagesAround(page, last).map((number) => (
          <li key={number}>
            <PageLink
              page={number}
              defaultPage={defaultPage}
              label={format(texts.page, { number })}
              current={number === page}
            >
              {count(number)}
            </PageLink>
          </li>
        ))}
        <li>
          {page < last && (
            <PageLink page={page + 1} defaultPage={defaultPage} label={texts.nextPage}>
              <IconChevronRight size={17} />
            </PageLink>
          )}
        </li>
      </ul>
    </nav>
  )
}
