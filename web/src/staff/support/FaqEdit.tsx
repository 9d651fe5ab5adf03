import { support } from '@dubplate/contract'
import { callApi } from '../../platform/api.ts'
import { RichText } from '../../ui/RichText.tsx'
import { EntryEnd } from '../forms/EntryEnd.tsx'
import { TextField, Tick } from '../forms/EntryFields.tsx'
import { EntryForm } from '../forms/EntryForm.tsx'
import { useEntry, type Wrong } from '../forms/useEntry.ts'
import * as texts from './texts.ts'
import { askFaqsAnew } from './tickets.ts'

type FaqEntry = Pick<support.StaffFaq, 'question' | 'answer' | 'published'>
type Props = { faq?: support.StaffFaq; onClose: () => void }

const wrongFaq = ({ question, answer }: FaqEntry): Wrong => ({
  ...(question.trim() ? {} : { question: texts.enterAQuestion }),
  ...(answer ? {} : { answer: texts.enterAnAnswer }),
})

async function saveFaq(entry: FaqEntry, of: support.StaffFaq | undefined): Promise<void> {
  await callApi(support.saveFaq, { ...entry, ...(of ? { faq_id: of.faq_id } : {}) })
  await askFaqsAnew()
}

export function FaqEdit({ faq, onClose }: Props) {
  const { question = '', answer = '', published = true } = faq ?? {}
  const entry = useEntry<FaqEntry, void>({
    draftName: `faq.${faq?.faq_id ?? 'new'}`,
    first: { question, answer, published },
    wrongOf: wrongFaq,
    send: (typed) => saveFaq(typed, faq),
    onClose,
  })
  const { typed, wrong, write } = entry
  return (
    <EntryForm entry={entry} title={faq ? texts.editArticle : texts.newArticle}>
      <TextField
        label={texts.question}
        path="question"
        wrong={wrong.question}
        takesFocus
        maxLength={300}
        value={typed.question}
        onChange={(question) => write({ question })}
      />
      <RichText
        label={texts.answer}
        value={typed.answer}
        error={wrong.answer}
        onChange={(answer) => write({ answer })}
      />
      <Tick isTicked={typed.published} onTick={(published) => write({ published })}>
        {texts.published}
      </Tick>
      <EntryEnd entry={entry} />
    </EntryForm>
  )
}
