import { type FormErrors, useForm } from '@mantine/form'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import { ApiError } from '../platform/api.ts'
import * as texts from './texts.ts'

type Options<Values> = {
  initialValues: Values
  /** Returns the errors by field. */
  validate: (values: Values) => FormErrors
  /** Called on each change, so that the values survive closing the dialog. */
  onValuesChange?: (values: Values) => void
  /** Throws the server's `ApiError`. */
  send: (values: Values) => Promise<void>
  /** Called first with an error; returns true if it was handled and should not be shown. */
  onRejected?: (apiError: ApiError) => boolean
}

/**
 * A form that is validated when it is submitted and, after a failed attempt, on each change. The server's errors are
 * shown above the fields, and the fields they concern are marked.
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
  const submit = (event?: FormEvent<HTMLFormElement>) =>
    form.onSubmit(
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
    )(event)
  return { form, submit, isBusy: form.submitting, complaints: errorMessages }
}

/** Marks fields as invalid without a message: the messages are shown above, with those that concern no field. */
const toFieldMarkers = (fields: Record<string, string>): FormErrors =>
  Object.fromEntries(Object.keys(fields).map((name) => [name, true]))

const formElementOf = (event: FormEvent<HTMLFormElement> | undefined) => event?.currentTarget

/** Focuses the first invalid field of the form in reading order. */
function focusFirst(box: HTMLFormElement | undefined, errors: object) {
  const fields = box?.querySelectorAll<HTMLElement>('[data-path]') ?? []
  for (const field of fields) {
    if ((field.dataset.path ?? '') in errors) return field.focus()
  }
}

/** Returns the focus to the submit button: the browser removes it while the button is disabled. */
function useKeepFocus(isBusy: boolean) {
  const pressed = useRef<Element | null>(null)
  useEffect(() => {
    if (isBusy) pressed.current = document.activeElement
    else if (document.activeElement === document.body && pressed.current instanceof HTMLElement) pressed.current.focus()
  }, [isBusy])
}

/** The error messages of a failed request. */
export function errorMessagesOf(error: unknown): string[] {
  if (error instanceof ApiError) return error.errors
  return [error instanceof Error ? error.message : texts.somethingWentWrongTryAgain]
}
