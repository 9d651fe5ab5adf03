import { staff } from '@dubplate/contract'
import { IconChevronDown, IconSend } from '@tabler/icons-react'
import { Fragment, useState } from 'react'
import { callApi } from '../platform/api.ts'
import { formatExactDate } from '../platform/format.ts'
import { InlineError } from '../platform/InlineError.tsx'
import { format } from '../platform/message.ts'
import { queryClient, useApiQuery } from '../platform/queries.ts'
import { formatTimeAgo, useCurrentMinute } from '../platform/timeAgo.ts'
import { Button } from '../ui/Button.tsx'
import { toast, toastError } from '../ui/toast.ts'
import css from './OutgoingMail.module.css'
import * as texts from './texts.ts'

const STATE_WORDS = { waiting: texts.pending, sent: texts.sent, failed: texts.failed }

/** One email. Its text is loaded when it is opened, because opening it is recorded in the audit log. */
export function MailLine({ mail, canSend }: { mail: staff.OutgoingMail; canSend: boolean }) {
  const [isOpen, setOpen] = useState(false)
  const now = useCurrentMinute()
  return (
    <li className={css.line}>
      <button type="button" className={css.head} aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        <b>{mail.subject}</b>
        <span className={css.to}>{mail.to}</span>
        <span className={css.state} data-state={mail.bounce_kind ? 'failed' : mail.state}>
          {mail.bounce_kind ? texts.bounced : STATE_WORDS[mail.state]}
        </span>
        <time dateTime={mail.created_at} title={formatExactDate(mail.created_at)}>
          {formatTimeAgo(mail.created_at, now)}
        </time>
        <IconChevronDown size={16} aria-hidden />
      </button>
      {mail.last_error && !mail.bounce_kind && (
        <p className={css.trouble}>
          {format(texts.mailServerErrorAttempts, { last_error: mail.last_error, attempts: mail.attempts })}
        </p>
      )}
      {mail.bounce_kind && (
        <p className={css.trouble}>
          {format(mail.bounce_kind === 'hard' ? texts.thereIsNoSuchMailbox : texts.couldNotBeDelivered, {
            detail: mail.bounce_detail ?? '',
          })}
        </p>
      )}
      {isOpen && <Letter mail={mail} canSend={canSend} />}
    </li>
  )
}

function Letter({ mail, canSend }: { mail: staff.OutgoingMail; canSend: boolean }) {
  const { data, error, refetch } = useApiQuery(staff.getMail, { mail_id: mail.mail_id })
  const [isBusy, setBusy] = useState(false)
  const send = async () => {
    setBusy(true)
    try {
      await callApi(staff.sendMailAgain, { mail_id: mail.mail_id })
      void toast({ message: format(texts.queuedToSend, { subject: mail.subject }) })
      await queryClient.invalidateQueries({ queryKey: [staff.getOutgoingMail.path] })
    } catch (refused) {
      void toastError(texts.couldntResendEmail, refused)
    }
    setBusy(false)
  }
  if (error && !data) return <InlineError alert error={error} subject={texts.thisEmail} retry={() => void refetch()} />
  return (
    <div className={css.letter} aria-busy={!data || undefined}>
      <p className={css.text}>{data && <Linked text={data.mail.text} />}</p>
      {canSend && mail.state !== 'waiting' && (
        <Button busy={isBusy} onClick={() => void send()}>
          <IconSend size={16} aria-hidden />
          {texts.resend}
        </Button>
      )}
    </div>
  )
}

const ADDRESS = /(https?:\/\/[^\s<>"]+)/

/** Text with clickable links. */
const Linked = ({ text }: { text: string }) =>
  text.split(ADDRESS).map((part, i) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: parts of a text are never reordered
    <Fragment key={i}>{ADDRESS.test(part) ? <a href={part}>{part}</a> : part}</Fragment>
  ))
