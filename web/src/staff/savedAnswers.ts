import type { support } from '@dubplate/contract'
import * as texts from './texts.ts'

/** The words of HTML, for searching and for a first line. */
export const wordsOf = (html: string): string =>
  (
    new DOMParser().parseFromString(html.replaceAll('</p>', ' </p>').replaceAll('<br>', ' '), 'text/html').body
      .textContent ?? ''
  )
    .replace(/\s+/g, ' ')
    .trim()

const plain = (text: string) => text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase()

export type Searchable = { title: string; words: string }

/** Those in which every word that is looked for stands, the ones that have it in their name first. */
export function findAnswers<A extends Searchable>(answers: readonly A[], looked: string): A[] {
  const wanted = plain(looked).split(/\s+/).filter(Boolean)
  const fits = ({ title, words }: A) => wanted.every((word) => plain(`${title} ${words}`).includes(word))
  const isNamed = ({ title }: A) => wanted.every((word) => plain(title).includes(word))
  const found = answers.filter(fits)
  return [...found.filter(isNamed), ...found.filter((answer) => !isNamed(answer))]
}

export const PLACEHOLDER_WORDS: Record<support.Placeholder, string> = {
  dj_name: texts.theMembersDjName,
  ticket_number: texts.ticketNumber,
  subject: texts.ticketSubject,
  pool_name: texts.siteName,
  staff_name: texts.yourName,
}
