import { helpdesk, support } from '@dubplate/contract'
import { saveFaq } from '@dubplate/contract/schemas/support'
import { Checkbox, Text, TextInput, Title } from '@mantine/core'
import { IconPencil, IconQuestionMark, IconTrash } from '@tabler/icons-react'
import { useState } from 'react'
import { MainCell } from '../../admin/cells.tsx'
import { RichTextInput } from '../../admin/formFields.tsx'
import { OrderedList } from '../../admin/OrderedList.tsx'
import { QuickSwitch } from '../../admin/QuickSwitch.tsx'
import { ResourceForm } from '../../admin/ResourceForm.tsx'
import { SidePanel, TablePage } from '../../admin/TablePage.tsx'
import { useTableSearch } from '../../admin/useTableSearch.ts'
import { format } from '../../format/message.ts'
import { callApi } from '../../platform/api.ts'
import { useApiQuery } from '../../platform/queries.ts'
import { trimmedText } from '../../platform/search-fields.ts'
import { refreshReplies, useApiMutation } from '../../platform/useApiMutation.ts'
import { useResourceForm } from '../../platform/useResourceForm.ts'
import { Button } from '../../ui/Button.tsx'
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx'
import { wordsOf } from './savedReplies.ts'
import * as texts from './texts.ts'

type Article = support.StaffFaq

/** In the URL: a new article is being written; otherwise the number of the article that is open. */
const NEW = 'new'

const LISTS = [support.getFaqs, helpdesk.getFaqs]

/** The questions and answers of the help pages, in the order in which members see them. */
export function HelpArticles() {
  const query = useApiQuery(support.getFaqs, {})
  const { search, change } = useTableSearch({ open: trimmedText })
  const [deleting, setDeleting] = useState<Article>()
  const remove = useApiMutation(support.removeFaq, { invalidates: LISTS })
  const articles = query.data?.faqs
  const open = articles?.find(({ faq_id }) => String(faq_id) === search.open)
  const openArticle = ({ faq_id }: Article) => change({ open: faq_id })
  const close = () => change({ open: undefined })
  return (
    <TablePage
      total={articles?.length}
      actions={
        <Button variant="primary" onClick={() => change({ open: NEW })}>
          {texts.newArticle}
        </Button>
      }
      panel={
        (open || search.open === NEW) && (
          <SidePanel label={open?.question ?? texts.newArticle} onClose={close}>
            <ArticleForm key={open?.faq_id ?? NEW} article={open} onClose={close} />
          </SidePanel>
        )
      }
    >
      <Text c="var(--text-2)" px="xl" pb="sm">
        {texts.dragToReorderMembersSee}
      </Text>
      <OrderedList
        name={texts.helpArticles}
        items={articles}
        query={query}
        errorTitle={texts.couldntLoadHelpArticles}
        order={{
          list: support.getFaqs,
          itemsOf: ({ faqs }) => faqs,
          withItems: (reply, faqs) => ({ ...reply, faqs }),
          nameOf: ({ question }) => question,
          save: (faqs) => callApi(support.orderFaqs, { faq_ids: faqs.map(({ faq_id }) => faq_id) }),
          invalidates: [helpdesk.getFaqs],
        }}
        idOf={({ faq_id }) => faq_id}
        openId={open?.faq_id}
        onOpen={openArticle}
        details={(article) => <PublishedSwitch article={article} />}
        actions={[
          { label: texts.edit, icon: IconPencil, run: openArticle },
          { label: texts.deleteButton, icon: IconTrash, isDanger: true, run: setDeleting },
        ]}
        empty={{
          icon: <IconQuestionMark size={24} />,
          title: texts.noHelpArticlesYet,
          text: texts.answerCommonQuestionsOnceSo,
        }}
      >
        {({ question, answer }) => <MainCell title={question} text={wordsOf(answer)} />}
      </OrderedList>
      {deleting && (
        <ConfirmDialog
          title={texts.deleteArticle}
          what={format(texts.andItsAnswerWillBe, { question: deleting.question })}
          confirmLabel={texts.deleteButton}
          isDanger
          onConfirm={() => remove.mutateAsync({ faq_id: deleting.faq_id })}
          onClose={() => setDeleting(undefined)}
        />
      )}
    </TablePage>
  )
}

const PublishedSwitch = ({ article: { faq_id, question, answer, published } }: { article: Article }) => (
  <QuickSwitch
    name={format(texts.questionPublished, { question })}
    label={texts.published}
    isOn={published}
    errorTitle={published ? texts.couldntUnpublishArticle : texts.couldntPublishArticle}
    save={async (published) => {
      await callApi(support.saveFaq, { faq_id, question, answer, published })
      await refreshReplies(LISTS)
    }}
  />
)

function ArticleForm({ article, onClose }: { article: Article | undefined; onClose: () => void }) {
  const { question = '', answer = '', published = true } = article ?? {}
  const form = useResourceForm({
    call: saveFaq,
    draftName: `faq.${article?.faq_id ?? NEW}`,
    values: { question, answer, published },
    toInput: (values) => ({ ...values, ...(article && { faq_id: article.faq_id }) }),
    invalidates: LISTS,
    onSaved: onClose,
  })
  const title = article ? texts.editArticle : texts.newArticle
  return (
    <ResourceForm form={form} label={title} onClose={onClose}>
      <Title order={2}>{title}</Title>
      <TextInput label={texts.question} maxLength={300} data-autofocus autoComplete="off" {...form.field('question')} />
      <RichTextInput label={texts.answer} {...form.field('answer')} />
      <Checkbox label={texts.published} {...form.checkbox('published')} />
    </ResourceForm>
  )
}
