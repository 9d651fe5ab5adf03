import { createElement, Fragment, type ReactNode } from 'react'
import { count } from './format.ts'

/**
 * Formats texts. A text is an ICU message (https://unicode-org.github.io/icu/userguide/format_parse/messages/); the
 * supported parts are `{name}`, `{n, plural, one {# song} other {# songs}}` and, in `rich`, `<b>words</b>`.
 */

/** The names of the values that a message needs: `'title'` of `'“{title}” added'`. */
type ValueNames<M extends string> = M extends `${string}{${infer Inside}}${infer Rest}`
  ? ValueName<Inside> | ValueNames<Rest>
  : never
type ValueName<Inside extends string> =
  | (Inside extends `${infer Name}, plural${string}` ? Name : never)
  | PlainWord<AfterLastBrace<Inside>>
type AfterLastBrace<S extends string> = S extends `${string}{${infer Rest}` ? AfterLastBrace<Rest> : S
type PlainWord<S extends string> = S extends `${string} ${string}` | `${string}#${string}` ? never : S
type TagNames<M extends string> = M extends `${string}</${infer Name}>${infer Rest}` ? Name | TagNames<Rest> : never

type Values<M extends string> = Record<ValueNames<M>, string | number>
type RichValues<M extends string> = Record<ValueNames<M>, ReactNode> &
  Record<TagNames<M>, (inside: ReactNode) => ReactNode>

const PART = /\{(\w+)(?:, plural,((?: *=?\w+ \{(?:[^{}]|\{\w+\})*\})+))?\}|<(\w+)>(.*?)<\/\3>/gs
const PLURAL_FORM = /(=?\w+) \{((?:[^{}]|\{\w+\})*)\}/g

const pluralRules = new Intl.PluralRules('en')

/** The plural form for a number: an exact one (`=0`), otherwise that of its category in the language. */
function choosePlural(forms: string, n: number): string {
  const byName = new Map([...forms.matchAll(PLURAL_FORM)].map(([, name = '', text = '']) => [name, text]))
  const form = byName.get(`=${n}`) ?? byName.get(pluralRules.select(n)) ?? byName.get('other') ?? ''
  return form.replaceAll('#', count(n))
}

type AnyValue = ReactNode | ((inside: ReactNode) => ReactNode)

function interpolate(message: string, values: Record<string, AnyValue>): ReactNode[] {
  const parts: ReactNode[] = []
  let end = 0
  for (const { 0: placeholder, 1: name, 2: forms, 3: tag, 4: inside = '', index } of message.matchAll(PART)) {
    parts.push(message.slice(end, index))
    end = index + placeholder.length
    const value = values[name ?? tag ?? '']
    if (tag) parts.push((value as (inside: ReactNode) => ReactNode)(join(interpolate(inside, values))))
    else if (forms) parts.push(...interpolate(choosePlural(forms, Number(value)), values))
    else parts.push(value as ReactNode)
  }
  return [...parts, message.slice(end)]
}

const join = (parts: ReactNode[]): ReactNode => createElement(Fragment, null, ...parts)

/** A message with its values, as plain text. */
export const format = <const M extends string>(message: M, values: Values<M>): string =>
  interpolate(message, values).join('')

/** A message with values that may be elements, and with a function for each of its tags. */
export const rich = <const M extends string>(message: M, values: RichValues<M>): ReactNode =>
  join(interpolate(message, values as Record<string, AnyValue>))
