import { submitApplication } from '@dubplate/contract/schemas/joining'
import { InputBase, TextInput } from '@mantine/core'
import { schemaResolver, type UseFormReturnType } from '@mantine/form'
import { useId } from 'react'
import { Button } from '../ui/Button.tsx'
import css from './ApplicationForm.module.css'
import { type AppliedReply, apply, isApplicantTokenExpired } from './applicant.ts'
import { missingFieldErrors, toApplicationInput, type ApplicationForm as Values } from './application.ts'
import { saveTyped, typed } from './draft.ts'
import { ErrorMessages } from './ErrorMessages.tsx'
import joining from './Joining.module.css'
import * as texts from './texts.ts'
import { useDialogForm } from './useDialogForm.ts'

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
  const {
    form,
    submit,
    isBusy,
    complaints: errorMessages,
  } = useDialogForm<Values>({
    initialValues: toFormValues(typed()),
    validate: (values) => ({
      ...schemaResolver(submitApplication.input, { sync: true })(values),
      ...missingFieldErrors(values),
    }),
    onValuesChange: saveTyped,
    send: async (values) => onSent(await apply(toApplicationInput(values))),
    onRejected: (apiError) => {
      if (isApplicantTokenExpired(apiError)) onExpired()
      return isApplicantTokenExpired(apiError)
    },
  })
  const { how } = form.values
  return (
    <form noValidate className={joining.form} onSubmit={submit}>
      <p className={joining.hint}>{texts.showUsYoureAWorking}</p>
      <ErrorMessages messages={errorMessages} />
      <ReferralChoice form={form} />
      {how === 'member' && (
        <TextInput label={texts.membersDjNameOrEmail} autoComplete="off" {...form.getInputProps('referred_by')} />
      )}
      {how === 'link' && (
        <TextInput
          label={texts.linkSoundcloudMixcloudInstagram}
          type="url"
          autoComplete="url"
          {...form.getInputProps('dj_website')}
        />
      )}
      <InputBase
        component="textarea"
        multiline
        rows={3}
        label={texts.commentOptional}
        {...form.getInputProps('comment')}
      />
      <Button type="submit" variant="primary" busy={isBusy}>
        {texts.submitApplication}
      </Button>
    </form>
  )
}

const toFormValues = ({ how, referred_by, dj_website, comment }: Values): Values => ({
  how,
  referred_by,
  dj_website,
  comment,
})

function ReferralChoice({ form }: { form: UseFormReturnType<Values> }) {
  const id = useId()
  const { how } = form.values
  const fieldError = form.errors.how
  return (
    <fieldset
      className={css.choice}
      data-wrong={fieldError ? true : undefined}
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
            onChange={() => form.setFieldValue('how', option.how)}
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
