import { support } from '@dubplate/contract'
import { IconQuestionMark } from '@tabler/icons-react'
import { useRef, useState } from 'react'
import { ErrorState } from '../../platform/ErrorState.tsx'
import { useApiQuery } from '../../platform/queries.ts'
import { Button } from '../../ui/Button.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import forms from '../forms/Forms.module.css'
import lists from '../Lists.module.css'
import { StaffPage } from '../StaffPage.tsx'
import { FaqEdit } from './FaqEdit.tsx'
import { FaqRow } from './FaqRow.tsx'
import * as texts from './texts.ts'
import { useFaqOrder } from './useFaqOrder.ts'

/** Questions and answers, in the order in which members see them. */
export const FaqDesk = () => (
  <StaffPage title={texts.helpArticles}>
    <Faqs />
  </StaffPage>
)

function Faqs() {
  const { data, error, refetch } = useApiQuery(support.getFaqs, {})
  const [open, setOpen] = useState<number | 'new'>()
  const list = useRef<HTMLOListElement>(null)
  const { handlers, said } = useFaqOrder(list)
  const faqs = data?.faqs
  const close = () => setOpen(undefined)
  return (
    <>
      <div className={lists.bar}>
        <p className={forms.hint}>{texts.dragToReorderMembersSee}</p>
        {open !== 'new' && (
          <Button variant="primary" onClick={() => setOpen('new')}>
            {texts.newArticle}
          </Button>
        )}
      </div>
      {open === 'new' && <FaqEdit onClose={close} />}
      {error && !data && (
        <ErrorState error={error} subject={texts.helpArticlesInSentence} retry={() => void refetch()} />
      )}
      {!data && !error && <ToCome />}
      <p role="status" className="sr">
        {said}
      </p>
      {faqs?.length === 0 && open !== 'new' && (
        <EmptyState icon={<IconQuestionMark size={24} />} title={texts.noHelpArticlesYet}>
          {texts.answerCommonQuestionsOnceSo}
        </EmptyState>
      )}
      {faqs && faqs.length > 0 && (
        <ol ref={list} className={lists.cards} aria-label={texts.helpArticles} {...handlers}>
          {faqs.map((faq) => (
            <li key={faq.faq_id} data-row>
              {open === faq.faq_id ? (
                <FaqEdit faq={faq} onClose={close} />
              ) : (
                <FaqRow faq={faq} onEdit={() => setOpen(faq.faq_id)} />
              )}
            </li>
          ))}
        </ol>
      )}
    </>
  )
}

const CARDS = 5

const ToCome = () => (
  <ol className={lists.cards} aria-busy aria-label={texts.loadingHelpArticles}>
    {Array.from({ length: CARDS }, (_, i) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: identical placeholders
      <li key={i} className={lists.bone} style={{ height: 66 }} aria-hidden />
    ))}
  </ol>
)
