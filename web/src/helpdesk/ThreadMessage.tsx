import type { helpdesk } from '@dubplate/contract'
import type { ReactNode } from 'react'
import { formatExactDate } from '../platform/format.ts'
import { formatTimeAgo, useCurrentMinute } from '../platform/timeAgo.ts'
import { Html } from '../site/Html.tsx'
import words from '../ui/Words.module.css'
import { AttachmentList } from './AttachmentList.tsx'
import css from './ThreadMessage.module.css'
import * as texts from './texts.ts'

type Props = {
  reply: Pick<helpdesk.Reply, 'author' | 'admin_id' | 'created_at' | 'details' | 'attachments'> &
    Partial<Pick<helpdesk.Reply, 'id' | 'quoted' | 'via'>>
  /** True if the message arrived while the screen was open. */
  isNew?: boolean
}

/** A message: author and time, text, collapsed email quotes, attachments. */
export function ThreadMessage({ reply, isNew }: Props) {
  const { author, admin_id, created_at, details, quoted, via, attachments } = reply
  const now = useCurrentMinute()
  const isStaff = admin_id !== 0
  return (
    <article className={css.said} data-staff={isStaff || undefined} data-new={isNew || undefined}>
      <header className={css.head}>
        <b>{author}</b>
        <AuthorLabel isStaff={isStaff}>{isStaff ? texts.staff : texts.customer}</AuthorLabel>
        {via === 'mail' && <AuthorLabel>{texts.viaEmail}</AuthorLabel>}
        {isNew && <AuthorLabel>{texts.newLabel}</AuthorLabel>}
        <time dateTime={created_at} title={formatExactDate(created_at)}>
          {formatTimeAgo(created_at, now)}
        </time>
      </header>
      <Html html={details} className={`${css.words} ${words.words}`} />
      {quoted && (
        <details className={css.quoted}>
          <summary>{texts.showQuotedText}</summary>
          <Html html={quoted} className={`${css.words} ${words.words}`} />
        </details>
      )}
      <AttachmentList attachments={attachments} />
    </article>
  )
}

const AuthorLabel = ({ isStaff, children }: { isStaff?: boolean; children: ReactNode }) => (
  <small className={css.label} data-staff={isStaff || undefined}>
    {children}
  </small>
)
