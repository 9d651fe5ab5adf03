import { type FormEvent, type RefObject, useRef, useState } from 'react'
import { useFocusFirstError } from '../../ui/useFocusFirstError.ts'
import { fieldErrorsOf, isOutdated, sentencesOf } from './refused.ts'
import { useKept } from './useKept.ts'

/** Errors, by field. */
export type Wrong = { [field: string]: string | undefined }

type Versioned = { version?: number | undefined }

type Shape<E extends object, S> = {
  /** The name under which the draft is stored beyond the form's lifetime. */
  draftName: string
  first: E
  /** Errors the server would report. */
  wrongOf?: (typed: E) => Wrong
  /** Maps field names of the API to those of the form where they differ, for errors of the server. */
  namesInForm?: Record<string, string>
  /**
   * Throws an `ApiError` when the server rejects the change. `learn` adds values to the draft, such as the id of an
   * item that was just created.
   */
  send: (typed: E, learn: (change: Partial<E>) => void) => Promise<S>
  /** Called after saving; without it, the form closes. */
  onSaved?: ((saved: S, reset: (entry: E) => void) => void) | undefined
  /** How to show the version that someone else has saved in the meantime. */
  meanwhile?: { read: () => Promise<S | undefined>; entryOf: (theirs: S) => E & Versioned } | undefined
  /** For items shown in a list anyway: the version shown there, which may be overwritten after a rejected save. */
  versionNow?: (typed: E) => number | undefined
  onClose?: () => void
}

export type Entry<E extends object = object, S = unknown> = {
  form: RefObject<HTMLFormElement | null>
  typed: E
  isTouched: boolean
  isBusy: boolean
  /** Errors by field, after the first attempt to save. */
  wrong: Wrong
  /** Why it was not saved; '' when there is no error. */
  complaint: string
  /** The version that someone else has saved in the meantime. */
  theirs: S | undefined
  write: (change: Partial<E>) => void
  /** Starts again with what was saved. */
  reset: (entry: E) => void
  save: () => Promise<void>
  submit: (event: FormEvent) => void
  /** Discards what was typed. */
  close: () => void
  keepMine: () => void
  takeTheirs: () => void
}

type Refused<S> = { complaint: string; fields: Wrong; theirs?: S | undefined }
const NOTHING = { complaint: '', fields: {} }

const isAny = (wrong: Wrong) => Object.values(wrong).some(Boolean)

/** The last error, and the version that someone else has saved in the meantime. */
function useRefused<E extends object, S>({ namesInForm, meanwhile }: Shape<E, S>) {
  const [refused, setRefused] = useState<Refused<S>>(NOTHING)
  const reject = async (error: unknown) => {
    setRefused({ complaint: sentencesOf(error), fields: fieldErrorsOf(error, namesInForm) })
    const theirs = isOutdated(error) ? await meanwhile?.read().catch(() => undefined) : undefined
    if (theirs) setRefused((was) => ({ ...was, theirs }))
  }
  /** After new input, the field errors no longer apply. */
  const forgetFields = () => setRefused((was) => ({ ...was, fields: {} }))
  return { refused, reject, forgetFields, settle: () => setRefused(NOTHING) }
}

/**
 * A form of the back office. What is typed is kept after a failed save, a reload, and a change by someone else, until
 * it is saved or discarded. Errors are shown at their fields, and the first of them gets the focus.
 */
export function useEntry<E extends object, S>(shape: Shape<E, S>): Entry<E, S> {
  const { wrongOf, send, onSaved, meanwhile, versionNow, onClose } = shape
  const { typed, isTouched, write: keep, drop, reset: begin } = useKept<E>(shape.draftName, shape.first)
  const { refused, reject, forgetFields, settle } = useRefused(shape)
  const [isTried, setTried] = useState(false)
  const [isBusy, setBusy] = useState(false)
  const form = useRef<HTMLFormElement>(null)
  const goToWrong = useFocusFirstError(form)
  const reset = (entry: E) => {
    begin(entry)
    setTried(false)
    settle()
  }
  const saveAs = async (entry: E) => {
    setTried(true)
    settle()
    if (isAny(wrongOf?.(entry) ?? {})) return goToWrong()
    setBusy(true)
    try {
      const saved = await send(entry, keep)
      drop()
      setTried(false)
      if (onSaved) onSaved(saved, reset)
      else onClose?.()
    } catch (error) {
      const version = versionNow?.(entry)
      if (version !== undefined) keep({ ...entry, version })
      goToWrong()
      await reject(error)
    }
    setBusy(false)
  }
  const keepMine = () => {
    if (!refused.theirs || !meanwhile) return
    const mine = { ...typed, version: meanwhile.entryOf(refused.theirs).version }
    keep(mine)
    void saveAs(mine)
  }
  return {
    ...{ form, typed, isTouched, isBusy, reset, keepMine },
    wrong: isTried ? { ...refused.fields, ...wrongOf?.(typed) } : {},
    complaint: refused.complaint,
    theirs: refused.theirs,
    write: (change) => {
      keep(change)
      forgetFields()
    },
    save: () => saveAs(typed),
    submit: (event) => {
      event.preventDefault()
      void saveAs(typed)
    },
    close: () => {
      drop()
      onClose?.()
    },
    takeTheirs: () => refused.theirs && meanwhile && reset(meanwhile.entryOf(refused.theirs)),
  }
}
