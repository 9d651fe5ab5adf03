import { submitApplication } from '@dubplate/contract/schemas/joining'
import { InputBase, TextInput } from '@mantine/core'
import { useId } from 'react'
import { type ResourceFormState, useResourceForm } from '../platform/useResourceForm.ts'
import { Button } from '../ui/Button.tsx'
import css from './ApplicationForm.module.css'
import { type AppliedReply, apply, isApplicantTokenExpired } from './applicant.ts'
import { missingFieldErrors, toApplicationInput, type ApplicationForm as Values } from './application.ts'
import { saveTyped, typed } from './draft.ts'
import { Form } from './Form.tsx'
import joining from './Joining.module.css'
import * as texts from './texts.ts'

const REFERRAL_OPTIONS = [
  { how: 'member', name: texts.memberReference, what: texts.aMemberWhoKnowsYou },
  { how: 'link', name: texts.socialLink, what: texts.yourMixesOrDjProfile },
] as const

type Props = {
  onSent: (applied: AppliedReply) => void
  /** Called when the time to apply has expired. */
  onExpired: () => void
}

/** The DJ application: a member reference, or a link to a page that shows their work. */
export function ApplicationForm({ onSent, onExpired }: Props) {
  const form = useResourceForm<Values, typeof submitApplication, AppliedReply>({
    call: submitApplication,
    values: toFormValues(typed()),
    toInput: toApplicationInput,
    validate: missingFieldErrors,
    onChange: saveTyped,
    onRejected: (error) => {
      if (isApplicantTokenExpired(error)) onExpired()
      return isApplicantTokenExpired(error)
    },
    save: (_, __, values) => apply(toApplicationInput(values)),
    onSaved: onSent,
  })
  const { how } = form.values
  return (
    <Form form={form}>
      <p className={joining.hint}>{texts.showUsYoureAWorking}</p>
      <ReferralChoice form={form} />
      {how === 'member' && (
        <TextInput label={texts.membersDjNameOrEmail} autoComplete="off" {...form.field('referred_by')} />
      )}
      {how === 'link' && (
        <TextInput
          label={texts.linkSoundcloudMixcloudInstagram}
          type="url"
          autoComplete="url"
          {...form.field('dj_website')}
        />
      )}
      <InputBase component="textarea" multiline rows={3} label={texts.commentOptional} {...form.field('comment')} />
      <Button type="submit" variant="primary" busy={form.isBusy}>
        {texts.submitApplication}
      </Button>
    </Form>
  )
}

const toFormValues = ({ how, referred_by, dj_website, comment }: Values): Values => ({
  how,
  referred_by,
  dj_website,
  comment,
})

function ReferralChoice({ form }: { form: ResourceFormState<Values> }) {
  const id = useId()
  const { how } = form.values
  const fieldError = form.field('how').error
  return (
    <fieldset
      className={css.choice}
      data-invalid={fieldError ? true : undefined}
      aria-describedby={fieldError ? id : undefined}
    >
      <legend>{texts.howDoWeKnowYou}</legend>
      {REFERRAL_OPTIONS.map((option, at) => (
        <label key={option.how} className={css.way}>
          <input
            type="radio"
            name="how"
            data-path="how"
            data-autofocus={(how === '' ? at === 0 : how === option.how) || undefined}
            checked={how === option.how}
            onChange={() => form.setValues({ how: option.how })}
          />
          <b>{option.name}</b>
          <small>{option.what}</small>
        </label>
      ))}
      {fieldError && (
        <p id={id} role="alert" className={css.wrong}>
          {fieldError}
        </p>
      )}
    </fieldset>
  )
}
