import { type InputOf, settings, site } from '@dubplate/contract'
import { useState } from 'react'
import { callApi } from '../../platform/api.ts'
import { apiQuery, queryClient } from '../../platform/queries.ts'
import { toast } from '../../ui/toast.ts'
import { isOutdated, refusedFields, sentencesOf } from '../forms/refused.ts'
import { useKept } from '../forms/useKept.ts'
import type { Complaints } from './complaints.ts'
import * as texts from './texts.ts'

export type Everything = settings.Everything
export type Wish = InputOf<typeof settings.saveSettings>
type Group = Wish['group']
type Values<G extends Group> = Extract<Wish, { group: G }>['values']

/** Shows the current settings and applies name, logo, colours and hidden sections to this page. */
export async function take(all: Everything): Promise<void> {
  queryClient.setQueryData(apiQuery(settings.getSettings, {}).queryKey, all)
  const pool = await queryClient.fetchQuery({ ...apiQuery(site.getPool, {}), staleTime: 0 }).catch(() => undefined)
  if (pool) wear(pool.theme)
  await queryClient.invalidateQueries({ queryKey: [site.getProducts.path] })
}

/** Applies or removes the pool's colours. Pages opened later have them from the start. */
function wear(theme: string | null) {
  const worn = document.querySelector<HTMLLinkElement>('link#theme')
  if (!theme) return worn?.remove()
  const link = worn ?? Object.assign(document.createElement('link'), { rel: 'stylesheet', id: 'theme' })
  link.href = theme
  if (!worn) document.body.append(link)
}

export const readNow = () => queryClient.fetchQuery({ ...apiQuery(settings.getSettings, {}), staleTime: 0 })

export const SAVED = texts.settingsSaved

type Complaint = { sentence: string; fields: Complaints }

/** An error without a field is shown for the whole group. */
function complaintOf(error: unknown): Complaint {
  const fields = refusedFields(error)
  const others = Object.keys(fields).filter((path) => !path.startsWith('values.'))
  const isSaid = Object.keys(fields).length > others.length && others.length === 0
  return { sentence: isSaid ? '' : sentencesOf(error), fields }
}

/** A group being edited, with the version it was loaded in. What is typed is kept after a failed save and a reload. */
export type GroupForm<E extends object> = {
  typed: E
  isTouched: boolean
  isBusy: boolean
  /** Why it was not saved; '' when there is no error. */
  complaint: string
  /** The error of a field, by the path of its value: `pool_name`. */
  wrong: (path: string) => string | undefined
  /** The version that someone else has saved in the meantime. */
  theirs: Everything | undefined
  write: (change: Partial<E>) => void
  save: () => Promise<void>
  /** Resets the whole group to the environment's values. */
  goBack: () => Promise<void>
  /** Discards what was typed. */
  drop: () => void
  keepMine: () => Promise<void>
}

type Shape<G extends Group, E> = {
  group: G
  entryOf: (all: Everything) => E
  valuesOf: (typed: E) => Values<G>
  /** Errors the server would report. */
  complaintsOf?: (typed: E) => Complaints
  /** Called after a rejected save, to show the errors at their fields. */
  onRefused?: () => void
}

export function useGroup<G extends Group, E extends object>(all: Everything, shape: Shape<G, E>): GroupForm<E> {
  const { group, entryOf, valuesOf, complaintsOf, onRefused } = shape
  const first = { ...entryOf(all), version: all.groups[group].version }
  const { typed, isTouched, write: keep, reset } = useKept<E & { version: number }>(`settings.${group}`, first)
  const [isBusy, setBusy] = useState(false)
  const [complaint, setComplaint] = useState<Complaint>({ sentence: '', fields: {} })
  const [theirs, setTheirs] = useState<Everything>()
  const settle = () => {
    setComplaint({ sentence: '', fields: {} })
    setTheirs(undefined)
  }
  const reject = async (error: unknown) => {
    setComplaint(complaintOf(error))
    onRefused?.()
    if (isOutdated(error)) setTheirs(await callApi(settings.getSettings, {}).catch(() => undefined))
  }
  const send = async (values: Values<G>, version: number) => {
    settle()
    setBusy(true)
    try {
      const saved = await callApi(settings.saveSettings, { group, version, values } as Wish)
      reset({ ...entryOf(saved), version: saved.groups[group].version })
      await take(saved)
      void toast({ message: SAVED })
    } catch (error) {
      await reject(error)
    }
    setBusy(false)
  }
  const save = async (version = typed.version) => {
    const fields = complaintsOf?.(typed) ?? {}
    if (Object.keys(fields).length === 0) return send(valuesOf(typed), version)
    setComplaint({ sentence: '', fields })
    onRefused?.()
  }
  const write = (change: Partial<E>) => {
    keep(change as Partial<E & { version: number }>)
    setComplaint({ sentence: '', fields: {} })
  }
  return {
    typed,
    isTouched,
    isBusy,
    complaint: complaint.sentence,
    wrong: (path) => complaint.fields[path] ?? complaint.fields[`values.${path}`],
    theirs,
    write,
    save: () => save(),
    goBack: () => send({} as Values<G>, all.groups[group].version),
    drop: () => {
      reset(first)
      settle()
      if (theirs) void take(theirs)
    },
    keepMine: () => save(theirs?.groups[group].version ?? typed.version),
  }
}
