import { type ReplyOf, settings } from '@dubplate/contract'
import { useRef, useState } from 'react'
import { callApi } from '../../platform/api.ts'
import { format } from '../../platform/message.ts'
import { Button } from '../../ui/Button.tsx'
import { useFocusFirstError } from '../../ui/useFocusFirstError.ts'
import { Field } from '../../uploads/Field.tsx'
import forms from '../forms/Forms.module.css'
import { sentenceOf } from '../forms/refused.ts'
import { senderComplaints } from './complaints.ts'
import { SettingCard } from './SettingCard.tsx'
import { type Everything, useGroup } from './saving.ts'
import * as texts from './texts.ts'

type From = Everything['settings']['mail_from']['value']

const inWords = ({ name, address }: From): string => `${name} <${address}>`

/** The sender of emails. */
export function SenderCard({ all }: { all: Everything }) {
  const { mail_from } = all.settings
  const box = useRef<HTMLFormElement>(null)
  const form = useGroup(all, {
    group: 'sender',
    entryOf: ({ settings }): From => settings.mail_from.value,
    valuesOf: ({ name, address }) => ({ mail_from: { name, address } }),
    complaintsOf: senderComplaints,
    onRefused: useFocusFirstError(box),
  })
  const { name, address } = form.typed
  return (
    <SettingCard
      form={form}
      box={box}
      title={texts.sender}
      what={texts.setUpSpfAndDkim}
      standing={all.groups.sender}
      isSetHere={mail_from.is_overridden}
      first={inWords(mail_from.first)}
      inWords={({ settings }) => inWords(settings.mail_from.value)}
    >
      <div className={forms.pair}>
        <Field label={texts.name} path="name" fieldError={form.wrong('mail_from.name')}>
          {(control) => (
            <input
              {...control}
              maxLength={60}
              autoComplete="off"
              value={name}
              onChange={({ target }) => form.write({ name: target.value })}
            />
          )}
        </Field>
        <Field label={texts.emailAddress} path="address" fieldError={form.wrong('mail_from.address')}>
          {(control) => (
            <input
              {...control}
              type="email"
              maxLength={254}
              autoComplete="off"
              value={address}
              onChange={({ target }) => form.write({ address: target.value })}
            />
          )}
        </Field>
      </div>
      <TestMail from={{ name, address }} sendsMail={all.can_send_email} />
    </SettingCard>
  )
}

type Result = ReplyOf<typeof settings.sendTestMail>

/** Sends a test email to the current user with the typed values, and shows the mail server's response. */
function TestMail({ from, sendsMail }: { from: From; sendsMail: boolean }) {
  const [isBusy, setBusy] = useState(false)
  const [result, setResult] = useState<Result>()
  const [complaint, setComplaint] = useState('')
  const send = async () => {
    setBusy(true)
    setResult(undefined)
    setComplaint('')
    try {
      setResult(await callApi(settings.sendTestMail, { mail_from: from }))
    } catch (error) {
      setComplaint(sentenceOf(error))
    }
    setBusy(false)
  }
  if (!sendsMail)
    return (
      <p className={forms.hint} data-warn>
        {texts.emailIsntSetUpMessages}
      </p>
    )
  return (
    <div className={forms.actions}>
      <Button busy={isBusy} onClick={() => void send()}>
        {texts.sendTestEmail}
      </Button>
      <p role="status" className={result?.sent === false || complaint ? forms.complaint : forms.hint}>
        {complaint}
        {result && format(result.sent ? texts.sentTo : texts.couldntSendTo, { to: result.to, response: result.said })}
      </p>
    </div>
  )
}
