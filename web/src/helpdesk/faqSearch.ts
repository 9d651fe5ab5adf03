import type { helpdesk } from '@dubplate/contract'

type Faq = helpdesk.Faq

/** Without accents, case and the marks of HTML: 'Größe' is found by 'grosse' and by 'große'. */
export const plain = (text: string): string =>
  text
    .replace(/<[^>]*>/g, ' ')
    .replace(/&(nbsp|#160);/g, ' ')
    .replace(/&amp;/g, '&')
    .replace(/ß/g, 'ss')
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()

const wordsOf = (text: string): string[] => plain(text).match(/[\p{L}\p{N}]+/gu) ?? []

/** The questions with all of these words in the question or its answer; those with all of them in the question first. */
export function findFaqs(faqs: readonly Faq[], typed: string): readonly Faq[] {
  const words = wordsOf(typed)
  if (words.length === 0) return faqs
  const has = (text: string) => words.every((word) => text.includes(word))
  const found = faqs.filter(({ question, answer }) => has(`${plain(question)} ${plain(answer)}`))
  const isInQuestion = ({ question }: Faq) => has(plain(question))
  return [...found.filter(isInQuestion), ...found.filter((faq) => !isInQuestion(faq))]
}

/** Words that say nothing of what a question is about. */
const FILLERS = new Set(
  'about and any are can cannot cant could did does doesn doing don for from get has have how into isn its just more not off one out please problem question some that the them then there they this was what when where which who why will with would you your'.split(
    ' ',
  ),
)

const MOST_SUGGESTED = 3

/**
 * Answers that may spare somebody a ticket with this subject, the likeliest first, three at most. A word counts for where
 * it begins a word there: twice in the question, once in the answer; one that is in an answer alone is not enough.
 */
export function suggestFaqs(faqs: readonly Faq[], subject: string): Faq[] {
  const asked = [...new Set(wordsOf(subject))].filter((word) => word.length > 2 && !FILLERS.has(word))
  if (asked.length === 0) return []
  const likely = faqs.map((faq) => ({ faq, score: scoreOf(faq, asked) })).filter(({ score }) => score >= 2)
  return likely
    .sort((a, b) => b.score - a.score)
    .slice(0, MOST_SUGGESTED)
    .map(({ faq }) => faq)
}

function scoreOf({ question, answer }: Faq, asked: string[]): number {
  const [inQuestion, inAnswer] = [wordsOf(question), wordsOf(answer)]
  const isAmong = (words: string[], word: string) => words.some((each) => each.startsWith(stemOf(word)))
  return asked.reduce((sum, word) => sum + (isAmong(inQuestion, word) ? 2 : 0) + (isAmong(inAnswer, word) ? 1 : 0), 0)
}

/** 'downloads' and 'downloading' are about what 'download' is about. */
const stemOf = (word: string) => word.replace(/(?<=.{4})(ing|ed|es|s)$/, '')
