import { type FormErrors, useForm } from '@mantine/form'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import { ApiError } from '../platform/api.ts'
import * as texts from './texts.ts'

type Options<Values> = {
  initialValues: Values
  /** What is wrong, by field. */
  validate: (values: Values) => FormErrors
  /** Hears of each change: what was typed outlives the dialog. */
  onValuesChange?: (values: Values) => void
  /** Throws what the server refuses. */
  send: (values: Values) => Promise<void>
  /** Hears of a refusal first; true where it was dealt with and is no complaint. */
  onRejected?: (apiError: ApiError) => boolean
}

/**
 * A form that is checked when it is sent and, once that failed, at each change. What the server refuses is said above the
 * fields, and those it speaks of are marked.
 */
export function useDialogForm<Values extends Record<string, string>>(options: Options<Values>) {
  const { initialValues, validate, onValuesChange, send, onRejected } = options
  const wasSubmitted = useRef(false)
  const [errorMessages, setErrorMessages] = useState<string[]>([])
  const form = useForm<Values>({
    initialValues,
    validate,
    onValuesChange: (values) => {
      onValuesChange?.(values)
      if (wasSubmitted.current) form.validate()
    },
  })
  useKeepFocus(form.submitting)

  const showErrors = (error: unknown, box: HTMLFormElement | undefined) => {
    wasSubmitted.current = true
    if (error instanceof ApiError) {
      if (onRejected?.(error)) return
      form.setErrors(toFieldMarkers(error.fields))
      focusFirst(box, error.fields)
    }
    setErrorMessages(errorMessagesOf(error))
  }
  const submit = form.onSubmit(
    async (values, event) => {
      const box = formElementOf(event)
      setErrorMessages([])
      wasSubmitted.current = false
      await send(values).catch((error: unknown) => showErrors(error, box))
    },
    (errors, _, event) => {
      wasSubmitted.current = true
      focusFirst(formElementOf(event), errors)
    },
  )
  return { form, submit, isBusy: form.submitting, complaints: errorMessages }
}

/** The fields as wrong, without the words: these stand above, with those that belong to no field. */
const toFieldMarkers = (fields: Record<string, string>): FormErrors =>
  Object.fromEntries(Object.keys(fields).map((name) => [name, true]))

const formElementOf = (event: FormEvent<HTMLFormElement> | undefined) => event?.currentTarget

/** Puts the focus on the first field of the form, as it is read, that something is wrong with. */
function focusFirst(box: HTMLFormElement | undefined, errors: object) {
  const fields = box?.querySelectorAll<HTMLElement>('[data-path]') ?? []
  for (const field of fields) {
    if ((field.dataset.path ?? '') in errors) return field.focus()
  }
}

/** Gives the focus back to the button that was pressed: the browser takes it away while it cannot be pressed. */
function useKeepFocus(isBusy: boolean) {
  const pressed = useRef<Element | null>(null)
  useEffect(() => {
    if (isBusy) pressed.current = document.activeElement
    else if (document.activeElement === document.body && pressed.current instanceof HTMLElement) pressed.current.focus()
  }, [isBusy])
}

/** Why something did not work, in sentences. */
export function errorMessagesOf(error: unknown): string[] {
  if (error instanceof ApiError) return error.errors
  return [error instanceof Error ? error.message : texts.somethingWentWrongTryAgain]
}
