import { IconDisc } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { format } from '../format/message.ts'
import css from '../ui/Button.module.css'
import { EmptyState } from '../ui/EmptyState.tsx'
import * as texts from './texts.ts'

type Props = {
  page?: number | undefined
  title?: string
  /** Replaces the link to new releases. */
  action?: ReactNode
  children: string
}

/** An empty list of songs; on a page beyond the last it links to the first page. */
export function NoSongs({ page = 1, title = texts.noSongsYet, action, children }: Props) {
  if (page > 1) {
    const back = (
      <Link to="." search={(search) => ({ ...search, page: undefined })} className={css.button}>
        {texts.goToFirstPage}
      </Link>
    )
    return (
      <EmptyState icon={<IconDisc size={24} />} title={texts.pageNotFound} action={back}>
        {format(texts.noSuchPage, { page })}
      </EmptyState>
    )
  }
  const browseButton = (
    <Link to="/newRelease" className={css.button}>
      {texts.seeNewReleases}
    </Link>
  )
  return (
    <EmptyState icon={<IconDisc size={24} />} title={title} action={action ?? browseButton}>
      {children}
    </EmptyState>
  )
}
