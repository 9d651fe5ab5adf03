import type { announcements } from '@dubplate/contract'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { format } from '../../platform/message.ts'
import { ANNOUNCED_PAGES } from '../../site/announcedPages.ts'
import { Html } from '../../site/Html.tsx'
import button from '../../ui/Button.module.css'
import { Button } from '../../ui/Button.tsx'
import words from '../../ui/Words.module.css'
import { keepFor } from '../forms/useKept.ts'
import css from '../Lists.module.css'
import { momentInWords } from '../moments.ts'
import { AnnouncementEdit, draftNameOf } from './AnnouncementEdit.tsx'
import { AUDIENCE_WORDS, entryOfAgain } from './announcementEntry.ts'
import { endNow } from './announcing.ts'
import * as texts from './texts.ts'

type StaffAnnouncement = announcements.StaffAnnouncement

type Props = {
  announcement: StaffAnnouncement
  isOpen: boolean
  onSaved: (saved: StaffAnnouncement) => void
  onClose: () => void
}

/** One announcement with its actions; while it is being edited, its form is shown in its place. */
export function AnnouncementCard({ announcement, isOpen, onSaved, onClose }: Props) {
  return (
    <li>
      {isOpen ? (
        <AnnouncementEdit announcement={announcement} onSaved={onSaved} onClose={onClose} />
      ) : (
        <Card announcement={announcement} />
      )}
    </li>
  )
}

function Card({ announcement }: { announcement: StaffAnnouncement }) {
  const { message, page_name, audience, written_by, hidden_by } = announcement
  return (
    <article
      className={css.card}
      aria-label={format(texts.announcementOn, { text: ANNOUNCED_PAGES[page_name]?.text ?? page_name })}
    >
      <p className={css.facts}>
        <b>{ANNOUNCED_PAGES[page_name]?.text ?? page_name}</b>
        <span>{AUDIENCE_WORDS[audience]}</span>
        <span>{timesInWords(announcement)}</span>
        {written_by && <span>{format(texts.writtenBy, { written_by })}</span>}
        {hidden_by > 0 && <span>{format(texts.dismissedByMembers, { hidden_by })}</span>}
      </p>
      <Html html={message} className={words.words} />
      <Actions announcement={announcement} />
    </article>
  )
}

function timesInWords({ state, published_at, ended_at }: StaffAnnouncement): string {
  const [from, until] = [momentInWords(published_at), ended_at && momentInWords(ended_at)]
  if (state === 'ended') return `${from} – ${until}`
  if (state === 'scheduled') return until ? `${from} – ${until}` : format(texts.fromNoEndDate, { from })
  return until ? format(texts.sinceUntil, { from, until }) : format(texts.sinceNoEndDate, { from })
}

function Actions({ announcement }: { announcement: StaffAnnouncement }) {
  const { message_id, state } = announcement
  const [isBusy, setBusy] = useState(false)
  const end = async () => {
    setBusy(true)
    await endNow(announcement)
    setBusy(false)
  }
  const edit = (text: string, onClick?: () => void) => (
    <Link
      from="/staff/announcements"
      to="."
      search={(was) => ({ ...was, open: String(message_id) })}
      className={button.button}
      onClick={onClick}
    >
      {text}
    </Link>
  )
  return (
    <div className={css.actions}>
      {state === 'ended' ? (
        edit(texts.publishAgain, () => keepFor(draftNameOf(message_id), entryOfAgain(announcement)))
      ) : (
        <>
          {edit(texts.edit)}
          <Button busy={isBusy} onClick={() => void end()}>
            {state === 'scheduled' ? texts.deleteButton : texts.endNow}
          </Button>
        </>
      )}
    </div>
  )
}
