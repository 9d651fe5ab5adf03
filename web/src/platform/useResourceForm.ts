import type { Endpoint, InputOf, ReplyOf } from '@dubplate/contract'
import { describeIssue } from '@dubplate/contract/schemas/field-errors'
import { type FormErrors, useForm } from '@mantine/form'
import { type FormEvent, type RefObject, useRef, useState } from 'react'
import { format } from '../format/message.ts'
import type { Toast } from '../ui/toast.ts'
import { useFocusFirstError } from '../ui/useFocusFirstError.ts'
import { ApiError } from './api.ts'
import { discardFormDraft, getFormDraft, saveFormDraft } from './formDrafts.ts'
import * as texts from './texts.ts'
import { useApiMutation } from './useApiMutation.ts'

type Field<Values> = keyof Values & string
/** A field, or a part of one with an error of its own: `values.title`. */
type Path<Values> = Field<Values> | `${Field<Values>}.${string}`

type Options<Values extends object, E extends Endpoint, Saved> = {
  /** The call that saves, with its schema: import it from `@dubplate/contract/schemas/…`. */
  call: E
  /** The draft’s name: 'coupon.7'. Without it, nothing is kept when the form is closed. */
  draftName?: string
  /** What is stored now, or the values of a new row. `version` is the version of the row that was loaded. */
  values: Values
  toInput: (values: Values) => InputOf<E>
  /** The fields of the call whose name in the form is different; or the field for a path: 'values.sender.name'. */
  fieldNames?: Partial<Record<string, Field<Values>>> | ((path: string) => string)
  /** Errors that the schema of the call cannot find, by field. */
  validate?: (values: Values) => Partial<Record<Path<Values>, string | undefined>>
  /** The calls whose replies may have changed: they are requested again. */
  invalidates?: readonly Endpoint[]
  success?: (reply: ReplyOf<E>, input: InputOf<E>) => Toast
  /**
   * Saves in several steps, or before and after the call. `setValues` keeps what the first steps brought, such as the id
   * of the new row, so that saving again does not create it twice.
   */
  save?: (
    send: () => Promise<ReplyOf<E>>,
    setValues: (change: Partial<Values>) => void,
    values: Values,
  ) => Promise<Saved>
  /** Loads what is stored now, after someone else saved first; undefined if it has been deleted. */
  loadCurrent?: (() => Promise<Values | undefined>) | undefined
  /** Called with each change, for what is kept in another way than as the form’s draft. */
  onChange?: (values: Values) => void
  /** Called first with an error; returns true if something else is shown instead of it. */
  onRejected?: (error: ApiError) => boolean | undefined
  /** Their value of a field in words, for fields that are not simply text: a choice, a time. */
  describe?: Partial<{ [F in Field<Values>]: (value: Values[F]) => string }>
  /** Also shows the error of a field that was filled in, once it has been left. */
  isCheckedOnLeave?: boolean
  /** Without it, the form starts again with what was saved. */
  onSaved?: (saved: Saved) => void
}

/** What the frame of a form needs to know of it. */
export type FormFrame = {
  element: RefObject<HTMLFormElement | null>
  submit: (event?: FormEvent) => void
  isBusy: boolean
  isChanged: boolean
  wasSaved: boolean
  /** Errors that concern no field of the form. */
  messages: readonly string[]
  /** When the draft was last changed that the form was opened with. */
  draftAt: string | undefined
  /** Someone else has saved since the values were loaded. */
  conflict: { keepMine: () => void; takeServerVersion: () => void } | undefined
  /** Goes back to what is stored. */
  discard: () => void
}

export type ResourceFormState<Values extends object> = FormFrame & {
  values: Values
  /** The values at this moment, also those that are not rendered yet. */
  getValues: () => Values
  setValues: (change: Partial<Values>) => void
  /** The properties of an input: its value, its error, and what others saved there. `hint` is shown below it. */
  field: (name: Path<Values>, hint?: string) => FieldProps
  checkbox: (name: Field<Values>) => CheckboxProps
}

// Mantine types the properties of its inputs like this.
// biome-ignore lint/suspicious/noExplicitAny: as above
type FieldProps = { value: any; onChange: any; error?: any; description?: string }
// biome-ignore lint/suspicious/noExplicitAny: as above
type CheckboxProps = { checked: any; onChange: any; error?: any; description?: string }

/**
 * A form. The schema of its call says what is valid: errors are shown at their fields on the first attempt to save, and
 * from then on with every change. What was typed survives a failed attempt, a reload and a change by someone else.
 */
export function useResourceForm<Values extends object, E extends Endpoint, Saved = ReplyOf<E>>(
  options: Options<Values, E, Saved>,
): ResourceFormState<Values> {
  const { call, draftName, toInput, loadCurrent } = options
  const [stored, setStored] = useState(options.values)
  const [draft, setDraft] = useState(() => (draftName ? getFormDraft(draftName) : undefined))
  const [messages, setMessages] = useState<readonly string[]>([])
  const [serverValues, setServerValues] = useState<Values>()
  const [isBusy, setBusy] = useState(false)
  const [wasSaved, setSaved] = useState(false)
  const wasTried = useRef(false)
  const element = useRef<HTMLFormElement>(null)
  const focusFirstError = useFocusFirstError(element)
  const { mutateAsync } = useApiMutation(call, {
    ...(options.invalidates && { invalidates: options.invalidates }),
    ...(options.success && { success: options.success }),
  })

  const validate = (values: Values): FormErrors => {
    const errors: FormErrors = {}
    const { error } = call.input.safeParse(toInput(values), { error: describeIssue })
    for (const { path, message } of error?.issues ?? []) errors[fieldOf(path.join('.'), options.fieldNames)] ??= message
    for (const [name, message] of Object.entries(options.validate?.(values) ?? {}))
      if (message) errors[name] = String(message)
    return errors
  }
  const form = useForm<Values>({
    initialValues: { ...options.values, ...draft?.values },
    validate,
    // Mantine would clear them after each change of several values, also those that were found in it.
    clearInputErrorOnChange: false,
    onValuesChange: (values) => {
      if (draftName) saveFormDraft(draftName, values)
      options.onChange?.(values)
      setSaved(false)
      if (wasTried.current) form.validate()
      // An error that a left field shows disappears with its correction.
      else if (options.isCheckedOnLeave) for (const name of Object.keys(form.errors)) checkField(name as Field<Values>)
    },
  })

  const checkField = (name: Path<Values>) => {
    const values = form.getValues()
    // An empty field may be filled in later: it is named when the form is sent.
    if (values[name as Field<Values>]) form.setFieldError(name as never, validate(values)[name])
    else form.clearFieldError(name as never)
  }
  const fieldProps = (name: Path<Values>) => {
    const props = form.getInputProps(name as never)
    if (!options.isCheckedOnLeave) return props
    return { ...props, onBlur: () => !wasTried.current && checkField(name) }
  }

  const restart = (values: Values) => {
    wasTried.current = false
    form.setInitialValues(values)
    form.setValues(values)
    form.clearErrors()
    if (draftName) discardFormDraft(draftName)
    setStored(values)
    setDraft(undefined)
    setMessages([])
    setServerValues(undefined)
  }
  /** Shows errors at their fields, and those of no field of this form above its buttons. */
  const showErrors = (errors: FormErrors, others: readonly string[]) => {
    const isField = (path: string) => path in form.getValues() || (path.split('.')[0] ?? '') in form.getValues()
    form.setErrors(Object.fromEntries(Object.entries(errors).filter(([name]) => isField(name))))
    const homeless = Object.entries(errors).flatMap(([name, message]) => (isField(name) ? [] : [String(message)]))
    setMessages([...new Set([...others, ...homeless])])
    focusFirstError()
  }
  const reject = async (error: unknown) => {
    if (error instanceof ApiError && options.onRejected?.(error)) return
    const fields: FormErrors = {}
    const byPath = error instanceof ApiError ? error.fields : {}
    for (const [path, message] of Object.entries(byPath)) fields[fieldOf(path, options.fieldNames)] ??= message
    showErrors(
      fields,
      messagesOf(error).filter((message) => !Object.values(byPath).includes(message)),
    )
    if (error instanceof ApiError && error.code === 'conflict')
      setServerValues(await loadCurrent?.().catch(() => undefined))
  }
  const setValues = (change: Partial<Values>) => form.setValues(change)
  const save = async () => {
    wasTried.current = true
    setMessages([])
    const { hasErrors, errors } = form.validate()
    if (hasErrors) return showErrors(errors, [])
    setBusy(true)
    try {
      const send = () => mutateAsync(toInput(form.getValues()))
      const saved = options.save ? await options.save(send, setValues, form.getValues()) : ((await send()) as Saved)
      if (draftName) discardFormDraft(draftName)
      // It may have been closed, and another opened, while the lists were loaded again.
      if (!element.current) return
      if (options.onSaved) options.onSaved(saved)
      else restart(form.getValues())
      setSaved(true)
    } catch (error) {
      await reject(error)
    }
    setBusy(false)
  }
  const serverText = (path: Path<Values>): string | undefined => {
    const name = path as Field<Values>
    if (!serverValues || JSON.stringify(serverValues[name]) === JSON.stringify(form.getValues()[name])) return undefined
    const text = options.describe?.[name]?.(serverValues[name]) ?? valueText(serverValues[name])
    return text === undefined ? undefined : format(texts.theirVersion, { text })
  }
  const described = (name: Path<Values>, hint?: string) => {
    const description = serverText(name) ?? hint
    return description === undefined ? {} : { description }
  }
  return {
    ...{ element, setValues, isBusy, wasSaved, messages },
    values: form.values,
    getValues: form.getValues,
    isChanged: JSON.stringify(form.values) !== JSON.stringify(stored),
    draftAt: draft?.at,
    field: (name, hint) => ({ ...fieldProps(name), ...described(name, hint) }) as FieldProps,
    checkbox: (name) =>
      ({ ...form.getInputProps(name as never, { type: 'checkbox' }), ...described(name) }) as CheckboxProps,
    submit: (event) => {
      event?.preventDefault()
      if (!isBusy) void save()
    },
    conflict: serverValues && {
      keepMine: () => {
        setServerValues(undefined)
        form.setValues({ version: (serverValues as { version?: number }).version } as object)
        void save()
      },
      takeServerVersion: () => restart(serverValues),
    },
    discard: () => restart(stored),
  }
}

/** The field of the form for a path of the call's input: an error in an item of a list is one of the whole list. */
function fieldOf(path: string, names: Partial<Record<string, string>> | ((path: string) => string) = {}): string {
  if (typeof names === 'function') return names(path)
  const [name = path] = path.split('.')
  return names[name] ?? name
}

/** The messages of a failed request. */
export function messagesOf(error: unknown): string[] {
  if (error instanceof ApiError) return error.errors
  return [error instanceof Error ? error.message : texts.couldntSaveYourChangesTry]
}

function valueText(value: unknown): string | undefined {
  if (value === '' || value === null || value === undefined) return '–'
  if (typeof value === 'boolean') return value ? texts.yes : texts.no
  return typeof value === 'string' || typeof value === 'number' ? String(value) : undefined
}
