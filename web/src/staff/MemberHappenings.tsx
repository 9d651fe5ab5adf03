import type { members, ReplyOf, uploadedSongs } from '@dubplate/contract'
import { Link } from '@tanstack/react-router'
import { Status } from '../helpdesk/Status.tsx'
import { count, exactDate, plural, shortDate } from '../platform/format.ts'
import { Part } from './MemberPart.tsx'
import css from './MemberView.module.css'

type Shown = ReplyOf<typeof members.getMember>

const When = ({ at }: { at: string }) => (
  <time dateTime={at} title={exactDate(at)}>
    {shortDate(at)}
  </time>
)

/** How much a member downloads, and what they took last. */
export const Downloads = ({ downloads: { total, lately, newest } }: { downloads: Shown['downloads'] }) => (
  <Part title="Downloads" note={total > 0 && `${count(total)} total · ${count(lately)} in the last 30 days`}>
    {newest.length === 0 && <p className={css.none}>No downloads yet</p>}
    <ul className={css.lines}>
      {newest.map(({ download_id, artist, title, version_label, at, used, limit, entity_id }) => (
        <li key={download_id}>
          <Link to="/song/$entityId" params={{ entityId: entity_id }}>
            {artist} – {title}
          </Link>
          <span>{version_label}</span>
          <span className="num" title="Downloads used for this version">
            {used} of {limit}
          </span>
          <When at={at} />
        </li>
      ))}
    </ul>
  </Part>
)

type TicketsProps = { tickets: Shown['tickets']; email: string; isOpen: boolean }

/** What a member wrote to the help desk last. */
export const Tickets = ({ tickets: { open, total, newest }, email, isOpen }: TicketsProps) => (
  <Part
    title="Tickets"
    note={
      total > 0 && (
        <>
          {plural(total, 'ticket')}, {count(open)} open
          {isOpen && total > newest.length && (
            <>
              {' · '}
              <Link to="/staff/tickets" search={{ state: 'all', find: email }}>
                View all
              </Link>
            </>
          )}
        </>
      )
    }
  >
    {newest.length === 0 && <p className={css.none}>No tickets yet</p>}
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
  draft: 'Draft',
  analysing: 'Analysing',
  in_review: 'In review',
  published: 'Published',
  refused: 'Declined',
  expired: 'Expired',
}

type UploadsProps = { uploads: Shown['uploads']; isOpen: boolean }

/** What a member sent last. */
export const Uploads = ({ uploads: { files, songs, newest }, isOpen }: UploadsProps) => (
  <Part title="Uploads" note={`${plural(songs, 'song')}, ${plural(files, 'unused file')}`}>
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
