import { IconChevronRight, type TablerIcon } from '@tabler/icons-react'
import { Link, type LinkProps } from '@tanstack/react-router'
import { count as formatCount } from '../format/format.ts'
import { useIsSectionVisible } from '../platform/pool.ts'
import css from './SitePages.module.css'

export type LinkRow = { to: LinkProps['to']; text: string; icon: TablerIcon; count?: number | undefined }

/** Links to pages, one below the other, without those whose section the pool has turned off. */
export function LinkRows({ rows }: { rows: LinkRow[] }) {
  const isShown = useIsSectionVisible()
  return (
    <ul className={css.rows}>
      {rows
        .filter(({ to }) => isShown(to))
        .map(({ to, text, icon: Icon, count }) => (
          <li key={to}>
            <Link to={to} className={css.row}>
              <Icon size={20} stroke={1.7} aria-hidden />
              <span>{text}</span>
              {count !== undefined && <small className="num">{formatCount(count)}</small>}
              <IconChevronRight size={18} aria-hidden />
            </Link>
          </li>
        ))}
    </ul>
  )
}
