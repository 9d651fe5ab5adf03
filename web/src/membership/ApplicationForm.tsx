import { submitApplication } from '@dubplate/contract/schemas/joining'
import { InputBase, TextInput } from '@mantine/core'
import { schemaResolver, type UseFormReturnType } from '@mantine/form'
import { useId } from 'react'
import { Button } from '../ui/Button.tsx'
import css from './ApplicationForm.module.css'
import { type Applied, apply, hasRunOut } from './applicant.ts'
import { missingIn, sentOf, type ApplicationForm as Values } from './application.ts'
import { Complaints } from './Complaints.tsx'
import { keepTyped, typed } from './draft.ts'
import joining from './Joining.module.css'
import * as texts from './texts.ts'
import { useDialogForm } from './useDialogForm.ts'

const WAYS = [
  { how: 'member', name: texts.memberReference, what: texts.aMemberWhoKnowsYou },
  { how: 'link', name: texts.socialLink, what: texts.yourMixesOrDjProfile },
] as const

type Props = {
  onSent: (applied: Applied) => void
  /** The time for applying has run out. */
  onOver: () => void
}

/** The application of a DJ: somebody who knows them, or a page that shows their work. */
export function ApplicationForm({ onSent, onOver }: Props) {
  const { form, submit, isBusy, complaints } = useDialogForm<Values>({
    initialValues: formOf(typed()),
    validate: (values) => ({
      ...schemaResolver(submitApplication.input, { sync: true })(values),
      ...missingIn(values),
    }),
    keep: keepTyped,
    send: async (values) => onSent(await apply(sentOf(values))),
    onRefused: (refusal) => {
      if (hasRunOut(refusal)) onOver()
      return hasRunOut(refusal)
    },
  })
  const { how } = form.values
  return (
    <form noValidate className={joining.form} onSubmit={submit}>
      <p className={joining.hint}>{texts.showUsYoureAWorking}</p>
      <Complaints sentences={complaints} />
      <Ways form={form} />
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
      <Button type="submit" look="primary" busy={isBusy}>
        {texts.submitApplication}
      </Button>
    </form>
  )
}

const formOf = ({ how, referred_by, dj_website, comment }: Values): Values => ({
  how,
  referred_by,
  dj_website,
  comment,
})

function Ways({ form }: { form: UseFormReturnType<Values> }) {
  const id = useId()
  const { how } = form.values
  const wrong = form.errors.how
  return (
    <fieldset className={css.choice} data-wrong={wrong ? true : undefined} aria-describedby={wrong ? id : undefined}>
      <legend>{texts.howDoWeKnowYou}</legend>
      {WAYS.map((way, at) => (
        <label key={way.how} className={css.way}>
          <input
            type="radio"
            name="how"
            data-path="how"
            data-autofocus={(how === '' ? at === 0 : how === way.how) || undefined}
            checked={how === way.how}
            onChange={() => form.setFieldValue('how', way.how)}
          />
          <b>{way.name}</b>
          <small>{way.what}</small>
        </label>
      ))}
      {wrong && (
        <p id={id} role="alert" className={css.wrong}>
          {wrong}
        </p>
      )}
    </fieldset>
  )
}
