import { IconDisc } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import css from '../ui/Button.module.css'
import { EmptyState } from '../ui/EmptyState.tsx'

type Props = {
  page?: number | undefined
  title?: string
  /** In place of the link to new releases. */
  action?: ReactNode
  children: string
}

/** A list without songs; a page beyond the last leads back to the first. */
export function NoSongs({ page = 1, title = 'No songs yet', action, children }: Props) {
  if (page > 1) {
    const back = (
      <Link to="." search={(search) => ({ ...search, page: undefined })} className={css.button}>
        Go to first page
      </Link>
    )
    return (
      <EmptyState icon={<IconDisc size={24} />} title="Page not found" action={back}>
        This list doesn’t have a page {page}.
      </EmptyState>
    )
  }
  const onward = (
    <Link to="/newRelease" className={css.button}>
      See new releases
    </Link>
  )
  return (
    <EmptyState icon={<IconDisc size={24} />} title={title} action={action ?? onward}>
      {children}
    </EmptyState>
  )
}
