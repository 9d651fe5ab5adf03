import { submitApplication } from '@dubplate/contract/schemas/joining'
import { InputBase, TextInput } from '@mantine/core'
import { useResourceForm } from '../platform/useResourceForm.ts'
import { Button } from '../ui/Button.tsx'
import { ChoiceCards } from './account/ChoiceCards.tsx'
import { type AppliedReply, apply, isApplicantTokenExpired } from './applicant.ts'
import { missingFieldErrors, toApplicationInput, type ApplicationForm as Values } from './application.ts'
import { saveTyped, typed } from './draft.ts'
import { Form } from './Form.tsx'
import css from './Membership.module.css'
import * as texts from './texts.ts'

const REFERRAL_OPTIONS = [
  { value: 'member', name: texts.memberReference, note: texts.aMemberWhoKnowsYou },
  { value: 'link', name: texts.socialLink, note: texts.yourMixesOrDjProfile },
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
      <p className={css.hint}>{texts.showUsYoureAWorking}</p>
      <ChoiceCards
        title={texts.howDoWeKnowYou}
        choices={REFERRAL_OPTIONS}
        chosen={how}
        error={form.field('how').error}
        hasFocus
        onChoose={form.field('how').onChange}
      />
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
