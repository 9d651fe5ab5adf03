import { type FormEvent, type RefObject, useRef, useState } from 'react'
import { useFocusFirstError } from '../helpdesk/useFocusFirstError.ts'
import { fieldErrorsOf, isOutdated, sentencesOf } from './refused.ts'
import { useKept } from './useKept.ts'

/** What is wrong, by field. */
export type Wrong = { [field: string]: string | undefined }

type Versioned = { version?: number | undefined }

type Shape<E extends object, S> = {
  /** The name under which what is typed outlives the form. */
  draftName: string
  first: E
  /** What the server would refuse. */
  wrongOf?: (typed: E) => Wrong
  /** Names of fields that the form calls otherwise than the call does, by the call’s name: for what the server refuses. */
  namesInForm?: Record<string, string>
  /** Throws what the server refuses. What `learn` is told stays with what is typed: the id of what is made by now. */
  send: (typed: E, learn: (change: Partial<E>) => void) => Promise<S>
  /** What follows; the form closes where nothing is said. */
  onSaved?: ((saved: S, reset: (entry: E) => void) => void) | undefined
  /** How to show what somebody else has saved meanwhile. */
  meanwhile?: { read: () => Promise<S | undefined>; entryOf: (theirs: S) => E & Versioned } | undefined
  /** Where it is shown in the list anyway: the version that stands there, which may be saved over once it was refused. */
  versionNow?: (typed: E) => number | undefined
  onClose?: () => void
}

export type Entry<E extends object = object, S = unknown> = {
  form: RefObject<HTMLFormElement | null>
  typed: E
  isTouched: boolean
  isBusy: boolean
  /** By field, once it was tried to save it. */
  wrong: Wrong
  /** Why it was not saved; '' where nothing was in the way. */
  complaint: string
  /** What somebody else has saved meanwhile. */
  theirs: S | undefined
  write: (change: Partial<E>) => void
  /** Begins anew with what was saved. */
  reset: (entry: E) => void
  save: () => Promise<void>
  submit: (event: FormEvent) => void
  /** Drops what was typed. */
  close: () => void
  keepMine: () => void
  takeTheirs: () => void
}

type Refused<S> = { complaint: string; fields: Wrong; theirs?: S | undefined }
const NOTHING = { complaint: '', fields: {} }

const isAny = (wrong: Wrong) => Object.values(wrong).some(Boolean)

/** Why it was not saved last, and what somebody else has saved meanwhile. */
function useRefused<E extends object, S>({ namesInForm, meanwhile }: Shape<E, S>) {
  const [refused, setRefused] = useState<Refused<S>>(NOTHING)
  const reject = async (error: unknown) => {
    setRefused({ complaint: sentencesOf(error), fields: fieldErrorsOf(error, namesInForm) })
    const theirs = isOutdated(error) ? await meanwhile?.read().catch(() => undefined) : undefined
    if (theirs) setRefused((was) => ({ ...was, theirs }))
  }
  /** What is typed anew is not what was refused. */
  const forgetFields = () => setRefused((was) => ({ ...was, fields: {} }))
  return { refused, reject, forgetFields, settle: () => setRefused(NOTHING) }
}

/**
 * A form of the back office: what is typed outlives a refused save, a reload and what somebody else saves meanwhile,
 * until it is saved or dropped; what is wrong is said at its field, and the first of it gets the focus.
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
