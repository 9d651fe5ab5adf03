import type { members, ReplyOf, uploadedSongs } from '@dubplate/contract'
import { Link } from '@tanstack/react-router'
import { Status } from '../../helpdesk/Status.tsx'
import { count, formatExactDate, formatShortDate } from '../../platform/format.ts'
import { format } from '../../platform/message.ts'
import { Part } from './MemberPart.tsx'
import css from './MemberView.module.css'
import * as texts from './texts.ts'

type Shown = ReplyOf<typeof members.getMember>

const When = ({ at }: { at: string }) => (
  <time dateTime={at} title={formatExactDate(at)}>
    {formatShortDate(at)}
  </time>
)

/** How much a member downloads, and their newest downloads. */
export const Downloads = ({ downloads: { total, lately, newest } }: { downloads: Shown['downloads'] }) => (
  <Part
    title={texts.downloads}
    note={total > 0 && format(texts.totalAndLast30Days, { total: count(total), lately: count(lately) })}
  >
    {newest.length === 0 && <p className={css.none}>{texts.noDownloadsYet}</p>}
    <ul className={css.lines}>
      {newest.map(({ download_id, artist, title, version_label, at, used, limit, entity_id }) => (
        <li key={download_id}>
          <Link to="/song/$entityId" params={{ entityId: entity_id }}>
            {artist} – {title}
          </Link>
          <span>{version_label}</span>
          <span className="num" title={texts.downloadsUsedForThisVersion}>
            {format(texts.usedOfLimit, { used, limit })}
          </span>
          <When at={at} />
        </li>
      ))}
    </ul>
  </Part>
)

type TicketsProps = { tickets: Shown['tickets']; email: string; isOpen: boolean }

/** A member's newest support tickets. */
export const Tickets = ({ tickets: { open, total, newest }, email, isOpen }: TicketsProps) => (
  <Part
    title={texts.tickets}
    note={
      total > 0 && (
        <>
          {format(texts.ticketsOpen, { total, open: count(open) })}
          {isOpen && total > newest.length && (
            <>
              {' · '}
              <Link to="/staff/tickets" search={{ state: 'all', find: email }}>
                {texts.viewAll}
              </Link>
            </>
          )}
        </>
      )
    }
  >
    {newest.length === 0 && <p className={css.none}>{texts.noTicketsYet}</p>}
    <ul className={css.lines}>
      {newest.map(({ ticket_number, subject, status, modified_at }) => (
        <li key={ticket_number}>
          {isOpen ? (
            <Link to="/staff/tickets/$ticketNumber" params={{ ticketNumber: ticket_number }}>
              {subject}
            </Link>
          ) : (
            <b>{subject}</b>
          )}
          <Status status={status} />
          <When at={modified_at} />
        </li>
      ))}
    </ul>
  </Part>
)

const SONG_WORDS: Record<uploadedSongs.SongState, string> = {
  draft: texts.draft,
  analysing: texts.analysing,
  in_review: texts.inReview,
  published: texts.published,
  declined: texts.declined,
  expired: texts.expired,
}

type UploadsProps = { uploads: Shown['uploads']; isOpen: boolean }

/** A member's newest uploads. */
export const Uploads = ({ uploads: { files, songs, newest }, isOpen }: UploadsProps) => (
  <Part title={texts.uploads} note={format(texts.songsAndUnusedFiles, { songs, files })}>
    <ul className={css.lines}>
      {newest.map(({ upload_song_id, artist, title, status, created_at }) => (
        <li key={upload_song_id}>
          {isOpen ? (
            <Link to="/staff/uploads" search={{ state: status, open: upload_song_id }}>
              {artist} – {title}
            </Link>
          ) : (
            <b>
              {artist} – {title}
            </b>
          )}
          <span>{SONG_WORDS[status]}</span>
          <When at={created_at} />
        </li>
      ))}
    </ul>
  </Part>
)
