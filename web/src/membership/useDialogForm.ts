import { type FormErrors, useForm } from '@mantine/form'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import { RefusalError } from '../platform/api.ts'
import * as texts from './texts.ts'

type Options<Values> = {
  initialValues: Values
  /** What is wrong, by field. */
  validate: (values: Values) => FormErrors
  /** Hears of each change: what was typed outlives the dialog. */
  keep?: (values: Values) => void
  /** Throws what the server refuses. */
  send: (values: Values) => Promise<void>
  /** Hears of a refusal first; true where it was dealt with and is no complaint. */
  onRefused?: (refusal: RefusalError) => boolean
}

/**
 * A form that is checked when it is sent and, once that failed, at each change. What the server refuses is said above the
 * fields, and those it speaks of are marked.
 */
export function useDialogForm<Values extends Record<string, string>>(options: Options<Values>) {
  const { initialValues, validate, keep, send, onRefused } = options
  const isTried = useRef(false)
  const [complaints, setComplaints] = useState<string[]>([])
  const form = useForm<Values>({
    initialValues,
    validate,
    onValuesChange: (values) => {
      keep?.(values)
      if (isTried.current) form.validate()
    },
  })
  useFocusKept(form.submitting)

  const refuse = (error: unknown, box: HTMLFormElement | undefined) => {
    isTried.current = true
    if (error instanceof RefusalError) {
      if (onRefused?.(error)) return
      form.setErrors(markedOnly(error.fields))
      focusFirst(box, error.fields)
    }
    setComplaints(complaintsOf(error))
  }
  const submit = form.onSubmit(
    async (values, event) => {
      const box = boxOf(event)
      setComplaints([])
      isTried.current = false
      await send(values).catch((error: unknown) => refuse(error, box))
    },
    (errors, _, event) => {
      isTried.current = true
      focusFirst(boxOf(event), errors)
    },
  )
  return { form, submit, isBusy: form.submitting, complaints }
}

/** The fields as wrong, without the words: these stand above, with those that belong to no field. */
const markedOnly = (fields: Record<string, string>): FormErrors =>
  Object.fromEntries(Object.keys(fields).map((name) => [name, true]))

const boxOf = (event: FormEvent<HTMLFormElement> | undefined) => event?.currentTarget

/** Puts the focus on the first field of the form, as it is read, that something is wrong with. */
function focusFirst(box: HTMLFormElement | undefined, errors: object) {
  const fields = box?.querySelectorAll<HTMLElement>('[data-path]') ?? []
  for (const field of fields) {
    if ((field.dataset.path ?? '') in errors) return field.focus()
  }
}

/** Gives the focus back to the button that was pressed: the browser takes it away while it cannot be pressed. */
function useFocusKept(isBusy: boolean) {
  const pressed = useRef<Element | null>(null)
  useEffect(() => {
    if (isBusy) pressed.current = document.activeElement
    else if (document.activeElement === document.body && pressed.current instanceof HTMLElement) pressed.current.focus()
  }, [isBusy])
}

/** Why something did not work, in sentences. */
export function complaintsOf(error: unknown): string[] {
  if (error instanceof RefusalError) return error.errors
  return [error instanceof Error ? error.message : texts.somethingWentWrongTryAgain]
}
