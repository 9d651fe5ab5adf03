import type { staff } from '@dubplate/contract'
import { IconCheck, IconExternalLink, IconNote, IconRotate, IconX } from '@tabler/icons-react'
import { type ReactNode, useRef, useState } from 'react'
import { formatExactDate } from '../../platform/format.ts'
import { format } from '../../platform/message.ts'
import { formatTimeAgo, useCurrentMinute } from '../../platform/timeAgo.ts'
import { Button } from '../../ui/Button.tsx'
import { NoteForm, ReasonForm } from '../forms/TextForms.tsx'
import css from './ApplicationCard.module.css'
import { type Decide, decideOn, noteOn } from './decide.ts'
import * as texts from './texts.ts'

/** Common reasons, as a starting point. */
const REASONS = [texts.weCouldntFindYourWork, texts.theMemberYouNamedCouldnt, texts.thisPoolIsForWorking]

/** The card that gets the focus once this one has left the queue. */
const besideOf = (card: HTMLElement) => (card.nextElementSibling ?? card.previousElementSibling) as HTMLElement | null

type Form = 'reason' | 'note' | undefined

/** One application with its actions. */
export function ApplicationCard({ application }: { application: staff.Application }) {
  const [form, setForm] = useState<Form>()
  const [isBusy, setBusy] = useState(false)
  const card = useRef<HTMLLIElement>(null)
  const { dj_name, state, note } = application
  const decide: Decide = async (decision, reason = '') => {
    const beside = card.current?.contains(document.activeElement) ? besideOf(card.current) : undefined
    setBusy(true)
    const isDone = await decideOn(application, decision, reason)
    setBusy(false)
    if (!isDone) return false
    setForm(undefined)
    beside?.focus()
    return true
  }
  const toggle = (which: Form) => setForm((open) => (open === which ? undefined : which))
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: the keys of the queue move the focus between cards
    <li ref={card} className={css.card} data-item tabIndex={0} aria-label={dj_name} aria-busy={isBusy || undefined}>
      <Who application={application} />
      <Why application={application} />
      {/* Also shown above the form, because its draft may be based on an older note. */}
      {note && <Said title={texts.staffNote}>{note}</Said>}
      {form === 'note' && <NoteForm application={application} onSave={noteOn} onDone={() => setForm(undefined)} />}
      {form === 'reason' ? (
        <ReasonForm
          draftName={`decline.${application.customer_id}`}
          reader="applicant"
          reasons={REASONS}
          verb={texts.decline}
          isBusy={isBusy}
          onSend={(reason) => decide('decline', reason)}
          onCancel={() => setForm(undefined)}
        />
      ) : (
        <div className={css.actions}>
          {state === 'pending' ? (
            <>
              <Button variant="primary" busy={isBusy} data-key="a" onClick={() => void decide('approve')}>
                <IconCheck size={16} aria-hidden />
                {texts.approve}
              </Button>
              <Button data-key="d" disabled={isBusy} onClick={() => toggle('reason')}>
                <IconX size={16} aria-hidden />
                {texts.declineMenuItem}
              </Button>
            </>
          ) : (
            <Button data-key="u" busy={isBusy} onClick={() => void decide('reopen')}>
              <IconRotate size={16} aria-hidden />
              {texts.reopen}
            </Button>
          )}
          <Button data-key="n" onClick={() => toggle('note')}>
            <IconNote size={16} aria-hidden />
            {note ? texts.editNote : texts.addNote}
          </Button>
        </div>
      )}
    </li>
  )
}

function decidedInWords(state: staff.ApplicationState, ago: string, by: string | null): string {
  if (by) return format(state === 'approved' ? texts.approvedAgoBy : texts.declinedAgoBy, { ago, by })
  return format(state === 'approved' ? texts.approvedAgo : texts.declinedAgo, { ago })
}

function Who({ application: { dj_name, email, applied_at, state, decided_at, decided_by } }: Props) {
  const now = useCurrentMinute()
  return (
    <header className={css.who}>
      <div>
        <h2>{dj_name}</h2>
        <a href={`mailto:${email}`}>{email}</a>
      </div>
      <p>
        <time dateTime={applied_at} title={formatExactDate(applied_at)}>
          {format(texts.appliedAgo, { applied_at: formatTimeAgo(applied_at, now) })}
        </time>
        {decided_at && (
          <time dateTime={decided_at} title={formatExactDate(decided_at)}>
            {decidedInWords(state, formatTimeAgo(decided_at, now), decided_by)}
          </time>
        )}
      </p>
    </header>
  )
}

type Props = { application: staff.Application }

function Why({ application }: Props) {
  const { referred_by, referrer, dj_website, link, comment, reason } = application
  return (
    <dl className={css.why}>
      {referred_by && (
        <Line name={texts.memberReference}>
          {referred_by}
          <small data-known={referrer !== null || undefined}>
            {referrer ? format(texts.isAMember, { dj_name: referrer.dj_name }) : texts.noMemberWithThisName}
          </small>
        </Line>
      )}
      {dj_website && (
        <Line name={texts.socialLink}>
          {link ? <SafeLink href={link}>{dj_website}</SafeLink> : dj_website}
          {!link && <small>{texts.notAValidLink}</small>}
        </Line>
      )}
      {comment && <Line name={texts.comment}>{comment}</Line>}
      {reason && <Line name={texts.reason}>{reason}</Line>}
    </dl>
  )
}

/** Opened so that the other site receives no referrer and no `window.opener`. */
const SafeLink = ({ href, children }: { href: string; children: string }) => (
  <a href={href} target="_blank" rel="noopener noreferrer nofollow ugc" referrerPolicy="no-referrer" data-key="o">
    {children}
    <IconExternalLink size={14} aria-hidden />
    <span className="sr"> {texts.opensInANewTab}</span>
  </a>
)

const Line = ({ name, children }: { name: string; children: ReactNode }) => (
  <div>
    <dt>{name}</dt>
    <dd>{children}</dd>
  </div>
)

const Said = ({ title, children }: { title: string; children: string }) => (
  <section className={css.said}>
    <h3>{title}</h3>
    <p>{children}</p>
  </section>
)
