import { helpdesk } from '@dubplate/contract'
import { format } from '../platform/message.ts'
import { useApiQuery } from '../platform/queries.ts'
import { Html } from '../site/Html.tsx'
import { Button } from '../ui/Button.tsx'
import words from '../ui/Words.module.css'
import css from './FaqSuggestions.module.css'
import { suggestFaqs } from './faqSearch.ts'
import * as texts from './texts.ts'

/** FAQs that match the subject while it is typed. */
export function FaqSuggestions({ subject, onAnswered }: { subject: string; onAnswered: () => void }) {
  const { data } = useApiQuery(helpdesk.getFaqs, {})
  const faqs = data ? suggestFaqs(data.faqs, subject) : []
  return (
    <div className={faqs.length > 0 ? css.box : css.none}>
      <p role="status" className="sr">
        {faqs.length > 0 && format(texts.suggestedAnswerCount, { count: faqs.length })}
      </p>
      {faqs.length > 0 && (
        <>
          <h3 className={css.title}>{texts.suggestedAnswers}</h3>
          {faqs.map(({ faq_id, question, answer }) => (
            <details key={faq_id} className={css.entry}>
              <summary>{question}</summary>
              <Html html={answer} className={words.words} />
              <Button onClick={onAnswered}>{texts.thisSolvedIt}</Button>
            </details>
          ))}
        </>
      )}
    </div>
  )
}
