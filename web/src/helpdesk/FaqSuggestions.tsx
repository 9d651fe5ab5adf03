import { helpdesk } from '@dubplate/contract'
import { Stack, Text } from '@mantine/core'
import { format } from '../format/message.ts'
import { Html } from '../platform/Html.tsx'
import { useApiQuery } from '../platform/queries.ts'
import { Button } from '../ui/Button.tsx'
import words from '../ui/Words.module.css'
import { suggestFaqs } from './faqSearch.ts'
import * as texts from './texts.ts'

/** FAQs that match the subject while it is typed. */
export function FaqSuggestions({ subject, onAnswered }: { subject: string; onAnswered: () => void }) {
  const { data } = useApiQuery(helpdesk.getFaqs, {})
  const faqs = data ? suggestFaqs(data.faqs, subject) : []
  return (
    <>
      <p role="status" className="sr">
        {faqs.length > 0 && format(texts.suggestedAnswerCount, { count: faqs.length })}
      </p>
      {faqs.length > 0 && (
        <Stack gap={4} p="10px 12px" bdrs="md" bg="var(--surface-2)">
          <Text component="h3" fz="xs" fw={560} c="var(--text-2)">
            {texts.suggestedAnswers}
          </Text>
          {faqs.map(({ faq_id, question, answer }) => (
            <details key={faq_id}>
              <Text component="summary" fz="sm" fw={560} py={6} style={{ cursor: 'pointer', overflowWrap: 'anywhere' }}>
                {question}
              </Text>
              <Stack gap="sm" pb="sm" align="flex-start">
                <Text component="div" c="var(--text-2)" lh={1.5}>
                  <Html html={answer} className={words.words} />
                </Text>
                <Button onClick={onAnswered}>{texts.thisSolvedIt}</Button>
              </Stack>
            </details>
          ))}
        </Stack>
      )}
    </>
  )
}
