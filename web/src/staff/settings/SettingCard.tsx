import { type FormEvent, type ReactNode, type RefObject, useId } from 'react'
import { format, rich } from '../../platform/message.ts'
import { Button } from '../../ui/Button.tsx'
import { Complaint } from '../forms/Complaint.tsx'
import forms from '../forms/Forms.module.css'
import { momentInWords } from '../moments.ts'
import css from './Settings.module.css'
import type { Everything, GroupForm } from './saving.ts'
import * as texts from './texts.ts'

type HeadProps = {
  id: string
  title: string
  /** What the group is about, in a sentence. */
  what: ReactNode
  standing: Everything['groups']['name']
  isSetHere: boolean
  /** Its source when nobody has set it here. */
  otherwise?: string
}

/** The title of a group, its description, and where its values come from. */
export const CardHead = ({ id, title, what, standing, isSetHere, otherwise = texts.setByEnvironment }: HeadProps) => (
  <div className={css.head}>
    <h2 id={id}>{title}</h2>
    <span className={css.origin} data-here={isSetHere || undefined}>
      {isSetHere ? texts.custom : otherwise}
    </span>
    <p className={forms.hint}>
      {what} {changedInWords(standing)}
    </p>
  </div>
)

const changedInWords = ({ changed_at, changed_by }: Everything['groups']['name']): string =>
  !changed_at
    ? ''
    : changed_by
      ? format(texts.lastChangedBy, { time: momentInWords(changed_at), by: changed_by })
      : format(texts.lastChanged, { time: momentInWords(changed_at) })

type Props<E extends object> = Omit<HeadProps, 'id'> & {
  form: GroupForm<E>
  box: RefObject<HTMLFormElement | null>
  /** The environment's value, for the reset button. */
  first: string
  /** A summary of the version that someone else has saved in the meantime. */
  inWords: (all: Everything) => string
  children: ReactNode
}

/** A group of settings that is saved separately: its fields, errors, and reset. */
export function SettingCard<E extends object>({ form, box, first, inWords, children, ...head }: Props<E>) {
  const id = useId()
  const submit = (event: FormEvent) => {
    event.preventDefault()
    void form.save()
  }
  return (
    <form ref={box} noValidate data-framed className={forms.form} aria-labelledby={id} onSubmit={submit}>
      <CardHead id={id} {...head} />
      {children}
      <Complaint of={form.complaint} />
      {form.theirs && <Theirs form={form} words={inWords(form.theirs)} />}
      <div className={forms.actions}>
        <Button
          type="submit"
          variant={form.isTouched ? 'primary' : 'plain'}
          busy={form.isBusy}
          disabled={!form.isTouched}
        >
          {texts.save}
        </Button>
        {form.isTouched && <Button onClick={form.drop}>{texts.discardChanges}</Button>}
        {head.isSetHere && !form.isTouched && (
          <Button onClick={() => void form.goBack()} disabled={form.isBusy}>
            {format(texts.resetTo, { first })}
          </Button>
        )}
      </div>
    </form>
  )
}

const Theirs = <E extends object>({ form, words }: { form: GroupForm<E>; words: string }) => (
  <section className={forms.theirs} aria-label={texts.currentVersion}>
    <p>{rich(texts.someoneElseChangedThisWhile, { words, b: (inside) => <b>{inside}</b> })}</p>
    <div className={forms.actions}>
      <Button onClick={() => void form.keepMine()}>{texts.keepMine}</Button>
      <Button onClick={form.drop}>{texts.useTheirs}</Button>
    </div>
  </section>
)
